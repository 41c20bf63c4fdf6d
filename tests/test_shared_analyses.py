"""Analyses that several jobs share by the entries of a setting give the same bytes as one job."""

import shlex
from pathlib import Path

import pytest
import yaml
from snakemake.utils import update_config

from assayer.cli.main import main
from assayer.plan import Plan
from assayer.plan.analyses import of
from assayer.plan.shards import BY_MEASURE, SHARED
from assayer.studies import ANALYSES

ROOT = Path(__file__).parents[1]
BY_SETTING = [name for name in SHARED if name not in BY_MEASURE]


@pytest.fixture(scope="module")
def plan():
    """Return the plan of the tests' data, with seven jobs wherever work can be shared."""
    config = {}
    for name in ("config", "datasets", "protocols", "recommenders", "tuning", "test"):
        update_config(config, yaml.safe_load((ROOT / f"config/{name}.yaml").read_text()))
    return Plan(config | {"shards": 7}, ROOT)


@pytest.fixture(scope="module")
def read(plan, snakemake, tmp_path_factory):
    """Return the folder of a run that made all that these analyses read."""
    folder = tmp_path_factory.mktemp("read")
    paths = set()
    for name in BY_SETTING:
        for path in plan.analyses.inputs(of("tiny", name)).values():
            paths |= {path} if isinstance(path, str) else {*path}
    targets = sorted(path for path in paths if not Path(path).is_absolute())
    options = ["--cores", 1, "--configfile", ROOT / "config/test.yaml"]
    process = snakemake(folder, *targets, *options)
    assert process.returncode == 0, process.stderr + process.stdout
    return folder


def analysed(plan, name, shard, output):
    """Run a part of an analysis as its job does."""
    own = of("tiny", name)
    words = [*shlex.split(plan.analyses.arguments(own)), "--dataset", "tiny"]
    words += ["--evaluation", plan.analyses.evaluation(own)]
    words += ["--settings", plan.analyses.settings(own), "--seed", str(plan.config["seed"])]
    files = [f"{output}.csv", f"{output}.npz"]
    assert main(["analyse", name, *words, "--shard", shard, "--output", *files]) == 0


@pytest.mark.parametrize("name", BY_SETTING)
def test_one_job_and_seven_give_the_same_bytes(plan, read, monkeypatch, tmp_path, name):
    monkeypatch.chdir(read)
    count = plan.shards.of(name)
    assert 1 < count <= 7
    analysed(plan, name, "1/1", tmp_path / "whole")
    parts = [tmp_path / str(number) for number in range(1, count + 1)]
    for number, part in enumerate(parts, start=1):
        analysed(plan, name, f"{number}/{count}", part)
    for kind, ending in (("table", "csv"), ("replicates", "npz")):
        made, whole = tmp_path / f"joined.{ending}", tmp_path / f"whole.{ending}"
        files = [f"{part}.{ending}" for part in parts]
        if kind == "table" or ANALYSES[name].replicated:
            assert main(["join", kind, *files, "--output", str(made)]) == 0
            assert made.read_bytes() == whole.read_bytes()
