"""Means of systems on a test set: what ties, and users without a value."""

import itertools
from dataclasses import replace

import made_up
import numpy as np
import pytest

from rankassay.metrics.evaluate import evaluate, grid
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics.draws import FEWEST, Draws
from rankassay.statistics.incomplete import against_whole
from rankassay.statistics.judged_systems import (
    TestSet,
    compared,
    evaluated,
    evaluated_parts,
    means_of_values,
)
from rankassay.statistics.orders import settled, settled_known
from rankassay.statistics.rank_correlation import tau_ap

ASKED = ["P@3", "P@10", "nDCG@10", "AP", "RR", "R"]
HOW = made_up.evaluation(ASKED)

N_USERS = 70
METRICS = ["P", "R", "AP", "nDCG", "RR", "Bpref"]
MEASURES = grid(METRICS, [5, 20])
EVALUATION = made_up.evaluation(MEASURES)
RESAMPLES = FEWEST


@pytest.fixture(scope="module")
def study():
    return made_up.study(N_USERS, n_systems=6, seed=3)


def test_equal_means_tie_although_their_sums_are_rounded_otherwise():
    """Three thirds are one: RR of different lists with the same mean, as exact fractions say."""
    n = 2340
    third, whole = np.zeros(n), np.zeros(n)
    third[:1527], whole[:509] = 1 / 3, 1.0
    values = np.stack([third, whole], axis=1)[:, :, None]
    mean = values.mean(axis=0)[:, 0]
    assert mean[0] != mean[1]  # as floating point numbers add them
    for found in (means_of_values(values, Draws.none(n))[0, 0], settled(mean, n)):
        assert found[0] == found[1]


@pytest.mark.parametrize("metric", ["P", "RR", "R", "AP", "Bpref"])
def test_ties_are_exactly_those_of_fractions(metric):
    """Every pair that is joined has equal means as fractions, and every equal pair is joined."""
    from fractions import Fraction

    rng = np.random.default_rng(5)
    count = rng.integers(1, 6, 8)
    start = np.concatenate(([0], np.cumsum(count)))
    rating = rng.integers(3, 6, start[-1]).astype(float)
    judgements = Judgements(np.arange(8, dtype=np.int32), start, rating, 4.0)
    systems = []
    for _ in range(60):
        ranks = np.concatenate([rng.permutation(12)[:n] + 1 for n in count]).astype(np.int32)
        ranks[ranks > 6] = 0
        systems.append(Lists(ranks, np.full(8, 6, dtype=np.int32)))
    item = np.zeros(start[-1], dtype=np.int32)
    test_set = TestSet.of_lists(
        judgements, item, systems, EVALUATION | {"measures": [f"{metric}@6"]}
    )
    values = test_set.values()[:, :, 0]
    exact = [sum(Fraction(v).limit_denominator(5000) for v in system) for system in values.T]
    found = test_set.means()[0, 0]
    pairs = [*itertools.combinations(range(60), 2)]
    assert sum(exact[a] == exact[b] for a, b in pairs) > 0
    for a, b in pairs:
        assert (found[a] == found[b]) == (exact[a] == exact[b])


def test_near_means_that_differ_are_not_joined():
    n = 6040
    # The nearest that two means of RR@18 can be: one part in n times the least common multiple.
    gap = 1 / (n * 12252240)
    means = np.array([[0.25, 0.25 + gap, 0.5]])
    assert len(np.unique(settled(means, n))) == 3
    assert len(np.unique(settled(np.array([[0.25, 0.25 + 1e-15, 0.5]]), n))) == 2


def test_all_parts_are_compared_with_the_order_of_the_same_users(study):
    _, test, rankings = study
    whole = TestSet.of(test, rankings, EVALUATION)
    draws = Draws.of(N_USERS, RESAMPLES, seed=1)
    every = {100: [np.ones(test.nnz, dtype=bool)]}
    taus = against_whole(whole, every, draws)[100]
    assert taus.shape == (1, 1 + RESAMPLES, len(MEASURES))
    np.testing.assert_allclose(taus, 1.0)


def test_the_order_on_the_whole_is_the_reference(study):
    """The weight of an error is that of its place on the part: see `tau_ap`."""
    _, test, rankings = study
    whole = TestSet.of(test, rankings, EVALUATION)
    keep = np.random.default_rng(2).random(test.nnz) < 0.1
    found = against_whole(whole, {10: [keep]}, correlate=tau_ap)[10][0, 0]
    part, reference = whole.means(keep)[0], whole.means()[0]
    np.testing.assert_array_equal(found, tau_ap(part, reference))
    assert (found != tau_ap(reference, part)).any()


def test_each_measure_counts_its_own_users():
    """Two measures may lack the same users: the second is no measure that all users have."""
    _, test, rankings = made_up.study(50, n_systems=6, seed=8)
    measures = ["Bpref(without_nonrelevant='nan')@5", "Bpref(without_nonrelevant='nan')@20", "P@5"]
    for order in itertools.permutations(measures):
        whole = TestSet.of(test, rankings, EVALUATION | {"measures": [*order]})
        for keep in (None, np.random.default_rng(1).random(test.nnz) < 0.4):
            values = whole.values(keep)
            assert keep is None or np.isnan(values).any()
            expected = np.nanmean(values, axis=0).T
            np.testing.assert_allclose(whole.means(keep)[0], expected, rtol=1e-11)


def test_a_total_without_a_value_for_some_users_is_averaged_over_the_others(monkeypatch):
    _, test, rankings = made_up.study(50, n_systems=6, seed=8)

    def measure(judged, cutoffs):
        count = judged.judgements.n_nonrelevant[:, None]
        return judged.hits.total(1.0, cutoffs, np.where(count > 0, count, np.nan))

    monkeypatch.setattr(
        "rankassay.metrics.evaluate.resolve", lambda metric, parameters, profile: (measure, {})
    )
    whole = TestSet.of(test, rankings, EVALUATION | {"measures": ["P@5"]})
    keep = np.random.default_rng(1).random(test.nnz) < 0.3
    expected = np.nanmean(whole.values(keep), axis=0).T
    np.testing.assert_allclose(whole.means(keep)[0], expected, rtol=1e-11)
    assert len(np.unique(expected)) > 1


def test_metrics_of_whole_lists_stand_beside_those_at_each_cutoff_that_they_lack():
    names = [("AP", None), ("P", 5), ("P", 10), ("AP", 10), ("RR", None)]
    found = {(names[i], names[j], cutoff) for i, j, cutoff in compared(names) if i < j}
    assert found == {
        (("AP", None), ("P", 5), 5),
        (("AP", None), ("RR", None), 5),
        (("P", 5), ("RR", None), 5),
        (("P", 10), ("AP", 10), 10),
        (("P", 10), ("RR", None), 10),
        (("AP", 10), ("RR", None), 10),
        (("AP", None), ("RR", None), None),
    }


def test_systems_without_a_value_stay_without_one():
    """Also where no system has any, and there are no means to settle."""
    found = settled_known(np.array([0.1 + 0.2, np.nan, 0.3]), 10)
    np.testing.assert_array_equal(found, [0.3, np.nan, 0.3])
    np.testing.assert_array_equal(settled_known(np.full(3, np.nan), 10), np.full(3, np.nan))
    assert len(settled_known(np.empty(0), 10)) == 0


@pytest.fixture(scope="module")
def data():
    """Return test ratings and lists of 20, 12 and 7 items: the last ones would change values."""
    _, test, rankings = made_up.study()
    cut = dict(zip([*rankings][:3], (20, 12, 7), strict=True))
    return test, {n: replace(rankings[n], items=rankings[n].items[:, :k]) for n, k in cut.items()}


def expected(test, rankings, depth):
    judgements = Judgements.of(test, 4)
    lists = [Lists.of(own, judgements) for own in rankings.values()]
    return evaluate(judgements, lists, ASKED, depth=depth)


def test_lists_are_cut_at_the_length_that_all_have(data):
    _, found = evaluated(*data, HOW, ASKED)
    np.testing.assert_array_equal(found, expected(*data, 7))
    for depth in (3, 12, 20):
        assert (found != expected(*data, depth)).any()


@pytest.mark.parametrize("depth", [None, 3, 12])
def test_parts_are_cut_at_the_depth_that_is_asked_for(data, depth):
    parts = [*evaluated_parts(*data, HOW, ASKED, depth)]
    np.testing.assert_array_equal(np.concatenate(parts, axis=2), expected(*data, depth or 7))


def test_counts_of_first_places_are_those_of_a_loop(data):
    """Hits of the first three places of each list, one user after the other."""
    test, rankings = data
    judgements, found = evaluated(test, rankings, HOW, ["P@3"])
    for s, own in enumerate(rankings.values()):
        for row, user in enumerate(judgements.users):
            liked = {i for i in test[user].indices if test[user, i] >= 4}
            assert found[row, s, 0] == len(liked & {*own.items[user, :3].tolist()}) / 3
