"""Tests of significance say the same in any unit, and what exact arithmetic says."""

import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankassay

pytestmark = pytest.mark.slow

SCALES = [1e-300, 1e-150, 1e-10, 1e-3, 1.0, 7.0, 1e10, 1e39, 1e150, 1e300]


def exact(first, second):
    """Return the two-sided p-value of all permutations, in rational numbers."""
    differences = [Fraction(a) - Fraction(b) for a, b in zip(first, second, strict=True)]
    observed = abs(sum(differences))
    signs = itertools.product((1, -1), repeat=len(differences))
    sums = [abs(sum(s * d for s, d in zip(row, differences, strict=True))) for row in signs]
    return Fraction(sum(total >= observed for total in sums), len(sums))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=8),
    st.sampled_from([1, 3, 7, 10, 64, 1000]),
    st.sampled_from(range(-996, 996)),
)
def test_p_values_are_those_of_exact_arithmetic_at_any_scale(pairs, parts, exponent):
    # A power of two changes no digit, so that ties stay ties.
    values = np.ldexp(np.array(pairs, dtype=np.float64) / parts, exponent)
    found = rankassay.permutation_test(values).p_values[0, 1]
    whole = np.array(pairs, dtype=object)
    assert found == float(exact(whole[:, 0], whole[:, 1]))


UNITS = [10.0**k for k in (*range(-20, 21, 2), -300, -150, -7, 7, 150, 300)]
UNITS += [1.0, 3.0, 0.1, 1 / 3, np.pi, 6.02e23, 1.6e-19, 2.0**-40, 2.0**60, 7e-5, 1e3, 1e-3, 1e5]


def enumerated(d, alternative):
    """Return p-values and adjusted ones of differences (n_users, n_pairs) in whole numbers."""
    n = len(d)
    sums, observed = (1 - 2 * (np.arange(2**n)[:, None] >> np.arange(n) & 1)) @ d, d.sum(axis=0)
    if alternative != "two-sided":
        return ((sums - observed) * (1 if alternative == "greater" else -1) >= 0).mean(axis=0), None
    p = (np.abs(sums) >= np.abs(observed)).mean(axis=0)
    squares = (d**2).sum(axis=0)
    # |S| / sqrt(q) >= |O| / sqrt(r), squared and without division.
    larger = (sums**2)[:, None] * squares[:, None] >= observed[:, None] ** 2 * squares
    larger = (larger & (squares > 0)) | (observed[:, None] == 0)
    return p, np.where(squares > 0, larger.any(axis=2).mean(axis=0), 1.0)


@pytest.mark.parametrize("seed", range(40))
def test_ties_are_ties_in_every_unit(seed):
    rng = np.random.default_rng(seed)
    most, parts = rng.choice([2, 5, 30, 1000]), rng.choice([1, 2, 10, 100])
    k = rng.integers(-most, most + 1, (rng.integers(2, 10), rng.integers(2, 5)))
    first, second = np.triu_indices(k.shape[1], k=1)
    for unit, alternative in zip(UNITS, itertools.cycle(["two-sided", "greater", "less"])):
        found = rankassay.permutation_test(k / parts * unit, alternative=alternative)
        p, adjusted = enumerated(k[:, first] - k[:, second], alternative)
        np.testing.assert_array_equal(found.p_values[first, second], p, str(unit))
        if adjusted is not None:
            np.testing.assert_array_equal(found.adjusted[first, second], adjusted, str(unit))


def test_ties_of_a_few_whole_numbers_and_of_the_same_in_a_small_unit():
    values = np.array([[-2, 1], [-1, -4], [2, 3]])
    for unit in (1, 1e-8, 1e8, 1 / 3):
        assert rankassay.permutation_test(values * unit).p_values[0, 1] == 1


@pytest.mark.parametrize("n_users", [40, 1500])
def test_ties_of_permutations_that_are_drawn_are_ties_in_every_unit(n_users):
    """Also where the product is made in single precision."""
    k = np.random.default_rng(n_users).integers(0, 3, (n_users, 3))
    plain = rankassay.permutation_test(k, 3000)
    for unit in (1e-8, 1 / 3, np.pi, 1e9):
        found = rankassay.permutation_test(k * unit, 3000)
        np.testing.assert_array_equal(found.p_values, plain.p_values)
        np.testing.assert_array_equal(found.adjusted, plain.adjusted)


@pytest.mark.parametrize("scale", SCALES)
def test_power_does_not_depend_on_the_unit(scale):
    values = np.random.default_rng(1).random((40, 4, 2))
    plain = rankassay.discriminative_power(values, n_permutations=2000, replicates=50)
    scaled = rankassay.discriminative_power(values * scale, n_permutations=2000, replicates=50)
    plain, scaled = plain.astype(float), scaled.astype(float)
    required = ["required_largest", "required_median"]
    np.testing.assert_allclose(
        scaled.drop(columns=required), plain.drop(columns=required), rtol=1e-6
    )
    np.testing.assert_allclose(scaled[required] / scale, plain[required], rtol=1e-6)


def test_values_that_differ_by_little_are_not_taken_for_equal():
    first = np.arange(10) * 1e-10
    values = np.column_stack([first, first + 1e-12])
    assert rankassay.permutation_test(values).p_values[0, 1] == 2 / 1024
    # One large value among them changes nothing of that.
    values = np.vstack([values, [1.0, 1.0]])
    assert rankassay.permutation_test(values).p_values[0, 1] == 4 / 2048


@pytest.mark.parametrize("n_systems", [2, 3])
@pytest.mark.parametrize("seed", range(20))
def test_values_that_two_systems_share_hide_no_difference(seed, n_systems):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 5, (9, n_systems)) * 2.0 ** -int(rng.integers(0, 60))
    values[0] = 2.0 ** int(rng.integers(0, 60))
    values[1:, 2:] = rng.random((8, 1))  # nor do those of a third one
    found = rankassay.permutation_test(values).p_values
    expected = exact(values[:, 0], values[:, 1])
    assert found[0, 1] == found[1, 0] == float(expected)


def test_one_large_value_hides_no_difference():
    values = np.zeros((20, 2))
    values[1:, 1] = 1e-8
    values[0] = 1e10
    found = rankassay.permutation_test(values, 2**20)
    assert found.p_values[0, 1] == found.adjusted[0, 1] == 2.0**-18
    third = np.column_stack([values, np.zeros(20)])
    found = rankassay.permutation_test(third, 2**20)
    assert found.p_values[0, 1] == 2.0**-18
    assert np.isnan(found.adjusted).all()  # there is no arithmetic for all pairs at once
    plain = rankassay.discriminative_power(np.where(values > 1, 0, values), replicates=100)
    pd.testing.assert_frame_equal(rankassay.discriminative_power(values, replicates=100), plain)


@pytest.mark.parametrize("decimals", [1, 16])
def test_values_are_equal_if_they_differ_by_rounding_relative_to_their_own_size(decimals):
    first = np.round(np.random.default_rng(0).random((16, 1)), decimals) + 0.1
    for share, p in [(1e-15, 1.0), (3e-14, 1.0), (1e-13, 2.0**-15), (1e-9, 2.0**-15)]:
        values = np.hstack([first, first * (1 + share)])
        assert rankassay.permutation_test(values, 2**16).p_values[0, 1] == p, share
