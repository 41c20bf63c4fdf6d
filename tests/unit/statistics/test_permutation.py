"""The permutation engine against enumeration, float64, scipy, and itself cut up otherwise."""

import itertools

import numpy as np
import pytest
import scipy.stats
from threadpoolctl import threadpool_limits

from rankassay.errors import RankassayError
from rankassay.statistics import permutation
from rankassay.statistics.permutation import (
    BLOCK,
    Scores,
    count,
    permutation_test,
    random_bits,
    signs,
)


def cases(n_users, n_systems=4, seed=0):
    """Return scores of four kinds: continuous, shares of ten, reciprocal ranks, two alike."""
    rng = np.random.default_rng(seed)
    shape = (n_users, n_systems)
    skill = np.linspace(0, 0.15, n_systems)
    alike = np.repeat(rng.random((n_users, 1)), n_systems, axis=1)
    alike[:3] = rng.random((3, n_systems))
    return np.stack(
        [
            np.clip(rng.beta(1, 4, shape) + skill, 0, 1),
            rng.binomial(10, 0.2 + skill, shape) / 10,
            1 / rng.integers(1, 6, shape),
            alike,
        ],
        axis=2,
    )


def brute(values, all_signs, tail):
    """Return the share of sign vectors with a tail beyond what was observed, in float64."""
    _, n_systems, n_measures = values.shape
    p = np.ones((n_measures, n_systems, n_systems))
    for m, i, j in itertools.product(range(n_measures), range(n_systems), range(n_systems)):
        if i != j:
            d = values[:, i, m] - values[:, j, m]
            p[m, i, j] = np.mean(tail(all_signs @ d) >= tail(d.sum()) - 1e-9)
    return p


TAILS = {"two-sided": np.abs, "greater": lambda t: t, "less": lambda t: -t}


@pytest.mark.parametrize("alternative", TAILS)
def test_few_users_are_enumerated_exactly(alternative):
    values = cases(9)
    every = np.array(list(itertools.product([1, -1], repeat=9)))
    found = permutation_test(values, 1000, seed=0, alternative=alternative)
    assert found.exact
    assert found.n_permutations == 512
    expected = brute(values, every, TAILS[alternative])
    np.testing.assert_array_equal(found.p_values, expected)


@pytest.mark.parametrize("alternative", TAILS)
def test_enumeration_equals_scipys(alternative):
    values = cases(8, n_systems=2)
    found = permutation_test(values, 256, seed=0, alternative=alternative)
    for m in range(values.shape[2]):
        expected = scipy.stats.permutation_test(
            (values[:, 0, m], values[:, 1, m]),
            lambda x, y, axis: (x - y).mean(axis=axis),
            permutation_type="samples",
            alternative=alternative,
            vectorized=True,
        ).pvalue
        assert found.p_values[m, 0, 1] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("alternative", TAILS)
@pytest.mark.parametrize("n_users", [40, 333])
def test_doubtful_float32_sums_are_decided_exactly(alternative, n_users):
    """The same signs in float64, with ties within 1e-9, give the same counts."""
    values = cases(n_users, seed=n_users)
    found = permutation_test(values, BLOCK, seed=3, add_one=False, alternative=alternative)
    drawn = signs(random_bits(n_users, 0, 3))[:, :n_users].astype(np.float64)
    np.testing.assert_array_equal(found.p_values, brute(values, drawn, TAILS[alternative]))


def test_float32_errors_stay_far_below_their_bound():
    values = cases(5000, seed=5)
    scores = Scores.of(values)
    drawn = signs(random_bits(5000, 0, 1))
    exact = drawn.astype(np.float64) @ scores.columns.astype(np.float64)
    error = np.abs(drawn @ scores.columns - exact).max(axis=0).reshape(scores.error.shape)
    continuous = scores.error > 0
    assert (error[continuous] < scores.error[continuous] / 4).all()
    assert (error[~continuous] == 0).all()


def test_counts_of_shards_add_up_whatever_the_threads():
    scores = Scores.of(cases(200))
    total = 3 * BLOCK + 500
    with threadpool_limits(1):
        whole = count(scores, range(4), total, False, seed=7)
    with threadpool_limits(2):
        shards = [count(scores, [block], total, False, seed=7) for block in (2, 0, 3, 1)]
    np.testing.assert_array_equal(sum(shards), whole)


@pytest.mark.parametrize("n_users", [65, 128, 333])
def test_p_values_do_not_depend_on_how_many_users_are_added_up_at_a_time(n_users, monkeypatch):
    values = cases(n_users)
    whole = permutation_test(values, 1500, seed=2)
    monkeypatch.setattr(permutation, "USERS", 64)
    parts = permutation_test(values, 1500, seed=2)
    np.testing.assert_array_equal(parts.p_values, whole.p_values)
    np.testing.assert_array_equal(parts.adjusted, whole.adjusted)


def test_adding_one_keeps_p_above_zero():
    values = cases(100)
    values[:, 0, 0] += 1
    with_one = permutation_test(values, 500, seed=0)
    without = permutation_test(values, 500, seed=0, add_one=False)
    assert with_one.p_values[0, 0, 1] == 1 / 501
    assert without.p_values[0, 0, 1] == 0
    counts = without.p_values * 500
    off = ~np.eye(4, dtype=bool)
    np.testing.assert_allclose(with_one.p_values[:, off] * 501, counts[:, off] + 1)


def test_adjusted_p_values_are_the_joint_distribution_of_the_largest_difference():
    values = cases(10, n_systems=3)
    every = np.array(list(itertools.product([1, -1], repeat=10)))
    found = permutation_test(values, 1024, seed=0)
    pairs = [(0, 1), (0, 2), (1, 2)]
    for m in range(values.shape[2]):
        d = np.array([values[:, i, m] - values[:, j, m] for i, j in pairs])
        drawn = np.abs(every @ d.T) / np.sqrt((d**2).sum(axis=1))
        observed = np.abs(d.sum(axis=1)) / np.sqrt((d**2).sum(axis=1))
        for (i, j), size in zip(pairs, observed, strict=True):
            expected = (drawn.max(axis=1) >= size - 1e-6).mean()
            assert found.adjusted[m, i, j] == pytest.approx(expected, abs=1e-12)
    assert (found.adjusted >= found.p_values).all()


def test_systems_that_are_equal_do_not_differ():
    values = np.repeat(cases(50)[:, :1], 3, axis=1)
    found = permutation_test(values, 200, seed=0)
    assert (found.p_values == 1).all()
    assert (found.adjusted == 1).all()


def test_users_without_a_value_are_left_out():
    values = cases(60)
    some = values.copy()
    some[50:, :, 1] = np.nan
    found = permutation_test(some, 300, seed=0, add_one=False)
    less = values.copy()
    less[50:, :, 1] = 0
    np.testing.assert_array_equal(
        found.p_values, permutation_test(less, 300, seed=0, add_one=False).p_values
    )


@pytest.mark.parametrize("alternative", TAILS)
def test_pairs_that_differ_by_little_are_tested_in_both_orders(alternative):
    """Of three systems, the last two differ by less than a millionth of the largest value."""
    rng = np.random.default_rng(5)
    k = rng.integers(-2, 6, 8)
    x = rng.integers(1, 50, (8, 3)).astype(float)
    x[:, 2] = x[:, 1] - k * 2.0**-30
    found = permutation_test(x[:, :, None], 256, seed=0, alternative=alternative)
    assert found.exact
    signs = np.array([*itertools.product([1, -1], repeat=8)])

    def share(d):
        sums = signs @ d
        if alternative == "two-sided":
            return (abs(sums) >= abs(d.sum())).mean()
        return (sums >= d.sum() if alternative == "greater" else sums <= d.sum()).mean()

    assert found.p_values[0, 1, 2] == share(k)
    assert found.p_values[0, 2, 1] == share(-k)
    assert share(k) != share(-k) or alternative == "two-sided"
    if alternative == "two-sided":  # of more than two systems, none is adjusted
        assert np.isnan(found.adjusted).all()
        alone = permutation_test(x[:, 1:, None], 256, seed=0)
        assert alone.adjusted[0, 0, 1] == alone.p_values[0, 0, 1] == share(k)
    assert np.diag(found.p_values[0]).tolist() == [1.0] * 3


def test_unknown_alternative_names_the_nearest():
    with pytest.raises(RankassayError, match="did you mean 'two-sided'"):
        permutation_test(cases(5), 10, seed=0, alternative="two_sided")


def test_parts_are_those_of_all_users():
    tenths = np.arange(1500.0)[:, None] % 11 / 10
    assert permutation._parts(tenths) == 10
    tenths[-1] = np.sqrt(0.5)
    assert permutation._parts(tenths) == 0


def test_all_permutations_are_tried_where_they_are_no_more_than_the_samples():
    assert permutation.number_of_permutations(5, 32) == (32, True)
    assert permutation.number_of_permutations(5, 31) == (31, False)
    assert permutation.number_of_permutations(63, 2**63) == (2**63, False)
