"""Sampled metrics of whole lists in expectation: several relevant items to a user, all systems.

"together" is section 4.1 of Rendle, 2019: the relevant items of a user stand among one sample of
irrelevant ones. The j-th relevant item of the list then has the rank j + X_j, and every metric is a
sum over relevant items of a function of that rank, so expected values need only each X_j::

    P@k = sum_j [r_j <= k] / k;  R@k = sum_j [r_j <= k] / |R|;  AP@k = sum_j [r_j <= k] (j / r_j) /
    min(|R|, k);  nDCG@k = sum_j [r_j <= k] / log2(r_j + 1) / ideal;  RR@k = [r_1 <= k] / r_1

With all irrelevant items for a sample, these are the metrics of the profile `rendle`. "alone" is
the rest of the paper, and leave-one-out evaluation: each relevant item is ranked by itself among a
sample of its own, and the user's value is the mean over the relevant items.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Self

import numpy as np
import numpy.typing as npt

from rankassay.errors import one_of
from rankassay.kernels import njit
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists
from rankassay.metrics.sampled.distribution import exact, expectation
from rankassay.types import Booleans, Floats, Integers

# Sums over relevant items: the function of the rank, a row of `rank_functions`, and the numerator
# of its weight, a column of `_numerators`.
SUMS = {"P": (0, 0), "R": (0, 0), "AP": (1, 1), "nDCG": (2, 0), "RR": (1, 2)}
METRICS = (*SUMS, "AUC")
RELEVANT = ("together", "alone")
BELOW = 2**32  # what no rank is as large as


@dataclass(frozen=True)
class Instances:
    """The relevant items of all users as a system ranks them, each user's best first.

    A relevant item without a score is in no exact list. On a sample, it stands below all items that
    have a score and in the middle of those that have none, as AUC counts it, too.
    """

    row: Integers  # int64 (n_items,), the user row of each
    rank: Integers  # int64 (n_items,), among all candidates; 0 is without a score
    place: Integers  # int64 (n_items,), j, from 1; 1 for all where items are ranked alone
    above: Floats  # float64 (n_items,), how many irrelevant items stand above
    total: Floats  # and how many the user has: all other candidates; by popularity, sums of weights
    n_relevant: Floats  # float64 (n_users,), |R|, at least 1
    alone: bool

    @classmethod
    def of(cls, judgements: Judgements, lists: Lists, relevant: str = "together") -> Self:
        """Return a system's instances; users without relevant items have no row."""
        one_of("choice of how relevant items are ranked", relevant, RELEVANT)
        found = np.flatnonzero(judgements.relevant)
        row, rank = judgements.row[found], lists.ranks[found].astype(np.int64)
        # Rows are in order already, so that each row's ranks can be sorted as numbers are.
        rank = np.sort(row * BELOW + np.where(rank > 0, rank, WHOLE_LIST)) % BELOW
        rank[rank == WHOLE_LIST] = 0
        first = np.searchsorted(row, np.arange(judgements.n_users))
        place = np.arange(len(row)) - first[row] + 1
        total = lists.n_candidates[row] - judgements.n_relevant[row]
        scored = np.bincount(row, rank > 0, judgements.n_users)
        irrelevant = (lists.length - scored)[row]  # those that have a score
        above = np.where(rank > 0, rank - place, irrelevant + (total - irrelevant) / 2)
        kept = judgements.n_relevant > 0
        return cls(
            row=(np.cumsum(kept) - 1)[row],
            rank=rank,
            place=place if relevant == "together" else np.ones_like(place),
            above=above,
            total=total,
            n_relevant=judgements.n_relevant[kept],
            alone=relevant == "alone",
        )

    @functools.cached_property
    def auc(self) -> Floats:
        """The area under the curve of each user, on any sample and exactly, (n_users,)."""
        below = np.divide(
            self.above, self.total, out=np.zeros_like(self.total), where=self.total > 0
        )
        return np.bincount(self.row, 1 - below, len(self.n_relevant)) / self.n_relevant

    def weighing(self, above: Floats, total: Floats) -> Self:
        """Return the same where irrelevant items are drawn by weight; `above` is in weights."""
        return replace(self, above=above, total=total)

    def values(
        self,
        m: int | None,
        metrics: Sequence[str],
        cutoffs: Sequence[int],
        replacement: bool = True,
    ) -> Floats:
        """Return expected metrics of all users, float64 (n_users, n_metrics * n_cutoffs).

        On samples of `m` irrelevant items, of which each may be drawn twice or, without
        `replacement`, once; None is all, the exact metrics. AUC has the same in all columns.
        """
        return self._measured(self._functions(m, cutoffs, replacement), metrics, cutoffs)

    def _functions(
        self,
        m: int | None,
        cutoffs: Sequence[int],
        replacement: bool,
        items: Booleans | slice = slice(None),
    ) -> Floats:
        """Return `rank_functions` of all or some items' ranks, (n_items, 3, n_cutoffs)."""
        above, place = self.above[items], self.place[items]
        asked = rank_functions(max(cutoffs)), [*cutoffs]
        if m is None:
            return exact(above, place, *asked) * (self.rank[items] > 0)[:, None, None]
        return expectation(above, self.total[items], place, m, *asked, replacement)

    def _measured(self, found: Floats, metrics: Sequence[str], cutoffs: Sequence[int]) -> Floats:
        """Return the metrics of all users, given the functions of the items' ranks."""
        for metric in metrics:
            one_of("sampled metric", metric, METRICS)
        values = np.empty((len(self.n_relevant), len(metrics), len(cutoffs)))
        area = np.array([metric == "AUC" for metric in metrics])
        values[:, ~area] = self._sums(found, [m for m in metrics if m != "AUC"], cutoffs)
        if area.any():
            values[:, area] = self.auc[:, None, None]
        return values.reshape(len(values), len(metrics) * len(cutoffs))  # of no users, too

    def _sums(self, found: Floats, metrics: Sequence[str], cutoffs: Sequence[int]) -> Floats:
        """Return the metrics that are sums of the functions `found` of the items' ranks."""
        parts = np.array([SUMS[metric] for metric in metrics], dtype=np.int64).reshape(-1, 2)
        numerators = _numerators(self.place.max(initial=0))
        denominators = np.empty((len(self.n_relevant), len(metrics), len(cutoffs)))
        for (i, metric), (c, k) in product(enumerate(metrics), enumerate(cutoffs)):
            denominators[:, i, c] = self._denominator(metric, k)
        return _totals(
            self.row, self.place, np.ascontiguousarray(found), parts, numerators, denominators
        )

    def _denominator(self, metric: str, k: int) -> npt.ArrayLike:
        """Return the divisor of the weight of each user's items, a number or (n_users,)."""
        if self.alone:
            return self.n_relevant * (k if metric == "P" else 1)
        fewest = np.minimum(self.n_relevant, k).astype(np.int64)
        return {
            "P": lambda: k,
            "R": lambda: self.n_relevant,
            "AP": lambda: fewest,
            "nDCG": lambda: np.cumsum(1 / np.log2(np.arange(2, k + 2)))[fewest - 1],
            "RR": lambda: 1,
        }[metric]()


def _numerators(deepest: int) -> Floats:
    """Return 1, j and [j = 1] for each place j, float64 (1 + deepest, 3)."""
    place = np.arange(deepest + 1)
    return np.column_stack([np.ones(deepest + 1), place, place == 1])


@njit(error_model="numpy")
def _totals(row, place, found, parts, numerators, denominators):
    """Return the sums over users' items, in their order, of functions times weights.

    `found` are the functions of the items' ranks, (n_items, 3, n_cutoffs), `parts` the values of
    `SUMS`, (n_sums, 2), and `denominators` and the sums (n_users, n_sums, n_cutoffs).
    """
    out = np.zeros(denominators.shape)
    for j in range(len(row)):
        user = row[j]
        for i in range(len(parts)):
            numerator = numerators[place[j], parts[i, 1]]
            for c in range(found.shape[2]):
                weight = numerator / denominators[user, i, c]
                out[user, i, c] += found[j, parts[i, 0], c] * weight
    return out


def values_of_bounds(
    instances: Sequence[Instances],
    m: int | None,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    replacement: bool = True,
) -> list[Floats]:
    """Return the values of each of several instances of a system, as `Instances.values` does.

    They differ by the items above some of the items, whose expected values alone are computed
    again.
    """
    first, *others = instances
    functions = first._functions(m, cutoffs, replacement)
    values = [first._measured(functions, metrics, cutoffs)]
    for other in others:
        differ, own = other.above != first.above, functions.copy()
        own[differ] = other._functions(m, cutoffs, replacement, differ)
        values.append(other._measured(own, metrics, cutoffs))
    return values


def rank_functions(depth: int) -> Floats:
    """Return 1, 1 / i and 1 / log2(i + 1) at each rank i, float64 (3, 1 + depth); column 0 is 0."""
    rank = np.arange(1.0, depth + 1)
    return np.hstack([np.zeros((3, 1)), [rank**0, 1 / rank, 1 / np.log2(rank + 1)]])
