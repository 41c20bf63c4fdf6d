"""Intervals of differences that hold for all pairs of systems at once, as max-T's p-values do.

An interval of a single difference says nothing of the largest of many: next to a p-value that is
corrected for their number it contradicts it, as of twenty pairs that do not differ one has an
interval without 0. Here the interval holds what max-T does not reject.
"""

from typing import NamedTuple

import numpy as np
import scipy.special

from rankassay.metrics.aggregate import whole_unit
from rankassay.statistics.effect_sizes import Moments, moments, t_interval
from rankassay.statistics.permutation import BLOCK, number_of_permutations, permutations
from rankassay.statistics.permutation_kernels import largest_differences
from rankassay.statistics.significance import blocks_of_pairs
from rankassay.types import Floats, Integers

POWER = 0.8
CLOSE = 1e-9  # equal standardised differences differ by less than this share


def critical(values: Floats, samples: int, seed: int, alpha: float) -> float:
    """Return the largest |sum_u d_u| / sqrt(sum_u d_u^2) that max-T does not find significant.

    The test is that of `rankassay.statistics.permutation` with these samples and seed. `values` are
    (n_users, n_systems); users without one have 0 by all systems, which changes nothing.
    """
    n_systems = values.shape[1]
    total, exact = number_of_permutations(len(values), samples)
    x = values - values.mean(axis=1, keepdims=True)  # what all share changes no difference
    # Sums of whole numbers are exact, in any order in which a matrix product adds them up.
    columns = np.rint(x / whole_unit(np.abs(x).max(initial=0.0), len(x)))
    weight = _inverse_roots(columns)[:, :, None]
    peaks = np.concatenate(
        [
            largest_differences(sums.reshape(-1, n_systems, 1), weight, np.zeros_like(weight))[:, 0]
            for _, sums in permutations(columns, range(-(-total // BLOCK)), total, exact, seed)
        ]
    )
    extra = 0 if exact else 1  # the observed data, which an enumeration includes
    p = (np.arange(1, total + 1) + extra) / (total + extra)
    return float(np.sort(peaks)[::-1][np.argmax(p >= alpha)]) * (1 + CLOSE)


def _inverse_roots(x: Floats) -> Floats:
    """Return 1 / sqrt(sum_u d_u^2) of each pair of columns, (n_columns, n_columns).

    0 of columns that are equal.
    """
    first, second = np.triu_indices(x.shape[1], k=1)
    found = np.zeros((x.shape[1], x.shape[1]))
    for some in blocks_of_pairs(len(x), len(first)):
        i, j = first[some], second[some]
        root = np.sqrt(((x[:, i] - x[:, j]) ** 2).sum(axis=0))
        found[i, j] = found[j, i] = np.divide(1, root, out=np.zeros_like(root), where=root > 0)
    return found


class Intervals(NamedTuple):
    """Of each pair: the ends of its interval, and how many users its difference takes."""

    low: Floats
    high: Floats
    needed: Floats


def intervals(
    values: Floats,
    first: Integers,
    second: Integers,
    samples: int,
    seed: int,
    level: float = 0.95,
) -> Intervals:
    """Return the intervals of the differences between systems that hold for all pairs at once.

    ::

        mean(d) -+ c sd(d) sqrt((n - 1) / (n (n - c^2)))
        needed = ((c + z_.8) sd(d) / mean(d))^2

    with the differences d of `first` and `second` and the `critical` value c of max-T. The interval
    has the differences which the test does not reject at 1 - level, if they are taken from all
    users: 0 is outside where the pair is significant, and nowhere else. It has no ends (NaN) where
    so few users have a value that the test rejects no difference at all. With the users needed, the
    test finds the pair's difference with a power of 80%, if it is as large as it was here; infinite
    without any. Where systems differ in which users have a value (NaN is none), max-T is not
    defined; the intervals are then Student's at 1 - (1 - level) / n_pairs (Bonferroni). All pairs
    are given.

    Source: Westfall and Young, Resampling-Based Multiple Testing, 1993, section 2.3 (single-step
    max-T).
    """
    of = _moments(values, first, second)
    known = ~np.isnan(values)
    if (known.any(axis=1) != known.all(axis=1)).any():
        at = 1 - (1 - level) / len(first)
        c = scipy.special.stdtrit(of.freedom, (1 + at) / 2)
        return Intervals(*t_interval(of, at), _needed(c, of))
    c = critical(np.where(known, values, 0.0), samples, seed, 1 - level)
    free = of.n - c**2
    # Of n users the least p-value is that of differences which all have one sign, 2 / 2^n.
    bounded = (free > 1e-9 * of.n) & (2.0 ** (1 - of.n) < 1 - level)
    half = c * of.deviation * np.sqrt((of.n - 1) / np.where(bounded, of.n * free, np.nan))
    return Intervals(of.mean - half, of.mean + half, _needed(c, of))


def _needed(c: Floats | float, of: Moments) -> Floats:
    """Return the users with whom differences of such moments exceed c with a power of 80%."""
    root = (c + scipy.special.ndtri(POWER)) * of.deviation
    nothing = np.full(of.mean.shape, np.inf)
    return np.divide(root, of.mean, out=nothing, where=of.mean != 0) ** 2


def _moments(values: Floats, first: Integers, second: Integers) -> Moments:
    """Return the moments of the users' differences, some pairs at a time."""
    parts = [
        moments(values[:, first[some]] - values[:, second[some]])
        for some in blocks_of_pairs(len(values), len(first))
    ]
    return Moments(*(np.concatenate(part) for part in zip(*parts, strict=True)))
