"""What a run says while it goes on."""

import io
import logging
import logging.handlers
import queue
import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.registry import LoggerPluginRegistry
from snakemake_interface_logger_plugins.tests import MockOutputSettings, TestLogHandlerBase

from rankassay.cli import console, process
from rankassay.cli.console import LogHandler, LogHandlerSettings, Phases, phase
from rankassay.plan import messages

JOBS = [(1, "split"), (2, "recommend"), (3, "goals_bias"), (4, "goals_figures")]
STATS = {**{rule: 1 for _, rule in JOBS}, "total": 4}


def record(text=None, event=None, level=logging.INFO, **more):
    made = logging.makeLogRecord({"msg": text, "levelno": level, "levelname": "INFO"})
    made.__dict__.update(more, event=event)
    return made


class TestSnakemakesOwn(TestLogHandlerBase):
    """What the interface asks of every plugin."""

    __test__ = True

    def get_log_handler_cls(self):
        return LogHandler

    def get_log_handler_settings(self):
        return LogHandlerSettings()


@pytest.fixture
def shown(monkeypatch):
    """Return a function that makes a handler, has it show records, and returns the stream."""
    monkeypatch.setattr(console, "targets", ["goals", "trec"])
    monkeypatch.setattr(console, "reasons", [{"figures/a.png": "left out: a."}.get])

    def made(records, lines="", stream=None, interrupted=False, **common):
        monkeypatch.setattr(process, "interrupted", interrupted)
        settings = MockOutputSettings()
        vars(settings).update({"printshellcmds": False, "show_failed_logs": False} | common)
        handler = LogHandler(settings, LogHandlerSettings(lines=lines))
        handler.stream = stream or io.StringIO()
        for given in records:
            handler.handle(given)
        return handler.stream.getvalue()

    return made


@pytest.fixture
def run(shown):
    """Return a function that returns the lines that a run shows."""
    return lambda *given, **more: shown(*given, **more).splitlines()


def events():
    yield record("Config file x is extended by additional config specified via the command line.")
    yield record("Building DAG of jobs...")
    yield record("Job stats:\njob count", LogEvent.RUN_INFO, stats=STATS)
    for number, rule in JOBS:
        said = {"jobid": number, "rule_msg": f"Do {rule}", "rule_name": rule}
        yield record("Rule: x", LogEvent.JOB_INFO, **said)
        yield record("Shell command: y", LogEvent.SHELLCMD)
        yield record(f"Finished jobid: {number}", LogEvent.JOB_FINISHED, job_id=number)
        yield record(None, LogEvent.PROGRESS, done=number, total=4)


def mistake(text, kind):
    return record(text, LogEvent.ERROR, logging.ERROR, exception=kind)


def test_snakemake_finds_it_by_its_name():
    plugin = LoggerPluginRegistry().get_plugin("rankassay")
    assert plugin.log_handler is LogHandler
    assert plugin.settings_cls is LogHandlerSettings


def test_it_is_imported_with_every_call_of_snakemake_and_so_imports_little():
    code = "import sys, snakemake_logger_plugin_rankassay; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert "rankassay.cli.console" in loaded
    assert not {"numpy", "pydantic", "rankassay.studies", "rankassay.plan"} & {*loaded}


def test_each_job_is_one_line_when_it_ends(run):
    lines = run(events())
    assert [line.partition(" ")[2] for line in lines] == [
        f"[{number}/4] Do {rule} (0 s)" for number, rule in JOBS
    ]


def test_a_job_that_ends_without_having_begun_is_counted(run):
    """With --quiet rules, Snakemake tells of the ends alone."""
    ends = [told for told in events() if told.event != LogEvent.JOB_INFO]
    assert run(ends) == run(ends, lines="studies") == []


def test_a_job_that_ends_has_its_time_and_what_is_left(run):
    told = [record(None, LogEvent.RUN_INFO, stats={"split": 20, "total": 20}, created=0.0)]
    for number in range(12):
        said = {"jobid": number, "rule_msg": "Do", "rule_name": "split"}
        told.append(record(None, LogEvent.JOB_INFO, **said, created=10.0 * number))
        ended = {"job_id": number, "created": 10.0 * number + 7}
        told.append(record(None, LogEvent.JOB_FINISHED, **ended))
    lines = run(told)
    assert lines[0].endswith("[1/20] Do (7 s)")
    assert lines[-1].endswith("[12/20] Do (7 s; about 80 s left)")


def test_each_study_is_one_line_when_its_last_job_ends(run):
    lines = run(events(), lines="studies")
    assert [line.split()[2] for line in lines] == ["data", "systems", "goals"]
    assert lines[-1].split()[3:] == ["2", "jobs"]


def test_a_terminal_has_a_bar_in_place_of_the_one_before(shown):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    told = shown(events(), lines="studies", stream=Terminal(), nocolor=True).split("\r")
    assert told[0] == f"|{'':20}| 0/4 Do split"
    assert told[3].endswith(f"|{'#' * 15:20}| 3/4 Do goals_figures")
    assert told[-1].startswith("\x1b[K")
    failed = mistake("Odd", "OSError")
    assert shown([failed], stream=Terminal(), nocolor=False) == "\x1b[31mOdd\x1b[0m\n"


def test_what_ctrl_c_stopped_has_not_failed(run):
    error = {"jobid": 1, "rule_name": "x", "log": ["logs/x.log"]}
    [failed] = run([record("Error", LogEvent.JOB_ERROR, **error)])
    [stopped] = run([record("Error", LogEvent.JOB_ERROR, **error)], interrupted=True)
    assert (failed, stopped) == ("failed: x (logs/x.log)", "stopped: x")
    assert "failed" not in messages.interrupted()
    assert "the same command goes on" in messages.interrupted()


def test_a_dry_run_shows_its_plan_by_study_or_by_job(run):
    told = [
        *(told for told in events() if told.event != LogEvent.JOB_FINISHED),
        record("Would remove temporary output x"),
        record("Job stats:\njob count", LogEvent.RUN_INFO, stats=STATS),
        record("Reasons:\n    (check individual jobs above for details)"),
        record("This was a dry-run (flag -n). The order of jobs does not reflect the order."),
    ]
    plan = run(told, dryrun=True)
    assert plan[0].startswith("A run would do 4 jobs")
    assert [line.split() for line in plan[1:]] == [
        ["1", "job", "data"],
        ["1", "job", "systems"],
        ["2", "jobs", "goals"],
    ]
    jobs = run(told, lines="jobs", dryrun=True)
    assert jobs == [f"[{number}/4] Do {rule}" for number, rule in JOBS]
    nothing = record("Nothing to be done (all requested files are present and up to date).")
    assert len(run([nothing], lines="studies", dryrun=True)) == 1


@pytest.mark.parametrize("asked", ["verbose", "printshellcmds"])
def test_who_asks_for_more_gets_all(run, asked):
    told = [record(f"Line {number}", event) for number, event in enumerate([None, *LogEvent])]
    assert len(run(told, **{asked: True})) == len(told)
    assert run([record("Building DAG of jobs...")], **{asked: True}) == ["Building DAG of jobs..."]


def test_warnings_and_unknown_messages_are_shown(run):
    told = [record("Odd thing", level=logging.WARNING), record("Unlocked working directory.")]
    told += [record("Of the next version", "new_event"), record("None")]
    assert run(told) == ["Odd thing", "Unlocked working directory.", "Of the next version"]


def test_a_failed_job_is_one_line_with_its_log(run):
    failed = {"jobid": 2, "rule_name": "recommend", "log": ["logs/ease.log"]}
    command = "RuleException:\nCalledProcessError in file x:\nCommand 'y' returned status 1."
    told = [
        *events(),
        mistake(command, "RuleException"),
        record("Error", LogEvent.JOB_ERROR, logging.ERROR, **failed),
        record("Exiting because a job execution failed. Look above", level=logging.ERROR),
        mistake("WorkflowError:\nAt least one job did not complete.", "WorkflowError"),
    ]
    lines = run(told)
    assert len(lines) == len(JOBS) + 1
    full = mistake("WorkflowError:\nError recording metadata (No space left)", "WorkflowError")
    assert run([*told, full])[-1] == "Error recording metadata (No space left)"
    assert lines[-1] == "failed: Do recommend (logs/ease.log)"
    assert run([mistake("WorkflowError:\nOther.", "WorkflowError")]) == ["WorkflowError:", "Other."]
    assert run([mistake("RuleException:\nOther.", "RuleException")]) == ["RuleException:", "Other."]


@pytest.mark.parametrize(
    ("said", "kind", "line"),
    [
        (
            "MissingRuleException:\nNo rule to produce gaols (if you use input functions make "
            "sure that they don't raise unexpected exceptions).",
            "MissingRuleException",
            "rankassay: unknown target 'gaols'; did you mean 'goals'? Known: goals, trec.",
        ),
        (
            "MissingRuleException:\nNo rule to produce sampling (if you use input functions make "
            "sure that they don't raise unexpected exceptions).",
            "MissingRuleException",
            "rankassay: expected a study of this run, found 'sampling', which the key studies "
            "leaves out; add it there.",
        ),
        (
            "MissingRuleException:\nNo rule to produce figures/a.png (if you use input functions",
            "MissingRuleException",
            "rankassay: left out: a.",
        ),
        ("MissingRuleException: in other words", "MissingRuleException", None),
        (
            "Error: cores have to be specified for local execution (use --cores N)",
            "ApiError",
            "rankassay: expected --cores N, how many jobs may run at a time, found none; for "
            "example: snakemake --cores 2",
        ),
        (
            "LockException:\nError: Directory cannot be locked. Please make sure that no other",
            "LockException",
            f"rankassay: expected to be the only run in {Path().absolute()}, found it locked; wait "
            "until the other run ends, or, if none is running, give the same command once with "
            "--unlock.",
        ),
        ("WorkflowError: Something else.", "WorkflowError", None),
    ],
)
def test_known_mistakes_are_one_line_of_ours(run, said, kind, line):
    assert run([mistake(said, kind)]) == [line or said]
    assert run([mistake(said, kind)], dryrun=True) == [line or said]


def test_what_stops_snakemake_itself_is_one_line(run):
    try:
        raise OSError(30, "Read-only file system", "results/tiny")
    except OSError as error:
        text = "".join(traceback.format_exception(error)) + "\n\n"
    line = (
        "rankassay: Snakemake stopped with OSError: [Errno 30] Read-only file system: "
        "'results/tiny' (its log tells where)"
    )
    assert run([mistake(text, "OSError")]) == [line]
    assert run([record(text, level=logging.ERROR)]) == [line]


def test_the_parts_of_a_run():
    assert phase("score") == "values of the metrics"
    assert phase("collect_claims") == "all else"
    phases = Phases({"goals_bias": 1, "goals_figures": 1, "split": 1})
    ended = [phases.after(rule) for rule in ("goals_bias", "split", "goals_figures")]
    assert ended == [None, "data", "goals"]


def test_what_a_run_prints_itself_waits_for_what_was_told_before(monkeypatch):
    handled = []

    class Slow(logging.Handler):
        def emit(self, record):
            handled.append(record.msg)

    told = queue.Queue()
    logger = logging.getLogger(console.LOGGER)
    handler = logging.handlers.QueueHandler(told)
    logger.addHandler(handler)
    listener = logging.handlers.QueueListener(told, Slow())
    try:
        for number in range(100):
            logger.error("%d", number)
        listener.start()
        console.wait()
        assert len(handled) == 100
    finally:
        listener.stop()
        logger.removeHandler(handler)
