"""What is read from within Snakemake is there, in the version that is installed.

`.ci/run snakemake` runs this with the lowest and the newest that pyproject.toml allows.
"""

import json
import re
from importlib.metadata import version

import pytest
from called import forked
from snakemake.cli import main
from snakemake.persistence.file import FilePersistence

from rankassay.plan import snakemake_private as private
from rankassay.plan import studies_named

SNAKEFILE = """
import json
from rankassay.plan import snakemake_private as private
from rankassay.plan.messages import watch

known = {
    "main": private.is_main(workflow),
    "module": private.is_module(workflow),
    "files": [*map(str, private.configfiles(workflow))],
    "typed": private.config_arguments(workflow),
    "configured": private.configured(workflow),
    "targets": private.targets(workflow),
}

def note():
    known["forceall"] = private.makes_all(workflow)

watched = watch(note, lambda: ["a note"])

rule all:
    input:
        "b/c.txt",

rule first:
    output:
        "{folder}/c.txt",
    group:
        lambda wildcards: private.group_of(workflow, "other", "x")
    shell:
        "echo > {output}"

rule broken:
    output:
        "broken.txt",
    log:
        "broken.log",
    shell:
        "false 2> {log}"

onstart:
    known["targets"] = private.targets(workflow)
    known["limited"] = hasattr(workflow.scheduler, "job_rate_limiter")
    private.look_when_jobs_end(workflow)
    known["limit"] = workflow.scheduler.job_rate_limiter
    known["here"] = private.runs_here(workflow)
    known["group"] = [private.group_of(workflow, "first", "b"), workflow.parent_groupids]

onsuccess:
    known["touch"] = private.touches(workflow)
    known["rules"] = sorted(private.rules_asked_for(workflow))
    known["asked for"] = [*private.asked_for(workflow)]
    print("known", json.dumps(known))

onerror:
    print("known", json.dumps({"failed": watched.failed, "logs": [*watched.logs]}))
"""


@pytest.fixture(scope="module")
def snakemake(tmp_path_factory):
    """Return a function that runs a workflow, and returns its folder, what it knew and told."""
    folder = tmp_path_factory.mktemp("run")
    (folder / "Snakefile").write_text(SNAKEFILE)
    (folder / "mine.yaml").write_text("studies: [goals]")

    def run(*words, cores=("--cores", "2")):
        done = forked(folder, ["snakemake", "--logger", "rankassay", *cores, *words], main)
        found = re.search("^known (.*)$", done.stdout, re.MULTILINE)
        return folder, json.loads(found[1]) if found else None, done.stdout + done.stderr

    return run


@pytest.mark.slow
def test_of_a_run_all_is_known(snakemake):
    more = ["--config", "seed=01", "--configfile", "mine.yaml", "--groups", "first=one_{dataset}"]
    folder, known, told = snakemake(*more)
    assert known, told
    assert known.pop("files") == [str(folder / "mine.yaml")] or known["files"] == ["mine.yaml"]
    assert known.pop("configured") == {"studies": ["goals"], "seed": 1}
    assert known == {
        **dict.fromkeys(("main", "here", "limited"), True),
        **dict.fromkeys(("module", "forceall", "touch"), False),
        "typed": ["seed=01"],
        "targets": ["all"],
        "limit": None,
        "group": ["one_b", {"one_b": "one_{dataset}"}],
        "rules": ["all", "first"],
        "asked for": ["b/c.txt"],
    }
    # The console knows by events how many jobs there are.
    lines = [line.partition(" ")[2] for line in told.splitlines()]
    assert {"[1/2] first", "[2/2] all"} <= {line.partition(" (")[0] for line in lines}
    assert private.recorded(folder) == {"b/c.txt"}
    known = snakemake("--forceall", "--touch", *more)[1]
    assert (known["forceall"], known["touch"]) == (True, True)


@pytest.mark.slow
def test_of_a_run_that_fails_its_logs_are_known(snakemake):
    _, known, told = snakemake("broken.txt")
    assert known == {"failed": True, "logs": ["broken.log"]}
    assert "failed: broken (broken.log)" in told
    assert "CalledProcessError" not in told


@pytest.mark.slow
def test_the_plan_of_a_dry_run_ends_with_notes(snakemake):
    _, _, told = snakemake("broken.txt", "--dry-run", "--logger-rankassay-lines", "studies")
    assert re.search("A run would do 1 job .*\n +1 job  all else\na note\n", told), told


@pytest.mark.slow
def test_mistakes_are_known_by_their_events(snakemake):
    assert snakemake("al")[2] == "rankassay: unknown target 'al'. None is known.\n"
    told = snakemake("--latency-wait", "1", cores=())[2]
    assert told.startswith("rankassay: expected --cores N, how many jobs may run at a time")


@pytest.mark.parametrize("path", ["results/a.csv", "results/" + "x" * 300])
def test_the_records_of_snakemake_are_found(path, tmp_path):
    store = FilePersistence(path=tmp_path / ".snakemake")
    store._io_write(str(tmp_path / ".snakemake/metadata"), {"params": []}, path)
    store._io_write(str(tmp_path / ".snakemake/incomplete"), {}, "begun.csv")
    assert private.recorded(tmp_path) == {path, "begun.csv"}
    for record in (tmp_path / ".snakemake/metadata").rglob("*"):
        if record.is_file():
            record.write_text("")  # which says nothing
    assert private.recorded(tmp_path) == {"begun.csv"}
    (tmp_path / ".snakemake/metadata.db").touch()
    assert private.recorded(tmp_path) is None


def test_the_version_is_one_that_is_allowed():
    assert (9, 20) <= tuple(map(int, version("snakemake").split(".")[:2])) < (10, 0)


@pytest.mark.parametrize(
    ("targets", "studies", "named"),
    [
        (["all"], None, None),
        (["report"], None, None),
        (["default"], None, None),
        (["all", "goals"], ["robustness"], {"robustness"}),
        (["goals", "analyse"], ["robustness", "goals"], {"goals"}),
        (["means"], None, set()),
    ],
)
def test_the_studies_that_a_run_names(targets, studies, named):
    assert studies_named(targets, {} if studies is None else {"studies": studies}) == named
