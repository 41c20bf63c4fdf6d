"""By which power of popularity hits would have to be weighted until two systems tie."""

import numpy as np

from rankassay.statistics.sensitivity_kernels import first_roots
from rankassay.types import Floats, Integers

GREATEST = 2.0  # the largest size of an exponent that is searched
FINEST = 20  # halvings of 1: where intervals end that are not shown to be without a root
DECIMALS = 9


def popularity_exponents(by_item: Floats, number: Integers) -> Floats:
    """Return the least exponent of popularity at which each pair of systems ties.

    ::

        the least |a| <= 2 with f(a) = sum_i d_i (n_i + 1)^-a = 0

    with d_i = G_A(i) - G_B(i), the difference of what the two gain by item i over all users, and
    n_i its number of training ratings. At a > 0, hits on popular items weigh less, and at a < 0
    more; of both at the same distance, the positive one counts.

    `by_item`, float64 (n_items, n_systems), are gains, in whole numbers of a unit, of systems whose
    sums do not increase; `number`, int64 (n_items,), are n_i. Returns float64 (n_pairs,), for a < b
    in the order of `numpy.triu_indices`: 0 for a pair of equal sums, and NaN where there is none.

    No root is missed: f is the difference of two sums of exponentials, which are convex. In an
    interval whose left end is positive, f is where the tangent of the first sum at either end
    exceeds the chord of the second at both; intervals are halved until they are so, or until they
    are 2^-20 wide: then f changes its sign there, or comes that near to 0 that it touches it.
    """
    totals = by_item.sum(axis=0)
    first, second = np.triu_indices(by_item.shape[1], k=1)
    levels, level = np.unique(number, return_inverse=True)
    by_level = np.array([np.bincount(level, own, len(levels)) for own in by_item.T]).T
    some = by_level.any(axis=1)
    if not some.any():
        return np.zeros(len(first))
    by_level = np.ascontiguousarray(by_level[some])
    spread = np.log1p(levels[some])
    size = np.abs(by_level)
    spread -= (size.sum(axis=1) * spread).sum() / size.sum()  # a factor of f moves no root
    widths = 0.5 ** np.arange(FINEST + 1)[:, None]
    lower, higher = (
        first_roots(by_level, own, np.exp(widths * own), FINEST) for own in (-spread, spread)
    )
    exponent = np.where(
        np.nan_to_num(lower, nan=np.inf) <= np.nan_to_num(higher, nan=np.inf), lower, -higher
    )
    return np.where(totals[first] == totals[second], 0.0, np.round(exponent, DECIMALS))
