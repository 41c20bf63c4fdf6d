"""Simulated pairs of systems: their means, margins and dependence."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from rankassay.seeds import derive
from rankassay.studies.reliability import paired_simulation, type_errors
from rankassay.studies.reliability.paired_simulation import (
    NOISE,
    Observed,
    alternatives,
    asymmetric,
    distinct,
    levels,
    margins,
    shift,
)


@pytest.fixture
def values():
    rng = np.random.default_rng(4)
    return np.clip(rng.normal(0.4, 0.15, (50, 1)) + rng.normal(0, 0.1, (50, 8)), 0, 1)


def test_repeated_and_lowest_systems_take_no_part():
    x = np.array([[0.1, 0.5, 0.5, 0.9], [0.2, 0.6, 0.6, 0.8]])
    assert distinct(x, 0.0).tolist() == [0, 1, 3]
    assert distinct(x, 0.1).tolist() == [1, 3]
    assert distinct(x, 0.1, direction=-1).tolist() == [0, 1]
    assert distinct(x, 0.9).tolist() == [1, 3]  # never fewer than two


def test_levels_are_uniform_and_as_dependent_as_the_systems(values):
    n = 4000
    u, v = levels(Observed(values), np.array([0]), np.array([1]), n, np.random.default_rng(1))
    for level in (u, v):
        assert scipy.stats.kstest(level[:, 0], "uniform").pvalue > 0.001
    observed = scipy.stats.spearmanr(values[:, 0], values[:, 1]).statistic
    assert scipy.stats.spearmanr(u[:, 0], v[:, 0]).statistic == pytest.approx(observed, abs=0.05)


def test_levels_come_from_the_ranks_of_one_user_by_both_systems(values):
    """Step by step, with the same draws; many values repeat."""
    values, n, system = np.round(values, 1), 7, np.array([[3, 0, 5], [1, 4, 2]])
    found = levels(Observed(values), *system, n, np.random.default_rng(2))
    rng = np.random.default_rng(2)
    user = rng.integers(0, len(values), (n, 3))
    correlation = scipy.stats.spearmanr(values).statistic[system[0], system[1]]
    normal = 2 * np.sin(np.pi / 6 * correlation)
    z = rng.standard_normal((n, 3))
    other = normal * z + np.sqrt(1 - normal**2) * rng.standard_normal((n, 3))
    unswapped = []
    for systems, wanted in zip(system, (z, other), strict=True):
        level = np.empty((n, 3))
        shared = rng.random((n, 3))
        for u, t in np.ndindex(n, 3):
            own = values[:, systems[t]]
            below, equal = (own < own[user[u, t]]).sum(), (own == own[user[u, t]]).sum()
            rank = below + int(shared[u, t] * equal) + 1
            noise = (int(scipy.stats.norm.cdf(wanted[u, t]) * NOISE) + 0.5) / NOISE
            level[u, t] = scipy.stats.beta.ppf(noise, rank, len(own) + 1 - rank)
        unswapped.append(level)
    drawn = rng.random((n, 3)) < 0.5
    for t, pair in enumerate(system.T):
        kept = asymmetric(values, *pair[:, None])[0]
        for u in range(n):
            swapped = drawn[u, t] and not kept
            expected = [level[u, t] for level in unswapped[:: -1 if swapped else 1]]
            assert [level[u, t] for level in found] == pytest.approx(expected)


def ahead_by_little(n_users=200, seed=6):
    """Two systems with nearly the same values, of which the second is a little ahead for most."""
    rng = np.random.default_rng(seed)
    one = rng.random(n_users)
    other = one + np.where(rng.random(n_users) < 0.8, 0.02, -0.08)
    return np.column_stack([one, other])


def test_levels_of_a_symmetric_pair_are_ahead_for_half_of_the_users(monkeypatch):
    observed = Observed(ahead_by_little())
    one, other = np.array([0]), np.array([1])
    u, v = levels(observed, one, other, 20_000, np.random.default_rng(1))
    assert (v > u).mean() > 0.6  # the data show it, and so does the simulation
    monkeypatch.setattr(
        paired_simulation, "asymmetric", lambda values, a, b: np.zeros(len(a), bool)
    )
    again = Observed(observed.values)
    u, v = levels(again, one, other, 20_000, np.random.default_rng(1))
    assert (v > u).mean() == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(20_000))


def test_a_pair_is_asked_for_once_and_in_either_order(values, monkeypatch):
    asked = []

    def ours(x, first, second):
        asked.append([*zip(first.tolist(), second.tolist(), strict=True)])
        return asymmetric(x, first, second)

    monkeypatch.setattr(paired_simulation, "asymmetric", ours)
    observed = Observed(values)
    found = observed.asymmetric(np.array([3, 1, 2]), np.array([1, 3, 5]))
    assert asked == [[(1, 3), (2, 5)]]
    assert found[0] == found[1]
    observed.asymmetric(np.array([5, 0]), np.array([2, 7]))
    assert asked[1:] == [[(0, 7)]]
    expected = asymmetric(values, np.array([1, 2]), np.array([3, 5]))
    assert found[1:].tolist() == expected.tolist()


def test_the_control_rejects_less_than_it_would_by_the_whole_copula(monkeypatch):
    """Of exchangeable systems chance asymmetry is dropped, but for a sixth of the pairs."""
    rng = np.random.default_rng(8)
    values = rng.random((50, 1)) + 0.2 * rng.random((50, 12))
    trials = type_errors.Trials([0.05], 2000, 99, 0.0)
    how = 100, 0.0, type_errors.CONTROL, trials, 3

    def sign_test():
        rows = type_errors.rates(Observed(values), *how)
        return next(row["rate"] for row in rows if row["test"] == "sign")

    now = sign_test()
    monkeypatch.setattr(paired_simulation, "asymmetric", lambda x, a, b: np.ones(len(a), bool))
    before = sign_test()
    assert now < 0.75 * before, (now, before)


def test_margins_of_values_that_repeat_are_the_observed_ones(values):
    coarse = np.round(values, 1)
    np.testing.assert_array_equal(margins(coarse), np.sort(coarse, axis=0))
    smooth = margins(values)
    assert len(smooth) > len(values)
    assert (np.diff(smooth, axis=0) >= 0).all()
    np.testing.assert_allclose(smooth.mean(axis=0), values.mean(axis=0), atol=0.03)


@pytest.mark.parametrize("mean", [0.2, 0.7])
def test_shifted_levels_have_the_mean(values, mean):
    own = margins(values)[:, 0]
    exponent = np.array([shift(own, mean)])
    level = paired_simulation.shifted((np.arange(200_000)[:, None] + 0.5) / 200_000, exponent)
    drawn = paired_simulation.quantiles(own[:, None], np.array([0]), level)
    assert drawn.mean() == pytest.approx(mean, abs=1e-3)


def test_a_mean_out_of_reach_has_no_shift(values):
    assert np.isnan(shift(values[:, 0], 1.5))
    assert not len(alternatives(values, 2.0, 3)[0])
    assert type_errors.simulated_difference(Observed(values), 2.0) is None


def test_rivals_are_nearest_to_what_they_should_be(values):
    baseline, rival, _ = alternatives(values, 0.05, 2)
    mean = values.mean(axis=0)
    assert set(baseline) == set(np.argsort(-mean)[2:])  # all but the best quarter
    for b in set(baseline):
        far = np.abs(mean - mean[b] - 0.05)
        others = [s for s in np.argsort(far) if s != b]
        assert set(rival[baseline == b]) == set(others[:2])


def test_simulated_means_are_equal_or_differ_by_delta(values):
    null = type_errors.simulated(Observed(values), 50, 2000, 1)
    assert abs(null.mean()) < 4 * null.mean(axis=0).std() / np.sqrt(2000)
    better = type_errors.simulated_difference(Observed(values), 0.05)(50, 2000, 1)
    assert better.mean() == pytest.approx(0.05, abs=0.003)


def test_where_lower_is_better_all_is_mirrored(values):
    same = alternatives(1 - values, 0.05, 2, direction=-1)
    for one, other in zip(same[:2], alternatives(values, 0.05, 2)[:2], strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_allclose(same[2], -alternatives(values, 0.05, 2)[2], rtol=1e-9)
    better = type_errors.simulated_difference(Observed(1 - values), 0.05, direction=-1)(50, 2000, 1)
    assert better.mean() == pytest.approx(0.05, abs=0.003)


def test_exchanged_labels_keep_sizes_of_differences(values):
    d = type_errors.exchanged(values[:, :2], len(values), 30, 1)
    size = np.abs(values[:, 1] - values[:, 0])
    np.testing.assert_allclose(np.abs(d), np.repeat(size[:, None], 30, axis=1))
    assert 0.4 < (d > 0).mean() < 0.6
    both = paired_simulation.exchanged_pairs(values[:, :2], 3, np.random.default_rng(1))
    total = np.repeat(values[:, :2].sum(axis=1)[:, None], 3, axis=1)
    np.testing.assert_allclose(both[:, ::2] + both[:, 1::2], total)


@pytest.mark.parametrize(("count", "n"), [(0, 20), (3, 20), (20, 20)])
def test_intervals_are_scipys(count, n):
    theirs = scipy.stats.binomtest(count, n).proportion_ci(0.95, method="exact")
    assert type_errors.binomial_interval(count, n) == pytest.approx(tuple(theirs))


def test_errors_by_type():
    d = np.array([[1.0, -1.0, 1.0, -1.0]])
    p = np.array([0.01, 0.01, 0.5, 0.05])
    assert type_errors.errors(d, p, 0.05, 0.0)["I"].tolist() == [True, True, False, True]
    found = type_errors.errors(d, p, 0.05, 0.1)
    assert found["II"].tolist() == [False, False, True, False]
    assert found["III"].tolist() == [False, True, False, True]


@pytest.mark.parametrize("null", ["exchange", "simulation", "control"])
@pytest.mark.parametrize("delta", [0.0, 0.05])
def test_blocks_of_trials_have_draws_of_their_own(values, null, delta, monkeypatch):
    """20 trials are made as 8 and 8 and 4 at a time; the first 8 as if there were no others."""
    trials, seed = type_errors.Trials([0.05, 0.2], 20, 50, 0.0), 7
    monkeypatch.setattr(type_errors, "TRIED", 8 * 50)
    found = type_errors.rates(Observed(values), 50, delta, null, trials, seed)
    monkeypatch.undo()
    counts = np.zeros(len(found))
    for block, n in enumerate((8, 8, 4)):
        own = derive(seed, "trials", block) if block else seed
        some = replace(trials, number=n)
        rows = type_errors.rates(Observed(values), 50, delta, null, some, own)
        counts += [row["rate"] * n for row in rows]
    np.testing.assert_allclose([row["rate"] * trials.number for row in found], counts)
    assert counts.any()


def test_of_many_users_fewer_values_stand_for_each_rank(values, monkeypatch):
    monkeypatch.setattr(paired_simulation, "MOST_VALUES", 50 * 4)
    paired_simulation._beta_quantiles.cache_clear()
    try:
        u, _ = levels(
            Observed(values), np.array([0]), np.array([1]), 4000, np.random.default_rng(1)
        )
    finally:
        paired_simulation._beta_quantiles.cache_clear()
    assert len(np.unique(u)) == 50 * 4
    assert scipy.stats.kstest(u[:, 0], "uniform").pvalue > 0.001
