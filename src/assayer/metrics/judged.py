"""What a metric may know: the judged items of each user, and where a system's list has them.

A ranking metric depends on a list only through the ranks of its judged items, and on the test set
only through each user's judged ratings. Both are kept flat, all users behind one another, so that
a metric is a few operations on arrays and every metric at every cut-off reads the same arrays.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from numba import njit

WHOLE_LIST = np.iinfo(np.int32).max


@dataclass(frozen=True)
class Judgements:
    """The test ratings as relevance judgements, for the users who have any.

    Attributes
    ----------
    users : int32 (n_users,)
        Indices of the judged users in the dataset, increasing.
    start : int64 (n_users + 1,)
        The judgements of user row `u` are the entries `start[u]:start[u + 1]`.
    rating : float64 (n_judged,)
    threshold : float
        Items rated at least so high are relevant, the other judged ones non-relevant
        (Valcarce et al., RecSys 2018, section 5: 4 on a scale from 1 to 5).
    """

    users: npt.NDArray[np.int32]
    start: npt.NDArray[np.int64]
    rating: npt.NDArray[np.float64]
    threshold: float

    @classmethod
    def of(cls, test: sp.csr_matrix, threshold: float) -> Self:
        """Return the judgements that the ratings of a test matrix make."""
        count = np.diff(test.indptr)
        users = np.flatnonzero(count).astype(np.int32)
        start = np.concatenate(([0], np.cumsum(count[users]))).astype(np.int64)
        return cls(users, start, test.data.astype(np.float64), float(threshold))

    @property
    def n_users(self) -> int:
        """The number of judged users."""
        return len(self.users)

    @cached_property
    def row(self) -> npt.NDArray[np.int64]:
        """The user row of each judgement, int64 (n_judged,)."""
        return np.repeat(np.arange(self.n_users), np.diff(self.start))

    @cached_property
    def relevant(self) -> npt.NDArray[np.bool_]:
        """Whether each judged item is relevant, bool (n_judged,)."""
        return self.rating >= self.threshold

    @cached_property
    def n_relevant(self) -> npt.NDArray[np.float64]:
        """|R_u|, the number of relevant items of each user, float64 (n_users,)."""
        return np.bincount(self.row, weights=self.relevant, minlength=self.n_users)

    @cached_property
    def n_nonrelevant(self) -> npt.NDArray[np.float64]:
        """|N_u|, the number of judged non-relevant items of each user, float64 (n_users,)."""
        return np.diff(self.start) - self.n_relevant

    @cached_property
    def place(self) -> npt.NDArray[np.int32]:
        """The place of each judgement among its user's, from 1, int32 (n_judged,)."""
        return (np.arange(len(self.rating)) - self.start[self.row] + 1).astype(np.int32)

    @cached_property
    def ideal_rating(self) -> npt.NDArray[np.float64]:
        """The ratings at each place of the best possible lists, float64 (n_judged,)."""
        return self.rating[np.lexsort((-self.rating, self.row))]

    def sample(self, keep: npt.NDArray[np.bool_], unjudged_users: str = "drop") -> "Judgements":
        """Return the judgements that a mask over them keeps.

        Parameters
        ----------
        keep : bool (n_judged,)
        unjudged_users : {"drop", "zero"}
            Whether users who keep no judgement leave the means, as topics that are missing from
            the judgements do in trec_eval, or stay and score 0.
        """
        count = np.bincount(self.row[keep], minlength=self.n_users)
        stay = count > 0 if unjudged_users == "drop" else np.ones(self.n_users, dtype=bool)
        start = np.concatenate(([0], np.cumsum(count[stay])))
        return Judgements(self.users[stay], start, self.rating[keep], self.threshold)


@dataclass(frozen=True)
class Judged:
    """The judged items of one system's lists, each user's in the order of the list.

    Attributes
    ----------
    judgements : Judgements
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
    """

    judgements: Judgements
    start: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]
    rank: npt.NDArray[np.int32]
    rating: npt.NDArray[np.float64]
    relevant: npt.NDArray[np.bool_]
    relevant_above: npt.NDArray[np.int32]
    nonrelevant_above: npt.NDArray[np.int32]

    def accumulate(
        self, contribution: npt.NDArray[np.float64], cutoffs: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        """Sum the entries' contributions down to each cut-off; see `accumulate`."""
        return accumulate(self.start, self.rank, contribution, cutoffs)


def judge(judgements: Judgements, ranks: npt.NDArray[np.int32], depth: int = WHOLE_LIST) -> Judged:
    """Return the judged items of the lists that `ranks` describe.

    Parameters
    ----------
    judgements : Judgements
    ranks : int32 (n_judged,)
        The rank of each judged item, from 1; 0 for an item that is not listed.
    depth : int
        Items ranked deeper are not listed.
    """
    entry, start = _listed(judgements.start, ranks, depth)
    row = np.repeat(np.arange(judgements.n_users), np.diff(start))
    relevant = judgements.relevant[entry]
    above, position = _counted_above(start, relevant)
    return Judged(
        judgements,
        start,
        row,
        ranks[entry],
        judgements.rating[entry],
        relevant,
        above,
        position - above,
    )


def accumulate(
    start: npt.NDArray[np.int64],
    rank: npt.NDArray[np.int32],
    contribution: npt.NDArray[np.float64],
    cutoffs: npt.NDArray[np.int64],
) -> npt.NDArray[np.float64]:
    """Sum contributions down to each cut-off, user by user, float64 (n_users, n_cutoffs).

    Parameters
    ----------
    start : int64 (n_users + 1,)
        The entries of user row `u` are `start[u]:start[u + 1]`.
    rank : int32 (n_entries,)
        Increasing within a user.
    contribution : (n_entries,)
        What each entry adds where it stands.
    cutoffs : int64 (n_cutoffs,)
        Increasing.
    """
    return _accumulate(start, rank, np.asarray(contribution, dtype=np.float64), cutoffs)


def ratio(numerator, denominator, empty: float = 0.0) -> npt.NDArray[np.float64]:
    """Return numerator / denominator, and `empty` where the denominator is zero."""
    numerator, denominator = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    result = np.full(numerator.shape, empty)
    return np.divide(numerator, denominator, out=result, where=denominator != 0)


@njit(cache=True)
def _listed(start, ranks, depth):
    """Return the listed judgements' indices, each user's by rank, and where each user's begin."""
    n_users = len(start) - 1
    entry = np.empty(len(ranks), dtype=np.int64)
    listed_start = np.zeros(n_users + 1, dtype=np.int64)
    n = 0
    for u in range(n_users):
        first = n
        for j in range(start[u], start[u + 1]):
            if ranks[j] < 1 or ranks[j] > depth:
                continue
            position = n
            while position > first and ranks[entry[position - 1]] > ranks[j]:
                entry[position] = entry[position - 1]
                position -= 1
            entry[position] = j
            n += 1
        listed_start[u + 1] = n
    return entry[:n].copy(), listed_start


@njit(cache=True)
def _counted_above(start, relevant):
    """Return for each entry the relevant entries above it in its list, and all entries above it."""
    above = np.empty(len(relevant), dtype=np.int32)
    position = np.empty(len(relevant), dtype=np.int32)
    for u in range(len(start) - 1):
        seen = 0
        for j in range(start[u], start[u + 1]):
            above[j] = seen
            position[j] = j - start[u]
            seen += relevant[j]
    return above, position


@njit(cache=True)
def _accumulate(start, rank, contribution, cutoffs):
    """Sum contributions user by user in the order of the list, so that equal lists tie exactly."""
    n_users = len(start) - 1
    total = np.empty((n_users, len(cutoffs)))
    for u in range(n_users):
        j, end, sum_ = start[u], start[u + 1], 0.0
        for c in range(len(cutoffs)):
            while j < end and rank[j] <= cutoffs[c]:
                sum_ += contribution[j]
                j += 1
            total[u, c] = sum_
    return total
