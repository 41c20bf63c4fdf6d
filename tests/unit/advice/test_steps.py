"""What to do next: the steps that the data call for, and none that they answer already."""

import pytest
from advice_made_up import JUDGED, MEASURE, SMOOTHED, cannot, example, recommendation

from rankassay.advice.advise import steps


def made(found):
    """Return the steps of some advice by their kinds, in their order."""
    return {own["kind"]: own for own in steps(found)}


def first_pair(**change):
    """Return advice in which the conclusion about the first two runs is changed."""
    found = example()
    found["pairs"][0] |= change
    return found


def test_no_claim_without_significance():
    own = made(example())["claim"]
    assert own["text"] == "Do not claim slim over wrmf: the difference is not significant."
    assert (own["better"], own["worse"], own["command"]) == ("slim", "wrmf", None)


def test_a_claim_that_depends_on_the_measure_says_so():
    signs = {MEASURE: 1, JUDGED: 0, SMOOTHED: 1}
    own = made(first_pair(significant=True, signs=signs))["disputed"]
    text = "Do not claim slim over wrmf: P@50 of judged items does not show it."
    assert (own["text"], own["against"]) == (text, [JUDGED])
    own = made(first_pair(significant=True, signs=signs | {SMOOTHED: -1}))["disputed"]
    assert own["text"].endswith("and smoothed P@20 of judged items do not show it.")


def test_what_may_be_written_may_be_claimed():
    written = example(stands=lambda better, worse: True)
    nothing = example(recommendation=[cannot("out-of-range")])
    nothing["pairs"][0] |= {"significant": True, "signs": {}}
    for found in (written, nothing):
        assert not {"claim", "disputed"} & {*made(found)}


def test_what_is_given_is_not_asked_for():
    found = example(stands=lambda better, worse: True)
    assert {*made(found)} == {"evaluate", "truth"}
    found["data"]["train"] = {}
    own = made(found)["train"]
    assert own["command"] == "--train TRAIN"
    assert own["text"].startswith("Give training ratings: they weigh hits, and show whether simu")
    for column in ("truth_liked", "truth_new", "outcomes"):
        found["measures"][0][column] = 0.5
        assert "truth" not in made(found)
        found["measures"][0][column] = None
    found["recommendation"][0]["why"] = ["unknown-known"]
    assert made(found)["known"]["text"].endswith("(column known).")


def test_the_command_computes_what_is_recommended():
    own = made(example(stands=lambda better, worse: True))["evaluate"]
    measure = '"CDCG@50 by 1/√popularity"'
    nan = " --without-relevant nan"
    command = f"rankassay evaluate QRELS RUN -m {measure}"
    assert own["command"] == f"{command}{nan} --train TRAIN"
    found = example(stands=lambda better, worse: True)
    found["data"]["relevant_users"] = found["data"]["users"]
    assert made(found)["evaluate"]["command"] == f"{command} --train TRAIN"
    for needs, option in (("propensities", " --propensities FILE"), (None, "")):
        found["recommendation"] = [recommendation(needs=needs)]
        assert made(found)["evaluate"]["command"] == f"{command}{option}"
    found["data"] |= {"threshold_reason": "as given: 8", "threshold": 8.0}
    found["settings"]["profile"] = "trec"
    own = made(found)["evaluate"]["command"]
    assert own == f"{command} --threshold 8 --profile trec"
    plain = recommendation(measure="P@10")
    found = example(stands=lambda better, worse: True, recommendation=[plain])
    assert "evaluate" not in made(found)


def test_one_run_and_runs_with_the_same_hits():
    assert next(iter(made(example(["mine"])))) == "second"
    found = first_pair(identical=True, significant=False)
    own = made(found)
    assert next(iter(own)) == "identical"
    assert "claim" not in own
    text = own["identical"]["text"]
    for pair in found["pairs"][1:3]:
        pair["identical"] = True
    assert made(found)["identical"]["text"] == text.replace(":", ", and 2 other pairs:")


@pytest.mark.parametrize(("why", "kind"), [("no-relevant", "threshold"), ("no-hits", "lists")])
def test_where_nothing_can_be_told_there_is_one_thing_to_do(why, kind):
    assert [*made(example(recommendation=[cannot(why)]))] == [kind]


def test_there_are_three_at_most():
    found = example(stands=lambda better, worse: False)
    found["data"]["train"] = {}
    found["pairs"][3]["identical"] = True
    assert len(steps(found)) == 3
