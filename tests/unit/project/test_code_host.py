"""A code host runs what .ci/run has, with actions that cannot change and few permissions."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PINNED = re.compile(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def steps_of_ci():
    """Return the steps that .ci/run lists."""
    text = (ROOT / ".ci/run").read_text()
    lists = re.findall(r"^(?:FIRST|BESIDE|APART)=\((.*?)\)", text, re.MULTILINE)
    return {step for steps in lists for step in steps.split()}


def jobs(path):
    """Return the jobs of a workflow by name."""
    return yaml.safe_load(path.read_text())["jobs"]


def commands(job):
    """Return what the steps of a job run, for each step of its matrix."""
    for name in job.get("strategy", {}).get("matrix", {}).get("step", [""]):
        for step in job["steps"]:
            yield step.get("run", "").replace('"$STEP"', name)


def test_every_step_of_ci_is_run_and_no_other():
    found = [
        name
        for path in WORKFLOWS
        for job in jobs(path).values()
        for command in commands(job)
        for call in re.findall(r"^\.ci/run (.*)$", command, re.MULTILINE)
        for name in call.split()
    ]
    assert {*found} == steps_of_ci()
    assert len(steps_of_ci()) > 12


def test_the_tests_are_run_by_every_python_that_is_promised():
    said = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["classifiers"]
    promised = [line.rpartition(" ")[2] for line in said if re.search(r"Python :: 3\.\d", line)]
    job = jobs(ROOT / ".github/workflows/checks.yml")["pythons"]
    assert job["strategy"]["matrix"]["python"] == promised
    assert {name.partition("-")[0] for name in job["strategy"]["matrix"]["system"]} == {
        "ubuntu",
        "macos",
    }


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_and_jobs_may_and_take_little(path):
    text = path.read_text()
    used = re.findall(r"\buses: (.*)$", text, re.MULTILINE)
    assert [name for name in used if not PINNED.fullmatch(name)] == []
    whole = yaml.safe_load(text)
    assert whole["permissions"] == {"contents": "read"}
    assert "group" in whole["concurrency"]
    for name, job in whole["jobs"].items():
        assert job["timeout-minutes"] <= 60, name
        checkouts = [s for s in job["steps"] if s.get("uses", "").startswith("actions/checkout@")]
        assert all(step["with"]["persist-credentials"] is False for step in checkouts), name
        # What may write runs no code of the project.
        assert not (checkouts and "permissions" in job), name
        assert not any("${{" in step.get("run", "") for step in job["steps"]), name
