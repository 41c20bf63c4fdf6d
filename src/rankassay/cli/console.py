"""Messages during a run: one line a job, or one a study, as it ends; its log file has the rest.

Snakemake prints ten lines for a job. They stay in its log file (`.snakemake/log`). On the terminal
they are shown with `--verbose` or `--printshellcmds`. A dry run shows the plan by study.

It is a logger plugin (`--logger rankassay`), which goes by Snakemake's events. Where it is
installed, every call of Snakemake imports it, so it imports little.
"""

import logging
import logging.handlers
import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.settings import LogHandlerSettingsBase

from rankassay.cli import process
from rankassay.errors import number_of, unknown
from rankassay.progress import time_left

LOGGER = "snakemake.logging"
SILENT = {
    *(LogEvent.WORKFLOW_STARTED, LogEvent.RESOURCES_INFO, LogEvent.SHELLCMD, LogEvent.GROUP_INFO),
    *(LogEvent.JOB_STARTED, LogEvent.PROGRESS, LogEvent.RULEGRAPH),
}
# Beginnings of messages without an event that can be dropped. Others are shown.
CHATTER = (
    *("Config file ", "Assuming unrestricted", "Building DAG", "Using shell", "Select jobs"),
    *("Conda environments: ignored", "Singularity containers: ignored", "Group jobs: inactive"),
    *("Removing temporary", "Shutting down", "Exiting because a job", "--keep-incomplete mode"),
    *("Would remove temporary", "Reasons:", "This was a dry-run", "host: "),
)
NOTHING = ("", "None")
TRACEBACK = "Traceback (most recent call last)"
RED, GREEN, YELLOW = 31, 32, 33
CLEAR = "\x1b[K"
BAR = 20
INCOMPLETE = "At least one job did not complete"  # Snakemake's words for a run with such jobs
LONGEST = 5  # seconds to wait for what shows messages, which may have ended
PHASES = {
    **dict.fromkeys(("fetch", "prepare", "split"), "data"),
    **dict.fromkeys(("recommend", "recommend_slow", "import_run"), "systems"),
    **dict.fromkeys(("fit", "rank", "join_rankings"), "systems"),
    **dict.fromkeys(("score", "score_shard", "join_scores", "means"), "values of the metrics"),
    "advise": "what to report",
    **dict.fromkeys(("report_contents", "report_page"), "report"),
}
ELSE = "all else"

# What the workflow says of itself, in the process that this is in.
targets: list[str] = []  # the rules that can be asked for by name
reasons: list[Callable[[str], str | None]] = []  # of a path, why no rule makes it


@dataclass
class LogHandlerSettings(LogHandlerSettingsBase):
    """Options of Snakemake's command line."""

    lines: str = field(
        default="",
        metadata={
            "help": "What has a line: studies, or jobs (default: jobs, and studies in a dry run).",
            "choices": ["studies", "jobs"],
        },
    )


class LogHandler(LogHandlerBase):
    """Chooses and words the lines shown of a run; Snakemake's own formatter words the rest."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = has_formatter = False  # Snakemake's own: they know --quiet and the like
    needs_rulegraph = False

    def __post_init__(self) -> None:
        given = self.common_settings
        self.stream = sys.stdout if given.stdout else sys.stderr
        lines = self.settings.lines if self.settings else ""
        self.dry = given.dryrun
        self.by_study = lines == "studies" or (self.dry and not lines)
        self.as_it_is = given.verbose or given.printshellcmds
        self.began = time.time()
        self.total = 0
        self.ends: list[float] = []  # when each job that ended did, since the beginning
        self.jobs: dict[int, logging.LogRecord] = {}  # those that began, by number
        self.phases = Phases({})
        self.failed = False
        self.bar = False  # whether there is one on the terminal

    def emit(self, record: logging.LogRecord) -> None:
        """Show a record, if it is to be shown."""
        try:
            text = self.words(record)
            if text is not None and text not in NOTHING:
                self._write(self._coloured(record, text) + "\n")
        except BrokenPipeError:
            pass  # whoever read it, such as head, has enough
        except Exception:
            self.handleError(record)

    def words(self, record: logging.LogRecord) -> str | None:
        """Return the line shown for a record, or None."""
        event = getattr(record, "event", None)
        if self.as_it_is:
            return self.format(record)
        if event in SILENT:
            return None
        if event == LogEvent.RUN_INFO:
            return self._begun(record)
        if event == LogEvent.JOB_INFO:
            return self._started(record)
        if event == LogEvent.JOB_FINISHED:
            return self._finished(record)
        if event == LogEvent.JOB_ERROR:
            return self._failed(record)
        if event == LogEvent.ERROR:
            return self._error(record)
        text = self.format(record)
        return None if event is None and text.startswith(CHATTER) else stopped(text)

    def _begun(self, record: logging.LogRecord) -> str | None:
        """Note the jobs to do; at the end of a dry run, which lists them again, return the plan."""
        if self.total and self.by_study:
            return self.phases.planned()
        rules = dict(record.stats)
        self.began, self.total = record.created, rules.pop("total")
        self.phases = Phases(rules)
        return None

    def _started(self, record: logging.LogRecord) -> str | None:
        """Note a job that begins; return its line in a dry run, in which none ends."""
        self.jobs[record.jobid] = record
        if not self.dry:
            self._tell(said(record))
        elif not self.by_study:
            return f"[{len(self.jobs)}/{self.total}] {said(record)}"
        return None

    def _finished(self, record: logging.LogRecord) -> str | None:
        """Return the line of a job that ended, or of the phase that ended with it, if one did."""
        self.ends.append(record.created - self.began)
        if (job := self.jobs.get(record.job_id)) is None:  # --quiet tells of no job that begins
            return None
        rest = time_left(self.ends, self.total)
        left = f"about {duration(rest)} left" if rest and rest >= 1 else ""
        if not self.by_study:
            clock = time.strftime("%H:%M:%S", time.localtime(record.created))
            times = "; ".join(filter(None, [duration(record.created - job.created), left]))
            return f"{clock} [{len(self.ends)}/{self.total}] {said(job)} ({times})"
        if (ended := self.phases.after(job.rule_name)) is None:
            return None
        jobs = number_of(self.phases.totals[ended], "job")
        return f"{duration(self.ends[-1]):>7}  {ended:22} {jobs:>8}  {left}".rstrip()

    def _failed(self, record: logging.LogRecord) -> str:
        self.failed = True
        what = said(self.jobs[record.jobid]) if record.jobid in self.jobs else record.rule_name
        if process.interrupted:
            return f"stopped: {what}"
        if self.common_settings.show_failed_logs:
            return self.format(record)
        return f"failed: {what}" + "".join(f" ({path})" for path in record.log[:1])

    def _error(self, record: logging.LogRecord) -> str | None:
        """Return Snakemake's message on a mistake, in our words where we have some."""
        text, kind = self.format(record), getattr(record, "exception", None)
        if kind == "MissingRuleException":
            return _no_rule(text)
        if kind == "LockException":
            return (
                f"rankassay: expected to be the only run in {Path().absolute()}, found it locked; "
                "wait until the other run ends, or, if none is running, give the same command once "
                "with --unlock."
            )
        if kind == "ApiError" and "--cores" in text:
            return (
                "rankassay: expected --cores N, how many jobs may run at a time, found none; for "
                "example: snakemake --cores 2"
            )
        # A job that failed has an event, and the workflow ends a run of such jobs with its message.
        of_job = kind == "RuleException" and "CalledProcessError" in text
        ended = self.failed or process.interrupted
        of_jobs = kind == "WorkflowError" and ended and INCOMPLETE in text
        return None if of_job or of_jobs else stopped(text)

    def _tell(self, message: str) -> None:
        """Show how far the run is, and the job that has begun, on a terminal."""
        if self.stream.isatty():
            done = "#" * (BAR * len(self.ends) // max(self.total, 1))
            shown = f"|{done:{BAR}}| {len(self.ends)}/{self.total} {message}"
            self._write(f"{shown[: shutil.get_terminal_size().columns - 1]}\r")
            self.bar = True

    def _write(self, text: str) -> None:
        self.stream.write(CLEAR + text if self.bar else text)
        self.stream.flush()
        self.bar = False

    def _coloured(self, record: logging.LogRecord, text: str) -> str:
        """Return text in the colour that Snakemake has for its kind, on a terminal."""
        if self.common_settings.nocolor or os.environ.get("NO_COLOR") or not self.stream.isatty():
            return text
        event = getattr(record, "event", None)
        plain = record.levelno < logging.WARNING and event not in (None, LogEvent.RUN_INFO)
        colour = GREEN if plain else RED if record.levelno >= logging.ERROR else YELLOW
        return f"\x1b[{colour}m{text}\x1b[0m"


def said(job: logging.LogRecord) -> str:
    """Return what a job that began does, in words."""
    return job.rule_msg or job.rule_name


def wait() -> None:
    """Wait until all messages have been shown by another thread, which may be behind."""
    for handler in logging.getLogger(LOGGER).handlers:
        if isinstance(handler, logging.handlers.QueueHandler):
            told = handler.queue
            with told.all_tasks_done:
                told.all_tasks_done.wait_for(lambda told=told: not told.unfinished_tasks, LONGEST)


def _no_rule(text: str) -> str:
    """Return the message for a target that no rule makes; `text` names it."""
    from rankassay.studies import STUDIES  # on use: it takes a while

    found = text.partition("No rule to produce ")[2].partition(" (if you use")[0]
    if found in STUDIES:
        return (
            f"rankassay: expected a study of this run, found '{found}', which the key "
            "studies leaves out; add it there."
        )
    for reason in filter(None, (why_not(found) for why_not in reasons)):
        return f"rankassay: {reason}"
    return f"rankassay: {unknown('target', found, sorted(targets))}" if found else text


def stopped(text: str) -> str:
    r"""Return Snakemake's message, or only the last line of a traceback.

    >>> stopped("Traceback (most recent call last):\n  File x\nOSError: no space")
    'rankassay: Snakemake stopped with OSError: no space (its log tells where)'
    """
    if (start := text.find(TRACEBACK)) < 0:
        return text
    last = [line for line in text[start:].splitlines() if line.strip()][-1]
    return f"rankassay: Snakemake stopped with {last.strip()} (its log tells where)"


class Phases:
    """The parts of a run, from its jobs by rule, and how many jobs of each have not ended."""

    def __init__(self, jobs: Mapping[str, int]) -> None:
        self.totals: Counter[str] = Counter()
        for rule, count in jobs.items():
            self.totals[phase(rule)] += count
        self.left = self.totals.copy()

    def planned(self) -> str:
        """Return the parts in their order, each with the number of its jobs."""
        from rankassay.studies import STUDIES  # on use: it takes a while

        order = [*dict.fromkeys(PHASES.values()), *STUDIES, ELSE]
        order += [order.pop(order.index("report"))]
        jobs = {name: number_of(self.totals[name], "job") for name in order if self.totals[name]}
        lines = (f"{jobs[name]:>10}  {name}" for name in jobs)
        total = number_of(self.totals.total(), "job")
        return "\n".join([f"A run would do {total} (with -p, -n shows each, and why):", *lines])

    def after(self, rule: str) -> str | None:
        """Return the phase of which a job of a rule was the last one to end, or None."""
        own = phase(rule)
        self.left[own] -= 1
        return own if self.left[own] == 0 else None


def phase(rule: str) -> str:
    """Return the phase of a run that a rule belongs to: a study, or the steps before or after.

    >>> phase("recommend"), phase("goals_correlations")
    ('systems', 'goals')
    """
    from rankassay.studies import STUDIES  # on use: it takes a while

    study = rule.partition("_")[0]
    return PHASES.get(rule) or (study if study in STUDIES else ELSE)


def duration(seconds: float) -> str:
    """Return a time in words.

    >>> duration(8), duration(200), duration(9000)
    ('8 s', '3 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
