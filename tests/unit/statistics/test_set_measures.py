"""Tests and resamples of measures of sets of lists, against brute force and against means."""

import itertools
import tracemalloc

import made_up
import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.metrics.beyond.lists import Sums
from rankassay.statistics import set_measures
from rankassay.statistics.draws import Draws
from rankassay.statistics.permutation import permutation_test
from rankassay.statistics.set_measures import (
    of_values,
    parts_of_users,
    resampled,
    swap_tests,
    users_values,
)

N_USERS, N_ITEMS = 7, 5


def covered(totals, n_users):
    return (totals > 0).sum(axis=1) / N_ITEMS


def sharpest(totals, n_users):
    """Return what is neither a mean nor a sum: the largest share of the exposure."""
    total = totals.sum(axis=1)
    return np.divide(totals.max(axis=1), total, out=np.full(len(totals), np.nan), where=total > 0)


def swap_test(systems, samples, seed):
    """Test by one measure."""
    (found,) = swap_tests([systems], samples, seed)
    return found


@pytest.fixture
def lists():
    rng = np.random.default_rng(3)
    return [rng.random((N_USERS, N_ITEMS)) < chance for chance in (0.15, 0.3, 0.5)]


@pytest.mark.parametrize("value", [covered, sharpest])
def test_all_swaps_are_enumerated(lists, value):
    found = swap_test([Sums(sp.csr_matrix(x * 1.0), value) for x in lists], 2**N_USERS, 1)
    for i, j in itertools.permutations(range(3), 2):
        a, b = lists[i] * 1.0, lists[j] * 1.0

        def of(x):
            return value(x.sum(axis=0)[None], None)[0]

        observed = abs(of(a) - of(b))
        count = 0
        for swap in itertools.product([False, True], repeat=N_USERS):
            s = np.array(swap)[:, None]
            difference = of(np.where(s, b, a)) - of(np.where(s, a, b))
            count += not abs(difference) < observed - 1e-12
        assert found[i, j] == count / 2**N_USERS
    assert (np.diag(found) == 1).all()


def test_of_means_it_is_the_paired_permutation_test_with_the_same_signs():
    rng = np.random.default_rng(5)
    values = rng.integers(0, 5, (40, 4, 1)) / 4
    mine = swap_test([of_values(values[:, s])[0] for s in range(4)], 2500, 11)
    np.testing.assert_array_equal(mine, permutation_test(values, 2500, 11).p_values[0])


def test_the_tail_is_that_of_many_more_permutations():
    """Of means of 300 users, whose p-values are counted in 200,000 permutations, down to 1e-4."""
    rng = np.random.default_rng(8)
    values = rng.normal(size=(300, 1, 1)) + rng.normal(size=(300, 6, 1))
    values += np.arange(6)[:, None] / 14
    systems = [of_values(values[:, s])[0] for s in range(6)]
    counted = permutation_test(values, 200_000, 2).p_values[0]
    (found,) = swap_tests([systems], 5000, 2, tail=True)
    (plain,) = swap_tests([systems], 5000, 2)
    low = (plain < 0.01) & (counted > 1e-4)
    assert low.sum() >= 6
    assert (np.abs(np.log(found[low] / counted[low])) < np.log(2)).all()
    assert (found <= plain).all()
    np.testing.assert_array_equal(found[plain >= 0.01], plain[plain >= 0.01])


def test_the_tail_has_no_floor_and_all_permutations_have_no_tail():
    rng = np.random.default_rng(9)
    values = rng.normal(size=(300, 2, 1)) + np.array([[0.0], [3.0]])
    systems = [of_values(values[:, s])[0] for s in range(2)]
    assert 0 < swap_tests([systems], 200, 2, tail=True)[0, 0, 1] < 1e-9
    assert swap_tests([systems], 200, 2)[0, 0, 1] == 1 / 201
    few = [of_values(values[:7, s])[0] for s in range(2)]
    enumerated = swap_tests([few], 2**7, 2)
    np.testing.assert_array_equal(swap_tests([few], 2**7, 2, tail=True), enumerated)
    assert enumerated[0, 0, 1] == 2 / 2**7


def test_values_of_users_come_back_of_means_alone(lists):
    values = np.array([[0.5, 0.0, np.nan], [1.0, np.nan, 0.25]]).T
    back = users_values([of_values(own[:, None])[0] for own in values.T])
    np.testing.assert_array_equal(back, values)
    assert users_values([Sums(sp.csr_matrix(lists[0] * 1.0), covered)]) is None


def test_few_users_have_all_permutations_of_means():
    values = np.random.default_rng(6).random((6, 2, 1))
    mine = swap_test([of_values(values[:, s])[0] for s in range(2)], 100, 1)
    np.testing.assert_allclose(mine, permutation_test(values, 100, 1).p_values[0])


def test_a_system_without_a_value_has_no_p_value(lists):
    nothing = Sums(sp.csr_matrix((N_USERS, N_ITEMS)), sharpest)
    found = swap_test([Sums(sp.csr_matrix(lists[2] * 1.0), sharpest), nothing], 50, 1)
    assert np.isnan(found[0, 1])
    assert np.isnan(found[1, 0])


def test_a_system_of_infinite_value_is_never_told_apart(lists):
    def infinite(totals, n_users):
        return np.full(len(totals), np.inf)

    systems = [Sums(sp.csr_matrix(x * 1.0), infinite) for x in lists]
    with np.errstate(invalid="ignore"):
        assert (swap_test(systems, 50, 1) == 1).all()


def test_systems_that_are_equal_are_never_told_apart(lists):
    same = Sums(sp.csr_matrix(lists[1] * 1.0), covered)
    assert (swap_test([same, same], 50, 1) == 1).all()


def test_measures_of_the_same_sums_are_tested_as_each_alone(lists, monkeypatch):
    matrices = [sp.csr_matrix(x * 1.0) for x in lists]
    copies = [matrix.copy() for matrix in matrices]
    measures = [
        [Sums(matrix, value) for matrix in own]
        for own, value in (
            *((matrices, covered), (copies, covered), (matrices, sharpest)),
            (matrices[:1] + matrices[:0:-1], covered),  # the same first system alone
        )
    ]
    found = swap_tests(measures, 100, 3)
    for own, square in zip(measures, found, strict=True):
        np.testing.assert_array_equal(square, swap_test(own, 100, 3))
    assert (found[0] != found[2]).any()
    monkeypatch.setattr(set_measures, "CELLS", N_ITEMS * 3)
    np.testing.assert_array_equal(swap_tests(measures, 100, 3), found)


def test_sums_of_short_numbers_are_exact():
    """65,536 users who add 1 + 2^-20 each: float32 holds these numbers, but not their sum."""
    n = 2**16
    x = np.full((n, 1), 1 + 2.0**-20, dtype=np.float32)
    less = x.copy()
    less[0] = 0

    def reached(totals, n_users):
        return (totals[:, 0] >= n * (1 + 2.0**-20)).astype(float)

    # Whoever has the list of the first user reaches it, and the other one does not.
    found = swap_test([Sums(sp.csr_matrix(own), reached) for own in (x, less)], 50, 1)
    assert (found == 1).all()


def test_many_users_take_no_more_memory_for_more_permutations(monkeypatch):
    x = np.random.default_rng(2).random((4000, 2))
    measure = of_values(x)
    found = swap_test(measure, 300, 1)
    monkeypatch.setattr(set_measures, "SIGNS", 2**16)
    tracemalloc.start()
    np.testing.assert_array_equal(swap_test(measure, 300, 1), found)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 300 * 4000 * 8 / 2  # the signs of half of them


def test_the_seed_makes_the_permutations():
    x = np.random.default_rng(1).random((30, 2, 1))
    systems = [of_values(x[:, s])[0] for s in range(2)]
    assert (swap_test(systems, 200, 4) == swap_test(systems, 200, 4)).all()
    assert (swap_test(systems, 200, 4) != swap_test(systems, 200, 5)).any()


@pytest.mark.parametrize("value", [covered, sharpest])
def test_a_resample_is_the_measure_of_the_users_drawn(lists, value):
    draws = Draws.of(N_USERS, 40, 2)
    found = resampled(Sums(sp.csr_matrix(lists[1] * 1.0), value), draws)
    for users, own in zip(made_up.times_of_users(draws), found, strict=True):
        again = np.repeat(lists[1] * 1.0, users.astype(int), axis=0).sum(axis=0)
        np.testing.assert_allclose(own, value(again[None], None)[0], atol=1e-12)


def test_means_leave_out_users_without_a_value():
    values = np.array([[1.0, np.nan], [np.nan, np.nan], [3.0, np.nan]])
    first, second = of_values(values)
    assert first.of_all() == 2.0
    assert np.isnan(second.of_all())
    np.testing.assert_array_equal(first.of(np.array([[1, 5, 0], [1, 1, 3]])), [1.0, 2.5])


def test_parts_of_users_keep_their_number_and_do_not_depend_on_others():
    parts = parts_of_users(50, 10, 4, 7)
    assert (parts.sum(axis=1) == 5).all()
    assert set(np.unique(parts)) == {0.0, 1.0}
    assert len(np.unique(parts, axis=0)) > 1
    np.testing.assert_array_equal(parts[:2], parts_of_users(50, 10, 2, 7))
    assert (parts_of_users(3, 1, 2, 7).sum(axis=1) == 1).all()


def test_no_swap_makes_gaps_differ_more_where_systems_favour_different_groups():
    """A gap of two groups has no sign, so that the sum of signed gaps bounds what swaps can do."""
    rng = np.random.default_rng(8)
    group = np.arange(8) % 2

    def gap(totals, n_users):
        return np.abs(totals[:, 0] - totals[:, 1])

    reached = 0
    for _ in range(20):
        values = rng.random((2, 8))
        systems = [sp.csr_matrix(np.where(group[:, None] == [0, 1], x[:, None], 0)) for x in values]
        a, b = (x[group == 0].sum() - x[group == 1].sum() for x in values)
        signs = np.array([*itertools.product([1, -1], repeat=8)])
        half = signs * (values[0] - values[1]) / 2
        swapped = [
            (m[:, group == 0].sum(axis=1) - m[:, group == 1].sum(axis=1))
            for m in (values.mean(axis=0) + half, values.mean(axis=0) - half)
        ]
        differences = np.abs(np.abs(swapped[0]) - np.abs(swapped[1]))
        found = swap_test([Sums(x, gap) for x in systems], 256, 1)[0, 1]
        assert found == (differences >= abs(abs(a) - abs(b)) - 1e-12).mean()
        if a * b < 0:
            assert differences.max() <= abs(abs(a) - abs(b)) + 1e-12
            reached += 1
    assert reached > 3
