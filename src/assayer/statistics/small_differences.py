"""Pairs of systems that differ by little beside the largest value of a measure.

Arithmetic with all values at once rounds them to some share of the largest one: a value that both
systems have would then hide what sets them apart. Such pairs are tested by their differences alone.

Two values of a user are equal if they differ by at most 2^-44 of the larger one, which is what a
hundred roundings add up to; other users' values and other systems' play no part in that.
"""

import numpy as np

from assayer.types import Booleans, Floats

SMALL = 2.0**-20  # of the largest value; what is less loses too many digits beside it
EQUAL = 2.0**-44  # of the larger one of two values: what a hundred roundings add up to
USERS = 2048  # who are looked at at a time, so that their differences stay in the cache


def differences(a: Floats, b: Floats) -> Floats:
    """Return a - b; 0 where they are equal or one is missing."""
    d = a - b
    known = np.abs(d) > EQUAL * np.maximum(np.abs(a), np.abs(b))  # False for NaN
    return np.where(known, d, 0.0)


def found(x: Floats) -> tuple[Booleans, Booleans]:
    """Return which pairs i < j differ, but by little, and which are equal, bool (n_pairs,) each.

    `x` are the values by one measure, (n_users, n_systems); pairs are in the order of
    `numpy.triu_indices`.
    """
    most, largest = np.zeros(x.shape[1] * (x.shape[1] - 1) // 2), 0.0
    for first in range(0, len(x), USERS):
        part = x[first : first + USERS]
        own = [
            np.abs(differences(part[:, i, None], part[:, i + 1 :])).max(axis=0, initial=0.0)
            for i in range(x.shape[1])
        ]
        most = np.maximum(most, np.concatenate(own))
        largest = np.fmax(largest, np.fmax.reduce(np.abs(part), axis=None, initial=0.0))
    return (most > 0) & (most < SMALL * largest), most == 0


def alone(a: Floats, b: Floats) -> tuple[Floats, float]:
    """Return two systems less what they share, (n_users, 2), and how far off a sum of d_u may be.

    Both are scaled by a power of two, so that the largest difference lies between 0.5 and 1.
    """
    d = differences(a, b)
    exponent = int(np.frexp(np.abs(d).max(initial=0.0))[1])
    # Each value of those who differ may be off by half of its last place.
    sizes = np.where(d != 0, np.maximum(np.abs(a), np.abs(b)), 0.0)
    noise = 2.0**-52 * np.ldexp(sizes, -exponent).sum()
    return np.column_stack([np.ldexp(d, -exponent), np.zeros(len(d))]), float(noise)
