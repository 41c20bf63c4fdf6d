"""What judging the unjudged items could change about the order of runs."""

import itertools

import numpy as np
import pytest
from advice_runs import given_of
from given_made_up import given

from rankassay.advice.conclusions import values
from rankassay.advice.given import Settings
from rankassay.advice.trust import bounded_by, judged_share, ranges, undetermined
from rankassay.metrics.bounds import measure_bounds

SETTINGS = Settings()
QRELS = {"u": {"a": 1, "b": 0}, "v": {"a": 1, "c": 0}, "w": {"c": 0}}
RUNS = {
    "one": {"u": "abx", "v": "ayc", "w": "xyz"},
    "two": {"u": "bxy", "v": "xya", "w": "abc"},
    "three": {"u": "bc", "v": "cb", "w": "abc"},
}


def every_world(measure):
    """Return the runs' means by a measure for all that the first two users can think of items."""
    listed = {user: sorted({i for run in RUNS.values() for i in run[user]}) for user in "uv"}
    unjudged = [(u, i) for u, items in listed.items() for i in items if i not in QRELS[u]]
    means = []
    for ratings in itertools.product((0, 1), repeat=len(unjudged)):
        qrels = {user: dict(own) for user, own in QRELS.items()}
        for (user, item), rating in zip(unjudged, ratings, strict=True):
            qrels[user][item] = rating
        x = values(given_of(qrels, RUNS), [measure], SETTINGS)
        means.append(np.nanmean(x[:, :, 0], axis=0))
    return np.array(means)


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["P@2", "RR@3", "P(denominator='judged')@3"])
def test_no_judgements_put_a_run_outside_of_its_range_and_some_reach_the_ends(measure):
    found = ranges(given_of(QRELS, RUNS), measure, SETTINGS)
    means = every_world(measure)
    np.testing.assert_allclose(means.min(axis=0), found.least)
    np.testing.assert_allclose(means.max(axis=0), found.greatest)


def test_pairs_that_some_judgements_reverse_are_undetermined():
    """All of these, and at most one more here: what two runs both list counts for both."""
    own, means = given_of(QRELS, RUNS), every_world("P@2")
    found = undetermined(own, "P@2", SETTINGS)
    pairs = [*itertools.permutations(range(3), 2)]
    reverses = {(a, b) for a, b in pairs if (means[:, b] > means[:, a]).any()}
    assert {(a, b) for a, b in pairs if found[a, b]} == reverses | {(0, 1)}
    assert (0, 2) not in reverses


def test_where_all_is_judged_no_pair_can_reverse():
    qrels = {user: dict(own) | dict.fromkeys("abcxyz", 0) | own for user, own in QRELS.items()}
    own = given_of(qrels, RUNS)
    found = ranges(own, "P@2", SETTINGS)
    np.testing.assert_array_equal(found.least, found.greatest)
    means = np.nanmean(values(own, ["P@2"], SETTINGS)[:, :, 0], axis=0)
    np.testing.assert_array_equal(undetermined(own, "P@2", SETTINGS), means[None] > means[:, None])


@pytest.mark.parametrize("measure", ["nDCG@10", "AP@20", "Bpref@20", "infAP@10", "R@5", "RBP@20"])
def test_ranges_are_means_of_the_bounds_of_users(measure):
    own = given(n_systems=2)
    found = ranges(own, measure, SETTINGS)
    assert found.measure == measure
    for place, lists in enumerate(own.systems.values()):
        bounds = measure_bounds(own.judgements, lists, [measure], "paper", "nan", "none", own.depth)
        counted = own.judgements.n_relevant > 0
        assert found.least[place] == pytest.approx(bounds.least[counted].mean())
        assert found.greatest[place] == pytest.approx(bounds.greatest[counted].mean())


@pytest.mark.parametrize(
    ("measure", "by"),
    [
        ("P(denominator='judged_nan')@5", "P(denominator='listed')@5"),
        ("smoothed P@5 of judged items", "P(denominator='listed')@5"),
        ("CDCG@5", "P@5"),
        ("IPS(gain='P')@10", "P@10"),
        ("FP@10", "P@10"),
        ("Bpref", "Bpref"),
        ("SNIPS", "P@100"),
        ("P@7", "P@7"),
    ],
)
def test_precision_stands_in_for_measures_without_bounds(measure, by):
    assert bounded_by(measure, "paper", 100) == by


def test_lists_without_an_item_have_no_share():
    own = given_of({"u": {"a": 1}}, {"one": {"u": "a"}})
    assert judged_share(own, [*own.systems.values()], 5) == 1
    assert np.isnan(judged_share(own, [], 5))
