"""The jobs that a run would do, by what Snakemake makes of a configuration: none is done."""

import json
import re
import shlex
from pathlib import Path

import pytest
import yaml

from rankassay.advice.cutoffs import AUTO
from rankassay.artifacts.explain import model_of
from rankassay.artifacts.files import checksum
from rankassay.cli.job import read
from rankassay.config.reference import _literals
from rankassay.config.sections import configuration
from rankassay.studies import ANALYSES, STUDIES

ROOT = Path(__file__).parents[2]
TEST = ["--configfile", ROOT / "config/test.yaml"]
SIMULATIONS = "src/rankassay/studies/simulations.json"


# What Snakemake, and the template of its report, would read in a text.
MARKS = "{x} {wildcards.dataset} {{y}} {} { {% raw %} {{ 1 }} </script><script>alert(1)</script>"


def test_labels_may_hold_what_snakemake_reads(snakemake, tmp_path):
    (tmp_path / "mine.yaml").write_text(
        yaml.safe_dump(
            {
                "raw_dir": "{x}",
                "dataset_catalogue": {"tiny": {"label": MARKS}},
                "variants": {"again": {"of": "tiny", "label": MARKS, "split_seed": 1}},
                "protocol_catalogue": {"mine": {"label": MARKS}},
                "recommender_catalogue": {"rocchio": {"label": MARKS}},
                "datasets": ["tiny", "again", "ml-1m"],
                "studies": ["robustness", "protocols"],
                "protocols": {"protocols": ["random-80-20", "mine"]},
            }
        )
    )
    own = [*TEST, "mine.yaml"]
    targets = ["all", "claims", "fidelity", "tune", "trec", "splits", "simulations"]
    process = snakemake(tmp_path, *targets, "--cores", 1, "-n", *own)
    assert process.returncode == 0, process.stderr + process.stdout


def test_a_shipped_table_is_taken_and_with_another_seed_simulated(snakemake, tmp_path):
    table, shipped = "results/constructed/validity/gamma.csv", ROOT / SIMULATIONS
    assert snakemake(tmp_path, table, "--cores", 1).returncode == 0
    known = json.loads(shipped.read_text())["tables"]["validity/gamma"]
    assert checksum(tmp_path / table) == known["sha256"]
    again = snakemake(tmp_path, table, "--cores", 1, "-n")
    assert "Nothing to be done" in again.stdout + again.stderr
    other = snakemake(tmp_path, table, "--cores", 1, "-n", "--config", "seed=3")
    assert "validity_kinds_worlds" in other.stdout
    assert "rule shipped" not in other.stdout


@pytest.fixture
def commands(snakemake, tmp_path):
    """Return a function of settings that returns the jobs of all that a run can make, as JSON.

    An analysis is known by its name, any other job by its own.
    """

    def planned(settings):
        (tmp_path / "mine.yaml").write_text(yaml.safe_dump(settings))
        targets = ["all", "claims", "tune", "trec", "splits", "simulations"]
        options = ["--cores", 1, "-n", "-p", *TEST, "mine.yaml"]
        process = snakemake(tmp_path, *targets, *options)
        assert process.returncode == 0, process.stderr + process.stdout
        found = {}
        for words in re.findall(r"rankassay job .*?<<< (.*?) 2> '?logs", process.stdout, re.DOTALL):
            text = shlex.split(words)[0].replace("$\\n", "\n")  # as the shell has it
            for name, given in read(text.encode()):
                found[json.dumps({name: given})] = given["name"] if name == "analyse" else name
        return found

    return planned


def test_a_label_changes_what_is_drawn_and_nothing_that_is_computed(commands, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("user,item,rating\na,b,4\na,c,3\n")
    mine = {"kind": "file", "path": str(path), "threshold": 4, "claims_of": ["ml-1m"]}

    def labelled(number, systems=0):
        kinds = ("mine", "ml-1m", "again", "protocol")
        label = {kind: {"label": f"{kind} {number}"} for kind in kinds}
        recommenders = ("random", "popularity", "rocchio", "puresvd")
        return commands(
            {
                "datasets": ["mine", "again", "ml-1m"],
                "dataset_catalogue": {
                    "mine": mine | label["mine"],
                    "ml-1m": {"extends": "ml-1m"} | label["ml-1m"],
                },
                "variants": {
                    "again": {"of": "mine", "split_seed": 1} | label["again"],
                    "ml-1m-tuned": {"extends": "ml-1m-tuned"} | label["ml-1m"],
                },
                "protocol_catalogue": {"mine": label["protocol"]},
                "recommender_catalogue": {
                    name: {"label": f"{name} {systems}"} for name in recommenders
                },
                "studies": [*STUDIES],
                "protocols": {"protocols": ["random-80-20", "mine"]},
            }
        )

    plain, other, systems = labelled(1), labelled(2), labelled(1, systems=1)
    drawn = {"figure", "table", "order_grid", "collect_claims"}
    # Sentences of the atlas name datasets.
    drawn |= {name for name in ANALYSES if ANALYSES[name].runs}
    changed = {plain[job] for job in plain.keys() - other.keys()}
    assert {"figure", "table", "order_grid"} <= changed <= drawn
    # Systems are known by their labels in results: no list is made again.
    changed = {plain[job] for job in plain.keys() - systems.keys()}
    assert "score" in changed
    made = {"fetch", "prepare", "truth", "filter", "split", "attributes", "propensities"}
    assert not changed & {*made, "estimate_propensities", "recommend", "tune"}


def allowing(model, value, path=()):
    """Yield the places of the settings that may have a value, from the models."""
    for key, field in model.model_fields.items():
        place, inner = (*path, field.alias or key), model_of(field.annotation)
        if value in _literals(field.annotation):
            yield place
        if inner is not None:
            yield from allowing(inner, value, place)


def test_no_job_gets_a_setting_that_follows_the_data_as_it_is_written(commands, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("user,item,rating\na,b,4\na,c,3\n")
    mine = {"kind": "file", "path": str(path), "threshold": 4, "claims_of": "ml-1m"}
    config = {"datasets": ["mine", "tiny"], "dataset_catalogue": {"mine": mine}}
    config |= {"studies": [*STUDIES], "protocols": {"recommenders": ["random", "popularity"]}}
    places = [*allowing(configuration(), AUTO)]
    assert {(study, "cutoff") for study in STUDIES} <= {*places}
    for *parents, last in places:
        node = config
        for key in parents:
            node = node.setdefault(key, {})
        node[last] = AUTO
    found = commands(config)
    assert not [job for job in found if re.search(rf"\b{AUTO}\b", job)]
    judged = {name: job for job, name in found.items() if name.endswith("/claims")}
    assert "aggregation/claims" in judged
    for name, job in judged.items():
        study = name.partition("/")[0]
        chosen = json.loads(job)["analyse"]["claims"]["cutoff"]
        assert chosen["advice"] == [f"results/{own}/advice.json" for own in config["datasets"]]
        assert chosen["possible"], study
