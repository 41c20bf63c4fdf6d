"""What a metric may know: the judged items of each user, where a system's list has them.

A ranking metric depends on a list only through the ranks of its judged items, and on the test set
only through each user's judged ratings. Both are kept flat, all users behind one another, so that
a metric is a few operations on arrays and every metric at every cut-off reads the same arrays.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from numba import njit

from assayer.errors import AssayerError
from assayer.metrics.judgements import WHOLE_LIST, Floats, Integers, Judgements, Lists


@dataclass(frozen=True)
class Entries:
    """Places of the lists of all users, each user's in the order of the list.

    Attributes
    ----------
    start : int64 (n_users + 1,)
        The entries of user row `u` are `start[u]:start[u + 1]`.
    row : int64 (n_entries,)
        The user row of each entry.
    rank : int32 (n_entries,)
        The position in the list, from 1, increasing within a user.
    rating : float64 (n_entries,)
    relevant : bool (n_entries,)
    relevant_above, nonrelevant_above : int32 (n_entries,)
        How many relevant and judged non-relevant items stand above in the list.
    judgement : int64 (n_entries,)
        The index of each entry in the whole test set's judgements.
    """

    start: Integers
    row: Integers
    rank: npt.NDArray[np.int32]
    rating: Floats
    relevant: npt.NDArray[np.bool_]
    relevant_above: npt.NDArray[np.int32]
    nonrelevant_above: npt.NDArray[np.int32]
    judgement: Integers
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
        """Return how many entries stand in the first n places, int64 (n_users, n_cutoffs)."""
        key = cutoffs.tobytes()
        if key not in self._bounds:
            self._bounds[key] = bounds(self.start, self.rank, cutoffs)
        return self._bounds[key]


@dataclass(frozen=True)
class Total:
    """What most metrics are: contributions of entries, summed down to cut-offs, and divided.

    Attributes
    ----------
    entries : Entries
    contribution : float64 (n_entries,) or (1,)
        What each entry adds where it stands.
    cutoffs : int64 (n_cutoffs,)
        Increasing.
    divisor : float64, broadcast to (n_users, n_cutoffs)
        Divides the sums; where it is zero, the result is zero.
    """

    entries: Entries
    contribution: Floats
    cutoffs: Integers
    divisor: Floats

    def values(self) -> Floats:
        """Return the value of every user, float64 (n_users, n_cutoffs)."""
        bounds = self.entries.bounds(self.cutoffs)
        return _total(self.entries.start, self.contribution, bounds, self.divisor)

    def sum(self) -> Floats:
        """Return the sum of the values over users, float64 (n_cutoffs,).

        Where the divisor allows, entries are summed at once over all users, each first rounded to
        a multiple of a power of two so small that the sum is exact (and about 2^-52 of the sum):
        systems with the same hits so tie exactly, whatever the order.
        """
        entries, (n_rows, n_columns) = self.entries, self.divisor.shape
        if n_rows > 1 and n_columns > 1:
            return self.values().sum(axis=0)
        added = self.contribution
        if n_rows > 1:
            added = ratio(added, self.divisor[entries.row, 0])
        if len(added) == 1:
            sums = added * np.bincount(entries.rank, minlength=1)
        else:
            unit = 2.0 ** (np.frexp(np.abs(added).sum())[1] - 52)
            whole = np.rint(added / unit)
            sums = np.bincount(entries.rank, weights=whole, minlength=1) * unit
        down_to = np.cumsum(sums)[np.minimum(self.cutoffs, len(sums) - 1)]
        return down_to if n_columns == 1 and n_rows > 1 else ratio(down_to, self.divisor[0])


@dataclass(frozen=True)
class Judged:
    """One system's lists as a metric sees them.

    Attributes
    ----------
    judgements : Judgements
    lists : Lists
        Of the users in `judgements`; its ranks and predictions are those of the whole test set.
    depth : int
        Where the lists are cut.
    items : Entries
        The judged items in the lists.
    kept : bool (n_judged,) or None
        Which judgements of the whole test set count; None is all.
    """

    judgements: Judgements
    lists: Lists
    depth: int
    items: Entries
    kept: npt.NDArray[np.bool_] | None = None

    @cached_property
    def hits(self) -> Entries:
        """The relevant items in the lists."""
        items = self.items
        relevant = np.flatnonzero(items.relevant)
        start = np.searchsorted(relevant, items.start)
        return Entries(start, *(getattr(items, name)[relevant] for name in _COLUMNS))

    @property
    def ranks(self) -> npt.NDArray[np.int32]:
        """The ranks of all judged items, however deep, int32 (n_judged,); 0 is not ranked."""
        return self.lists.ranks if self.kept is None else self.lists.ranks[self.kept]

    @property
    def n_relevant(self) -> Floats:
        """|R_u|, as a column, float64 (n_users, 1)."""
        return self.judgements.n_relevant[:, None]

    def listed(self, cutoffs: Integers) -> Floats:
        """Return how many items stand in the first n places, float64 (n_users, n_cutoffs)."""
        places = np.minimum(cutoffs, self.depth)
        return np.minimum(self.lists.length[:, None], places).astype(np.float64)

    def n_candidates(self, metric: str) -> Floats:
        """Return how many items could have been listed, as a column, float64 (n_users, 1)."""
        if self.lists.n_candidates is None:
            raise AssayerError(
                f"the metric {metric} needs the number of items that could be listed; give n_items."
            )
        return self.lists.n_candidates[:, None].astype(np.float64)

    def sample(self, keep: npt.NDArray[np.bool_], part: Judgements) -> "Judged":
        """Return the lists as seen by `part`, the judgements that `keep` keeps; nothing is sorted.

        `keep` is a mask over the judgements of a whole test set, (n_judged,).
        """
        users = self.judgements.users
        rows = part.remember(("rows",), lambda: np.searchsorted(users, part.users))
        n_candidates = self.lists.n_candidates
        lists = replace(
            self.lists,
            length=self.lists.length[rows],
            n_candidates=None if n_candidates is None else n_candidates[rows],
        )
        items = self.items
        entries = _kept(
            items.start, items.judgement, items.rank, items.rating, items.relevant, rows, keep
        )
        return Judged(part, lists, self.depth, Entries(*entries), keep)


_COLUMNS = (
    "row",
    "rank",
    "rating",
    "relevant",
    "relevant_above",
    "nonrelevant_above",
    "judgement",
)


def judge(judgements: Judgements, lists: Lists, depth: int = WHOLE_LIST) -> Judged:
    """Return the judged items of a system's lists, which are cut at `depth`."""
    listed = _listed(judgements.start, lists.ranks, depth)
    entries = Entries(*_looked_up(*listed, lists.ranks, judgements.rating, judgements.threshold))
    return Judged(judgements, lists, depth, entries)


def bounds(start: Integers, rank: npt.NDArray[np.int32], cutoffs: Integers) -> Integers:
    """Return how many entries stand in the first n places, int64 (n_users, n_cutoffs)."""
    return _bounds(start, rank, cutoffs)


def total(start: Integers, contribution: Floats, bounds: Integers) -> Floats:
    """Sum contributions down to each bound, float64 (n_users, n_cutoffs)."""
    return _total(start, contribution, bounds, np.ones((1, 1)))


def ratio(numerator, denominator, empty: float = 0.0) -> Floats:
    """Return numerator / denominator, and `empty` where the denominator is zero."""
    numerator, denominator = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    result = np.full(numerator.shape, empty)
    return np.divide(numerator, denominator, out=result, where=denominator != 0)


@njit(cache=True)
def _listed(start, ranks, depth):
    """Return where each user's listed judgements begin, and their indices, each user's by rank."""
    n_users = len(start) - 1
    entry = np.empty(len(ranks) + 1, dtype=np.int64)
    listed_start = np.zeros(n_users + 1, dtype=np.int64)
    n = 0
    if depth > 1024:
        for u in range(n_users):
            first = n
            for j in range(start[u], start[u + 1]):
                entry[n] = j
                n += ranks[j] >= 1 and ranks[j] <= depth
            own = entry[first:n].copy()
            entry[first:n] = own[np.argsort(ranks[own], kind="mergesort")]
            listed_start[u + 1] = n
        return listed_start, entry[:n].copy()
    # In short lists, each item goes to its place, the last of which is for those not listed.
    # Both loops are without branches that a processor could not foresee.
    place = np.full(depth + 1, -1, dtype=np.int64)
    for u in range(n_users):
        for j in range(start[u], start[u + 1]):
            listed = ranks[j] >= 1 and ranks[j] <= depth
            place[ranks[j] - 1 if listed else depth] = j
        for k in range(depth):
            entry[n] = place[k]
            n += place[k] >= 0
            place[k] = -1
        listed_start[u + 1] = n
    return listed_start, entry[:n].copy()


@njit(cache=True)
def _looked_up(start, judgement, ranks, ratings, threshold):
    """Return what is known of the listed judgements; see the attributes of Entries."""
    n = len(judgement)
    row = np.empty(n, dtype=np.int64)
    rank = np.empty(n, dtype=np.int32)
    rating = np.empty(n)
    relevant = np.empty(n, dtype=np.bool_)
    relevant_above = np.empty(n, dtype=np.int32)
    nonrelevant_above = np.empty(n, dtype=np.int32)
    for u in range(len(start) - 1):
        seen = 0
        for j in range(start[u], start[u + 1]):
            row[j] = u
            rank[j] = ranks[judgement[j]]
            rating[j] = ratings[judgement[j]]
            relevant[j] = rating[j] >= threshold
            relevant_above[j] = seen
            nonrelevant_above[j] = j - start[u] - seen
            seen += relevant[j]
    return start, row, rank, rating, relevant, relevant_above, nonrelevant_above, judgement


@njit(cache=True)
def _kept(all_start, all_judgement, all_rank, all_rating, all_relevant, rows, keep):
    """Return the entries of the users `rows` that are kept; see the attributes of Entries."""
    n = len(all_judgement) + 1
    start = np.zeros(len(rows) + 1, dtype=np.int64)
    row = np.empty(n, dtype=np.int64)
    rank = np.empty(n, dtype=np.int32)
    rating = np.empty(n)
    relevant = np.empty(n, dtype=np.bool_)
    relevant_above = np.empty(n, dtype=np.int32)
    nonrelevant_above = np.empty(n, dtype=np.int32)
    judgement = np.empty(n, dtype=np.int64)
    n = 0
    for u in range(len(rows)):
        seen, first = 0, n
        for j in range(all_start[rows[u]], all_start[rows[u] + 1]):
            # Written always, and overwritten unless kept: cheaper than a branch at random.
            row[n] = u
            rank[n] = all_rank[j]
            rating[n] = all_rating[j]
            relevant[n] = all_relevant[j]
            relevant_above[n] = seen
            nonrelevant_above[n] = n - first - seen
            judgement[n] = all_judgement[j]
            kept = keep[all_judgement[j]]
            seen += kept and all_relevant[j]
            n += kept
        start[u + 1] = n
    return (
        start,
        row[:n],
        rank[:n],
        rating[:n],
        relevant[:n],
        relevant_above[:n],
        nonrelevant_above[:n],
        judgement[:n],
    )


@njit(cache=True)
def _bounds(start, rank, cutoffs):
    """Count the entries down to each cut-off; ranks increase within a user."""
    count = np.empty((len(start) - 1, len(cutoffs)), dtype=np.int64)
    for u in range(len(start) - 1):
        j = start[u]
        for c in range(len(cutoffs)):
            while j < start[u + 1] and rank[j] <= cutoffs[c]:
                j += 1
            count[u, c] = j - start[u]
    return count


@njit(cache=True, error_model="numpy")
def _total(start, contribution, bounds, divisor):
    """Sum contributions user by user in the order of the list, so that equal lists tie exactly.

    A contribution, or a side of the divisor, of length one is broadcast.
    """
    n_users, n_cutoffs = bounds.shape
    values = np.empty((n_users, n_cutoffs))
    by_user, by_cutoff = divisor.shape[0] > 1, divisor.shape[1] > 1
    by_entry = len(contribution) > 1
    sums = np.zeros(np.max(np.diff(start)) + 1 if n_users else 1)
    for u in range(n_users):
        sum_ = 0.0
        for j in range(start[u], start[u + 1]):
            sum_ += contribution[j * by_entry]
            sums[j - start[u] + 1] = sum_
        for c in range(n_cutoffs):
            below = divisor[u * by_user, c * by_cutoff]
            values[u, c] = sums[bounds[u, c]] / below if below != 0.0 else 0.0
    return values
