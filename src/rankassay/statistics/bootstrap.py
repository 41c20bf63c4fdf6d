"""Sums over resampled users of the differences between all pairs of systems.

A resample draws as many users with replacement; it needs only how often each was drawn. Its sums
over users are then a matrix product: weights times the systems' columns, whose differences are the
sums of all pairs, and weights times the squared differences. The same resamples serve all pairs and
measures.

The factors are whole numbers, so that every sum is exact and the same bits, however the library
cuts up the product and on however many threads.
"""

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rankassay.kernels import kernel
from rankassay.metrics.aggregate import whole_unit
from rankassay.progress import progress
from rankassay.seeds import generator
from rankassay.statistics import small_differences
from rankassay.statistics.draws import members
from rankassay.statistics.small_differences import EQUAL, difference
from rankassay.types import Booleans, Floats, Integers

# Resamples that one counter-based stream serves, and that are computed at a time.
BLOCK = 500
# Users times pairs whose factors are made at a time: 1 MB each, which stay in the cache.
CELLS = 2**17
DRAWN = 2**24  # users that are drawn at a time, at least those of one resample
CLOSE = 1e-9  # two studentised differences that differ by less than this share are equal
NONE = 1e-12  # a variance that is no larger a share of the mean square is what rounding leaves


@dataclass(frozen=True)
class Sums:
    """Sums over the users who have a value in both systems, float64 (n_resamples, n_pairs)."""

    count: Floats  # the number of users
    total: Floats  # of the differences d_u
    squares: Floats  # of d_u^2


@dataclass(frozen=True)
class Factors:
    """The factors of the product for some users, in whole numbers of some units."""

    columns: Floats  # the values (n, n_systems), or differences (n, n_pairs)
    squares: Floats  # of the differences, (n, n_pairs)
    counted: Floats  # 1 for a user with a value in both systems, (n, 1 or n_pairs)


@dataclass(frozen=True)
class Pairs:
    """The values by one measure, and the units in which they become factors of the product.

    Pairs i < j are in the order of `numpy.triu_indices`. Where systems differ in which users have a
    value, or by little compared with the largest value (`rankassay.statistics.small_differences`),
    they are `ragged`: differences of pairs (n_users, n_pairs) then stand for values. Factors are
    made of some users at a time: for all of them they are ten times as large as the values.
    """

    x: Floats  # (n_users, n_systems)
    small: Booleans  # which pairs differ by little, (n_pairs,)
    unit: Floats  # of the values, (1,)
    units: tuple[Floats, Floats]  # of the columns (1 or n_pairs,) and of the squares (n_pairs,)
    ragged: bool

    @classmethod
    def of(cls, x: Floats) -> Self:
        """Return the pairs for the values by a measure, float64 (n_users, n_systems)."""
        x = np.ascontiguousarray(x)
        has_value = ~np.isnan(x)
        ragged = bool((has_value.any(axis=1) != has_value.all(axis=1)).any())
        greatest, largest = small_differences.greatest(x)
        small = small_differences.little(greatest, largest)
        unit = whole_unit(largest, len(x))
        # Scores that count as equal may differ, and in units any two by one more.
        most = np.where(small, greatest, greatest + EQUAL * largest + unit)
        own = whole_unit(most, len(x)) if small.any() else unit
        if small.any():
            # Differences become whole numbers of separate units before they are squared.
            most = np.rint(most / own) * own
        units = (own, whole_unit(most**2, len(x)))
        return cls(x, small, unit, units, ragged or bool(small.any()))

    def _blocks(self) -> Iterator[slice]:
        """Yield the places of some users at a time."""
        size = max(1, CELLS // max(len(self.small), 1))
        for first in range(0, max(len(self.x), 1), size):
            yield slice(first, first + size)

    def factors(self, part: slice) -> Factors:
        """Return the factors of some users."""
        difference, whole, both = _of_pairs(self.x[part], self.unit[0], self.small)
        unit, square_units = self.units
        if self.ragged:
            whole = np.rint(difference / unit)
            difference = whole * unit
        else:
            both = ~np.isnan(self.x[part, :1])
        squares = np.rint(difference**2 / square_units)
        return Factors(whole, squares, both.astype(np.float64))

    def sums(self, times: Floats | None = None, group: Integers | None = None) -> Sums:
        """Return the sums of resamples, or of the users as they are.

        `times`, (n_resamples, n_users or n_groups), is how often each user, or `group` of them, was
        drawn.
        """
        if times is None:
            times, group = np.ones((1, 1)), np.zeros(len(self.x), dtype=np.int64)
        if group is None:
            count, total, squares = self._products(lambda part: times[:, part])
        else:
            n_groups = times.shape[1]
            if self.ragged:
                own = self._products(lambda part: members(group[part], n_groups))
            else:
                own = _by_group(self.x, self.unit[0], self.units[1], group, n_groups)
            count, total, squares = (times @ sums for sums in own)
        if not self.ragged:
            first, second = _pairs(total.shape[1])
            total = total[:, first] - total[:, second]
        unit, square_units = self.units
        squares = squares * square_units
        return Sums(np.broadcast_to(count, squares.shape), total * unit, squares)

    def _products(self, weights: Callable[[slice], Any]) -> list[Floats]:
        """Return the products of some users' weights, (n, n_users), and their factors, summed."""
        added = [np.zeros(1)] * 3
        for part in self._blocks():
            of = self.factors(part)
            for k, factor in enumerate((of.counted, of.columns, of.squares)):
                added[k] = added[k] + weights(part) @ factor
        return added


@functools.cache
def _pairs(n: int) -> tuple[Integers, Integers]:
    """Return the two places of each pair of n systems."""
    return np.triu_indices(n, k=1)


@kernel(steps=lambda x, *_: x.size * x.shape[1] // 2)
def _by_group(x, unit, square_units, group, n_groups):
    """Sum the factors of users group by group, where a user has all values or none; see Factors."""
    n_users, n = x.shape
    counted, columns = np.zeros((n_groups, 1)), np.zeros((n_groups, n))
    squares, per_unit = np.zeros((n_groups, len(square_units))), 1 / square_units
    whole = np.empty(n)
    for u in range(n_users):
        if n > 0 and x[u, 0] != x[u, 0]:  # NaN: no value
            continue
        own, first = squares[group[u]], 0
        counted[group[u], 0] += 1.0
        for i in range(n):
            whole[i] = np.rint(x[u, i] / unit)
            columns[group[u], i] += whole[i]
        for i in range(n):
            for j in range(i + 1, n):
                d, pair = (whole[i] - whole[j]) * unit, first + j - i - 1
                own[pair] += np.rint(d * d * per_unit[pair])
            first += n - i - 1
    return counted, columns, squares


@kernel(steps=lambda x, unit, small: x.size * x.shape[1] // 2)
def _of_pairs(x, unit, small):
    """Return users' differences of pairs, their values in units, and which users have both."""
    n_users, n = x.shape
    own = np.zeros((n_users, len(small)))
    whole = np.zeros((n_users, n))
    both = np.zeros((n_users, len(small)), dtype=np.bool_)
    for u in range(n_users):
        for i in range(n):
            if x[u, i] == x[u, i]:  # NaN stands for no value
                whole[u, i] = np.rint(x[u, i] / unit)
        pair = 0
        for i in range(n):
            for j in range(i + 1, n):
                a, b = x[u, i], x[u, j]
                if a == a and b == b:
                    both[u, pair] = True
                    own[u, pair] = (whole[u, i] - whole[u, j]) * unit
                    if small[pair]:
                        own[u, pair] = difference(a, b)
                pair += 1
    return own, whole, both


def blocks_drawn(n_users: int, samples: int, seed: int) -> Iterator[Floats]:
    """Yield how often each user was drawn, float64 (n, n_users) of some resamples at a time."""
    for first in progress(range(0, samples, BLOCK), f"blocks of {BLOCK} resamples"):
        yield from _drawn(n_users, min(BLOCK, samples - first), first // BLOCK, seed)


def _drawn(n_users: int, n: int, block: int, seed: int) -> Iterator[Floats]:
    """Yield the first n rows of a block, as many at a time as have `DRAWN` users."""
    rng = generator(seed, "resampled-users", block)
    rows = max(1, DRAWN // max(n_users, 1))
    for size in (min(rows, n - first) for first in range(0, n, rows)):
        drawn = rng.integers(0, n_users, (size, n_users))
        drawn += n_users * np.arange(size)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=size * n_users)
        yield counts.reshape(size, n_users).astype(np.float64)


def bootstrap_test(values: Floats, samples: int, seed: int, add_one: bool) -> tuple[Floats, Floats]:
    """Return p-values and adjusted ones of the paired bootstrap test, studentised and two-sided.

    ::

        t = mean(d) / sqrt(var(d) / n),    t*_b = (mean(d*_b) - mean(d)) / sqrt(var(d*_b) / n)
        p = (#{b: |t*_b| >= |t|} + 1) / (B + 1),    or # / B without `add_one`, as Sakai has it

    The resampled differences are shifted by the observed mean, which makes the null hypothesis, a
    difference of zero, true of them (Sakai, SIGIR 2006, figure 1; Efron and Tibshirani, 1993,
    section 16.4). The adjusted p-values compare |t| with the largest |t*_b| of any pair instead
    (single-step max-T; Westfall and Young, 1993), and hold for all pairs at once. A pair takes the
    users who have a value in both systems. Both are (n_measures, n_pairs).
    """
    pairs = [Pairs.of(values[:, :, m]) for m in range(values.shape[2])]
    observed = [own.sums() for own in pairs]
    means = [_mean(sums)[0] for sums in observed]
    t = np.concatenate([np.abs(_studentised(sums, 0.0)) for sums in observed])
    extreme, largest = np.zeros((2, *t.shape), dtype=np.int64)
    for times in blocks_drawn(len(values), samples, seed):
        for m, own in enumerate(pairs):
            drawn = np.abs(_studentised(own.sums(times), means[m]))
            bound = t[m] * (1 - CLOSE)
            extreme[m] += (drawn >= bound).sum(axis=0)
            peaks = np.sort(drawn.max(axis=1))
            largest[m] += len(peaks) - np.searchsorted(peaks, bound)
    one = int(add_one)
    p, adjusted = (extreme + one) / (samples + one), (largest + one) / (samples + one)
    nobody = np.concatenate([sums.count for sums in observed]) == 0
    return np.where(nobody, np.nan, p), np.where(nobody, np.nan, adjusted)


def _mean(sums: Sums) -> tuple[Floats, Floats]:
    """Return means of differences, 0 if rounding alone makes them others, and root mean squares."""
    count = np.maximum(sums.count, 1)
    mean, scale = sums.total / count, np.sqrt(sums.squares / count)
    return np.where(np.abs(mean) <= CLOSE * scale, 0.0, mean), scale


def _studentised(sums: Sums, centre: Floats | float) -> Floats:
    """Return (mean - centre) / (standard error of the mean); 0 / 0 is 0."""
    mean, scale = _mean(sums)
    shift = mean - centre
    count = np.maximum(sums.count, 1)
    variance = (sums.squares - sums.total**2 / count) / np.maximum(count - 1, 1)
    # Below these, only errors of rounding are left.
    shift = np.where(np.abs(shift) <= CLOSE * scale, 0.0, shift)
    error = np.sqrt(np.where(variance <= NONE * scale**2, 0.0, variance) / count)
    infinite = np.where(shift == 0, 0.0, np.copysign(np.inf, shift))
    return np.divide(shift, error, out=infinite, where=error > 0)
