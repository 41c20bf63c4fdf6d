"""What to do next: the steps that the data call for, and none that they answer already."""

import pytest
from advice_made_up import JUDGED, USUAL, example, recommendation

from rankassay.advice.steps import steps


def made(found):
    """Return the steps of some advice by their kinds, in their order."""
    return {own["kind"]: own for own in steps(found)}


def first_pair(**change):
    """Return advice in which the conclusion about the first two runs is changed."""
    found = example()
    found["pairs"][0] |= change
    return found


def test_no_claim_without_significance():
    own = made(first_pair(difference=0.006, needed=2441.0))["claim"]
    assert own["text"] == (
        "Do not claim slim over wrmf: it takes about 2,500 users to settle .006."
    )
    assert (own["better"], own["worse"], own["users"], own["command"]) == (
        *("slim", "wrmf", 2500),
        None,
    )
    for needed in (None, 900.0, 94_001.0):  # no more than there are, or a hundred times as many
        text = made(first_pair(needed=needed))["claim"]["text"]
        assert text == "Do not claim slim over wrmf: the difference is not significant."


def test_a_claim_that_depends_on_the_measure_says_so():
    signs = {JUDGED: 1, USUAL: 0, "P@10": -1}
    own = made(first_pair(significant=True, agree=False, signs=signs))["disputed"]
    assert own["text"] == "Where you claim slim over wrmf, say that P@10 shows the opposite."
    own = made(first_pair(significant=True, agree=False, signs=signs | {"P@10": 1}))["disputed"]
    assert own["text"] == "Where you claim slim over wrmf, say that nDCG@10 does not show it."


def test_a_claim_that_depends_on_the_bias_says_up_to_which():
    change = {"significant": True, "agree": True}
    own = made(first_pair(**change, stands_to=2.0))["bounded"]
    assert own["text"] == "Say that slim over wrmf is significant only up to Γ = 2."
    own = made(first_pair(**change, stands_to=1.0))["bounded"]
    assert own["text"] == "Say that slim over wrmf is significant only without bias (Γ = 1)."
    found = first_pair(**change, stands=True, stands_to=4.0)
    assert not {"claim", "disputed", "bounded"} & {*made(found)}


def test_what_is_given_is_not_asked_for():
    found = example(stands=lambda better, worse: True)
    assert {*made(found)} == {"evaluate", "truth"}
    found["data"]["train"] = {}
    own = made(found)["train"]
    assert own["command"] == "--train TRAIN"
    assert own["text"] == "Give training ratings, by which measures can be weighed."
    found["recommendation"][0]["why"] = ["few-systems"]
    assert "reference systems" in made(found)["train"]["text"]
    for column in ("truth_liked", "truth_new", "outcomes"):
        found["measures"][0][column] = 0.5
        assert "truth" not in made(found)
        found["measures"][0][column] = None
    found["recommendation"][0]["why"] = ["unknown-known"]
    assert made(found)["known"]["text"].endswith("(column known).")


def test_the_command_computes_what_is_recommended():
    own = made(example(stands=lambda better, worse: True))["evaluate"]
    measure = f'"{JUDGED}"'
    assert own["command"] == f"rankassay evaluate QRELS RUN -m {measure} --without-relevant nan"
    found = example(stands=lambda better, worse: True)
    found["data"]["relevant_users"] = found["data"]["users"]
    assert made(found)["evaluate"]["command"] == f"rankassay evaluate QRELS RUN -m {measure}"
    entry = recommendation(measure="IPS(gain='P')@10", needs="train")
    own = made(example(stands=lambda better, worse: True, recommendation=[entry]))["evaluate"]
    assert own["command"].endswith(" --train TRAIN")
    entry |= {"needs": "propensities"}
    own = made(example(stands=lambda better, worse: True, recommendation=[entry]))["evaluate"]
    assert own["command"].endswith(" --propensities FILE")
    found["data"] |= {"threshold_reason": "as given: 8", "threshold": 8.0}
    found["settings"]["profile"] = "trec"
    own = made(found)["evaluate"]["command"]
    assert own == f"rankassay evaluate QRELS RUN -m {measure} --threshold 8 --profile trec"
    plain = recommendation(measure="P@10")
    found = example(stands=lambda better, worse: True, recommendation=[plain])
    assert "evaluate" not in made(found)


def test_more_users_are_asked_for_where_few_pairs_are_significant():
    found = example(stands=lambda better, worse: False)
    own = made(found)["users"]
    assert own["text"] == "Test 1,140 users instead of 940 if a difference of 1% matters to you."
    for entry in found["trust"]:
        if entry["kind"] == "users":
            entry["needed"] = None
    assert "users" not in made(found)
    assert "users" not in made(example(stands=lambda better, worse: True))


def test_one_run_and_runs_with_the_same_hits():
    assert next(iter(made(example(["mine"])))) == "second"
    found = first_pair(identical=True, significant=False, stands=False)
    own = made(found)
    assert next(iter(own)) == "identical"
    assert "claim" not in own
    text = own["identical"]["text"]
    for pair in found["pairs"][1:3]:
        pair["identical"] = True
    assert made(found)["identical"]["text"] == text.replace(":", ", and 2 other pairs:")


@pytest.mark.parametrize(("why", "kind"), [("no-relevant", "threshold"), ("no-hits", "lists")])
def test_where_nothing_can_be_told_there_is_one_thing_to_do(why, kind):
    entry = recommendation(verdict="cannot tell", why=[why], measure=None)
    assert [*made(example(recommendation=[entry]))] == [kind]


@pytest.mark.parametrize("why", ["no-candidates", "not-simulated"])
def test_where_no_measure_can_be_recommended_others_are_asked_for(why):
    entry = recommendation(verdict="cannot tell", why=[why], measure=None)
    found = example(recommendation=[entry])
    assert not {"measures", "longer"} & {*made(found)}
    found["settings"] |= {"metrics": ["P"], "cutoffs": [7]}
    text = made(found)["measures"]["text"]
    assert text == "Leave out -m and --cutoffs: none of these measures can be recommended."
    found["data"]["depth"] = 3
    assert "lists of 5 items or more" in made(found)["longer"]["text"]
    assert "measures" not in made(found)


def test_there_are_three_at_most():
    found = example(stands=lambda better, worse: False)
    found["data"]["train"] = {}
    found["pairs"][3]["identical"] = True
    assert len(steps(found)) == 3
