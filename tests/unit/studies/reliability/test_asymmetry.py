"""Which pairs of systems have a dependence that is not symmetric."""

import numpy as np
import pytest
import scipy.stats

from rankassay.studies.reliability import paired_simulation as asymmetry
from rankassay.studies.reliability.paired_simulation import asymmetric, exchanged_pairs


def values(n_users=60, n_systems=9, seed=2):
    rng = np.random.default_rng(seed)
    return np.round(rng.beta(1, 3, (n_users, 1)) + 0.3 * rng.random((n_users, n_systems)), 2)


def statistic(one, other):
    """Step by step, of one pair."""
    ahead = scipy.stats.rankdata(other) - scipy.stats.rankdata(one)
    sizes = np.abs(ahead)
    total = 0.0
    for own, size in zip(ahead, sizes, strict=True):
        rank = (sizes < size).sum() + ((sizes == size).sum() + 1) / 2
        total += np.sign(own) * rank
    return total / len(one) ** 1.5


def test_the_statistic_is_wilcoxons_of_ranks():
    x = values()
    found = asymmetry._majority(x[:, :3], x[:, 3:6])
    expected = [statistic(x[:, k], x[:, k + 3]) for k in range(3)]
    np.testing.assert_allclose(found, expected)
    distinct = np.random.default_rng(5).random((40, 2))
    ranks = distinct.argsort(axis=0).argsort(axis=0)
    d = ranks[:, 1] - ranks[:, 0]
    theirs = scipy.stats.wilcoxon(d, zero_method="pratt", method="approx", alternative="greater")
    r = scipy.stats.rankdata(np.abs(d))
    total = 2 * theirs.statistic - r[d != 0].sum()
    assert asymmetry._majority(distinct[:, :1], distinct[:, 1:])[0] == pytest.approx(
        total / 40**1.5
    )


@pytest.mark.slow
def test_pairs_are_asymmetric_where_two_times_chance_is_exceeded(monkeypatch):
    """Chance is found anew, from exchanges of its own."""
    monkeypatch.setattr(asymmetry, "EXCHANGES", 800)
    x = values()
    first, second = np.triu_indices(x.shape[1], 1)
    found = asymmetric(x, first, second)
    rng = np.random.default_rng(77)
    ratios = []
    for a, b in zip(first, second, strict=True):
        swap = rng.random((800, len(x))) < 0.5
        place = np.floor(scipy.stats.rankdata(x[:, b]) - 0.5).astype(int)
        u, v = x[:, a], np.sort(x[:, a])[place]
        one, other = np.where(swap, v, u), np.where(swap, u, v)
        chance = (asymmetry._majority(one.T, other.T) ** 2).mean()
        ratios.append(statistic(x[:, a], x[:, b]) ** 2 / chance)
    sure = np.abs(np.array(ratios) - 2) > 0.4
    assert sure.sum() > 20
    assert (found == (np.array(ratios) > 2))[sure].all()
    assert 0 < found.sum() < len(found)


def test_of_exchangeable_pairs_a_sixth_is_asymmetric():
    """As 15.7% of chi-squared variables with one degree of freedom exceed 2."""
    x = exchanged_pairs(values(50), 3000, np.random.default_rng(1))
    found = asymmetric(x, np.arange(0, 6000, 2), np.arange(1, 6000, 2))
    assert found.mean() == pytest.approx(scipy.stats.chi2(1).sf(2), abs=0.03)


@pytest.mark.slow
def test_chance_moves_users_with_equal_values_together():
    """Of exchangeable systems with few values, no more than by chance is asymmetric."""
    rng = np.random.default_rng(4)
    shared = rng.integers(1, 9, (300, 1))  # what most users have under both systems
    x = np.where(rng.random((300, 40)) < 0.9, 1 / shared, 0.0)
    pairs = exchanged_pairs(x, 600, rng)
    found = asymmetric(pairs, np.arange(0, 1200, 2), np.arange(1, 1200, 2))
    assert found.mean() < scipy.stats.chi2(1).sf(2) + 0.04


def test_margins_do_not_matter():
    x = values()
    first, second = np.triu_indices(x.shape[1], 1)
    moved = np.exp(3 * x) + np.arange(x.shape[1])
    np.testing.assert_array_equal(asymmetric(moved, first, second), asymmetric(x, first, second))
    same = np.column_stack([x[:, 0], 2 * x[:, 0]])
    assert not asymmetric(same, np.array([0]), np.array([1]))[0]


def test_the_answer_does_not_depend_on_the_other_pairs(monkeypatch):
    x = values()
    first, second = np.triu_indices(x.shape[1], 1)
    found = asymmetric(x, first, second)
    alone = [asymmetric(x, *pair[:, None])[0] for pair in np.array([first, second]).T]
    assert found.tolist() == alone
    monkeypatch.setattr(asymmetry, "AT_ONCE", 7 * len(x))
    np.testing.assert_array_equal(asymmetric(x, first, second), found)


@pytest.mark.slow
def test_chance_is_the_same_by_few_users_as_by_all(monkeypatch):
    x = values(1600, 7, seed=9)
    first, second = np.triu_indices(7, 1)
    monkeypatch.setattr(asymmetry, "EXCHANGES", 150)
    monkeypatch.setattr(asymmetry, "ENOUGH", 400)
    few = asymmetric(x, first, second)
    monkeypatch.setattr(asymmetry, "ENOUGH", 1600)
    whole = asymmetric(x, first, second)
    assert (few == whole).mean() > 0.85
    assert 0 < whole.sum() < len(whole)
