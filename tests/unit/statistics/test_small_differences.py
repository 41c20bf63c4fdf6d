"""Values that are equal but for rounding, and pairs that differ by little, against loops."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from rankassay.statistics.small_differences import (
    EQUAL,
    ROUNDED,
    SMALL,
    alone,
    difference,
    differences,
    found,
    greatest,
    joined,
    sums,
)

NEXT = 1 + 2.0**-50  # a value times this is equal to it, but for rounding
APART = 1 + 2.0**-40  # and times this it is another


def test_the_bounds_are_those_of_the_roundings():
    assert (SMALL, EQUAL, ROUNDED) == (2.0**-20, 2.0**-44, 2.0**-49)


@pytest.mark.parametrize("scale", [1.0, -2.0, 2.0**-900, 2.0**900])
def test_a_difference_is_none_where_rounding_explains_it(scale):
    cases = [(1.0, NEXT, True), (1.0, APART, False), (NEXT, 1.0, True), (APART, 1.0, False)]
    cases += [(1.0, 1.0, True), (0.0, 0.0, True), (0.0, 1.0, False), (1.0, 0.0, False)]
    # At the bound itself values are equal; and the larger value makes it.
    cases += [(1.0, 1 - EQUAL, True), (1 - 2 * EQUAL, 1.0, False)]
    for a, b, equal in cases:
        a, b = a * scale, b * scale
        expected = 0.0 if equal else a - b
        assert differences(np.array([a]), np.array([b])).tolist() == [expected]
        assert difference(a, b) == expected
    for a, b in ((np.nan, 1.0), (1.0, np.nan)):
        assert differences(np.array([a]), np.array([b])).tolist() == [0.0]
        assert difference(a, b) == 0.0


def test_values_are_joined_with_their_neighbours_and_not_with_the_lowest_alone():
    x = np.array(
        [
            [2.0, 2 * NEXT, 1.0, NEXT, 3.0],
            [NEXT, 2.0, 1.0, 2 * NEXT, 2 * NEXT**2],
            [0.0, 5.0, 5 * APART, 5 * NEXT, 7.0],
        ]
    )
    expected = [[2, 2, 1, 1, 3], [1, 2, 1, 2, 2], [0, 5, 5 * APART, 5, 7]]
    np.testing.assert_array_equal(joined(x), expected)
    np.testing.assert_array_equal(joined(x[:, ::-1]), np.array(expected)[:, ::-1])


def rows():
    """Return values of users by five systems: two alike, two that differ by little, one apart."""
    x = np.random.default_rng(1).random((40, 1)) * [1, NEXT, 1, 1, 0.5]
    x[3, 2] += 1e-8
    x[5, 4] = -40.0
    x[7, :3] = np.nan
    return x


def test_pairs_that_differ_by_little_are_found():
    x = rows()
    most, largest = greatest(x)
    pairs = [*itertools.combinations(range(5), 2)]
    assert largest == 40.0
    for (i, j), own in zip(pairs, most, strict=True):
        assert own == np.abs(differences(x[:, i], x[:, j])).max()
    little, equal = found(x)
    assert [pair for pair, own in zip(pairs, equal, strict=True) if own] == [(0, 1), (0, 3), (1, 3)]
    assert [pair for pair, own in zip(pairs, little, strict=True) if own] == [
        *((0, 2), (1, 2), (2, 3))
    ]


def test_how_far_equal_sums_may_be_apart_and_the_sum_of_squares():
    x = rows()
    x[7] = 0.25
    tie, squares = sums(x)
    for p, (i, j) in enumerate(itertools.combinations(range(5), 2)):
        expected, square = Fraction(0), Fraction(0)
        for a, b in x[:, [i, j]]:
            larger, d = max(abs(Fraction(a)), abs(Fraction(b))), Fraction(a) - Fraction(b)
            if abs(d) > larger * Fraction(EQUAL):
                expected += larger * Fraction(ROUNDED)
                square += d * d
            else:
                expected += 2 * abs(d)
        assert tie[p] == pytest.approx(float(expected), rel=1e-12)
        assert squares[p] == pytest.approx(float(square), rel=1e-6)


@pytest.mark.parametrize("unit", [1.0, 2.0**-30, 3e5])
def test_a_pair_alone_is_its_differences_scaled(unit):
    x = unit * rows()[:, [0, 2]]
    d, tie = alone(x[:, 0], x[:, 1])
    assert d.shape == (40, 2)
    assert (d[:, 1] == 0).all()
    largest = np.abs(d[:, 0]).max()
    assert 0.5 <= largest < 1
    exact = [0.0 if np.isnan(a) or abs(a - b) < unit * 1e-9 else a - b for a, b in x]
    scale = exact[3] / d[3, 0]
    assert np.log2(scale) == round(np.log2(scale))
    np.testing.assert_array_equal(d[:, 0] * scale, exact)
    assert np.flatnonzero(d[:, 0]).tolist() == [3]
    assert tie * scale == pytest.approx(ROUNDED * np.abs(x[3]).max())
