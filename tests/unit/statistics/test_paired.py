"""Intervals of all pairs of systems at once, by enumeration and against the test they invert."""

import itertools

import numpy as np
import pytest
import scipy.stats

from rankassay.statistics.paired import critical, intervals
from rankassay.statistics.permutation import permutation_test
from rankassay.statistics.power_analysis import required


def some_values(n_users, n_systems, seed, places=None):
    """Return values of systems that differ by little, rounded to shares of some places if asked."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_users, 1)) + rng.normal(size=(n_users, n_systems))
    x += np.linspace(0, 4 / np.sqrt(max(n_users, 1)), n_systems)
    return np.rint(x * places) / places if places else x


def all_pairs(n_systems):
    return np.triu_indices(n_systems, k=1)


@pytest.mark.parametrize(("n_users", "n_systems"), [(40, 5), (300, 7), (1500, 6)])
@pytest.mark.parametrize("places", [None, 5])
def test_0_is_outside_exactly_where_a_pair_is_significant(n_users, n_systems, places):
    n_significant = 0
    for seed in range(4):
        x = some_values(n_users, n_systems, seed, places)
        first, second = all_pairs(n_systems)
        adjusted = permutation_test(x[:, :, None], 500, seed).adjusted[0][first, second]
        low, high, _ = intervals(x, first, second, 500, seed)
        outside = (low > 1e-12) | (high < -1e-12)
        np.testing.assert_array_equal(outside, adjusted < 0.05)
        n_significant += outside.sum()
    assert 0 < n_significant < 4 * len(first)


def test_the_critical_value_is_that_of_all_permutations():
    x = some_values(9, 4, 1)
    signs = np.array([*itertools.product((1, -1), repeat=9)])
    t = [
        np.abs(signs @ (x[:, i] - x[:, j])) / np.sqrt(((x[:, i] - x[:, j]) ** 2).sum())
        for i, j in itertools.combinations(range(4), 2)
    ]
    largest = np.max(t, axis=0)
    c = critical(x, 2**9, 0, 0.1)
    assert c == pytest.approx(np.sort(largest)[::-1][51])  # 52 of 512 are .1 at least
    assert (largest > c).mean() < 0.1
    assert critical(x, 2**9, 0, 0.5) < c < critical(x, 2**9, 0, 0.01)


def test_the_ends_are_the_differences_that_the_test_does_not_reject():
    """One end, shifted to be the difference under the null hypothesis, has T = c."""
    x = some_values(60, 3, 2)
    first, second = all_pairs(3)
    low, high, _ = intervals(x, first, second, 400, 0)
    c = critical(x, 400, 0, 0.05)
    for i, j, *ends in zip(first, second, low, high, strict=True):
        for end in ends:
            d = x[:, i] - x[:, j] - end
            assert np.abs(d.sum()) / np.sqrt((d**2).sum()) == pytest.approx(c)


def test_of_two_systems_it_is_nearly_the_interval_of_student():
    x = some_values(400, 2, 3)
    low, high, _ = intervals(x, np.array([0]), np.array([1]), 20_000, 0)
    student = scipy.stats.ttest_rel(*x.T).confidence_interval(0.95)
    width = student.high - student.low
    np.testing.assert_allclose([low[0], high[0]], [*student], atol=0.02 * width)


def test_the_users_that_two_systems_need_are_those_of_a_power_analysis():
    x = some_values(400, 2, 3)
    [needed] = intervals(x, np.array([0]), np.array([1]), 20_000, 0).needed
    d = x[:, 0] - x[:, 1]
    assert needed == pytest.approx(required(abs(d.mean()) / d.std(ddof=1), 0.05, 0.8), rel=0.03)


def test_with_the_users_needed_a_pair_of_several_is_significant_four_times_in_five():
    """300 samples of this number of users; the limits are passed once in a thousand."""
    x = some_values(100, 4, 9)
    first, second = all_pairs(4)
    needed = intervals(x, first, second, 999, 0).needed
    pair = int(np.argmin(np.abs(needed - 150)))
    n = round(needed[pair])
    assert 50 < n < 500
    rng, n_found = np.random.default_rng(0), 0
    for seed in range(300):
        sample = x[rng.integers(0, len(x), n)]
        low, high, _ = intervals(sample, first, second, 199, seed)
        n_found += low[pair] > 0 or high[pair] < 0
    least, most = scipy.stats.binom.ppf([0.0005, 0.9995], 300, 0.8)
    assert least <= n_found <= most


def test_no_users_find_a_difference_that_is_none():
    x = some_values(80, 2, 7)[:, [0, 0, 1]]
    needed = intervals(x, *all_pairs(3), 500, 0).needed
    assert needed[0] == np.inf
    assert np.isfinite(needed[1:]).all()


def test_more_pairs_make_wider_intervals():
    x = some_values(200, 8, 4)
    two, all_of_them = (intervals(x[:, :n], *all_pairs(n), 1000, 0, level=0.9) for n in (2, 8))
    assert all_of_them[0][0] < two[0][0] < two[1][0] < all_of_them[1][0]


def test_all_intervals_hold_the_true_differences_at_once():
    """200 samples of 60 users; 6 is below what comes once in a thousand at 95 %."""
    true = np.linspace(0, 0.5, 4)
    first, second = all_pairs(4)
    missed = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        x = rng.exponential(size=(60, 4)) + true
        low, high, _ = intervals(x, first, second, 199, seed)
        inside = (low <= true[first] - true[second]) & (true[first] - true[second] <= high)
        missed += not inside.all()
    assert 1 <= missed <= scipy.stats.binom.ppf(0.999, 200, 0.05)


def test_users_without_a_value_take_no_part():
    x = some_values(14, 3, 5)
    more = np.vstack([x, np.full((2, 3), np.nan)])
    first, second = all_pairs(3)
    found, expected = (intervals(own, first, second, 2**16, 0)[:2] for own in (more, x))
    np.testing.assert_allclose(found, expected)


def test_where_systems_differ_in_who_has_a_value_each_pair_has_its_users():
    x = some_values(50, 3, 6)
    x[:9, 0] = x[40:, 2] = np.nan
    low, high, _ = intervals(x, *all_pairs(3), 500, 0)
    for k, (i, j) in enumerate(itertools.combinations(range(3), 2)):
        known = ~np.isnan(x[:, i] - x[:, j])
        pair = scipy.stats.ttest_rel(x[known, i], x[known, j])
        assert (low[k], high[k]) == pytest.approx([*pair.confidence_interval(1 - 0.05 / 3)])


def test_equal_systems_have_a_point_and_others_with_them_an_interval():
    x = some_values(80, 2, 7)[:, [0, 0, 1]]
    low, high, _ = intervals(x, *all_pairs(3), 500, 0)
    assert low[0] == high[0] == 0
    assert (low[1:] < high[1:]).all()


@pytest.mark.parametrize(
    ("n", "level", "bounded"),
    [(0, 0.95, False), (1, 0.95, False), (5, 0.95, False), (6, 0.95, True), (5, 0.9, True)],
)
def test_so_few_users_that_nothing_is_rejected_bound_no_difference(n, level, bounded):
    x = np.vstack([some_values(n, 2, 8), np.full((2, 2), np.nan)])
    found = intervals(x, np.array([0]), np.array([1]), 1000, 0, level)
    assert np.isfinite(found[:2]).all() == bounded
