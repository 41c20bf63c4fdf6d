"""A run's files, their inputs and commands: all look-ups of the rules of the workflow.

The rules hold patterns of files; here are the functions of their wildcards. Nothing here reads
results, but for the sizes that a job's resources depend on.
"""

from rankassay.plan.whole import Plan, studies_named

__all__ = ["Plan", "studies_named"]
