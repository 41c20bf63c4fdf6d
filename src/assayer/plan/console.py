"""What a run says while it goes on: one line a job, or one a study; its log file has the rest.

Snakemake tells of a job in ten lines. They stay in its log file (`.snakemake/log`), and with
`--verbose` or `--printshellcmds` also on the terminal, as with the `--dry-run` of Snakemake itself;
that of `assayer run` shows the plan in one line a study, or a job.
"""

import logging
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from assayer.errors import number_of, unknown
from assayer.progress import time_left
from assayer.studies import STUDIES

VARIABLE = "ASSAYER_PROGRESS"  # of `assayer run`: one line for each of the "studies" or "jobs"
SILENT = {
    *("workflow_started", "run_info", "resources_info", "shellcmd", "group_info"),
    *("job_started", "job_finished", "progress"),
}
# What no reader misses; of a job that failed, its line and the end of its log tell.
NOISE = re.compile(
    "Config file .* is extended|Assuming unrestricted|Building DAG|Using shell|Select jobs|Execute "
    "|Conda environments: ignored|Singularity containers: ignored|Group jobs: inactive|Finished job"
    "|Removing temporary|Shutting down|Exiting because a job|Job stats|$"
    "|Would remove temporary|Reasons:|This was a dry-run"
    r"|WorkflowError:\s+At least one job did not|RuleException:\s+CalledProcessError"
)
TRACEBACK = "Traceback (most recent call last)"
NO_RULE = re.compile(r"No rule to produce (.+?) \(if you use")
PHASES = {
    **dict.fromkeys(("fetch", "prepare", "split"), "data"),
    **dict.fromkeys(("recommend", "import_run"), "systems"),
    **dict.fromkeys(("fit", "rank", "join_rankings"), "systems"),
    **dict.fromkeys(("score", "score_shard", "join_scores", "means"), "values of the metrics"),
    "advise": "what to report",
    **dict.fromkeys(("report_contents", "report_page"), "report"),
}
ELSE = "all else"


def shorten(
    workflow: Any,
    interrupted: Callable[[], bool],
    notes: Callable[[], Iterable[str]] = tuple,
) -> None:
    """Make Snakemake's terminal output short; see the module.

    Parameters
    ----------
    workflow : snakemake.workflow.Workflow
        The one that is being read.
    interrupted : callable
        Says whether somebody has pressed Ctrl-C: jobs have not failed then.
    notes : callable
        Returns what stands below the plan of a dry run.
    """
    settings = workflow.output_settings
    if settings.verbose or settings.printshellcmds:
        return
    for handler in logging.getLogger("snakemake.logging").handlers:
        if isinstance(handler, logging.StreamHandler) and not isinstance(
            handler, logging.FileHandler
        ):
            if not workflow.is_main_process:  # a rule that Snakemake runs itself, in a process
                handler.setFormatter(OneLine(handler.formatter))
                continue
            console = Console(workflow, handler.formatter, handler.stream, interrupted, notes)
            handler.addFilter(console)
            handler.setFormatter(console)


class OneLine(logging.Formatter):
    """Words what stops Snakemake itself; `plain` words the rest."""

    def __init__(self, plain: logging.Formatter | None) -> None:
        super().__init__()
        self.plain = plain or logging.Formatter()

    def format(self, record: logging.LogRecord) -> str:
        """Return a record, without a traceback."""
        return stopped(self.plain.format(record))


def stopped(text: str) -> str:
    r"""Return what Snakemake says, the end of a traceback alone where it says one.

    >>> stopped("Traceback (most recent call last):\n  File x\nOSError: no space")
    'assayer: Snakemake stopped with OSError: no space (its log tells where)'
    """
    if (start := text.find(TRACEBACK)) < 0:
        return text
    last = [line for line in text[start:].splitlines() if line.strip()][-1]
    return f"assayer: Snakemake stopped with {last.strip()} (its log tells where)"


class Console(logging.Formatter):
    """Chooses and words what is shown of a run; `plain` words what is not ours to word."""

    def __init__(
        self,
        workflow: Any,
        plain: logging.Formatter | None,
        stream: Any,
        interrupted: Callable[[], bool],
        notes: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        super().__init__()
        self.workflow, self.stream = workflow, stream
        self.interrupted, self.notes = interrupted, notes
        self.plain = plain or logging.Formatter()
        self.began, self.started = time.monotonic(), 0
        self.ends: list[float] = []  # when each job that ended did, since the beginning
        self.messages: dict[int, str] = {}
        self.phases: Phases | None = None
        self.by_study = os.environ.get(VARIABLE) == "studies"
        self.short = VARIABLE in os.environ  # of a dry run

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a record is shown, and count jobs."""
        if self.workflow.dryrun and not self.short:
            return True
        kind = kind_of(record)
        if kind == "run_info":
            again = self.phases is not None  # at the end of a dry run
            self.began = time.monotonic()
            jobs = [*self.workflow.dag.needrun_jobs()]
            self.phases = Phases((job.jobid, phase(job.rule.name)) for job in jobs)
            return self.workflow.dryrun and self.by_study and not again
        if kind == "job_info":
            self.started += 1
            self.messages[record.jobid] = record.rule_msg or record.rule_name
            self._tell(self.messages[record.jobid])
            return not self.by_study
        if kind == "job_finished":
            self.ends.append(time.monotonic() - self.began)
            return self.by_study and self._ended(record) is not None
        if kind in SILENT:
            return False
        return not NOISE.match(str(record.msg or ""))

    def format(self, record: logging.LogRecord) -> str:
        """Return a record in one line where it is of a job, or a mistake that is known."""
        kind = kind_of(record)
        if self.workflow.dryrun and not self.short and kind != "error":
            return self.plain.format(record)
        if kind == "run_info":
            return "\n".join([self.phases.planned(), *self.notes()]) if self.phases else ""
        if kind == "job_info":
            return (
                f"{time.strftime('%H:%M:%S')} [{self.started}/{self._total()}] "
                + (self.messages[record.jobid])
            )
        if kind == "job_finished":
            return self._ended(record) or ""
        if kind == "job_error":
            what = self.messages.get(record.jobid, record.rule_name)
            if self.interrupted():
                return f"stopped: {what}"
            return f"failed: {what}" + "".join(f" ({path})" for path in record.log[:1])
        return self._mistake(str(record.msg) if kind == "error" else self.plain.format(record))

    def _total(self) -> int:
        return len(self.phases.of) if self.phases else 0

    def _tell(self, message: str) -> None:
        """Show the job that has begun, in place of the one before, on a terminal."""
        if self.by_study and self.stream.isatty():
            shown = f"[{len(self.ends)}/{self._total()}] {message}"
            self.stream.write(f"\r\x1b[K{shown[:79]}\r")
            self.stream.flush()

    def _ended(self, record: logging.LogRecord) -> str | None:
        """Return the line of the phase that ended with a job, if one did."""
        ended = self.phases.after(record.job_id) if self.phases else None
        if ended is None:
            return None
        seconds = time.monotonic() - self.began
        rest = time_left(self.ends, self._total())
        left = f"about {duration(rest)} left" if rest and rest >= 1 else ""
        jobs = number_of(self.phases.totals[ended], "job")
        clear = "\x1b[K" if self.stream.isatty() else ""
        return f"{clear}{duration(seconds):>7}  {ended:22} {jobs:>8}  {left}".rstrip()

    def _mistake(self, text: str) -> str:
        """Return what Snakemake says of a mistake in words of ours, where we have some."""
        if found := NO_RULE.search(text):
            if found[1] in STUDIES:
                return (
                    f"assayer: expected a study of this run, found '{found[1]}', which the key "
                    "studies leaves out; add it there."
                )
            # Targets have nothing to write; other rules are a run's own affair.
            rules = (r.name for r in self.workflow.rules if not (r.has_wildcards() or r.output))
            return f"assayer: {unknown('target', found[1], sorted(rules))}"
        if "cores have to be specified" in text:
            return (
                "assayer: expected --cores N, how many jobs may run at a time, found none; for "
                "example: snakemake --cores 2"
            )
        return stopped(text)


class Phases:
    """The parts of a run, by job, and how many jobs of each have ended."""

    def __init__(self, jobs: Iterable[tuple[int, str]]) -> None:
        self.of = dict(jobs)
        self.totals = Counter(self.of.values())
        self.ended: set[int] = set()

    def planned(self) -> str:
        """Return the parts in their order, each with the number of its jobs."""
        order = [*dict.fromkeys(PHASES.values()), *STUDIES, ELSE]
        order += [order.pop(order.index("report"))]
        jobs = {name: number_of(self.totals[name], "job") for name in order if self.totals[name]}
        lines = (f"{jobs[name]:>10}  {name}" for name in jobs)
        total = number_of(self.totals.total(), "job")
        return "\n".join([f"A run would do {total} (with --jobs, -n shows each of them):", *lines])

    def after(self, job: int) -> str | None:
        """Return the phase of which a job was the last one to end, or None."""
        own = self.of.get(job)
        self.ended.add(job)
        left = any(other not in self.ended for other, name in self.of.items() if name == own)
        return None if own is None or left else own


def phase(rule: str) -> str:
    """Return the part of a run that a rule belongs to: a study, or what comes before or after.

    >>> phase("recommend"), phase("goals_correlations")
    ('systems', 'goals')
    """
    study = rule.partition("_")[0]
    return PHASES.get(rule) or (study if study in STUDIES else ELSE)


def kind_of(record: logging.LogRecord) -> str | None:
    """Return the kind of event that Snakemake tells of, or None."""
    return getattr(getattr(record, "event", None), "value", None)


def duration(seconds: float) -> str:
    """Return a time in words.

    >>> duration(8), duration(200), duration(9000)
    ('8 s', '3 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
