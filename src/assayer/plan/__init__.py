"""What a run makes, from what, and by which command: all that the rules of the workflow look up.

The rules hold patterns of files; here are the functions of their wildcards. Nothing here reads
results, but for the sizes that a job's resources depend on.
"""

from assayer.plan.whole import Plan, studies_named

__all__ = ["Plan", "studies_named"]
