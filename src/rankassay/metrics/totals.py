"""Sums over the places of lists, from which most metrics are made."""

import math
from dataclasses import dataclass, field

import numpy as np

from rankassay.kernels import kernel
from rankassay.types import Booleans, Floats, Integers, Integers32


@dataclass(frozen=True)
class Entries:
    """Places of the lists of all users, each user's in the order of the list."""

    start: Integers  # int64 (n_users + 1,): those of user row u are start[u]:start[u + 1]
    row: Integers32  # the user row of each
    rank: Integers32  # the position in the list, from 1, increasing within a user
    rating: Floats
    relevant: Booleans
    relevant_above: Integers32  # how many relevant items stand above in the list
    nonrelevant_above: Integers32  # how many judged items that are not relevant
    judgement: Integers32  # the index in the whole test set's judgements
    _bounds: dict = field(default_factory=dict, repr=False, compare=False)

    def total(self, contribution, cutoffs: Integers, divisor=1.0) -> "Total":
        """Return the sums of contributions down to each cut-off, divided; see `Total`."""
        return Total(
            self,
            np.atleast_1d(np.asarray(contribution, dtype=np.float64)),
            cutoffs,
            np.atleast_2d(np.asarray(divisor, dtype=np.float64)),
        )

    def bounds(self, cutoffs: Integers) -> Integers:
        """Return the number of entries in the first n places, int64 (n_users, n_cutoffs)."""
        key = cutoffs.tobytes()
        if key not in self._bounds:
            self._bounds[key] = bounds(self.start, self.rank, cutoffs)
        return self._bounds[key]


@dataclass(frozen=True)
class Total:
    """The form of most metrics: contributions of entries, summed down to cut-offs and divided.

    Where the divisor is zero, the result is zero.
    """

    entries: Entries
    contribution: Floats  # what each entry adds where it stands, (n_entries,) or (1,)
    cutoffs: Integers  # int64 (n_cutoffs,), increasing
    divisor: Floats  # broadcast to (n_users, n_cutoffs)

    def values(self, out: Floats | None = None) -> Floats:
        """Return the value of every user, float64 (n_users, n_cutoffs); `out` is written to."""
        bounds = self.entries.bounds(self.cutoffs)
        out = np.empty(bounds.shape) if out is None else out
        _total(self.entries.start, self.contribution, bounds, self.divisor, out)
        return out

    def sums(self, group: Integers, n_groups: int) -> tuple[Floats, Floats] | None:
        """Return sums over groups of users, (n_groups, n_cutoffs), and their remaining divisor.

        `group`, int64 (n_users,), is the group of each user. The result is None where a divisor
        depends on user and cut-off, or is zero: that takes the values of users, as NaN does.

        Sums are whole numbers of a power of two so small (about 2^-52 of all sums together) that
        any sum of them is exact: groups add up to the same bits, however users are grouped, and
        systems with the same hits tie.
        """
        entries, (n_rows, n_columns) = self.entries, self.divisor.shape
        if n_columns > 1 and (n_rows != 1 or not self.divisor.all()):  # of one user it may be zero
            return None
        by_user = self.divisor[:, 0] if n_columns == 1 else np.ones(1)
        added = _sums_by_cutoff(
            entries.row, entries.rank, self.contribution, by_user, self.cutoffs, group, n_groups
        )
        # A divisor of the cut-off alone divides the sum at the end: hits are whole numbers.
        return np.cumsum(added, axis=1), np.ones(1) if n_columns == 1 else self.divisor[0]


@kernel
def running(values, start):
    """Return the running sums of each user's values, which no other user's rounding touches."""
    sums = np.empty(len(values))
    for u in range(len(start) - 1):
        sum_ = 0.0
        for j in range(start[u], start[u + 1]):
            sum_ += values[j]
            sums[j] = sum_
    return sums


def ratio(numerator, denominator) -> Floats:
    """Return numerator / denominator, and 0 where the denominator is zero."""
    numerator, denominator = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    result = np.zeros(numerator.shape)
    return np.divide(numerator, denominator, out=result, where=denominator != 0)


def grouped_sums(values: Floats, group: Integers, n_groups: int) -> tuple[Floats, Floats]:
    """Return the sums of values (n_users, ...) by groups of users, and how many values each has.

    NaN, which is undefined, does not count. The sums are whole numbers of powers of two, as in
    `Total.sums`.
    """
    columns = values.reshape(len(values), math.prod(values.shape[1:]))  # also of no users
    sums, count = _grouped_sums(columns, group, n_groups)
    shape = (n_groups, *values.shape[1:])
    return sums.reshape(shape), count.reshape(shape)


@kernel
def between_cutoffs(deepest, cutoffs):
    """Return how many cut-offs are above each rank; np.searchsorted takes long to compile."""
    between, above = np.empty(deepest + 1, dtype=np.int64), 0
    for rank in range(deepest + 1):
        while above < len(cutoffs) and cutoffs[above] < rank:
            above += 1
        between[rank] = above
    return between


@kernel(steps=lambda start, rank, cutoffs: len(rank) + len(start) * len(cutoffs))
def bounds(start, rank, cutoffs):
    """Return the number of entries in the first n places, int64 (n_users, n_cutoffs)."""
    n_cutoffs = len(cutoffs)
    deepest = 0
    for j in range(len(rank)):
        deepest = max(deepest, rank[j])
    between = between_cutoffs(deepest, cutoffs)
    count = np.empty((len(start) - 1, n_cutoffs), dtype=np.int64)
    added = np.empty(n_cutoffs + 1, dtype=np.int64)
    for u in range(len(start) - 1):
        added[:] = 0
        for j in range(start[u], start[u + 1]):  # no branch that a processor could not foresee
            added[between[rank[j]]] += 1
        seen = 0
        for c in range(n_cutoffs):
            seen += added[c]
            count[u, c] = seen
    return count


@kernel(error_model="numpy")
def _sums_by_cutoff(row, rank, contribution, divisor, cutoffs, group, n_groups):
    """Sum the divided contributions between each cut-off and the one before, group by group."""
    by_user, by_entry, n_cutoffs = len(divisor) > 1, len(contribution) > 1, len(cutoffs)
    divided = np.empty(len(rank))
    size, deepest = 0.0, 0
    for j in range(len(rank)):
        below = divisor[row[j] * by_user]
        divided[j] = contribution[j * by_entry] / below if below != 0.0 else 0.0
        size += abs(divided[j])
        deepest = max(deepest, rank[j])
    between = between_cutoffs(deepest, cutoffs)
    unit, per_unit = unit_of(size)
    sums = np.zeros((n_groups, n_cutoffs + 1))
    for j in range(len(rank)):
        sums[group[row[j]], between[rank[j]]] += np.rint(divided[j] * per_unit)
    return sums[:, :n_cutoffs] * unit


@kernel
def unit_of(size):
    """Return a power of two, 2^52 of which make the size, and its inverse; products are faster."""
    exponent = max(math.frexp(size)[1], -900) - 52
    return 2.0**exponent, 2.0**-exponent


@kernel(steps=lambda values, *_: 3 * values.size)
def _grouped_sums(values, group, n_groups):
    """Sum the columns of values (n_users, n_columns) group by group, NaN apart; see the caller."""
    n_users, n_columns = values.shape
    size = np.zeros(n_columns)
    for u in range(n_users):
        for c in range(n_columns):
            if not np.isnan(values[u, c]):
                size[c] += abs(values[u, c])
    unit, per_unit = np.empty(n_columns), np.empty(n_columns)
    for c in range(n_columns):
        unit[c], per_unit[c] = unit_of(size[c])
    sums, count = np.zeros((n_groups, n_columns)), np.zeros((n_groups, n_columns))
    for u in range(n_users):
        g = group[u]
        for c in range(n_columns):
            if not np.isnan(values[u, c]):
                sums[g, c] += np.rint(values[u, c] * per_unit[c])
                count[g, c] += 1
    return sums * unit, count


@kernel(
    steps=lambda start, contribution, bounds, divisor, values: contribution.size + values.size,
    error_model="numpy",
)
def _total(start, contribution, bounds, divisor, values):
    """Write to `values` the sums of contributions, user by user in the order of the list.

    Equal lists so tie exactly. A contribution, or a side of the divisor, of length one is
    broadcast.
    """
    n_users, n_cutoffs = bounds.shape
    by_user, by_cutoff = divisor.shape[0] > 1, divisor.shape[1] > 1
    by_entry = len(contribution) > 1
    each = contribution[0] if len(contribution) else 0.0
    most = 0
    for u in range(n_users):
        most = max(most, start[u + 1] - start[u])
    sums = np.zeros(most + 1)
    for u in range(n_users):
        sum_ = 0.0
        for j in range(start[u], start[u + 1] if by_entry else start[u]):
            sum_ += contribution[j]
            sums[j - start[u] + 1] = sum_
        for c in range(n_cutoffs):
            below = divisor[u * by_user, c * by_cutoff]
            above = sums[bounds[u, c]] if by_entry else bounds[u, c] * each
            values[u, c] = above / below if below != 0.0 else 0.0
