"""Mistakes in a configuration end in one clear line, before any job."""

import copy
import json
import os
import re
from pathlib import Path

import jsonschema
import pages
import pytest
import yaml
from each import each

from rankassay.artifacts.explain import model_of
from rankassay.artifacts.files import FIRST_USE, check_folders
from rankassay.artifacts.yaml_files import read as read_yaml
from rankassay.artifacts.yaml_files import read_settings
from rankassay.config import check, layers, reference
from rankassay.config.check import AS_WRITTEN, filled, validate
from rankassay.config.sections import configuration
from rankassay.errors import RankassayError
from rankassay.studies import STUDIES
from rankassay.tuning.grid import points

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
SET_P = "P(denominator='listed')"


def models(model):
    """Yield a model and all models in it."""
    yield model
    for field in model.model_fields.values():
        inner = model_of(field.annotation)
        if inner is not None and inner.model_fields:
            yield from models(inner)


MODELS = [*dict.fromkeys(models(configuration()))]


@pytest.fixture(scope="module")
def shipped():
    return layers.shipped(ROOT)


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
    validate(layers.whole(shipped, changes))


@pytest.mark.parametrize(("page", "number"), pages.parts_of_configurations())
def test_the_configurations_of_the_pages_are_valid(shipped, page, number):
    own = {"datasets": ["ml-1m"]}
    validate(layers.whole(shipped, own | pages.part_of_configuration(page, number)))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("sede", 1, "config: unknown key 'sede'; did you mean 'seed'?"),
        ("seed", "one", "config: seed: expected a valid integer, found 'one'."),
        ("datasets", {"a": 1}, "config: datasets: expected a list, as in [a, b], found {'a': 1}."),
        ("shards", 1001, "config: shards: expected less than or equal to 1000, found 1001."),
        ("split.test_fraktion", 0.1, "config: split: unknown key 'test_fraktion'; did you mean"),
        ("split.test_fraction", 1.5, "config: split.test_fraction: expected"),
        ("split.rounding", "flor", "expected 'floor', 'nearest' or 'ceil', found 'flor'"),
        ("datasets", [], "config: datasets: expected at least 1 of them, found []"),
        ("datasets", ["ml-1n"], "unknown dataset 'ml-1n'; did you mean 'ml-1m'?"),
        ("datasets", "ml-1m", "config: datasets: expected a list, as in [a, b], found 'ml-1m'"),
        ("recommenders", ["slmi", "random"], "unknown recommender 'slmi'; did you mean 'slim'?"),
        ("recommenders", ["random"], "expected at least 2 of them"),
        ("recommender_catalogue.slim.method", "slimm", "unknown method 'slimm'; did you mean"),
        (
            "recommender_catalogue.rocchio.settings",
            {"neighbors": 5},
            "config: recommender_catalogue.rocchio.settings: unknown setting 'neighbors'; "
            "did you mean 'neighbours'?",
        ),
        (
            "recommender_catalogue.rocchio.settings.neighbours",
            "many",
            "rocchio.settings: neighbours: expected a whole number, found 'many'.",
        ),
        (
            "recommender_catalogue.slim.settings.neighbours",
            200.0,
            "slim.settings: neighbours: expected a whole number or null, found 200.0.",
        ),
        ("recommender_catalogue.slim.settings.l1", True, "l1: expected a number, found True."),
        ("recommender_catalogue.slim.settings.binary", 1, "expected true or false, found 1."),
        ("recommender_catalogue.ht.settings", {"weights": 2}, "expected a text, found 2."),
        (
            "recommender_catalogue.slim.datasets",
            {"ml-1m": {"l1": "5e1"}},
            "slim.datasets.ml-1m: l1: expected a number, found '5e1'.",
        ),
        ("recommender_catalogue.rocchio.datasets", {"ml": {}}, "unknown dataset 'ml'"),
        ("calibrated", ["ml-1n"], "config: calibrated: unknown dataset 'ml-1n'; did you mean"),
        ("recommender_catalogue.rsv.label", "SLIM", "'SLIM' is the label of"),
        ("recommender_catalogue.slim.method", "nowhere:Mine", "cannot load 'nowhere:Mine'"),
        ("metrics.profile", "treck", "unknown profile 'treck'; did you mean 'trec'?"),
        ("metrics.names", ["nDCG@10"], "metrics.names: expected names without cut-offs, which go"),
        (
            "dataset_catalogue.mine",
            {"kind": "file", "path": "ratings.csv", "treshold": 4},
            "unknown key 'treshold'; did you mean 'threshold'?",
        ),
        (
            "metrics.names",
            ["P_10"],
            "without cut-offs, which go to metrics.cutoffs, found 'P_1",
        ),
        ("metrics.names", ["R", "Recall"], "config: metrics.names: expected no value twice, found"),
        (
            "metrics.names",
            ["α-nDCG"],
            "'alpha_nDCG' needs the aspects of items, which only",
        ),
        (
            "definitions.metrics",
            {"AP": [{}, {"denominator": "hits"}], "MAP": [{}, {"denominator": "listed"}]},
            "definitions.metrics: expected no metric twice",
        ),
        ("metrics.names", ["nDGC"], "config: metrics.names: unknown metric 'nDGC'; did you mean"),
        ("metrics.names", ["F(beta=-1)"], "config: metrics.names: F's parameter beta: expected a"),
        (
            "diversity.metrics",
            ["NRBP(beta=5)"],
            "diversity.metrics[0]: NRBP's parameter beta: expected a number of at least 0 and at",
        ),
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
        (
            "systems.ties",
            "score",
            "config: systems.ties: expected 'trec', 'item' or 'input', found",
        ),
        (
            "goals.analyses.groups.metrics",
            ["nowhere:hits"],
            "groups.metrics[0]: cannot load 'nowhere:hi",
        ),
        (
            "definitions.analyses.discrepancies.metrics",
            ["nowhere:hits"],
            "definitions.analyses.discrepancies.metrics[0]: unknown metric 'nowhere:hits'",
        ),
        ("metrics.cutoffs", [10, 5], "metrics.cutoffs: expected increasing values, found [10, 5]"),
        (
            "diversity.cutoffs",
            [10, 5],
            "diversity.cutoffs: expected increasing values, found [10, 5]",
        ),
        ("metrics.cutoffs", [5, 200], "200 is deeper than the lists"),
        ("robustness.cutoff", 7, "config: robustness.cutoff: expected one of metrics.cutoffs"),
        (
            "robustness.featured.metric",
            "HR",
            "the metric 'Success' is not one of P, R, AP",
        ),
        ("robustness.featured.metric", "nDGC", "featured.metric: unknown metric 'nDGC'; did you m"),
        ("robustness.featured.dataset", "demo", "unknown dataset 'demo'"),
        ("robustness.analyses.sparsety", {}, "unknown analysis 'sparsety'; did you mean 'spars"),
        (
            "aggregation.analyses.groups.aggregates",
            ["median", "mean"],
            r"aggregates: expected mean first, with which the others are compared, found",
        ),
        ("robustness.analyses.sparsity.levels", [0], "config: robustness.analyses.sparsity.levels"),
        ("robustness.analyses.popularity.count", "all", "expected 'train' or 'test', found 'all'"),
        (
            "definitions.cutoffs",
            [10, 500],
            "config: definitions.cutoffs: 500 is deeper than the lists;",
        ),
        (
            "definitions.analyses.discrepancies.metrics",
            ["AP(denominator='hits')"],
            "definitions.analyses.discrepancies.metrics[0]: unknown metric",
        ),
        ("tuning.test_fraction", 1, "tuning.test_fraction: expected less than 1, found 1"),
        ("tuning.measur", "P@10", "unknown key 'measur'; did you mean 'measure'?"),
        (
            "validity.analyses.target-items.folds",
            2,
            "target-items: unknown key 'folds'. None is known. It is a key of target-folds.",
        ),
        (
            "recommender_catalogue.random.label",
            "a\rb",
            "random.label: expected a name in one line, without tabs or other control characters",
        ),
        ("validity.analyses.claims.mine", 2, "claims: unknown key 'mine'. None is known."),
        ("tuning.measure", "nDGC@10", "config: tuning.measure: unknown metric 'nDGC'; did you"),
        ("tuning.measure", "nDCG@0", "config: tuning.measure: the cut-off of 'nDCG@0' must be"),
        ("tuning.grids.slmi", {"l1": [1]}, "config: tuning.grids: unknown recommender 'slmi'"),
        (
            "tuning.grids.slim.neighbors",
            [5],
            "config: tuning.grids.slim: unknown setting 'neighbors'; did you mean 'neighbours'?",
        ),
        ("tuning.grids.slim.l1", 5, "config: tuning.grids.slim.l1: expected a list, as in [a, b]"),
        ("tuning.grids.slim.l1", [], "config: tuning.grids.slim.l1: expected at least 1 of them"),
        ("tuning.grids.slim.l1", [1, 1.0], "slim.l1: expected no value twice, found [1, 1.0]"),
        (
            "tuning.grids.slim.l1",
            ["1e-5"],
            "in the name of a file: a number (with a dot before an e: 1.0e-5)",
        ),
        (
            "tuning.grids.slim.l1",
            [[1, 2]],
            "config: tuning.grids.slim.l1[0]: expected a value that can be in",
        ),
        ("tuning.grids.slim.l1", [1, None], "tuning.grids.slim: l1: expected a number, found None"),
        ("tuning.grids.random", {"factors": [1]}, "tuning.grids.random: unknown setting 'factors'"),
        ("dataset_catalogue.My Data", {}, "My Data"),
        (
            "dataset_catalogue.mine",
            {"kind": "files"},
            "expected the kind to be one of 'file', 'qrels', 'synthetic'",
        ),
        ("dataset_catalogue.mine", {"kind": "synthetic"}, "the key 'label' is missing"),
        (
            "dataset_catalogue.mine",
            {"kind": "synthetic", "label": "M", "threshold": 4}
            | {"parameters": {"users": 9, "items": 9, "ratings": 30, "gini": 0.1, "scale": [1, 3]}},
            "threshold: expected at most 3, the end of the scale, found 4, which no rating reaches",
        ),
    ],
)
def test_a_mistake_is_explained_in_one_line(shipped, path, value, message):
    with pytest.raises(RankassayError) as error:
        validate(changed(shipped, path, value))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("path", "given", "found"),
    [
        ("metrics.names", ["Recall", "hit rate", "set_P"], ["R", "Success", SET_P]),
        ("metrics.names", ["NDCG( gain='exp' )", "mine:P"], ["nDCG( gain='exp' )", "mine:P"]),
        ("robustness.featured.metric", "MAP", "AP"),
        ("tuning.measure", "recall_10", "R@10"),
        ("goals.analyses.groups.metrics", ["precision", "f1"], ["P", "F1"]),
        ("definitions.analyses.discrepancies.metrics", ["MRR"], ["RR"]),
        ("diversity.metrics", ["α-nDCG", "map"], ["alpha_nDCG", "AP"]),
        (
            "definitions.metrics",
            {"MAP": [{"denominator": "hits"}, {}]},
            {"AP": [{"denominator": "hits"}, {}]},
        ),
    ],
)
def test_metrics_have_one_name_however_they_are_written(shipped, path, given, found):
    whole = filled(changed(shipped, path, given))
    for key in path.split("."):
        whole = whole[key]
    assert whole == found


@pytest.mark.parametrize(
    ("names", "featured"),
    [(["P"], "P"), (["R", "nDCG"], "nDCG"), (["Recall", "MissRate"], "R")],
)
def test_the_featured_metric_need_not_be_named(shipped, names, featured):
    whole = validate(changed(shipped, "metrics.names", names))
    assert whole["robustness"]["featured"] == {"dataset": None, "metric": featured}


def test_the_shipped_grids_fit_their_recommenders_and_are_modest(shipped):
    config = copy.deepcopy(shipped)
    grids = config["tuning"]["grids"]
    config["recommenders"] = list(config["recommender_catalogue"])
    validate(config)
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
    validate(changed(shipped, path, value))


def test_what_is_left_out_has_its_default(shipped):
    config = {key: value for key, value in shipped.items() if key not in ("depth", "robustness")}
    whole = validate(config)
    assert whole["depth"] == 100
    assert whole["robustness"]["analyses"]["sparsity"]["samples"] == 50


def test_an_analysis_that_is_null_is_left_out_and_others_have_their_defaults(shipped):
    config = changed(shipped, "robustness.analyses", {"sparsity": {"samples": 5}, "claims": None})
    analyses = validate(config)["robustness"]["analyses"]
    assert analyses["sparsity"]["samples"] == 5
    assert len(analyses["sparsity"]["levels"]) == 20
    assert "claims" not in analyses
    assert "popularity" in analyses


def test_the_shipped_settings_are_the_defaults_of_the_models(shipped):
    whole = validate(shipped)
    assert whole == validate(
        {name: shipped[name] for name in AS_WRITTEN if name in shipped}
        | {name: shipped[name] for name in ("tuning", "protocol_catalogue", "calibrated")}
    )
    assert (ROOT / "config/config.yaml").read_text() == reference.defaults()
    assert (ROOT / "config/schema.json").read_text() == reference.schema()


@each("model", MODELS)
def test_every_setting_is_described(model):
    for name, field in model.model_fields.items():
        about = field.description or getattr(model_of(field.annotation), "__doc__", None)
        assert about, f"{model.__module__}.{model.__qualname__}.{name}"


def test_the_schema_takes_what_the_models_take(shipped):
    schema = json.loads(reference.schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(shipped, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(shipped | {"sede": 1}, schema)


@pytest.mark.parametrize("path", sorted((ROOT / "config").glob("*.yaml")), ids=lambda p: p.name)
def test_editors_find_the_schema_of_every_configuration(path):
    text = path.read_text(encoding="utf-8")
    named = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
    schema = json.loads((path.parent / named[1]).read_text(encoding="utf-8"))
    # That the schema is one is asked above.
    jsonschema.Draft202012Validator(schema).validate(read_settings(path))


def test_a_null_in_an_entry_says_the_same_as_no_key(shipped):
    own = LISTED | {"urls": None, "timestamp_format": None, "threshold": None, "separator": ","}
    own |= {"columns": {"user": 0, "item": 1, "rating": None}, "truth": None}
    found = filled(changed(shipped, "dataset_catalogue.mine", own))["dataset_catalogue"]["mine"]
    assert not {"urls", "timestamp_format", "truth", "threshold"} & {*found}
    assert found["columns"]["rating"] is None  # there is no such column
    with pytest.raises(RankassayError, match="expected a path, or urls and files"):
        filled(changed(shipped, "dataset_catalogue.mine", own | {"path": None}))


def test_a_path_without_a_file_is_named(shipped):
    entry = shipped["dataset_catalogue"]["ml-100k"]
    mine = {key: entry[key] for key in ("label", "kind", "format", "separator", "columns")}
    mine |= {"duplicates": "error", "threshold": 4, "path": "nowhere.csv"}
    config = changed(changed(shipped, "dataset_catalogue.mine", mine), "datasets", ["mine"])
    with pytest.raises(
        RankassayError, match=r"mine.path: expected a file, found none at .*nowhere"
    ):
        validate(config)


LISTED = {"kind": "file", "path": "r.csv", "threshold": 4}
COLUMNS = ("user", "item", "propensity")
NAMED = {"kind": "file", "urls": [], "files": {"ratings": "r.ascii"}, "threshold": 4}


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (LISTED | {"truth": {}}, "truth: no file is named; give files.truth, or truth_path, or th"),
        (LISTED | {"propensities": {}}, "propensities: no file is named; give files.propensities"),
        (LISTED | {"truth": {"nown": 3}}, "unknown key 'nown'; did you mean 'known'?"),
        (
            LISTED | {"truth": {"known": "k", "discovery": "relevance"}},
            "truth.discovery: expected 'as-is', 'relevance-independent' or 'item-independent'",
        ),
        (
            LISTED | {"truth_path": "t.csv", "truth": {"discovery": "item-independent"}},
            "truth: the key 'discovery' needs 'known', the column of a flag",
        ),
        (
            LISTED | {"truth_path": "t.csv", "truth": {"known": "k"}},
            "truth: the key 'known' has no place next to the file 't.csv'",
        ),
        (
            LISTED | {"truth": {"known": "k", "header": True}},
            "'header' has no place together with 'known'",
        ),
        (LISTED | {"truth": {"known": "k"}, "bad_lines": 3}, "'bad_lines' has no place with truth"),
        (LISTED | {"truth": {"set_aside": 0.5}}, "truth: no file is named; give files.truth, or t"),
        (
            LISTED | {"truth": {"design": "as-published"}},
            "truth: the design as-published needs 'known', the column of a flag",
        ),
        (
            LISTED | {"truth": {"known": "k", "design": "as-published", "set_aside": 0.5}},
            "truth: the key 'set_aside' has no place with the design as-published; remove it",
        ),
        (
            LISTED | {"truth_path": "t.csv", "truth": {"design": "set-aside"}},
            "truth: the key 'design' has no place next to the file 't.csv'; remove it",
        ),
        (
            LISTED | {"truth_path": "t.csv", "truth": {"set_aside": 0.5}},
            "truth: the key 'set_aside' has no place next to the file 't.csv'; remove it",
        ),
        (
            LISTED | {"truth": {"known": "k", "set_aside": 1}},
            "truth.set_aside: expected less than 1, found 1",
        ),
        (
            LISTED | {"truth": {"known": "k", "design": "aside"}},
            "truth.design: expected 'set-aside' or 'as-published', found 'aside'",
        ),
        (
            LISTED | {"truth": {"design": "set-aside", "header": True}},
            "truth: the key 'header' has no place without a file of the truth; remove it",
        ),
        (
            LISTED | {"truth": {"design": "set-aside", "inclusion": "p"}},
            "truth: the key 'inclusion' has no place without a file of the truth; remove it",
        ),
        (
            LISTED | {"truth_path": "t.parquet", "truth": {"inclusion": "p"}},
            "truth: the key 'inclusion' needs a file of the format delimited",
        ),
        (
            LISTED | {"scale": [1, 5], "threshold": 6, "truth": {"known": "k"}},
            "threshold: expected at most 5, the end of the scale, found 6, which no rating reaches",
        ),
        (
            LISTED | {"format": "dicts", "truth": {"known": "k"}},
            "truth: the key 'known' needs ratings of the format delimited",
        ),
        (NAMED | {"format": "matrix", "header": True}, "'header' has no place with the format mat"),
        (
            LISTED | {"truth_path": "t.csv", "truth": {"format": "matrix", "header": True}},
            "truth: the key 'header' has no place with the format matrix; remove it",
        ),
        (
            LISTED | {"truth_path": "t.json", "truth": {"format": "dicts", "separator": ","}},
            "truth: the key 'separator' has no place with the format dicts; remove it",
        ),
        (
            LISTED
            | {"propensities_path": "p.csv"}
            | {"propensities": {"format": "matrix", "columns": dict.fromkeys(COLUMNS, 0)}},
            "propensities: the key 'columns' has no place with the format matrix; remove it",
        ),
        (NAMED | {"format": "matrix", "truth_path": "t"}, "'truth_path' has no place without a pa"),
        (
            NAMED
            | {"files": {"ratings": "r", "truth": "t.dat"}, "format": "matrix"}
            | {"truth": {"format": "delimited"}},
            "truth: the key 'separator' is missing; what stands between the columns of 't.dat'",
        ),
    ],
)
def test_a_mistake_about_a_truth_is_explained_in_one_line(shipped, entry, message):
    config = changed(shipped, "dataset_catalogue.mine", entry) | {"datasets": ["mine"]}
    with pytest.raises(RankassayError) as error:
        validate(config)
    assert message in str(error.value)
    assert "dataset_catalogue.mine" in str(error.value)
    assert len(str(error.value).splitlines()) == 1


GENDER = {"id": "user", "attributes": {"gender": {"column": "sex"}}}


def attribute(**own):
    entry = {"id": 0, "attributes": {"age": {"column": 1} | own}}
    return LISTED | {"user_attributes_path": "u.csv", "user_attributes": entry}


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            LISTED | {"user_attributes": GENDER},
            "user_attributes: no file is named; give files",
        ),
        (
            LISTED | {"item_attributes_path": "i.csv"},
            "the key 'item_attributes' is missing, which describes the file of item attributes",
        ),
        (
            LISTED | {"user_attributes_path": "u.dat", "user_attributes": GENDER},
            "user_attributes: the key 'separator' is missing; what stands between the columns of",
        ),
        (
            LISTED
            | {"item_attributes_path": "i.csv"}
            | {"item_attributes": {"id": 0, "attributes": {"popularity": {"column": 1}}}},
            "item_attributes: the name 'popularity' stands for groups by training ratings; choose",
        ),
        (attribute(colum=2), "unknown key 'colum'; did you mean 'column'?"),
        (attribute(pattern="(a"), "expected a regular expression, found '(a': missing )"),
        (attribute(pattern="a"), "with one group in brackets, found 0 of them in 'a'"),
        (attribute(boundaries=[3, 3]), "expected increasing numbers, found [3, 3]"),
        (attribute(missing=1.5), "attributes.age.missing: expected less than or equal to 1"),
        (attribute(min_size=0), "attributes.age.min_size: expected greater than or equal"),
        (
            LISTED
            | {"user_attributes_path": "u.csv"}
            | {"user_attributes": {"id": 0, "attributes": {}}},
            "user_attributes.attributes: expected at least 1 of them",
        ),
    ],
)
def test_a_mistake_about_attributes_is_explained_in_one_line(shipped, entry, message):
    config = changed(shipped, "dataset_catalogue.mine", entry) | {"datasets": ["mine"]}
    with pytest.raises(RankassayError) as error:
        validate(config)
    assert message in str(error.value)
    assert "dataset_catalogue.mine" in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_missing_files_of_a_truth_are_named(shipped, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.csv").write_text("")
    for part in ("truth", "propensities"):
        entry = LISTED | {f"{part}_path": "t.csv"}
        config = changed(shipped, "dataset_catalogue.mine", entry) | {"datasets": ["mine"]}
        with pytest.raises(
            RankassayError, match=rf"mine\.{part}_path: expected a file, found none"
        ):
            validate(config)


def test_unknown_settings_of_synthetic_data_are_named(shipped):
    entry = {
        "label": "Mine",
        "kind": "synthetic",
        "threshold": 4,
        "parameters": {"users": 50, "items": 50, "ratings": 900, "gini": 0.3, "aspcts": 4},
    }
    config = changed(changed(shipped, "dataset_catalogue.mine", entry), "datasets", ["mine"])
    with pytest.raises(RankassayError, match="unknown key 'aspcts'; did you mean 'aspects'"):
        validate(config)


def test_snakemake_stops_with_the_line_and_without_a_traceback(snakemake, tmp_path):
    process = snakemake(tmp_path, "-n", "--config", "sede=1")
    assert process.returncode != 0
    output = process.stdout + process.stderr
    assert "rankassay: config: unknown key 'sede'; did you mean 'seed'?" in output
    assert "Traceback" not in output


def test_names_of_variants_are_checked(shipped):
    variant = {"of": "ml-1m", "label": "split 1", "split_seed": 1}
    known = shipped["variants"]
    config = shipped | {"variants": known | {"again": variant}, "datasets": ["ml-1m", "again"]}
    validate(config)
    for name, of, message in (
        ("ml-1m", "ml-1m", "a name of its own, found one of a dataset"),
        ("again", "ml-1n", "'ml-1m'"),
        ("again", "other", "dataset_catalogue, found the variant 'other'"),
    ):
        wrong = config | {"variants": known | {"other": variant, name: variant | {"of": of}}}
        with pytest.raises(RankassayError, match=message):
            validate(wrong)


def test_no_two_datasets_look_the_same(shipped):
    one, other = ({"of": "ml-1m", "label": "split 1", "split_seed": seed} for seed in (1, 2))
    variants = shipped["variants"] | {"one": one, "other": other}
    config = shipped | {"variants": variants, "datasets": ["ml-1m", "one"]}
    validate(config)
    with pytest.raises(
        RankassayError, match=r"variants.other.label: .* 'MovieLens 1M, split 1', as"
    ):
        validate(config | {"datasets": ["one", "other"]})
    entry = shipped["dataset_catalogue"]["ml-100k"] | {"label": "MovieLens 1M"}
    catalogue = shipped["dataset_catalogue"] | {"ml-100k": entry}
    with pytest.raises(RankassayError, match=r"dataset_catalogue.ml-100k.label: .* call ml-1m"):
        validate(config | {"datasets": ["ml-1m", "ml-100k"], "dataset_catalogue": catalogue})


def test_claims_of_ones_own_are_read_before_any_job(shipped, tmp_path):
    """A misspelt dataset would be one that was not studied: its claims were not testable."""
    own = tmp_path / "mine.yaml"
    claim = {"id": "a", "where": "w", "claim": "c", "value": {"table": "t"}, "holds": {"above": 0}}
    for found, message in (
        ([claim | {"datasets": ["ml-1m", "ml-20m"]}], ""),
        ([claim | {"datasets": ["ml-1n"]}], "claim a: datasets: unknown dataset 'ml-1n'; did you"),
        ([claim | {"datasets": ["ml-1m"], "value": {}}], "claim a: value: the key .table. is mis"),
        ([], "expected a list of claims, each with the keys id, where,.* found nothing"),
    ):
        own.write_text(json.dumps(found))
        config = shipped | {"claims": {"robustness": str(own)}}
        if not message:
            validate(config)
            continue
        with pytest.raises(RankassayError, match=f"{own}: {message}"):
            validate(config)


def test_no_dataset_has_the_name_of_something_else(shipped):
    """Every name that a rule gives to a folder or file where datasets have theirs is reserved."""
    rules = "".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
    rules += FIRST_USE  # which the plan gives to the rule that fetches
    found = set(re.findall(r"\b(?:results|data|data/processed)/([\w.-]+)", rules))
    folders = {name for name in found if "." not in name}  # which no name of a dataset has
    assert folders == {"benchmarks", "processed", "first-use", "constructed"}
    for name in (*folders, "tables", "raw"):
        catalogue = shipped["dataset_catalogue"]
        with pytest.raises(RankassayError, match=f"catalogue.{name}: expected a name of its own"):
            validate(shipped | {"dataset_catalogue": catalogue | {name: catalogue["ml-1m"]}})
        variant = {"of": "ml-1m", "label": "split 1", "split_seed": 1}
        with pytest.raises(RankassayError, match=f"variants.{name}: expected a name of its own"):
            validate(shipped | {"variants": {name: variant}})


@pytest.fixture
def judged(shipped, tmp_path):
    """Return a configuration of a dataset of judgements and two runs of other libraries."""
    for name in ("qrels.txt", "good.run", "poor.run"):
        (tmp_path / name).write_text("")
    entry = {"kind": "qrels", "path": str(tmp_path / "qrels.txt"), "threshold": 1}
    config = changed(shipped, "dataset_catalogue.mine", entry) | {"datasets": ["mine"]}
    return changed(config | {"recommenders": []}, "systems.runs", str(tmp_path / "*.run"))


def test_judgements_are_files_of_raw_dir_or_a_path(judged):
    entry = {"kind": "qrels", "files": {"ratings": "test.csv", "train": "train.csv"}}
    entry |= {"folder": "others", "threshold": 1}
    trained = changed(judged, "dataset_catalogue.mine", entry) | {"recommenders": ["random", "rsv"]}
    validate(trained | {"systems": {}})
    for change, message in (
        ({"path": "test.csv"}, "expected either a path, or files"),
        ({"threshold": None}, "the key 'threshold' is missing"),
        ({"train": "train.csv"}, "the key 'train' has no place with files"),
        ({"items": 10}, "the key 'items' has no place together with 'train'"),
        ({"files": {"ratings": "test.csv"}}, "'mine' has no training ratings"),
        ({"folder": "../others"}, "dataset_catalogue.mine.folder"),
    ):
        with pytest.raises(RankassayError) as error:
            validate(changed(trained, "dataset_catalogue.mine", entry | change))
        assert message in str(error.value)


def test_judgements_and_runs_alone_are_a_configuration(judged):
    validate(judged)
    validate(changed(judged, "dataset_catalogue.mine.items", 100))


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
            "dataset_catalogue.mine.path",
            "{x}.csv",
            "mine.path: expected a path without {, }, < and",
        ),
        ("dataset_catalogue.mine.train", "a}", "mine.train: expected a path without {, }, < and >"),
        (
            "dataset_catalogue.other",
            {"kind": "file", "path": "<script>.csv", "threshold": 4},
            "dataset_catalogue.other.path: expected a path without {, }, < and >, which mean",
        ),
        (
            "dataset_catalogue.other",
            {"kind": "scores", "tables": {"AP": "{ap}.csv"}},
            "other.tables.AP: expected a path without",
        ),
        ("claims", {"robustness": "{dataset}.yaml"}, "claims.robustness: expected a path without"),
        ("systems.runs", "{x}/*.run", "systems.runs: expected a path without {, }, < and >, which"),
        (
            "dataset_catalogue.mine.scale",
            [1, 5],
            "config: dataset_catalogue.mine: unknown key 'sca",
        ),
        (
            "dataset_catalogue.mine.items",
            0,
            "dataset_catalogue.mine.items: expected greater than or equal to 1",
        ),
    ],
)
def test_a_mistake_about_runs_is_explained_in_one_line(judged, path, value, message):
    with pytest.raises(RankassayError) as error:
        validate(changed(judged, path, value))
    assert message in str(error.value)


def test_runs_do_not_have_the_names_of_recommenders_and_their_splits_no_seed(judged, tmp_path):
    train = changed(
        judged, "dataset_catalogue.mine.train", judged["dataset_catalogue"]["mine"]["path"]
    )
    validate(train | {"recommenders": ["random"]})
    for name in ("random", "PureSVD"):
        (tmp_path / f"{name}.run").write_text("")
        with pytest.raises(RankassayError, match=f"has the name of the recommender '{name}'"):
            validate(train | {"recommenders": ["random", "puresvd"]})
        (tmp_path / f"{name}.run").unlink()
    again = {"again": {"of": "mine", "label": "again", "split_seed": 1}}
    with pytest.raises(RankassayError, match=r"again\.split_seed: 'mine' brings its own"):
        validate(judged | {"variants": again, "datasets": ["again"]})


@pytest.mark.parametrize("name", ["data", "results", "figures", "logs"])
@pytest.mark.parametrize("found", ["a file", "a link that leads nowhere"])
def test_what_stands_in_place_of_a_folder_is_named(tmp_path, monkeypatch, name, found):
    monkeypatch.chdir(tmp_path)
    for other in {"data", "results", "figures"} - {name}:
        Path(other).mkdir()
    Path("elsewhere").mkdir()
    if found == "a file":
        Path(name).touch()
    else:
        Path(name).symlink_to("nowhere")
    with pytest.raises(RankassayError) as error:
        check_folders("data", "results", "figures", "logs")
    assert str(error.value) == (
        f"{tmp_path / name}: expected a folder, found {found}; move it away, or run in another "
        "folder (--directory FOLDER)."
    )
    Path(name).unlink()
    Path(name).symlink_to("elsewhere")
    check_folders("data", "results", "figures", "logs")


@pytest.mark.parametrize("locked", [".", "results"])
def test_a_folder_that_cannot_be_written_to_is_named(tmp_path, monkeypatch, locked):
    monkeypatch.chdir(tmp_path)
    Path("results").mkdir()
    # As on a file system that is mounted to be read only, which holds for root, too.
    monkeypatch.setattr(os, "access", lambda path, mode: path != Path(locked))
    with pytest.raises(RankassayError, match="expected a folder that can be written to") as error:
        check_folders("data", "results")
    assert str(error.value).startswith(f"{Path(locked).absolute()}: ")


def test_a_file_in_place_of_a_folder_ends_the_run_before_any_job(snakemake, tmp_path):
    (tmp_path / "results").touch()
    process = snakemake(tmp_path, "--cores", 1, "--configfile", ROOT / "config/demo.yaml")
    assert process.returncode == 1
    assert process.stderr.splitlines()[-1].startswith(
        f"rankassay: {tmp_path / 'results'}: expected"
    )
    assert "Traceback" not in process.stderr
    assert {path.name for path in tmp_path.iterdir()} <= {"results", ".snakemake"}


def test_a_setting_that_is_no_more_is_told_with_what_holds_in_its_place(tmp_path, monkeypatch):
    known = tmp_path / "retired.yaml"
    known.write_text("goals.analyses.*.length: '4, LENGTH of goals/constructed.py, holds'")
    monkeypatch.setattr(check, "RETIRED", known)
    with pytest.raises(
        RankassayError, match=r"^config: goals.analyses.roc.length: is no setting any more; 4"
    ):
        check.filled({"goals": {"analyses": {"roc": {"length": 3}, "bias": {}}}})
    check.filled({"goals": {"analyses": {"roc": {}}}})


def test_one_that_the_study_has_as_a_whole_is_told_also_where_both_are_the_same():
    resamples = STUDIES["goals"].model().resamples
    with pytest.raises(RankassayError, match=r"goals\.analyses\.groups\.resamples: is no setting"):
        check.filled({"goals": {"analyses": {"groups": {"resamples": resamples}}}})


def test_retired_settings_stand_in_the_changelog_and_are_none():
    told = Path("CHANGELOG.md").read_text(encoding="utf-8")
    for pattern in read_yaml(check.RETIRED):
        assert f"`{pattern}`" in told, pattern
    check.filled({})
