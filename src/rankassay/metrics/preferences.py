"""Preferences between two lists, by where their relevant items stand; no values of either list.

Each is a function of `places`, a `Places`, with its own parameters by name. It returns float64
(n_users, n_pairs), of the pairs i < j of systems, in the order of `Places.pairs`: above 0 where the
first one is better, and NaN for a user without relevant items.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Self

import numpy as np

from rankassay.errors import RankassayError
from rankassay.kernels import kernel
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists
from rankassay.types import Booleans, Floats, Integers, Integers32

Weights = Literal["uniform", "inverse", "log"]
UNLISTED = WHOLE_LIST  # the place of an item that is not listed: below all that are
ROUNDING = 1e-12  # weights that cancel but for this make a tie
# The share of the larger value below which the difference of two may be rounding alone: 2^-44.
HAIR = 2.0**-44


@dataclass(frozen=True)
class Places:
    """Where the lists of several systems have each user's relevant items, down to a depth."""

    # int64 (n_users + 1,): those of user row u are the entries start[u]:start[u + 1]
    start: Integers
    # int32 (n_systems, n_relevant), increasing for each user, whichever item stands there
    places: Integers32
    judgements: Judgements
    systems: Sequence[Lists]
    depth: int
    keep: Booleans | None

    @classmethod
    def of(
        cls,
        judgements: Judgements,
        systems: Sequence[Lists],
        depth: int = WHOLE_LIST,
        keep: Booleans | None = None,
    ) -> Self:
        """Return the places of the relevant items down to a depth, of the kept judgements.

        `keep` is bool (n_judged,). Raises RankassayError for fewer than two systems.
        """
        if len(systems) < 2:
            raise RankassayError(f"expected two systems or more to compare, found {len(systems)}.")
        relevant = judgements.rating >= judgements.threshold
        relevant = relevant if keep is None else relevant & keep
        start = np.concatenate(([0], np.cumsum(relevant)))[judgements.start].astype(np.int64)
        entries = np.flatnonzero(relevant)  # to find them once is faster than in every list
        ranks = np.stack([lists.ranks[entries] for lists in systems])
        listed = (ranks > 0) & (ranks <= depth)
        places = np.where(listed, ranks, UNLISTED).astype(np.int32)
        _sort(places, start)
        return cls(start, places, judgements, systems, depth, keep)

    @property
    def n_users(self) -> int:
        """The number of users, those without relevant items among them."""
        return len(self.start) - 1

    @cached_property
    def n_listed(self) -> Integers32:
        """How many relevant items each list holds, int32 (n_users, n_systems).

        From there on the places of two lists that hold no more are equal.
        """
        return _n_listed(self.places, self.start)

    def pairs(self) -> tuple[Integers, Integers]:
        """Return the pairs i < j of systems, int64 (n_pairs,) each."""
        first, second = np.triu_indices(len(self.places), k=1)
        return first.astype(np.int64), second.astype(np.int64)

    def by_grade(self) -> Iterator[tuple[Floats, Self]]:
        """Yield for each rating of relevant items the places of those rated at least so high.

        Before them stand the numbers of these items, float64 (n_users, 1), 0 for users who gave
        nothing this rating.
        """
        judgements, keep = self.judgements, self.keep
        counted = judgements.rating >= judgements.threshold
        counted = counted if keep is None else counted & keep
        for grade in np.unique(judgements.rating[counted]):
            at_least = replace(judgements, threshold=float(grade))
            places = type(self).of(at_least, self.systems, self.depth, keep)
            given = counted & (judgements.rating == grade)
            own = np.bincount(judgements.row[given], minlength=self.n_users)
            yield np.where(own > 0, np.diff(places.start), 0.0)[:, None], places


def recall_paired_preference(
    places: Places, *, weights: Weights = "uniform", graded: bool = False
) -> Floats:
    """RPP: the share of recall levels at which one list is better than the other, less the rest.

    ::

        RPP_u(a, b) = sum_{i <= R} w_i sgn(p_b,i - p_a,i) / sum_{i <= R} w_i

    with p_a,i the place at which list a has the user's i-th relevant item, whichever it is: a user
    who wants i items would read so far. One that is not listed stands below all that are; two of
    these are equal. Range [-1, 1].

    Parameters
    ----------
    weights : {"uniform", "inverse", "log"}
        w_i: 1, 1 / i, or 1 / log2(i + 1): how many users want i items.
    graded : bool
        Whether it is a mean over grades: for each rating g that the user gave to relevant items
        there is an RPP of the items rated at least g, which has their number as its weight (section
        on graded relevance). The authors' tool is meant to do the same, but keeps the items of the
        first grade for all others.

    References
    ----------
    Diaz and Ferraro, SIGIR 2022, equation (4) and section 3.3; rpp, invrpp and dcgrpp of pref_eval,
    with binary relevance.
    """
    if not graded:
        return _of_levels(places, weights)
    first, _ = places.pairs()
    whole, sums = np.zeros((places.n_users, 1)), np.zeros((places.n_users, len(first)))
    for n, own in places.by_grade():
        whole, sums = whole + n, sums + n * np.nan_to_num(_of_levels(own, weights))
    return np.divide(sums, whole, out=np.full(sums.shape, np.nan), where=whole > 0)


def _of_levels(places: Places, weights: Weights) -> Floats:
    level = np.arange(1.0, int(np.diff(places.start).max(initial=0)) + 1)
    by_level = {"uniform": np.ones(len(level)), "inverse": 1 / level, "log": 1 / np.log2(level + 1)}
    given = (places.places, places.start, places.n_listed, *places.pairs())
    return _preferences(*given, by_level[weights])


@kernel(steps=lambda places, start, listed, first, *_: len(first) * places.shape[1])
def _preferences(places, start, listed, first, second, weight):
    """Return the weighted mean sign of the differences in place of each user and pair.

    Signs are numbers and no branches, as which list has the higher place cannot be foreseen.
    """
    found = np.empty((len(start) - 1, len(first)))
    for u in range(len(start) - 1):
        n = start[u + 1] - start[u]
        whole = 0.0
        for i in range(n):
            whole += weight[i]
        for k in range(len(first)):
            a, b, total = places[first[k]], places[second[k]], 0.0
            for i in range(max(listed[u, first[k]], listed[u, second[k]])):
                j = start[u] + i
                total += weight[i] * (np.int64(a[j] < b[j]) - np.int64(a[j] > b[j]))
            if abs(total) < ROUNDING * whole:
                total = 0.0
            found[u, k] = total / whole if n > 0 else np.nan
    return found


def lexirecall(places: Places) -> Floats:
    """Lexirecall: the preference for the list that is better for its worst-served user.

    ::

        LR_u(a, b) = sgn(p_b,i - p_a,i) at the last i at which they differ

    with p as in `recall_paired_preference`: the list that has more relevant items is better, and of
    two that have as many the one whose last one stands higher, and so on upwards. It is the limit
    of total search efficiency, which is about who needs all items. 1 where a is better, -1 where b
    is, 0 where all places are equal.

    References
    ----------
    Diaz, Ekstrand and Mitra, "Recall, robustness, and lexicographic evaluation", 2023, section 4.
    """
    return _of(places, -1, False)


def lexiprecision(places: Places, *, by: Literal["sign", "reciprocal"] = "sign") -> Floats:
    """Lexiprecision: which list has the first relevant item higher, and then the next.

    ::

        LP_u(a, b) = sgn(p_b,i - p_a,i), or 1 / p_a,i - 1 / p_b,i, at the first i where they differ

    As reciprocal rank, except that lists which tie by it are compared by their next relevant items.
    Range [-1, 1].

    Parameters
    ----------
    by : {"sign", "reciprocal"}
        The preference alone, or by how much: the difference of the reciprocals of the places, with
        0 for an item that is not listed (rrLP).

    References
    ----------
    Diaz, "Best-case retrieval evaluation: improving the sensitivity of reciprocal rank with
    lexicographic precision", 2023, section 4; lexiprecision and rrlexiprecision of pref_eval.
    """
    return _of(places, 1, by == "reciprocal")


def _of(places: Places, step: int, reciprocal: bool) -> Floats:
    given = (places.places, places.start, places.n_listed, *places.pairs())
    return _lexicographic(*given, step, reciprocal)


@kernel(steps=lambda places, start, listed, first, *_: len(first) * places.shape[1])
def _lexicographic(places, start, listed, first, second, step, reciprocal):
    """Return the preference at the first difference, from the best place on or from the worst."""
    found = np.zeros((len(start) - 1, len(first)))
    unlisted = np.iinfo(np.int32).max
    for u in range(len(start) - 1):
        for k in range(len(first)):
            a, b = places[first[k]], places[second[k]]
            if start[u + 1] == start[u]:
                found[u, k] = np.nan
            n = max(listed[u, first[k]], listed[u, second[k]])
            for i in range(n):
                j = start[u] + (i if step > 0 else n - 1 - i)
                if a[j] != b[j]:
                    if reciprocal:
                        above = 1.0 / a[j] if a[j] < unlisted else 0.0
                        below = 1.0 / b[j] if b[j] < unlisted else 0.0
                        found[u, k] = above - below
                    else:
                        found[u, k] = 1.0 if a[j] < b[j] else -1.0
                    break
    return found


def signs(values: Floats) -> Floats:
    """Return which of two systems a metric of which more is better prefers, (n_users, n_pairs).

    ::

        S_u(a, b) = sgn(m_u(a) - m_u(b))

    Values (n_users, n_systems) that differ by no more than rounding can, 2^-44 of the larger one,
    are a tie; NaN is undefined.
    """
    difference, tied = differences(values)
    np.sign(difference, out=difference)
    difference[tied] = 0.0
    return difference


@kernel(steps=lambda values: values.size * values.shape[1])
def differences(values):
    """Return the differences m_u(a) - m_u(b) of the pairs i < j, and which of them are ties."""
    n = values.shape[1]
    difference = np.empty((len(values), n * (n - 1) // 2))
    tied = np.empty(difference.shape, dtype=np.bool_)
    for u in range(len(values)):
        k = 0
        for i in range(n):
            for j in range(i + 1, n):
                a, b = values[u, i], values[u, j]
                difference[u, k] = a - b
                tied[u, k] = abs(a - b) <= HAIR * max(abs(a), abs(b))
                k += 1
    return difference, tied


@kernel
def _n_listed(places, start):
    """Count the places of each user and system before the first `UNLISTED` one."""
    listed = np.zeros((len(start) - 1, len(places)), dtype=np.int32)
    for s in range(len(places)):
        own = places[s]
        for u in range(len(start) - 1):
            for j in range(start[u], start[u + 1]):
                listed[u, s] += own[j] < UNLISTED
    return listed


@kernel
def _sort(places, start):
    """Put each user's places in order, in place; most are nearly so."""
    for s in range(len(places)):
        own = places[s]
        for u in range(len(start) - 1):
            for j in range(start[u] + 1, start[u + 1]):
                k, place = j, own[j]
                while k > start[u] and own[k - 1] > place:
                    own[k] = own[k - 1]
                    k -= 1
                own[k] = place
