"""Messages at the end of a run, except its findings (`rankassay.plan.found`)."""

import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from rankassay.artifacts.manifest import named
from rankassay.errors import number_of

BEGAN = time.time()  # of the run, which is planned before its first job


def gone(paths: Sequence[str]) -> str:
    """Return the line on artifacts of the former manifest that the new one has to leave out."""
    what = number_of(len(paths), "artifact", ("was", "were"))
    return (
        f"rankassay: {what} in the former manifest, but no longer there, and not in the new one: "
        f"{named(paths)}. A run makes again what it is asked for by its path."
    )


SILENT = "no message, as of a job that was ended from outside: perhaps memory was short"
KEPT = "What is finished is kept: the same command goes on from there"
LOCKED = (
    "If it says that the directory is locked,\nand no other run works in it, first the same "
    "command with --unlock."
)


def interrupted() -> str:
    """Return the message of a run that somebody stopped by Ctrl-C."""
    return f"\nrankassay: interrupted. {KEPT}.\n{LOCKED}"


def failure(logs: Iterable[str], failed: bool = True) -> str:
    """Return the message of a run that did not end well: of each log the last line, and advice.

    Parameters
    ----------
    logs : paths
        Of the logs of the jobs that failed.
    failed : bool
        Whether any did; else the run was interrupted.
    """
    lines = []
    for name in logs:
        job_log = Path(name)
        content = job_log.read_text(errors="replace").split("\n") if job_log.is_file() else []
        said = [line for line in content if line.strip()]
        lines.append(f"{said[-1] if said else SILENT}\n  (log: {name})")
    if not failed:
        lines.append("The run was asked to end (SIGTERM), and let its running jobs finish.")
    what = "\n".join(lines) or "Snakemake's message above says what went wrong."
    return (
        f"\n{what}\n\n{KEPT}, and with --keep-going it\nfinishes all that does not depend on what "
        f"failed. {LOCKED}"
    )
