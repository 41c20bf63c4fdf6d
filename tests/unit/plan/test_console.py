"""What a run says while it goes on."""

import io
import logging
import traceback
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from assayer.plan import messages
from assayer.plan.console import Console, Phases, phase, shorten


def job(number, rule, **wildcards):
    return SimpleNamespace(jobid=number, rule=SimpleNamespace(name=rule), wildcards=wildcards)


JOBS = [
    job(1, "split", dataset="demo"),
    job(2, "recommend", dataset="demo", recommender="ease"),
    job(3, "goals_bias", dataset="demo"),
    job(4, "goals_figures"),
]


def record(text=None, event=None, level=logging.INFO, **more):
    made = logging.makeLogRecord({"msg": text, "levelno": level, "levelname": "INFO"})
    made.__dict__.update(more, event=event)
    return made


@pytest.fixture
def run():
    """Return a function that has the console of a run handle records, and returns what it shows."""
    rules = [
        SimpleNamespace(name=name, has_wildcards=lambda: False, output=output)
        for name, output in (("goals", []), ("trec", []), ("report_page", ["results/report.html"]))
    ]
    dag = SimpleNamespace(needrun_jobs=lambda: iter(JOBS))
    workflow = SimpleNamespace(dryrun=False, dag=dag, rules=rules)

    def made(records, by_study=False, dryrun=False, interrupted=False, short=False, notes=()):
        workflow.dryrun = dryrun
        console = Console(workflow, None, io.StringIO(), lambda: interrupted, lambda: notes)
        console.by_study, console.short = by_study, short
        return [console.format(given) for given in records if console.filter(given)]

    return made


def events():
    yield record("Config file x is extended by additional config specified via the command line.")
    yield record("Building DAG of jobs...")
    yield record("Job stats:\njob count", LogEvent.RUN_INFO)
    for own in JOBS:
        said = {"jobid": own.jobid, "rule_msg": f"Do {own.rule.name}", "rule_name": own.rule.name}
        yield record("Rule: x", LogEvent.JOB_INFO, **said)
        yield record("Shell command: y", LogEvent.SHELLCMD)
        yield record(f"Finished jobid: {own.jobid}", LogEvent.JOB_FINISHED, job_id=own.jobid)
        yield record(None, LogEvent.PROGRESS, done=own.jobid, total=4)


def test_each_job_is_one_line(run):
    lines = run(events())
    assert [line.partition(" ")[2] for line in lines] == [
        f"[{own.jobid}/4] Do {own.rule.name}" for own in JOBS
    ]


def test_each_study_is_one_line_when_its_last_job_ends(run):
    lines = run(events(), by_study=True)
    assert [line.split()[2] for line in lines] == ["data", "systems", "goals"]
    assert lines[-1].split()[3:] == ["2", "jobs"]


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
        record("Job stats:\njob count", LogEvent.RUN_INFO),
        record("Reasons:\n    (check individual jobs above for details)"),
        record("This was a dry-run (flag -n). The order of jobs does not reflect the order."),
    ]
    [plan] = run(told, by_study=True, dryrun=True, short=True)
    assert [line.split() for line in plan.splitlines()[1:]] == [
        ["1", "job", "data"],
        ["1", "job", "systems"],
        ["2", "jobs", "goals"],
    ]
    assert plan.startswith("A run would do 4 jobs")
    assert len(run(told, dryrun=True, short=True)) == len(JOBS)
    [same] = run(told, by_study=True, dryrun=True, short=True, notes=["Left out: x"])
    assert same == f"{plan}\nLeft out: x"
    nothing = record("Nothing to be done (all requested files are present and up to date).")
    assert len(run([nothing], by_study=True, dryrun=True, short=True)) == 1


def test_a_dry_run_of_snakemake_is_shown_as_it_is(run):
    assert len(run(events(), dryrun=True)) == len([*events()])


def test_warnings_and_unknown_messages_are_shown(run):
    told = [record("Odd thing", level=logging.WARNING), record("Unlocked working directory.")]
    assert run(told) == ["Odd thing", "Unlocked working directory."]


def test_a_failed_job_is_one_line_with_its_log(run):
    failed = {"jobid": 2, "rule_name": "recommend", "log": ["logs/ease.log"]}
    command = "RuleException:\nCalledProcessError in file x:\nCommand 'y' returned status 1."
    told = [
        *events(),
        record(command, LogEvent.ERROR, logging.ERROR),
        record("Error", LogEvent.JOB_ERROR, logging.ERROR, **failed),
        record("Exiting because a job execution failed. Look above", level=logging.ERROR),
    ]
    lines = run(told)
    assert len(lines) == len(JOBS) + 1
    assert lines[-1] == "failed: Do recommend (logs/ease.log)"


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (
            "MissingRuleException:\nNo rule to produce gaols (if you use input functions make "
            "sure that they don't raise unexpected exceptions).",
            "assayer: unknown target 'gaols'; did you mean 'goals'? Known: goals, trec.",
        ),
        (
            "MissingRuleException:\nNo rule to produce sampling (if you use input functions make "
            "sure that they don't raise unexpected exceptions).",
            "assayer: expected a study of this run, found 'sampling', which the key studies leaves "
            "out; add it there.",
        ),
        (
            "Error: cores have to be specified for local execution (use --cores N)",
            "assayer: expected --cores N, how many jobs may run at a time, found none; for "
            "example: snakemake --cores 2",
        ),
        ("WorkflowError:\nSomething else.", "WorkflowError:\nSomething else."),
    ],
)
def test_known_mistakes_are_one_line_of_ours(run, said, line):
    assert run([record(said, LogEvent.ERROR, logging.ERROR)]) == [line]
    assert run([record(said, LogEvent.ERROR, logging.ERROR)], dryrun=True) == [line]


def test_what_stops_snakemake_itself_is_one_line(run):
    try:
        raise OSError(30, "Read-only file system", "results/tiny")
    except OSError as error:
        text = "".join(traceback.format_exception(error)) + "\n\n"
    line = (
        "assayer: Snakemake stopped with OSError: [Errno 30] Read-only file system: 'results/tiny' "
        "(its log tells where)"
    )
    assert run([record(text, LogEvent.ERROR, logging.ERROR)]) == [line]
    assert run([record(text, level=logging.ERROR)]) == [line]


def test_the_parts_of_a_run():
    assert phase("score") == "values of the metrics"
    assert phase("claims") == phase("fidelity_figure") == "all else"
    assert phase("robustness_discriminative_power") == "robustness"
    phases = Phases([(1, "a"), (2, "a"), (3, "b")])
    assert [phases.after(number) for number in (1, 3, 2, 9)] == [None, "b", "a", None]


@pytest.mark.parametrize("asked", ["verbose", "printshellcmds"])
def test_who_asks_for_more_gets_all(asked):
    settings = SimpleNamespace(verbose=False, printshellcmds=False)
    setattr(settings, asked, True)
    logger = logging.getLogger("snakemake.logging")
    handler = logging.StreamHandler(io.StringIO())
    logger.addHandler(handler)
    try:
        shorten(SimpleNamespace(is_main_process=True, output_settings=settings), bool)
        assert not handler.filters
        setattr(settings, asked, False)
        shorten(SimpleNamespace(is_main_process=True, output_settings=settings), bool)
        assert isinstance(handler.formatter, Console)
    finally:
        logger.removeHandler(handler)
