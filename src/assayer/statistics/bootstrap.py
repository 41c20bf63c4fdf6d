"""Sums over resampled users of the differences between all pairs of systems.

A resample draws as many users with replacement; all it needs of them is how often each was drawn.
Its sums over users are then a matrix product: weights times the systems' columns, whose
differences are the sums of all pairs, and weights times the squared differences. The same
resamples serve all pairs and measures.

The factors are whole numbers, so that every sum is exact and the same bits, however the library
cuts up the product and on however many threads.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from assayer.metrics.aggregate import whole_numbers
from assayer.progress import progress
from assayer.seeds import generator
from assayer.statistics import small_differences
from assayer.types import Floats

# Resamples that one counter-based stream serves, and that are computed at a time.
BLOCK = 500
CLOSE = 1e-9  # two studentised differences that differ by less than this share are equal


@dataclass(frozen=True)
class Sums:
    """Sums over the users who have a value in both systems, float64 (n_resamples, n_pairs)."""

    count: Floats  # the number of users
    total: Floats  # of the differences d_u
    squares: Floats  # of d_u^2


@dataclass(frozen=True)
class Pairs:
    """The scores by one measure as factors of the product, in whole numbers of some units.

    Pairs i < j are in the order of `numpy.triu_indices`. Where systems differ in which users have a
    value, or by little beside the largest value (`assayer.statistics.small_differences`), they are
    `ragged`: differences of pairs (n_users, n_pairs) then stand for scores.
    """

    columns: Floats  # the scores (n_users, n_systems), or differences
    squares: Floats  # of the differences, (n_users, n_pairs)
    counted: Floats  # 1 for a user with a value in both systems, (n_users, 1 or n_pairs)
    units: tuple[Floats, Floats]  # of the columns (1 or n_pairs,) and of the squares (n_pairs,)
    ragged: bool

    @classmethod
    def of(cls, x: Floats) -> Self:
        """Return the factors for the scores by a measure, float64 (n_users, n_systems)."""
        first, second = np.triu_indices(x.shape[1], k=1)
        has_value = ~np.isnan(x)
        whole, unit = whole_numbers(np.where(has_value, x, 0.0), axis=None)
        both = has_value[:, first] & has_value[:, second]
        difference = np.where(both, whole[:, first] - whole[:, second], 0.0)
        ragged = bool((has_value.any(axis=1) != has_value.all(axis=1)).any())
        small, _ = small_differences.found(x)
        if small.any():
            own = small_differences.differences(x[:, first], x[:, second])
            difference, unit = whole_numbers(np.where(small, own, difference * unit), axis=0)
            ragged = True
        squares, square_units = whole_numbers((difference * unit) ** 2, axis=0)
        if not ragged:
            both = has_value[:, :1]
        columns = difference if ragged else whole
        return cls(columns, squares, both.astype(np.float64), (unit, square_units), ragged)

    def sums(self, weights: Floats | None = None) -> Sums:
        """Return the sums of resamples, given as `times_drawn` makes them, or of the users."""
        if weights is None:
            weights = np.ones((1, len(self.columns)))
        total = weights @ self.columns
        if not self.ragged:
            first, second = np.triu_indices(total.shape[1], k=1)
            total = total[:, first] - total[:, second]
        unit, square_units = self.units
        squares = (weights @ self.squares) * square_units
        count = np.broadcast_to(weights @ self.counted, squares.shape)
        return Sums(count, total * unit, squares)


def times_drawn(n_users: int, block: int, seed: int) -> Floats:
    """Return how often each user was drawn in one block of resamples, float64 (BLOCK, n_users)."""
    drawn = generator(seed, "resampled-users", block).integers(0, n_users, (BLOCK, n_users))
    drawn += n_users * np.arange(BLOCK)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=BLOCK * n_users)
    return counts.reshape(BLOCK, n_users).astype(np.float64)


def blocks_drawn(n_users: int, samples: int, seed: int) -> Iterator[Floats]:
    """Yield how often each user was drawn, block by block; see `times_drawn`."""
    for first in progress(range(0, samples, BLOCK), f"blocks of {BLOCK} resamples"):
        yield times_drawn(n_users, first // BLOCK, seed)[: samples - first]


def resampled(values: Floats, blocks: Iterable[Floats]) -> Iterator[tuple[int, int, Sums]]:
    """Yield the number of each block's first resample, the measure, and the sums of the resamples.

    `values` are float64 (n_users, n_systems, n_measures), and each block says how often each user
    was drawn, float64 (n_resamples, n_users).
    """
    first = 0
    for drawn in blocks:
        for m in range(values.shape[2]):
            yield first, m, Pairs.of(values[:, :, m]).sums(drawn)
        first += len(drawn)


def bootstrap_test(values: Floats, samples: int, seed: int, add_one: bool) -> tuple[Floats, Floats]:
    """Return p-values and adjusted ones of the paired bootstrap test, studentised and two-sided.

    ::

        t = mean(d) / sqrt(var(d) / n),    t*_b = (mean(d*_b) - mean(d)) / sqrt(var(d*_b) / n)
        p = (#{b: |t*_b| >= |t|} + 1) / (B + 1)

    The resampled differences are shifted by the observed mean, which makes the null hypothesis,
    a difference of zero, true of them (Sakai, SIGIR 2006, figure 1; Efron and Tibshirani, 1993,
    section 16.4). The adjusted p-values compare |t| with the largest |t*_b| of any pair instead
    (single-step max-T; Westfall and Young, 1993), and hold for all pairs at once.

    Parameters
    ----------
    values : float64 (n_users, n_systems, n_measures)
        A pair takes the users who have a value in both systems.
    samples : int
        B, the number of resamples.
    add_one : bool
        Otherwise p = # / B, as Sakai has it.

    Returns
    -------
    two float64 (n_measures, n_pairs)
    """
    observed = [Pairs.of(values[:, :, m]).sums() for m in range(values.shape[2])]
    means = [sums.total / np.maximum(sums.count, 1) for sums in observed]
    t = np.concatenate([np.abs(_studentised(sums, 0.0)) for sums in observed])
    extreme, largest = np.zeros((2, *t.shape), dtype=np.int64)
    for _, m, sums in resampled(values, blocks_drawn(len(values), samples, seed)):
        drawn = np.abs(_studentised(sums, means[m]))
        bound = t[m] * (1 - CLOSE)
        extreme[m] += (drawn >= bound).sum(axis=0)
        peaks = np.sort(drawn.max(axis=1))
        largest[m] += len(peaks) - np.searchsorted(peaks, bound)
    one = int(add_one)
    p, adjusted = (extreme + one) / (samples + one), (largest + one) / (samples + one)
    nobody = np.concatenate([sums.count for sums in observed]) == 0
    return np.where(nobody, np.nan, p), np.where(nobody, np.nan, adjusted)


def _studentised(sums: Sums, centre: Floats | float) -> Floats:
    """Return (mean - centre) / (standard error of the mean); 0 / 0 is 0."""
    count = np.maximum(sums.count, 1)
    shift = sums.total / count - centre
    variance = (sums.squares - sums.total**2 / count) / np.maximum(count - 1, 1)
    # Below these, what is left are errors of rounding.
    scale = np.sqrt(sums.squares / count)
    shift = np.where(np.abs(shift) <= CLOSE * scale, 0.0, shift)
    error = np.sqrt(np.where(variance <= CLOSE**2 * scale**2, 0.0, variance) / count)
    infinite = np.where(shift == 0, 0.0, np.copysign(np.inf, shift))
    return np.divide(shift, error, out=infinite, where=error > 0)
