"""What the workflow does at Snakemake's events."""

import logging

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from rankassay.plan import messages


@pytest.fixture
def watched():
    """Return a function that adds a watch to Snakemake's logger."""
    made = []

    def watch(check=lambda: None, notes=lambda: ["Left out: x"]):
        made.append(messages.watch(check, notes))
        return made[-1]

    before = messages.LOGGER.level
    messages.LOGGER.setLevel(logging.INFO)
    yield watch
    messages.LOGGER.setLevel(before)
    for handler in made:
        messages.LOGGER.removeHandler(handler)


def tell(event, **more):
    messages.LOGGER.info(None, extra={"event": event, **more})


def test_what_a_check_finds_ends_the_run_where_it_begins(watched):
    def check():
        raise SystemExit("rankassay: expected x")

    watched(check)
    messages.LOGGER.info("Building DAG of jobs...")
    with pytest.raises(SystemExit, match="expected x"):
        tell(LogEvent.WORKFLOW_STARTED)


def test_the_end_of_a_dry_run_has_notes(watched, caplog):
    watched()
    with caplog.at_level(logging.INFO, messages.LOGGER.name):
        tell(LogEvent.RUN_INFO)
        assert "Left out" not in caplog.text
        tell(LogEvent.RUN_INFO)
    assert "Left out: x" in caplog.text


def test_the_logs_of_failed_jobs_are_kept_once(watched):
    found = watched()
    tell(LogEvent.JOB_FINISHED, job_id=1)
    assert (found.failed, [*found.logs]) == (False, [])
    for _ in range(2):
        tell(LogEvent.JOB_ERROR, log=["a.log"])
    tell(LogEvent.GROUP_ERROR, job_error_info=[{"log": ["b.log"]}, {"log": []}])
    assert (found.failed, [*found.logs]) == (True, ["a.log", "b.log"])


def test_a_mistake_of_snakemake_itself_is_a_failure_without_logs(watched):
    found = watched()
    tell(LogEvent.ERROR)
    assert (found.failed, [*found.logs]) == (True, [])
