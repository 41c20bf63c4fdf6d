"""Mistakes in a configuration end in one clear line, before any job."""

import copy
from pathlib import Path

import pytest
import yaml
from snakemake.utils import update_config

from assayer.config import validate
from assayer.errors import AssayerError
from assayer.tuning.grid import points

ROOT = Path(__file__).parents[1]
SCHEMAS = ROOT / "workflow/schemas"


@pytest.fixture(scope="module")
def shipped():
    config = {}
    for name in ("config", "datasets", "recommenders", "tuning"):
        update_config(config, yaml.safe_load((ROOT / f"config/{name}.yaml").read_text()))
    return config


def changed(config, path, value):
    """Return a copy of a configuration with one value changed, given by its dotted path."""
    config = copy.deepcopy(config)
    *parents, last = path.split(".")
    node = config
    for key in parents:
        node = node.setdefault(key, {})
    node[last] = value
    return config


@pytest.mark.parametrize("name", ["config", "demo", "test", "check", "as-run", "sensitivity"])
def test_the_shipped_configurations_are_valid(shipped, name):
    changes = yaml.safe_load((ROOT / f"config/{name}.yaml").read_text())
    config = copy.deepcopy(shipped)
    update_config(config, changes)
    validate(config, SCHEMAS)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("sede", 1, "config: unknown key 'sede'; did you mean 'seed'?"),
        ("seed", "one", "config: seed: expected a value of type integer, found 'one'."),
        ("split.test_fraktion", 0.1, "config: split: unknown key 'test_fraktion'; did you mean"),
        ("split.test_fraction", 1.5, "config: split.test_fraction: expected"),
        ("split.rounding", "flor", "expected one of floor, nearest, found 'flor'"),
        ("datasets", [], "config: datasets: expected at least 1 of them, found []"),
        ("datasets", ["ml-1n"], "unknown dataset 'ml-1n'; did you mean 'ml-1m'?"),
        ("datasets", "ml-1m", "config: datasets: expected a value of type array, found 'ml-1m'"),
        ("recommenders", ["slmi", "random"], "unknown recommender 'slmi'; did you mean 'slim'?"),
        ("recommenders", ["random"], "expected at least 2 of them"),
        ("recommender_catalogue.slim.method", "slimm", "unknown method 'slimm'; did you mean"),
        (
            "recommender_catalogue.rocchio.settings",
            {"neighbors": 5},
            "config: recommender_catalogue.rocchio.settings: unknown setting 'neighbors'; "
            "did you mean 'neighbours'?",
        ),
        ("recommender_catalogue.rocchio.datasets", {"ml": {}}, "unknown dataset 'ml'"),
        ("recommender_catalogue.rsv.label", "SLIM", "'SLIM' is the label of"),
        ("recommender_catalogue.slim.method", "nowhere:Mine", "cannot load 'nowhere:Mine'"),
        ("metrics.profile", "treck", "unknown profile 'treck'; did you mean 'trec'?"),
        ("robustness.analyses.as-run.profile", "as_run", "as_run'; did you mean 'as-run'?"),
        ("metrics.names", ["nDCG@10"], "metrics.names: expected names without cut-offs, which are"),
        (
            "dataset_catalogue.mine",
            {"kind": "file", "path": "ratings.csv", "treshold": 4},
            "unknown key 'treshold'; did you mean 'threshold'?",
        ),
        ("metrics.names", ["nDGC"], "config: metrics.names: unknown metric 'nDGC'; did you mean"),
        (
            "metrics.names",
            ["nowhere:hits"],
            "config: metrics.names: cannot load 'nowhere:hits': No",
        ),
        ("systems.run", "a.run", "config: systems: unknown key 'run'; did you mean 'runs'?"),
        (
            "systems.runs",
            "a/*.run",
            "so 'a/*.run' needs {dataset} in it, as in runs/{dataset}/*.run",
        ),
        (
            "systems.runs",
            ["a/{dataset}.run"],
            "systems.runs: expected files that fit 'a/ml-1m.run', f",
        ),
        ("systems.ties", "score", "config: systems.ties: expected one of trec, item, input, found"),
        (
            "goals.analyses.groups.metrics",
            ["nowhere:hits"],
            "groups.metrics: cannot load 'nowhere:hi",
        ),
        (
            "definitions.analyses.discrepancies.metrics",
            ["nowhere:hits"],
            "config: definitions.analyses.discrepancies.metrics: unknown metric 'nowhere:hits'",
        ),
        ("metrics.cutoffs", [10, 5], "metrics.cutoffs: expected increasing values, found [10, 5]"),
        ("metrics.cutoffs", [5, 200], "200 is deeper than the lists"),
        ("robustness.cutoff", 7, "config: robustness.cutoff: expected one of metrics.cutoffs"),
        ("robustness.featured.metric", "MAP", "config: robustness.featured.metric: unknown metric"),
        ("robustness.featured.dataset", "demo", "unknown dataset 'demo'"),
        ("robustness.analyses.sparsety", {}, "unknown analysis 'sparsety'; did you mean 'spars"),
        ("robustness.analyses.sparsity", {"samples": 5}, "the setting 'levels' is missing"),
        ("robustness.analyses.sparsity.levels", [0], "config: robustness.analyses.sparsity.levels"),
        ("robustness.analyses.popularity.count", "all", "expected one of train, test, found 'all'"),
        (
            "definitions.cutoff",
            7,
            "definitions.cutoff: expected one of definitions.analyses.discrep",
        ),
        (
            "definitions.analyses.discrepancies.cutoffs",
            [10, 500],
            "config: definitions.analyses.discrepancies.cutoffs: 500 is deeper than the lists;",
        ),
        (
            "definitions.analyses.discrepancies.metrics",
            ["AP(denominator='hits')"],
            "config: definitions.analyses.discrepancies.metrics: unknown metric",
        ),
        ("definitions.analyses.discrepancies.peers", ["rank"], "expected one of pytrec_eval, ranx"),
        ("tuning.test_fraction", 1, "config: tuning.test_fraction: expected exclusiveMaximum 1"),
        ("tuning.measur", "P@10", "unknown key 'measur'; did you mean 'measure'?"),
        ("tuning.measure", "nDGC@10", "config: tuning.measure: unknown metric 'nDGC'; did you"),
        ("tuning.measure", "nDCG@0", "config: tuning.measure: the cut-off of 'nDCG@0' must be"),
        ("tuning.grids.slmi", {"l1": [1]}, "config: tuning.grids: unknown recommender 'slmi'"),
        (
            "tuning.grids.slim.neighbors",
            [5],
            "config: tuning.grids.slim: unknown setting 'neighbors'; did you mean 'neighbours'?",
        ),
        ("tuning.grids.slim.l1", 5, "config: tuning.grids.slim.l1: expected a value of type"),
        ("tuning.grids.slim.l1", [], "config: tuning.grids.slim.l1: expected at least 1 of them"),
        ("tuning.grids.slim.l1", [1, 1.0], "slim.l1: expected no value twice, found [1, 1.0]"),
        ("tuning.grids.slim.l1", ["1e-5"], "found '1e-5'. (Values become names of files: numbers"),
        ("tuning.grids.slim.l1", [[1, 2]], "config: tuning.grids.slim.l1[0]: expected a value of"),
        ("tuning.grids.random", {"factors": [1]}, "tuning.grids.random: unknown setting 'factors'"),
        ("dataset_catalogue.My Data", {}, "My Data"),
        ("dataset_catalogue.mine", {"kind": "files"}, "expected one of file, synthetic"),
        ("dataset_catalogue.mine", {"kind": "synthetic"}, "the key 'label' is missing"),
    ],
)
def test_a_mistake_is_explained_in_one_line(shipped, path, value, message):
    with pytest.raises(AssayerError) as error:
        validate(changed(shipped, path, value), SCHEMAS)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_the_shipped_grids_fit_their_recommenders_and_are_modest(shipped):
    config = copy.deepcopy(shipped)
    grids = config["tuning"]["grids"]
    config["recommenders"] = list(config["recommender_catalogue"])
    validate(config, SCHEMAS)
    tunable = {
        name for name, entry in config["recommender_catalogue"].items() if "settings" in entry
    }
    assert set(grids) == tunable
    assert all(2 <= len(points(grid)) <= 27 for grid in grids.values())


@pytest.mark.parametrize(
    ("path", "value"),
    [("tuning.grids.slim", None), ("tuning.grids.slim.l1", None), ("tuning.measure", "RR")],
)
def test_a_grid_or_one_of_its_settings_can_be_left_out(shipped, path, value):
    validate(changed(shipped, path, value), SCHEMAS)


def test_a_missing_key_is_named(shipped):
    config = {key: value for key, value in shipped.items() if key != "depth"}
    with pytest.raises(AssayerError, match="the key 'depth' is missing"):
        validate(config, SCHEMAS)


def test_a_path_without_a_file_is_named(shipped):
    entry = shipped["dataset_catalogue"]["ml-100k"]
    mine = {key: entry[key] for key in ("label", "kind", "format", "separator", "columns")}
    mine |= {"duplicates": "error", "threshold": 4, "path": "nowhere.csv"}
    config = changed(changed(shipped, "dataset_catalogue.mine", mine), "datasets", ["mine"])
    with pytest.raises(AssayerError, match=r"mine.path: expected a file, found none at .*nowhere"):
        validate(config, SCHEMAS)


def test_unknown_settings_of_synthetic_data_are_named(shipped):
    entry = {
        "label": "Mine",
        "kind": "synthetic",
        "threshold": 4,
        "parameters": {"users": 50, "items": 50, "ratings": 900, "gini": 0.3, "aspcts": 4},
    }
    config = changed(changed(shipped, "dataset_catalogue.mine", entry), "datasets", ["mine"])
    with pytest.raises(AssayerError, match="unknown setting 'aspcts'; did you mean 'aspects'"):
        validate(config, SCHEMAS)


def test_snakemake_stops_with_the_line_and_without_a_traceback(snakemake, tmp_path):
    process = snakemake(tmp_path, "-n", "--config", "sede=1")
    assert process.returncode != 0
    output = process.stdout + process.stderr
    assert "assayer: config: unknown key 'sede'; did you mean 'seed'?" in output
    assert "Traceback" not in output


def test_names_of_variants_are_checked(shipped):
    variant = {"of": "ml-1m", "label": "split 1", "split_seed": 1}
    config = shipped | {"variants": {"again": variant}, "datasets": ["ml-1m", "again"]}
    validate(config, SCHEMAS)
    for name, of, message in (("ml-1m", "ml-1m", "stands for"), ("again", "ml-1n", "'ml-1m'")):
        wrong = config | {"variants": {name: variant | {"of": of}}}
        with pytest.raises(AssayerError, match=message):
            validate(wrong, SCHEMAS)


@pytest.fixture
def judged(shipped, tmp_path):
    """Return a configuration of a dataset of judgements and two runs of other libraries."""
    for name in ("qrels.txt", "good.run", "poor.run"):
        (tmp_path / name).write_text("")
    entry = {"kind": "qrels", "path": str(tmp_path / "qrels.txt"), "threshold": 1}
    config = changed(shipped, "dataset_catalogue.mine", entry) | {"datasets": ["mine"]}
    return changed(config | {"recommenders": []}, "systems.runs", str(tmp_path / "*.run"))


def test_judgements_and_runs_alone_are_a_configuration(judged):
    validate(judged, SCHEMAS)
    validate(changed(judged, "dataset_catalogue.mine.items", 100), SCHEMAS)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            "recommenders",
            ["random"],
            "'mine' has no training ratings; write 'recommenders: []', or",
        ),
        ("systems.runs", None, "at least 2 of them, or of them and of systems.runs, to compare; f"),
        (
            "metrics.names",
            ["P", "nDCG", "MCC"],
            "metrics.names: MCC needs the number of items that",
        ),
        ("dataset_catalogue.mine.train", "gone.csv", "mine.train: expected a file, found none at"),
        (
            "dataset_catalogue.mine.scale",
            [1, 5],
            "config: dataset_catalogue.mine: unknown key 'sca",
        ),
        ("dataset_catalogue.mine.items", 0, "dataset_catalogue.mine.items: expected minimum 1"),
    ],
)
def test_a_mistake_about_runs_is_explained_in_one_line(judged, path, value, message):
    with pytest.raises(AssayerError) as error:
        validate(changed(judged, path, value), SCHEMAS)
    assert message in str(error.value)


def test_runs_do_not_have_the_names_of_recommenders_and_their_splits_no_seed(judged, tmp_path):
    train = changed(
        judged, "dataset_catalogue.mine.train", judged["dataset_catalogue"]["mine"]["path"]
    )
    validate(train | {"recommenders": ["random"]}, SCHEMAS)
    for name in ("random", "PureSVD"):
        (tmp_path / f"{name}.run").write_text("")
        with pytest.raises(AssayerError, match=f"has the name of the recommender '{name}'"):
            validate(train | {"recommenders": ["random", "puresvd"]}, SCHEMAS)
        (tmp_path / f"{name}.run").unlink()
    again = {"again": {"of": "mine", "label": "again", "split_seed": 1}}
    with pytest.raises(AssayerError, match=r"again\.split_seed: 'mine' brings its own"):
        validate(judged | {"variants": again, "datasets": ["again"]}, SCHEMAS)
