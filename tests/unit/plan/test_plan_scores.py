"""The plan of a run on values of metrics alone, and together with other datasets."""

import pytest
from unit.plan.test_plan import configured, planned

from rankassay.config.check import validate
from rankassay.errors import RankassayError
from rankassay.plan.analyses import of

ENTRY = {
    "kind": "scores",
    "tables": {"MAP": "ap.csv", "P_10": "p10.csv", "nDCG@5": "n5.csv", "nDCG@10": "n10.csv"},
}
ALONE = {"datasets": ["topics"], "recommenders": [], "dataset_catalogue": {"topics": ENTRY}}
CUT = {"robustness": {"cutoff": 10}, "reliability": {"cutoff": 10}}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in ENTRY["tables"].values():
        (tmp_path / path).write_text("x,y\n1,2\n2,1\n")


@pytest.mark.slow
def test_what_needs_values_alone_is_made_and_all_else_is_left_out_and_said():
    plan = planned(ALONE, CUT, {"studies": ["robustness"]})
    made = {
        name
        for name in plan.config["robustness"]["analyses"]
        if plan.analyses.datasets(f"robustness/{name}")
    }
    of_no_data = {"p-value-errors", "constructed-claims"}
    assert made - of_no_data == {
        "cutoff-correlation",
        "metric-correlation",
        "identical",
        "p-values",
        "discriminative-power",
        "power-differences",
    }
    assert of_no_data < made
    assert "results/tables/robustness/table-3.md" in plan.targets
    assert "results/topics/means.csv" in plan.targets
    assert not [path for path in plan.targets if "table-2" in path or "trec" in path]
    said = plan.systems.left_out()
    assert "Left out on topics, if asked for:" in said
    assert (
        "without ratings and lists of items: robustness/judgements, robustness/gains, rob" in said
    )
    with pytest.raises(SystemExit, match="'topics' is without ratings and lists of items"):
        plan.analyses.inputs(of("topics", "robustness/sparsity"))


def test_the_measures_of_a_dataset_are_those_of_its_tables():
    plan = planned(ALONE, CUT)
    found = plan.analyses._evaluation(("measures", "metrics"), "topics")
    assert found["measures"] == ["AP", "P@10", "nDCG@5", "nDCG@10"]
    assert found["metrics"] == ["AP", "P", "nDCG"]


def test_without_two_cutoffs_of_a_metric_none_are_compared():
    entry = ENTRY | {"tables": {"AP": "ap.csv", "P@10": "p10.csv"}}
    plan = planned(ALONE, CUT, {"studies": ["robustness"]})
    plan.config["dataset_catalogue"]["topics"]["tables"] = entry["tables"]
    plan.data.catalogue["topics"]["tables"] = entry["tables"]
    assert "without a metric at two cut-offs: robustness/cutoff-correlation" in (
        plan.systems.left_out()
    )


def panels(plan, figure, **wildcards):
    """Return the metrics of a figure's panels."""
    given = of("topics", "") if wildcards.pop("own", False) else of("", "")
    if not given.dataset:
        del given.dataset
    given.study, given.figure = "robustness", figure
    return [panel["metric"] for panel in plan.publications.panels(given)]


def test_figures_show_the_metrics_that_a_dataset_has():
    plan = planned(ALONE, CUT)
    assert panels(plan, "figure-4", own=True) == ["AP", "P", "nDCG"]
    assert panels(plan, "figure-1", own=True) == ["nDCG"]
    assert panels(plan, "figure-4") == ["nDCG"]


def test_values_stand_beside_a_dataset_with_lists():
    both = ALONE | {"datasets": ["tiny", "topics"], "recommenders": ["random", "popularity"]}
    plan = planned(both, CUT)
    assert plan.analyses.datasets("robustness/p-values") == ["tiny", "topics"]
    assert plan.analyses.datasets("robustness/sparsity") == ["tiny"]
    assert plan.data.measures("tiny") == [
        f"{name}@{cutoff}"
        for name in plan.config["metrics"]["names"]
        for cutoff in plan.config["metrics"]["cutoffs"]
    ]
    assert "topics" not in plan.data.any_of(with_lists=True)
    assert plan.data.any_of(with_lists=False).split("|")[-1] == "topics"
    assert not [path for path in plan.data.trec_outputs() if "topics" in path]


def test_neither_systems_nor_cutoffs_of_lists_are_asked_for():
    changes = {"metrics": {"cutoffs": [3]}, "recommenders": ["random"]}
    assert validate(configured(ALONE, CUT, changes, {"studies": ["robustness"]}))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"robustness": {"cutoff": 7}}, "robustness.cutoff: expected a cut-off of the values of"),
        ({"variants": {"x": {"of": "topics", "label": "x"}}, "datasets": ["x"]}, "remove the var"),
        ({"robustness": {"cutoff": 10, "featured": {"metric": "RBP"}}}, "'RBP' is not one of"),
    ],
)
def test_what_values_cannot_have_is_said_before_any_job(changes, expected):
    with pytest.raises(RankassayError, match=expected):
        validate(configured(ALONE, CUT, {"studies": ["robustness"]}, changes))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"tables": {"AP": "none.csv"}}, "topics.tables.AP: expected a file, found none at"),
        ({"tables": {"AP": "ap.csv", "map": "p10.csv"}}, "expected each metric once, found 'map'"),
        ({"tables": {"nDGC": "ap.csv"}}, "did you mean 'nDCG'?"),
        ({"tables": {"MPA": "ap.csv"}}, r"write own: \{MPA: higher\}, or lower"),
        ({"tables": {"nDCG(gan='exp')": "ap.csv"}}, "gan"),
        ({"tables": {"AP": "ap.csv"}, "own": {"P": "lower"}}, "'P' is the metric P, which is"),
        ({"tables": {"AP": "ap.csv"}, "own": {"x": "low"}}, "expected 'higher' or 'lower'"),
        ({"tables": {"AP": "ap.txt"}}, "the key 'separator' is missing"),
        ({"tables": {"AP": "ap.csv"}, "measures": ["AP"]}, "'measures' has no place with tables"),
        ({"tables": {"AP": "ap.csv"}, "table": "ap.csv"}, "found tables and table"),
        ({}, "expected one of tables, table and results, found none"),
        ({"table": "ap.csv"}, "the key 'measures' is missing"),
        ({"table": "ap.csv", "measures": ["AP"], "users": "u"}, "'users' has no place with table"),
        ({"results": "*.none", "measures": ["map"]}, "results: expected files that fit"),
        ({"tables": {"AP": "ap.csv"}, "threshold": 3}, "unknown key 'threshold'"),
    ],
)
def test_a_mistake_in_an_entry_is_one_line(entry, expected):
    config = configured(ALONE, CUT)
    config["dataset_catalogue"]["topics"] = {"kind": "scores"} | entry
    with pytest.raises(RankassayError, match=expected) as error:
        validate(config)
    assert "\n" not in str(error.value)


def test_two_files_of_one_system_are_told(tmp_path):
    for name in ("a.txt", "a.eval"):
        (tmp_path / name).write_text("map t1 0.5\n")
    config = configured(ALONE, CUT)
    config["dataset_catalogue"]["topics"] = {
        "kind": "scores",
        "results": "a.*",
        "measures": ["map"],
    }
    with pytest.raises(RankassayError, match=r"a\.eval and a\.txt name the same system, 'a'"):
        validate(config)


def test_power_is_compared_across_datasets_that_have_values_alone():
    catalogue = {name: ENTRY for name in ("topics", "others")}
    whole = {"datasets": [*catalogue], "dataset_catalogue": catalogue}
    plan = planned(ALONE, CUT, whole, {"studies": ["robustness", "reliability"]})
    read = plan.analyses.inputs(of("across", "reliability/metrics-across"))
    assert read == {
        "discriminative_power": [
            f"results/{name}/robustness/discriminative-power.csv" for name in catalogue
        ]
    }
    assert "results/tables/reliability/metrics-across.md" in plan.targets
