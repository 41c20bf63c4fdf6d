"""Snakemake's events, and the messages at the end of a run except its findings (`plan.found`)."""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from rankassay.artifacts.manifest import named
from rankassay.errors import number_of

LOGGER = logging.getLogger("snakemake.logging")
BEGAN = time.time()  # of the run, which is planned before its first job


def gone(paths: Sequence[str]) -> str:
    """Return the line on artifacts of the former manifest that the new one has to leave out."""
    what = number_of(len(paths), "file", ("of an earlier run is", "of an earlier run are"))
    return (
        f"{what} gone, and not asked for now: {named(paths)}. A run makes what it is asked for by "
        "its path."
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


class Watch(logging.Handler):
    """Checks existing files before jobs are planned, and keeps the logs of failed jobs.

    Snakemake sends its events in the thread in which they happen, so that what a check raises ends
    the run.

    Parameters
    ----------
    check : callable
        Called when a run begins, before its jobs are planned; other commands, such as --unlock, do
        without.
    notes : callable
        Returns the lines below the plan of a dry run.
    """

    def __init__(self, check: Callable[[], None], notes: Callable[[], Iterable[str]]) -> None:
        super().__init__()
        self.check, self.notes = check, notes
        self.logs: dict[str, None] = {}  # of failed jobs, each once
        self.failed = False  # whether a job did, or Snakemake itself
        self.planned = False

    def emit(self, record: logging.LogRecord) -> None:
        """Handle an event."""
        match getattr(record, "event", None):
            case "workflow_started":
                self.check()
            case "run_info" if self.planned:  # a dry run prints its plan again in the end
                LOGGER.info("\n".join(self.notes()))
            case "run_info":
                self.planned = True
            case "job_error":
                self._fail(record.log)
            case "group_error":
                self._fail(path for job in record.job_error_info for path in job["log"])
            case "error":
                self.failed = True

    def _fail(self, logs: Iterable[Any]) -> None:
        self.failed = True
        self.logs.update(dict.fromkeys(map(str, logs)))


def watch(check: Callable[[], None], notes: Callable[[], Iterable[str]]) -> Watch:
    """Return a handler of the events of this run from now on; see `Watch` for the parameters."""
    found = Watch(check, notes)
    LOGGER.addHandler(found)
    return found
