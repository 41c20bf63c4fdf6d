"""Propensities are made where a configured metric needs them, and for nothing else."""

import pytest
from test_plan import planned

from rankassay.errors import RankassayError
from rankassay.plan.analyses import of

FILE = "results/tiny/split/propensities.npz"
WEIGHED = {"metrics": {"names": ["P", "nDCG", "SNIPS(gain='DCG')"]}}
EVALUATING = ["robustness/sparsity", "robustness/popularity", "robustness/unjudged-users"]
OTHERS = ["robustness/p-values", "sampling/systems", "diversity/sparsity", "goals/properties"]


def tiny():
    return of("tiny", None)


@pytest.mark.slow
@pytest.mark.parametrize("name", EVALUATING)
def test_analyses_that_evaluate_get_them_only_if_a_metric_needs_them(name):
    plain, weighed = planned(), planned(WEIGHED)
    without = plain.analyses.inputs(of("tiny", name))
    found = weighed.analyses.inputs(of("tiny", name))
    assert found == without | {"test_propensities": FILE}
    told = weighed.analyses.for_analyse(of("tiny", name))["inputs"]
    assert told["test_propensities"] == FILE
    assert plain.analyses.propensities(tiny()) == []
    assert weighed.analyses.propensities(tiny()) == FILE


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_other_analyses_do_not(name):
    assert "test_propensities" not in planned(WEIGHED).analyses.inputs(of("tiny", name))


def test_how_they_are_made_is_told_to_no_other_job():
    plain, other = planned(), planned({"metrics": {"propensities": {"gamma": 3}}})
    assert plain.data.for_estimate(tiny()) == {"estimate": "popularity", "gamma": 1.5}
    assert other.data.for_estimate(tiny())["gamma"] == 3
    for name in ("robustness/sparsity", "goals/sparsity"):
        told = [plan.analyses.evaluation(of("tiny", name)) for plan in (plain, other)]
        assert told[0] == told[1]
        assert "gamma" not in told[0]
    fitted = planned({"metrics": {"propensities": {"estimate": "fitted"}}})
    assert fitted.data.for_estimate(tiny()) == {"estimate": "fitted"}


def described(path, **more):
    return {
        "datasets": ["tiny", "mine"],
        "dataset_catalogue": {"mine": {"kind": "file", "path": str(path), "threshold": 4} | more},
    }


@pytest.fixture
def ratings(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("user,item,rating\na,b,3\n")
    return path


def test_propensities_that_are_not_known_are_told_before_any_job(ratings):
    known = {"metrics": {"propensities": {"estimate": "known"}}}
    change = [known, described(ratings), WEIGHED]
    with pytest.raises(RankassayError, match=r"SNIPS.* needs propensities, and dataset 'tiny'"):
        planned(*change)
    plan = planned(*change[:2])  # no metric needs them
    with pytest.raises(SystemExit, match="'tiny' is without known propensities"):
        plan.analyses.inputs(of("tiny", "validity/estimators"))


def test_propensities_cannot_be_estimated_without_training_ratings(tmp_path):
    judged = tmp_path / "qrels.csv"
    judged.write_text("user,item,rating\na,b,5\n")
    runs = tmp_path / "runs"
    runs.mkdir()
    for name in ("x.run", "y.run"):
        (runs / name).write_text("a Q0 b 1 1 x\n")
    change = {
        "datasets": ["judged"],
        "recommenders": [],
        "systems": {"runs": f"{runs}/*.run"},
        "dataset_catalogue": {"judged": {"kind": "qrels", "path": str(judged), "threshold": 4}},
    }
    with pytest.raises(
        RankassayError, match="estimated from training ratings, and dataset 'judged'"
    ):
        planned(change, WEIGHED)
    plan = planned(change)
    assert plan.systems.lacking("validity/estimators", "judged") == "training ratings"
