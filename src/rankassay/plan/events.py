"""Actions of the workflow at Snakemake's events, independent of how these are shown."""

import logging
from collections.abc import Callable, Iterable
from typing import Any

LOGGER = logging.getLogger("snakemake.logging")


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
