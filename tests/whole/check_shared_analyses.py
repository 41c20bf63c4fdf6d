"""Analyses that several jobs share, or one job does in turn, give the same bytes as all at once."""

import itertools
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import yaml
from snakemake.utils import update_config

from rankassay.artifacts import anew, shards
from rankassay.cli.job import do
from rankassay.plan import Plan
from rankassay.plan.analyses import of
from rankassay.plan.steps import SHARED
from rankassay.statistics import set_measures
from rankassay.studies import ANALYSES
from rankassay.studies.diversity import systems as diversity
from rankassay.studies.sampling import systems as sampled

ROOT = Path(__file__).parents[2]
POWER = "robustness/discriminative-power"
# The last is so large that a job has one measure: how a mean is rounded may depend on which others
# it has.
JOBS = (7, 100)
# So many that numpy adds up a row of theirs, alone, in another order than a column among others.
SYSTEMS = ["random", "popularity", "rocchio", "puresvd", "chi2", "kld", "rsv", "rm1", "lm-wsr-ub"]
# What values of users are read, or made, from; and the analyses of these.
LISTED = {"rankings", "scores"}
OF_VALUES = [name for name, entry in ANALYSES.items() if LISTED & {*entry.inputs.values()}]


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """Return the configuration of data with a truth, judgements of random items; the path of it."""
    folder = tmp_path_factory.mktemp("judged")
    random = np.random.default_rng(5)
    rating = random.integers(1, 6, (40, 30))
    for name, share in (("ratings", 0.5), ("truth", 0.3)):
        user, item = np.nonzero(random.random(rating.shape) < share)
        rows = pd.DataFrame({"user": user, "item": item, "rating": rating[user, item]})
        rows.to_csv(folder / f"{name}.csv", index=False)
    entry = {"label": "Judged data", "kind": "file", "separator": ",", "threshold": 4}
    entry |= {"path": f"{folder}/ratings.csv", "truth_path": f"{folder}/truth.csv"}
    config = {"datasets": ["tiny", "other", "judged"], "dataset_catalogue": {"judged": entry}}
    config["recommenders"] = SYSTEMS
    path = folder / "judged.yaml"
    path.write_text(yaml.safe_dump(config))
    return path


@pytest.fixture(scope="module")
def plan(judged):
    """Return the plan of the tests' data, with seven jobs wherever work can be shared."""
    config = {}
    for name in ("config", "datasets", "protocols", "recommenders", "tuning", "test"):
        update_config(config, yaml.safe_load((ROOT / f"config/{name}.yaml").read_text()))
    update_config(config, yaml.safe_load(judged.read_text()))
    config["beyond"]["cutoffs"] = config["preferences"]["cutoffs"] = [10, 20]
    config["unjudged"]["analyses"]["orders"]["cutoffs"] = [10, 20]
    # The second is of whole lists, and has no cut-off.
    config["beyond"]["metrics"] = ["ARP", "PredictionCoverage", "EPC"]
    return Plan(config | {"shards": 7}, ROOT)


@pytest.fixture(scope="module")
def read(plan, judged, snakemake, tmp_path_factory):
    """Return the folder of a run that made all that these analyses read."""
    folder = tmp_path_factory.mktemp("read")
    paths = set()
    for name in {*SHARED, *OF_VALUES}:
        for path in plan.analyses.inputs(of(place(name), name)).values():
            paths |= {path} if isinstance(path, str) else {*path}
    targets = sorted(path for path in paths if not Path(path).is_absolute())
    options = ["--cores", 1, "--configfile", ROOT / "config/test.yaml", judged]
    process = snakemake(folder, *targets, *options)
    assert process.returncode == 0, process.stderr + process.stdout
    return folder


def place(name):
    """Return what an analysis is of: data of the tests, with a truth or none, or constructed."""
    return ANALYSES[name].place or ("judged" if "truth" in ANALYSES[name].inputs else "tiny")


def analysed(given, output):
    """Run an analysis or a part of it as its job does."""
    do("analyse", given | {"output": [f"{output}.csv", f"{output}.npz"]})


def scored(plan, own, output):
    """Compute the scores of a part of the measures, as their job does."""
    Path(output).parent.mkdir(parents=True, exist_ok=True)
    own = SimpleNamespace(dataset=own.dataset, shard=own.shard)
    test = f"results/{own.dataset}/split/test.npz"
    do("score", plan.shards.for_score(own) | {"test": test, "output": output})


def part(plan, name, number, output):
    """Run a part of an analysis, after the parts of others that it reads."""
    own = SimpleNamespace(dataset=place(name), name=name, shard=number)
    for key, path in plan.shards.inputs(own).items():
        if isinstance(path, str) and "/shards/" in path and not Path(path).exists():
            if key == "scores":
                scored(plan, own, path)
            else:
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                part(plan, ANALYSES[name].inputs[key], number, Path(path).with_suffix(""))
    analysed(plan.shards.for_analyse(own), output)


@pytest.mark.parametrize("jobs", JOBS)
@pytest.mark.parametrize("name", SHARED)
def test_one_job_and_several_give_the_same_bytes(plan, read, monkeypatch, tmp_path, name, jobs):
    plan = Plan(plan.config | {"shards": jobs}, ROOT)
    for parts_of_others in read.glob("results/*/shards"):
        shutil.rmtree(parts_of_others)
    monkeypatch.chdir(read)
    count = plan.shards.of(name)
    assert 1 < count <= jobs
    own = of(place(name), name)
    analysed(plan.analyses.for_analyse(own), tmp_path / "whole")
    parts = [tmp_path / str(number) for number in range(1, count + 1)]
    for number, output in enumerate(parts, start=1):
        part(plan, name, number, output)
    endings = ["csv", "npz"] if ANALYSES[name].replicated else ["csv"]
    joined, *replicates = ([f"{output}.{ending}" for output in parts] for ending in endings)
    given = plan.shards.for_join(name)(own) | {"replicates": [*itertools.chain(*replicates)]}
    names = ("output", "joined_replicates")
    files = {name: f"{tmp_path}/joined.{end}" for name, end in zip(names, endings, strict=False)}
    do("join", given | {"parts": joined} | files)
    for ending in endings:
        made, whole = tmp_path / f"joined.{ending}", tmp_path / f"whole.{ending}"
        assert made.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("name", OF_VALUES)
def test_what_one_job_does_in_turn_changes_no_byte(plan, read, monkeypatch, tmp_path, name):
    """As on data so large that the values by one measure are all that memory is meant to hold."""
    monkeypatch.chdir(read)
    own = of(place(name), name)
    analysed(plan.analyses.for_analyse(own), tmp_path / "whole")
    monkeypatch.setattr(shards, "AT_ONCE", 1)
    monkeypatch.setattr(sampled, "BLOCK", 7)
    monkeypatch.setattr(diversity, "BLOCK", 7)
    monkeypatch.setattr(anew, "HELD", 0)
    monkeypatch.setattr(set_measures, "SIGNS", 0)
    analysed(plan.analyses.for_analyse(own), tmp_path / "turns")
    for ending in ["csv", "npz"] if ANALYSES[name].replicated else ["csv"]:
        made, whole = tmp_path / f"turns.{ending}", tmp_path / f"whole.{ending}"
        assert made.read_bytes() == whole.read_bytes()


def test_analyses_by_measures_are_shared_by_seven_jobs_others_by_their_entries(plan):
    assert plan.shards.of(POWER) == 7
    assert plan.shards.of("diversity/incompleteness") == 2
    power = plan.shards.inputs(SimpleNamespace(dataset="tiny", name=POWER, shard=3))
    assert power["p_values"] == "results/tiny/shards/robustness/p-values/3.csv"
    power = of("tiny", "diversity/discriminative-power")
    shared = plan.shards.inputs(SimpleNamespace(**vars(power), shard=3))
    assert shared["p_values"] == "results/tiny/diversity/p-values.csv"
