"""Sensitivity of runs: against counts by hand, other forms of the same input, and bad input."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import rankassay
from rankassay.answers.validity import of_selection
from rankassay.errors import RankassayError
from rankassay.metrics.precision_recall import JUDGED_ONLY
from rankassay.statistics.sensitivity import winners

USERS = [f"user {n}" for n in range(10)]
QRELS = {user: {"film": 5, "song": 4, "book": 2} for user in USERS}
RUNS = {
    # All get the film; the first two also the song.
    "films": {u: ["film", "song" if n < 2 else "play"] for n, u in enumerate(USERS)},
    # Four get the song, two of whom the film, too.
    "songs": {
        u: ["song" if n < 4 else "book", "film" if n < 2 else "play"] for n, u in enumerate(USERS)
    },
}
TRAIN = [(f"user {n}", item, 3) for item, count in (("film", 7), ("song", 1)) for n in range(count)]


def test_gamma_is_by_the_hits_that_only_one_has():
    [row] = rankassay.sensitivity(QRELS, RUNS, "P@2", train=TRAIN).to_dict("records")
    assert (row["leader"], row["other"]) == ("films", "songs")
    # Films alone has 8 film hits; songs alone has 2 song hits.
    assert (row["hits_leader"], row["hits_other"]) == (8, 2)
    assert row["gamma"] == row["gamma_item"] == 2
    assert row["difference"] == pytest.approx(6 / 10 / 2)
    # 8 * 8^-a = 2 * 2^-a
    assert row["exponent"] == pytest.approx(1.0)


def test_forms_of_the_input_give_the_same():
    frame = pd.DataFrame(
        [(u, item, rating) for u, own in QRELS.items() for item, rating in own.items()],
        columns=["user", "item", "rating"],
    )
    train = pd.DataFrame(TRAIN, columns=["user", "item", "rating"])
    first = rankassay.sensitivity(QRELS, RUNS, train=TRAIN)
    pd.testing.assert_frame_equal(rankassay.sensitivity(frame, RUNS, train=train), first)
    judged = rankassay.judged(QRELS)
    pd.testing.assert_frame_equal(rankassay.sensitivity(judged, RUNS, train=TRAIN), first)
    definitions = first.attrs["definitions"]
    assert (definitions["threshold"], definitions["gamma"]) == (4.0, None)


def test_without_training_ratings_there_is_no_exponent():
    found = rankassay.sensitivity(QRELS, RUNS, ["P@2", "nDCG@2"])
    assert found["exponent"].isna().all()
    assert found["gamma"].notna().all()


def test_the_given_gamma_is_tested():
    [row] = rankassay.sensitivity(QRELS, RUNS, "P@2", gamma=1.2).to_dict("records")
    assert (row["default"], row["stands_to"]) == (1.2, 1.2)
    first = np.array([0, 0, 1, 1, 1, 1, 1, 1, 1, 1])
    second = np.array([0, 0, 1, 1, 0, 0, 0, 0, 0, 0])
    s = first / 1.2 - 1.2 * second
    t = s.mean() / np.sqrt(s.var(ddof=1) / 10)
    assert row["p_default"] == pytest.approx(2 * scipy.stats.t.sf(t, 9))
    assert row["p_default"] < 0.05


def test_metrics_without_a_linear_form_are_named(caplog):
    found = rankassay.sensitivity(QRELS, RUNS, ["AP@2", "RR@2"])
    assert {*found["measure"]} == {"P@2"}
    assert "AP@2, RR@2: only sums over judged items have a Γ" in caplog.text
    assert "P@2 stands in" in caplog.text
    assert found.attrs["definitions"]["metrics"]["P@2"]["denominator"] == "cutoff"
    caplog.clear()
    rankassay.sensitivity(QRELS, RUNS, ["P@2", "Recall@2", "NDCG@2"])
    assert caplog.text == ""
    definitions = rankassay.sensitivity(QRELS, RUNS, "Recall@2").attrs["definitions"]
    assert [*definitions["metrics"]] == ["Recall@2"]


def test_precision_stands_in_without_propensities_and_not_for_centred_measures():
    found = rankassay.sensitivity(QRELS, RUNS, ["IPS(gain='P')@2", "CP@2"])
    assert [*found["measure"]] == ["P@2", "CP@2"]


def test_weighted_measures_weigh_by_training_ratings_as_they_do_in_evaluate():
    measure = "IPS(centred=True, gain='DCG', power=0.5)@2"
    [row] = rankassay.sensitivity(QRELS, RUNS, measure, train=TRAIN).to_dict("records")
    values = rankassay.evaluate(QRELS, RUNS, measure, train=TRAIN)
    means = values[measure]
    assert row["measure"] == measure
    assert row["difference"] == pytest.approx(means[row["leader"]] - means[row["other"]])
    assert row["difference"] > 0


@pytest.mark.parametrize("denominator", JUDGED_ONLY)
def test_judged_only_precision_shows_precision(denominator):
    found = rankassay.sensitivity(QRELS, RUNS, [f"P(denominator='{denominator}')@2"])
    assert {*found["measure"]} == {"P@2"}


def test_a_metric_by_two_names_is_one():
    found = rankassay.sensitivity(QRELS, RUNS, ["NDCG@2", "ndcg_cut_2", "P@2", "Precision@2"])
    assert [*found["measure"]] == ["nDCG@2", "P@2"]
    said = [of_selection(row)[0] for row in winners(found).to_dict("records")]
    assert not any("stands in" in sentence for sentence in said)


def test_gains_below_the_threshold_are_enough_for_dcg():
    qrels, runs = {"u": {"a": 3, "b": 2}}, {"b a": {"u": ["b", "a"]}, "a b": {"u": ["a", "b"]}}
    [row] = rankassay.sensitivity(qrels, runs, "DCG@2", threshold=4).to_dict("records")
    log3 = np.log2(3)
    assert row["leader"] == "a b"
    assert row["gamma"] == pytest.approx(np.sqrt((3 - 3 / log3) / (2 - 2 / log3)))
    found = rankassay.sensitivity(qrels, runs, ["R@2", "DCG@2"], threshold=4)
    assert found["difference"].iloc[0] == 0  # of a user without relevant items
    with pytest.raises(RankassayError, match="without hits there is no"):
        rankassay.sensitivity(qrels, runs, "P@2", threshold=4)


def test_names_of_runs_may_be_numbers():
    runs = {1: RUNS["films"], 2: RUNS["songs"]}
    [row] = winners(rankassay.sensitivity(QRELS, runs, "P@2")).to_dict("records")
    assert (row["leader"], row["rival"], row["hits"]) == (1, 2, 8)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"runs": {"films": RUNS["films"]}}, "two runs or more, found 1 run"),
        ({"runs": RUNS["films"]}, "one without a name"),
        (
            {"runs": {"a": {"user 0": ["tale"]}, "b": {"user 0": ["joke"]}}},
            "without hits there is no",
        ),
        ({"metrics": "nGCD@2"}, "did you mean"),
        ({"gamma": 1}, "gamma"),
        ({"gamma": float("nan")}, "gamma"),
        ({"train": [("user 0", "film", 3)] * 2}, "stands there twice"),
        ({"train": {"user 0": {"opera": 3}}}, "no judged item has a training rating"),
        ({"profile": "treck"}, "did you mean 'trec'"),
        (
            {"runs": {"a": [("user 0", "film", float("nan"))], "b": RUNS["songs"]}},
            "has no score",
        ),
    ],
)
def test_bad_input_is_one_line(given, said):
    given = {"runs": RUNS, "metrics": "P@2"} | given
    with pytest.raises(RankassayError, match=said) as caught:
        rankassay.sensitivity(QRELS, given.pop("runs"), given.pop("metrics"), **given)
    assert "\n" not in str(caught.value)


def test_lists_are_compared_in_the_places_that_all_runs_have(caplog):
    runs = RUNS | {"short": {user: ["film"] for user in USERS}}
    found = rankassay.sensitivity(QRELS, runs, "P@2")
    assert {*found["cutoff"]} == {1}
    assert "short at 1" in caplog.text
    found = rankassay.sensitivity(QRELS, runs, "P@2", unequal_depths=True)
    assert {*found["cutoff"]} == {2}
