"""The paired permutation test of all pairs of systems, by all measures at once.

Under the null hypothesis a user's values by two systems may be exchanged. A permutation draws a
sign s_u for every user; exchanging where s_u = -1 makes the difference of systems i and j
sum_u s_u x_ui - sum_u s_u x_uj, a difference of two columns of the matrix product S X. One sign
matrix S so serves all pairs of systems and all measures: each test keeps its level, and together
they give the joint distribution on which the correction for their number rests.

With many users the product is made in float32, at half the cost of float64. Where a difference lies
so near the observed one that rounding could decide, it is added up again without rounding. So
p-values are exact functions of the signs: the same bits for any block, library and number of
threads.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from rankassay.errors import one_of
from rankassay.progress import progress
from rankassay.seeds import generator
from rankassay.statistics import small_differences
from rankassay.statistics.permutation_kernels import count_extreme, largest_differences
from rankassay.statistics.small_differences import EQUAL
from rankassay.types import Booleans, Floats, Floats32, Integers

ALTERNATIVES = ("two-sided", "greater", "less")
# Permutations that one counter-based stream serves, and that are computed at a time.
BLOCK = 1000
TEST_COPIES = 3  # numbers that a test holds for each value that it is given, itself among them
# Users whose signs are spelled out at a time, 4 kB each; of the others a block keeps bits.
USERS = 8192
FEW = 1000  # users for whom the product is made in float64: differences of so few are often equal
# Rounding errors of a sum of n terms x_u, as multiples of 2^-24 sqrt(n sum_u x_u^2) in float32, and
# of 2^-53 in float64: they behave like random ones (Higham and Mary, SIAM J. Sci. Comput. 2019),
# and stay below 1.
SAFETY = 16.0
# Adjusted p-values compare standardised differences, and equal ones differ by less than this share.
CLOSE = {np.float32: 1e-5, np.float64: 2.0**-40}
# For a measure with at most this number of values, they are tested for the form k / q (`EQUAL`).
MOST_VALUES = 1000


@dataclass(frozen=True)
class Result:
    """The result of the test."""

    # (n_measures, n_systems, n_systems), 1 on the diagonal; one-sided: row's mean against column's
    p_values: Floats
    # Two-sided ones that hold for all pairs at once: the share of permutations in which the largest
    # |difference| / sqrt(sum_u d_u^2) of any pair is at least that observed of the pair (max-T in a
    # single step: Westfall and Young, 1993). Permutations do not change the root.
    adjusted: Floats | None
    n_permutations: int
    exact: bool  # whether these were all permutations that there are, each once


def permutation_test(
    values: Floats, samples: int, seed: int, add_one: bool = True, alternative: str = "two-sided"
) -> Result:
    """Test the difference in means of all pairs of systems by all measures.

    Of `values`, float64 (n_users, n_systems, n_measures), users without one (NaN) in a measure are
    excluded from its tests; without any user left, there are no p-values (NaN). Where there are no
    more permutations than `samples` B (2^n_users), all are enumerated. With `add_one`, p = (c + 1)
    / (B + 1), with c the permutations at least as extreme as the observed data: a valid p-value,
    never 0. Otherwise, and of an enumeration, which includes the observed data, p = c / B. The
    `alternative` is two-sided, greater or less.

    Values of the form k / q, q <= 1000, are exact. Otherwise two sums of a pair's differences are
    equal if they differ by at most 2^-49 sum_u max(|x_ui|, |x_uj|), over the users whose values
    differ: no more than that comes of three roundings of each value and one of each difference. So
    p-values do not depend on the unit of the values. Adjusted p-values of more than 1000 users take
    standardised differences for equal that differ by less than 0.001%.

    Two values of a user that differ by at most 2^-44 (6e-14) of the larger one may be equal but for
    errors of rounding: a pair that differs by no more for any user has p = 1. A pair that differs
    by more, but by less than a millionth (2^-20) of the measure's largest value for any user, is
    tested by its differences alone. With more than two systems, the measure then has no adjusted
    p-values (NaN).
    """
    one_of("alternative", alternative, ALTERNATIVES)
    n_users, n_systems, n_measures = values.shape
    total, exact = number_of_permutations(n_users, samples)

    def tested(scores: Scores) -> tuple[Floats, Floats]:
        counts = count(scores, range(-(-total // BLOCK)), total, exact, seed, alternative)
        p, adjusted = (_shares(own, total, add_one and not exact) for own in counts)
        return p, adjusted

    p, adjusted = tested(Scores.of(values))
    for m in range(n_measures):
        x = _complete(values[:, :, m])
        small, equal = (_pairs(pairs, n_systems) for pairs in small_differences.found(x))
        for i, j in equal:
            p[m, i, j] = p[m, j, i] = adjusted[m, i, j] = adjusted[m, j, i] = 1.0
        if small:
            own, ties = zip(
                *(small_differences.alone(x[:, i], x[:, j]) for i, j in small), strict=True
            )
            own_p, own_adjusted = tested(Scores.of(np.stack(own, axis=2), ties))
            for (i, j), square in zip(small, own_p, strict=True):
                p[m, i, j], p[m, j, i] = square[0, 1], square[1, 0]
            adjusted[m] = own_adjusted[0] if n_systems == 2 else np.nan
    nobody = np.isnan(values).any(axis=1).all(axis=0)
    p[nobody] = adjusted[nobody] = np.where(np.eye(n_systems, dtype=bool), 1.0, np.nan)
    return Result(p, adjusted if alternative == "two-sided" else None, total, exact)


def number_of_permutations(n_users: int, samples: int) -> tuple[int, bool]:
    """Return the number of permutations that are tried, and whether these are all."""
    exact = n_users <= 62 and 2**n_users <= samples
    return (2**n_users if exact else samples), exact


@dataclass(frozen=True)
class Scores:
    """Values, the columns of the product that they become, and by how much sums may be off."""

    values: Floats  # (n_systems, n_measures, n_users); k where all are k / q
    # The same less what the systems share, (n_users, n_systems * n_measures), float32 or float64.
    columns: Floats | Floats32
    observed: Floats  # the sums of the columns, (n_systems, n_measures)
    error: Floats  # by how much a sum of the product may be off, (n_systems, n_measures)
    tie: Floats  # by how much equal differences may differ, (n_systems, n_systems, n_measures)
    root: Floats  # sqrt(sum_u d_u^2) of each pair, (n_systems, n_systems, n_measures)

    @classmethod
    def of(cls, values: Floats, ties: Sequence[float] | None = None) -> Self:
        """Return values ready for the test, measure by measure.

        `ties` is the tolerance of equal differences under each measure, if not that of the values.
        """
        n_users, n_systems, n_measures = values.shape
        kind = np.float64 if n_users <= FEW else np.float32
        exact = 2 / np.finfo(kind).eps  # sums of whole numbers are, up to here
        whole = np.zeros((n_systems, n_measures, n_users))
        columns = np.zeros((n_users, n_systems, n_measures), dtype=kind)
        observed, error = np.zeros((2, n_systems, n_measures))
        tie, root = np.zeros((2, n_systems, n_systems, n_measures))
        first, second = np.triu_indices(n_systems, k=1)
        for m in range(n_measures):
            x = _complete(values[:, :, m])
            parts = _parts(x)
            x = np.rint(x * parts) if parts else x
            whole[:, m] = x.T
            own, squares = small_differences.sums(np.ascontiguousarray(x))
            if not parts:
                tie[first, second, m] = tie[second, first, m] = own if ties is None else ties[m]
            root[first, second, m] = root[second, first, m] = np.sqrt(squares)
            # The common part of all systems changes no difference, and only makes sums larger. Of a
            # difference against nothing it would only make a second column.
            against_nothing = n_systems == 2 and not x[:, 1].any()
            shared = np.zeros((1, 1)) if against_nothing else x.mean(axis=1, keepdims=True)
            x = x - (np.rint(shared) if parts else shared)
            columns[:, :, m] = x
            observed[:, m] = x.sum(axis=0)
            if not (parts and np.abs(x).sum(axis=0).max(initial=0) < exact):
                error[:, m] = SAFETY / exact * np.sqrt(n_users * (x**2).sum(axis=0))
        flat = columns.reshape(n_users, n_systems * n_measures)
        return cls(whole, flat, observed, error, tie, root)


def count(
    scores: Scores,
    blocks: Collection[int],
    total: int,
    exact: bool,
    seed: int,
    alternative: str = "two-sided",
) -> Integers:
    """Count over some of the blocks of permutations; the counts of all blocks add up to the test's.

    Block k holds the permutations k BLOCK to (k + 1) BLOCK - 1 of the `total`; they are all that
    there are, if `exact`, and drawn otherwise. The counts, (2, n_systems, n_systems, n_measures),
    are of permutations at least as extreme as the observed data, and of those whose largest
    standardised difference is at least that observed of the pair.
    """
    n_systems, n_measures, _ = scores.values.shape
    extreme = np.zeros((n_systems, n_systems, n_measures), dtype=np.int64)
    largest = np.zeros_like(extreme)
    bounds, weight, slack = _standardised(scores)
    for bits, sums in permutations(scores.columns, blocks, total, exact, seed):
        drawn = sums.reshape(len(sums), n_systems, n_measures)
        for side in (0,) if alternative == "two-sided" else (1, -1):
            arrays = (scores.values, scores.observed, scores.error, scores.tie)
            count_extreme(drawn, bits, arrays, side, extreme)
        if alternative == "two-sided":
            peaks = np.sort(largest_differences(drawn, weight, slack), axis=0)
            for m in range(n_measures):
                largest[:, :, m] += len(peaks) - np.searchsorted(peaks[:, m], bounds[:, :, m])
    if alternative == "less":
        extreme = np.swapaxes(extreme, 0, 1)
    return np.stack([extreme, largest])


def permutations(
    columns: Floats | Floats32, blocks: Collection[int], total: int, exact: bool, seed: int
) -> Iterator[tuple[npt.NDArray[np.uint8], Floats | Floats32]]:
    """Yield the signs of some blocks of permutations as bits, and the columns' sums under them.

    `columns` are (n_users, n_columns), and the sums (n, n_columns); for the others see `count`.
    """
    n_users = len(columns)
    for block in progress(blocks, f"blocks of {BLOCK} permutations"):
        first = block * BLOCK
        n = min(BLOCK, total - first)
        bits = all_bits(n_users, first, n) if exact else random_bits(n_users, block, seed)[:n]
        bits.flags.writeable = False  # those that are drawn are not: one type, compiled once
        yield bits, _sums(bits, columns)


def _standardised(scores: Scores) -> list[Floats | Floats32]:
    """Return the least standardised differences as large as the observed ones, weights and slack.

    Each is (n_systems, n_systems, n_measures), of the type of the columns; a standardised
    difference is the difference times the weight, and with the slack none is too small.
    """
    kind = scores.columns.dtype.type
    weight = np.divide(1, scores.root, out=np.zeros_like(scores.root), where=scores.root > 0)
    slack = scores.tie.copy()
    if kind is np.float64:
        slack += scores.error[:, None] + scores.error
    slack *= weight
    bounds = np.abs(scores.observed[:, None] - scores.observed) * weight * (1 - CLOSE[kind]) - slack
    return [own.astype(kind) for own in (bounds, weight, slack)]


def random_bits(n_users: int, block: int, seed: int) -> npt.NDArray[np.uint8]:
    """Return the random signs of one block of permutations as bits, uint8 (BLOCK, n_users / 8)."""
    n_bytes = (n_users + 7) // 8
    drawn = generator(seed, "signs", block).bytes(BLOCK * n_bytes)
    return np.frombuffer(drawn, dtype=np.uint8).reshape(BLOCK, n_bytes)


def all_bits(n_users: int, first: int, n: int) -> npt.NDArray[np.uint8]:
    """Return the n permutations from number `first` on, whose binary digits are the signs."""
    digits = np.arange(first, first + n)[:, None] >> np.arange(n_users) & 1
    return np.packbits(digits.astype(np.uint8), axis=1)


def signs(bits: npt.NDArray[np.uint8], kind: npt.DTypeLike = np.float32) -> Floats32 | Floats:
    """Return the signs of bits, eight a byte: -1 for a 1; (n, 8 n_bytes)."""
    # No byte is beyond the table; without bounds checks, taking is five times as fast.
    eight = _EIGHT_SIGNS.astype(kind, copy=False)
    return np.take(eight, bits, axis=0, mode="clip").reshape(len(bits), -1)


_EIGHT_SIGNS = 1 - 2 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(
    np.float32
)


def _sums(bits: npt.NDArray[np.uint8], columns: Floats32 | Floats) -> Floats32 | Floats:
    """Return the columns' sums under the signs of each permutation, (n, n_columns)."""
    total = np.zeros((len(bits), columns.shape[1]), dtype=columns.dtype)
    kept = columns.any(axis=0)
    for first in range(0, len(columns), USERS):
        part = columns[first : first + USERS]
        some = signs(bits[:, first // 8 : (first + USERS) // 8], columns.dtype)[:, : len(part)]
        if kept.all():
            total += some @ part
        else:
            total[:, kept] += some @ part[:, kept]
    return total


def _pairs(chosen: Booleans, n_systems: int) -> list[tuple[int, int]]:
    """Return some of the pairs i < j."""
    first, second = np.triu_indices(n_systems, k=1)
    return [*zip(first[chosen].tolist(), second[chosen].tolist(), strict=True)]


def _complete(x: Floats) -> Floats:
    """Return the values by a measure, 0 for users who lack one."""
    return np.where(np.isnan(x).any(axis=1, keepdims=True), 0.0, x)


def _parts(x: Floats) -> int:
    """Return q if all values are of the form k / q, as precision at q is, and 0 otherwise."""
    for some in (x[:MOST_VALUES], x):
        distinct = np.unique(some)
        if len(distinct) > MOST_VALUES:
            return 0
    # Most q are ruled out by a few values; and all by those of whose sums rounding is no part of 1.
    possible = np.arange(1, MOST_VALUES + 1)
    possible = possible[possible * (np.abs(distinct).max() * len(x)) < 0.25 / EQUAL]
    for some in (distinct[:: len(distinct) // 8 + 1], distinct):
        products = np.outer(possible, some)
        whole = np.rint(products)
        possible = possible[(np.abs(products - whole) <= EQUAL * np.abs(whole)).all(axis=1)]
    return int(possible[0]) if len(possible) else 0


def _shares(counts: Integers, total: int, add_one: bool) -> Floats:
    """Return counts (n_systems, n_systems, n_measures) as p-values, measures first."""
    p = np.moveaxis((counts + 1) / (total + 1) if add_one else counts / total, 2, 0)
    p = np.ascontiguousarray(p)
    diagonal = np.arange(p.shape[1])
    p[:, diagonal, diagonal] = 1.0
    return p
