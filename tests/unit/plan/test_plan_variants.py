"""Variants: whose settings they have, and on which of them claims are judged as well."""

from types import SimpleNamespace

import pytest
from test_plan import planned

from rankassay.errors import RankassayError
from rankassay.plan.analyses import of

CLAIMS, SPARSITY = "robustness/claims", "robustness/sparsity"


def variants(**own):
    entries = {name.replace("_", "-"): said for name, said in own.items()}
    return {"variants": {k: {"of": "tiny", "label": k} | said for k, said in entries.items()}}


TUNED = {"recommender_catalogue": {"puresvd": {"datasets": {"tiny-tuned": {"factors": 3}}}}}
SPLIT = variants(
    tiny_tuned={"claims": ["robustness"]},
    tiny_split={"split_seed": 1},
    both={"split_seed": 1, "settings": "tiny-tuned"},
)


def settings(plan, dataset):
    return plan.recommenders.settings_of(SimpleNamespace(dataset=dataset, recommender="puresvd"))


def test_a_variant_has_the_settings_of_the_one_that_it_names():
    plan = planned(TUNED, SPLIT, {"datasets": ["tiny", "tiny-split", "both"]})
    assert settings(plan, "both") == settings(plan, "tiny-tuned")
    assert settings(plan, "tiny-split") == settings(plan, "tiny") != settings(plan, "both")
    assert plan.data.for_split(SimpleNamespace(dataset="both"))["seed"] == 1
    found = plan.claims.variants()
    told = {name: (own["of"], own["settings"], own["split"]) for name, own in found.items()}
    assert told == {
        "tiny-tuned": ("tiny", "tiny-tuned", False),
        "tiny-split": ("tiny", "tiny", True),
        "both": ("tiny", "tiny-tuned", True),
    }


def test_claims_are_judged_on_a_variant_with_other_settings_as_well():
    changes = (TUNED, SPLIT, {"datasets": ["tiny"], "recommenders": ["random", "puresvd"]})
    plan = planned(*changes)
    plan.analyses.systems.lacking = lambda name, dataset: ""  # synthetic data can test no claim
    assert plan.analyses.datasets(CLAIMS) == ["tiny", "tiny-tuned"]
    assert plan.analyses.datasets(SPARSITY) == ["tiny"]
    inputs = plan.analyses.inputs(of("tiny-tuned", CLAIMS))
    assert inputs["sparsity"] == "results/tiny-tuned/robustness/sparsity.csv"
    # Not where its recommenders have no other settings, or it is studied anyway.
    same = planned(*changes, {"recommenders": ["random", "popularity"]})
    assert same.analyses.accompanying(CLAIMS) == []
    whole = planned(*changes, {"datasets": ["tiny", "tiny-tuned"]})
    assert whole.analyses.accompanying(CLAIMS) == []
    assert plan.analyses.accompanying("goals/claims") == []


def test_the_shipped_settings_of_movielens_1m_stand_side_by_side():
    plan = planned({"datasets": ["ml-1m"], "recommenders": ["random", "rsv"]})
    assert plan.analyses.accompanying(CLAIMS) == ["ml-1m-tuned"]
    names = {"dataset": "ml-1m-tuned", "recommender": "rsv"}
    assert plan.recommenders.settings_of(SimpleNamespace(**names)) == {"neighbours": 100}
    assert not plan.recommenders.calibrated("ml-1m-tuned")
    assert plan.recommenders.calibrated("ml-1m")


@pytest.mark.parametrize("other", ["tiny", "unknown", "both", "mine"])
def test_settings_are_those_of_a_variant_of_the_same_data(other):
    mine = {"variants": {"mine": {"of": "ml-100k", "label": "mine"}}}
    own = {"variants": {"both": {"of": "tiny", "label": "both", "settings": other}}}
    with pytest.raises(RankassayError, match="settings: expected another variant of tiny"):
        planned(TUNED, SPLIT, mine, own)
