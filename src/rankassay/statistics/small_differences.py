"""Pairs of systems that differ by little compared with the largest value of a measure.

Arithmetic with all values at once rounds them to some share of the largest one: a value that both
systems have would then hide their difference. Such pairs are tested by their differences alone.

Two values of a user are equal if they differ by at most 2^-44 of the larger one, which is what a
hundred roundings add up to; other users' values and other systems' play no part in that.
"""

import numpy as np

from rankassay.kernels import kernel
from rankassay.types import Booleans, Floats

SMALL = 2.0**-20  # of the largest value; a smaller difference loses too many digits to it
EQUAL = 2.0**-44  # of the larger one of two values: what a hundred roundings add up to
# Two sums of differences under signs, |sum_u s_u d_u| and |sum_u d_u|, are equal if they differ by
# no more than this share of the sum of the larger values, sum_u max(|a_u|, |b_u|). If each d_u is
# off by 2^-50 of that, three roundings of a_u and b_u and its own, they differ by twice as much.
ROUNDED = 2.0**-49
CALL = 4  # steps that a call of a kernel takes where it is not compiled


def differences(a: Floats, b: Floats) -> Floats:
    """Return a - b; 0 where they are equal or one is missing."""
    d = a - b
    known = np.abs(d) > EQUAL * np.maximum(np.abs(a), np.abs(b))  # False for NaN
    return np.where(known, d, 0.0)


@kernel
def difference(a, b):
    """Return a - b of two values, as `differences` does; without a branch, so several at a time."""
    d = a - b
    known = (abs(d) > EQUAL * abs(a)) & (abs(d) > EQUAL * abs(b))  # False for NaN
    return d if known else 0.0


def joined(x: Floats) -> Floats:
    """Give values of a row that are equal but for rounding the bits of the lowest, (n_rows, n)."""
    order = np.argsort(x, axis=1)
    ranked = np.take_along_axis(x, order, axis=1)
    first = np.zeros(x.shape, dtype=np.int64)
    first[:, 1:] = np.where(differences(ranked[:, 1:], ranked[:, :-1]), np.arange(1, x.shape[1]), 0)
    ranked = np.take_along_axis(ranked, np.maximum.accumulate(first, axis=1), axis=1)
    equal = np.empty_like(x)
    np.put_along_axis(equal, order, ranked, axis=1)
    return equal


def found(x: Floats) -> tuple[Booleans, Booleans]:
    """Return which pairs i < j differ, but by little, and which are equal, bool (n_pairs,) each.

    `x` are the values by one measure, (n_users, n_systems); pairs are in the order of
    `numpy.triu_indices`.
    """
    most, largest = greatest(np.ascontiguousarray(x))
    return little(most, largest), most == 0


def little(most: Floats, largest: float) -> Booleans:
    """Return which pairs differ, but by little compared with the largest value; see `greatest`."""
    return (most > 0) & (most < SMALL * largest)


@kernel(steps=lambda x: CALL * x.size * x.shape[1] // 2)
def greatest(x):
    """Return the greatest difference of each pair, (n_pairs,), and the greatest value."""
    n_users, n = x.shape
    most, largest = np.zeros(n * (n - 1) // 2), 0.0
    for u in range(n_users):
        own, first = x[u], 0
        for i in range(n):
            size = abs(own[i])
            if size > largest:  # False for NaN
                largest = size
            for j in range(i + 1, n):
                d, pair = abs(difference(own[i], own[j])), first + j - i - 1
                most[pair] = d if d > most[pair] else most[pair]
            first += n - i - 1
    return most, largest


@kernel(steps=lambda x: CALL * x.size * x.shape[1] // 2)
def sums(x):
    """Return by how much equal sums of each pair's differences may differ, and the sum of d_u^2.

    Both are (n_pairs,). Values that are equal except for rounding may be added up with the error of
    that.
    """
    n_users, n = x.shape
    tie, squares = np.zeros(n * (n - 1) // 2), np.zeros(n * (n - 1) // 2)
    for u in range(n_users):
        own, first = x[u], 0
        for i in range(n):
            for j in range(i + 1, n):
                a, b, pair = own[i], own[j], first + j - i - 1
                d = difference(a, b)
                tie[pair] += ROUNDED * max(abs(a), abs(b)) if d != 0.0 else 2.0 * abs(a - b)
                squares[pair] += d * d
            first += n - i - 1
    return tie, squares


def alone(a: Floats, b: Floats) -> tuple[Floats, float]:
    """Return two systems less their common part, (n_users, 2), and the tolerance of equal sums.

    Both are scaled by a power of two, so that the largest difference lies between 0.5 and 1.
    """
    d = differences(a, b)
    exponent = int(np.frexp(np.abs(d).max(initial=0.0))[1])
    sizes = np.where(d != 0, np.maximum(np.abs(a), np.abs(b)), 0.0)
    tie = ROUNDED * np.ldexp(sizes, -exponent).sum()
    return np.column_stack([np.ldexp(d, -exponent), np.zeros(len(d))]), float(tie)
