"""The plan of advice: on which datasets, from what, and the cut-offs that follow it."""

from types import SimpleNamespace

import numpy as np
import pytest
from unit.plan.test_plan import ROOT, planned, shipped
from unit.plan.test_plan_scores import ALONE, CUT, ENTRY

from rankassay.advice import cutoffs
from rankassay.artifacts.files import write_json
from rankassay.errors import RankassayError
from rankassay.jobs.cutoffs import cutoff as of_job
from rankassay.plan import Plan, code
from rankassay.studies import STUDIES

PATHS = [f"results/{name}/advice.json" for name in ("tiny", "other")]


def of(dataset):
    return SimpleNamespace(dataset=dataset)


@pytest.mark.slow
def test_it_is_made_of_each_dataset_with_the_report_and_with_the_study_that_has_it():
    plan = planned()
    assert [*plan.advice.paths.values()] == PATHS
    assert {*PATHS} <= {*plan.report.inputs()}
    assert {*PATHS} <= {*plan.publications.of_study("robustness")}
    assert not {*PATHS} & {*plan.publications.of_study("goals")}
    assert {*PATHS} <= {*planned({"studies": ["goals"]}).report.inputs()}


def test_it_reads_the_split_and_the_rankings_of_all_systems():
    plan = planned()
    found = plan.advice.inputs(of("tiny"))
    assert found == {
        "test": "results/tiny/split/test.npz",
        "rankings": plan.systems.rankings(of("tiny")),
        "train": "results/tiny/split/train.npz",
    }
    told = plan.advice.for_advise(of("tiny"))
    assert told["rankings"]["Random"] == "results/tiny/rankings/random.npz"
    assert (told["candidates"], told["seed"]) == ("test_items", plan.config["seed"])
    assert told["evaluation"] == {
        **{"threshold": 4, "profile": "paper", "without_relevant": None},
        "metrics": plan.config["metrics"]["names"],
        "cutoffs": [5, 10, 20],
    }
    about = told["about"]
    assert (about["dataset"], about["synthetic"]) == ("tiny", True)


@pytest.mark.parametrize(
    ("estimate", "given"), [(None, True), ("fitted", True), ("popularity", False)]
)
def test_it_reads_a_truth_and_propensities_where_there_are_some(estimate, given):
    plan = planned({"datasets": ["coat"], "metrics": {"propensities": {"estimate": estimate}}})
    found = plan.advice.inputs(of("coat"))
    assert found["truth"] == "data/processed/coat/truth.npz"
    assert ("propensities" in found) == given
    assert plan.advice.for_advise(of("coat"))["candidates"] == "all_items"


def test_values_of_metrics_alone_get_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in ENTRY["tables"].values():
        (tmp_path / path).write_text("x,y\n1,2\n2,1\n")
    both = {"datasets": ["tiny", "topics"], "recommenders": ["random", "popularity"]}
    plan = planned(ALONE, CUT, both)
    assert [*plan.advice.paths] == ["tiny"]
    assert [own["advice"] for own in plan.report.contents["datasets"]] == [PATHS[0], None]


@pytest.mark.parametrize("table", ["measures", "range", "writing"])
def test_a_change_of_the_tables_of_simulations_makes_it_again(monkeypatch, table):
    plan = planned()
    before = plan.advice.code(of("tiny"))
    real = code.content_of
    monkeypatch.setattr(
        code, "content_of", lambda p: "other" if p.endswith(f"reference/{table}.csv") else real(p)
    )
    assert planned().advice.code(of("tiny")) != before


# ---- Cut-offs that follow the data ---------------------------------------------------------------


@pytest.fixture
def own(tmp_path):
    """Return the configuration of a run on one's own ratings."""
    (tmp_path / "mine.csv").write_text("user,item,rating\na,b,3\n")
    entry = {"kind": "file", "path": str(tmp_path / "mine.csv"), "threshold": 4}
    return {"datasets": ["mine"], "dataset_catalogue": {"mine": entry}, "robustness": {}}


def test_the_default_is_the_deepest_that_half_of_the_users_fill():
    """By brute force over the usual cut-offs, for many users and lists."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        counts = rng.integers(0, rng.integers(1, 200), rng.integers(1, 30))
        depth = int(rng.integers(1, 150))
        relevant = counts[counts > 0]
        reached = [k for k in cutoffs.USUAL if k <= depth]
        good = [k for k in reached if 2 * (relevant >= k).sum() >= len(relevant) > 0]
        expected = max(good) if good else (reached[0] if reached else depth)
        assert cutoffs.default(counts, depth) == expected
    assert cutoffs.default([0, 0, 0, 12, 12], 100) == 10  # those with a relevant item all fill ten
    assert [cutoffs.default(own, 100) for own in ([0, 0], [])] == [5, 5]


def test_figures_tables_and_the_report_get_what_they_choose_it_by():
    asked = planned({"robustness": {"cutoff": "auto"}})
    expected = {"possible": [5, 10, 20], "advice": PATHS}
    assert asked.data.cutoff("robustness") == expected
    assert asked.data.cutoff("goals") == 10
    for study, wanted in (("robustness", PATHS), ("goals", [])):
        assert asked.data.advising(study) == wanted
    figure = SimpleNamespace(study="robustness", figure="summary", path="summary.pdf")
    given = asked.publications.for_figure(figure)
    assert (given["cutoff"], len(given["panels"])) == (expected, 2)
    table = asked.publications.table_settings(SimpleNamespace(study="robustness", table="summary"))
    assert table["cutoff"] == expected
    assert asked.report.contents["studies"][0]["cutoff"] == expected


def chosen(*changes):
    """Return the cut-off of each study by a configuration."""
    config = Plan(shipped(*changes), ROOT).config
    return {study: config[study]["cutoff"] for study in STUDIES}


@pytest.mark.slow
def test_of_data_of_your_own_they_follow_the_data_unless_somebody_sets_one(own):
    found = chosen(own)
    paper = chosen({"datasets": ["ml-1m"]})
    assert paper["robustness"] == 100
    assert found == paper | {"robustness": cutoffs.AUTO}
    assert chosen(own, {"robustness": {"cutoff": 50}}) == paper | {"robustness": 50}
    mixed = own | {"datasets": ["mine", "ml-100k"]}
    assert chosen(mixed) == paper
    assert chosen(mixed, {"robustness": {"cutoff": "auto"}}) == found


def test_of_values_of_metrics_they_are_the_nearest_that_there_are(own, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in ENTRY["tables"].values():
        (tmp_path / path).write_text("x,y\n1,2\n2,1\n")
    auto = {"robustness": {"cutoff": "auto"}, "reliability": {"cutoff": 10}}
    assert chosen(ALONE, auto)["robustness"] == chosen(ALONE, CUT)["robustness"] == 10


def test_all_that_could_be_chosen_is_computed(own):
    plan = Plan(shipped(own, {"goals": {"cutoff": "auto"}}), ROOT)
    assert plan.config["goals"]["cutoffs"] == [5, 10, 20, 50, 100]
    assert plan.data.cutoff("goals")["possible"] == [5, 10, 20, 50, 100]
    few = Plan(shipped(own, {"metrics": {"cutoffs": [5, 15]}}), ROOT)
    assert few.data.cutoff("robustness")["possible"] == [5]
    apart = {"bounds": {"cutoffs": [5]}, "orders": {"cutoffs": [10]}}
    with pytest.raises(
        RankassayError, match=r"unjudged\.cutoff: expected a cut-off that .* common"
    ):
        Plan(shipped(own, {"unjudged": {"cutoff": "auto", "analyses": apart}}), ROOT)
    with pytest.raises(RankassayError, match=r"robustness\.cutoff"):
        Plan(shipped(own, {"robustness": {"cutoff": "car"}}), ROOT)


def test_jobs_take_the_deepest_that_suits_all_datasets(tmp_path):
    paths = [str(tmp_path / f"{number}.json") for number in (50, 10)]
    for path, number in zip(paths, (50, 10), strict=True):
        write_json({"data": {"cutoff": number}}, path)
    assert of_job(7) == 7
    assert of_job({"possible": [5, 10, 20], "advice": paths}) == 10
    assert of_job({"possible": [5, 10, 20], "advice": paths[:1]}) == 20
    assert of_job({"possible": [20, 50], "advice": paths}) == 20
