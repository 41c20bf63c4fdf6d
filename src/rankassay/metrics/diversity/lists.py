"""The input of diversity metrics: aspects, users' interests and ratings, and a system's lists."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.kernels import kernel
from rankassay.metrics.judgements import ByUser
from rankassay.types import Booleans, Floats, Integers, Integers32


@dataclass(frozen=True)
class Aspects:
    """The aspects of each item, as lists behind one another."""

    start: Integers  # int64 (n_items + 1,): those of item i are aspect[start[i]:start[i + 1]]
    aspect: Integers32
    n_aspects: int  # |A|: the aspects that some item shows

    @classmethod
    def of(cls, shown: Booleans) -> Self:
        """Return the aspects that a matrix says, bool (n_items, n_aspects).

        Aspects that no item shows are excluded: nothing could ever cover them.
        """
        shown = np.asarray(shown, dtype=bool)
        shown = shown[:, shown.any(axis=0)]
        item, aspect = np.nonzero(shown)
        start = np.concatenate(([0], np.cumsum(np.bincount(item, minlength=len(shown)))))
        return cls(start.astype(np.int64), aspect.astype(np.int32), shown.shape[1])

    @cached_property
    def matrix(self) -> sp.csr_matrix:
        """The aspects as a matrix of ones, float64 (n_items, n_aspects)."""
        ones = np.ones(len(self.aspect))
        shape = (len(self.start) - 1, self.n_aspects)
        return sp.csr_matrix((ones, self.aspect, self.start), shape=shape)

    @cached_property
    def shown(self) -> Booleans:
        """Which item shows which aspect, bool (n_items, n_aspects)."""
        return self.matrix.toarray().astype(bool)

    def weights(self, profile: sp.csr_matrix) -> Floats:
        """Return each user's interest in each aspect, float64 (n_users, n_aspects).

        ::

            gamma_u(a) = sum_{i in I_u: a in i} r_ui / sum_a' sum_{i in I_u: a' in i} r_ui

        with I_u the user's profile; 1 / |A| for a user whose profile shows no aspect (Parapar and
        Radlinski, RecSys 2021, equation (9)).
        """
        liked = np.asarray((sp.csr_matrix(profile, dtype=np.float64) @ self.matrix).todense())
        total = liked.sum(axis=1, keepdims=True)
        uniform = np.full(liked.shape, 1 / max(self.n_aspects, 1))
        return np.divide(liked, total, out=uniform, where=total > 0)


@dataclass(frozen=True)
class Interests(ByUser):
    """The users' interest in items and in aspects."""

    start: Integers  # int64 (n_users + 1,); a user's judgements are by increasing item
    item: Integers32
    rating: Floats
    # gamma, float64 (n_users, n_aspects), which adds up to 1 for a user; see `Aspects.weights`
    weights: Floats
    aspects: Aspects
    threshold: float  # items rated at least this high are relevant
    highest: float  # r_max, the top of the scale of ratings

    @classmethod
    def of(
        cls,
        judged: sp.csr_matrix,
        profile: sp.csr_matrix,
        aspects: Aspects,
        threshold: float,
        highest: float | None = None,
    ) -> Self:
        """Return the interests that judgements and profiles show, both (n_users, n_items).

        An entry of `judged` is a judgement even if it is 0. `highest` is the highest of all
        ratings unless it is given.
        """
        rating = np.asarray(judged.data, dtype=np.float64)
        if highest is None:
            highest = float(max(rating.max(initial=0), profile.data.max(initial=0)))
        if highest <= 0 or rating.max(initial=0) > highest:
            raise RankassayError(
                f"the top of the scale of ratings is {highest:g}, but the highest rating is "
                f"{rating.max(initial=0):g}; give the top of the scale."
            )
        if judged.shape[1] != len(aspects.start) - 1:
            raise RankassayError(
                f"expected the aspects of {judged.shape[1]} items, found those of "
                f"{len(aspects.start) - 1}; prepare the dataset again."
            )
        start, item = judged.indptr.astype(np.int64), judged.indices.astype(np.int32)
        weights = aspects.weights(profile)
        return cls(start, item, rating, weights, aspects, float(threshold), float(highest))

    def part(self, keep: Booleans, users: Integers | None = None) -> Self:
        """Return the interests with the kept judgements only, bool (n_judged,).

        The weights, and all users unless `users` names their rows, stay.
        """
        rows = np.arange(self.n_users) if users is None else users
        count = np.bincount(self.row[keep], minlength=self.n_users)[rows]
        start = np.concatenate(([0], np.cumsum(count))).astype(np.int64)
        item, rating, weights = self.item[keep], self.rating[keep], self.weights[rows]
        return replace(self, start=start, item=item, rating=rating, weights=weights)

    def block(self, first: int, last: int) -> Self:
        """Return the interests of the user rows `first:last`; they share the arrays."""
        start = self.start[first : last + 1]
        own = slice(start[0], start[-1])
        item, rating, weights = self.item[own], self.rating[own], self.weights[first:last]
        return replace(self, start=start - start[0], item=item, rating=rating, weights=weights)


@dataclass(frozen=True)
class AspectLists:
    """One system's lists, with what the users think of each listed item."""

    items: Integers32  # int32 (n_users, depth), best first, padded with -1
    # int64 (n_users, depth), the index of the user's judgement of the item, -1 for none
    judgement: Integers
    interests: Interests

    @classmethod
    def of(cls, items: Integers32, interests: Interests) -> Self:
        """Return the lists of all users of `interests`, (n_users, depth)."""
        items = np.ascontiguousarray(items, dtype=np.int32)
        n_items = len(interests.aspects.start) - 1
        judgement = looked_up(items, interests.start, interests.item, n_items)
        return cls(items, judgement, interests)

    @cached_property
    def first_shown(self) -> Integers:
        """The place at which each aspect is shown first, int64 (n_users, n_aspects).

        From 0; the length of the lists for an aspect that none of the items shows.
        """
        return self.first_among(self.items)

    def first_among(self, items: Integers32) -> Integers:
        """Return `first_shown` where some items are excluded, which are -1 in `items`."""
        aspects = self.interests.aspects
        return _first_shown(items, aspects.start, aspects.aspect, aspects.n_aspects)


@kernel
def _first_shown(items, aspect_start, aspect, n_aspects):
    """Look at each list until it has shown all aspects."""
    depth = items.shape[1]
    first = np.full((len(items), n_aspects), depth)
    for u in range(len(items)):
        missing, k = n_aspects, 0
        while missing > 0 and k < depth:
            i = items[u, k]
            if i >= 0:
                for q in range(aspect_start[i], aspect_start[i + 1]):
                    if first[u, aspect[q]] == depth:
                        first[u, aspect[q]] = k
                        missing -= 1
            k += 1
    return first


@kernel
def looked_up(items, start, item, n_items):
    """Return the judgement of each listed item, int64 (n_users, depth), -1 where there is none.

    `items` are the lists, int32 (n_users, depth), padded with -1; `start` and `item` those of
    `Interests`.
    """
    found, known = np.full(items.shape, -1), np.full(n_items, -1)
    for u in range(len(items)):
        for j in range(start[u], start[u + 1]):
            known[item[j]] = j
        for k in range(items.shape[1]):
            if items[u, k] >= 0:
                found[u, k] = known[items[u, k]]
        for j in range(start[u], start[u + 1]):
            known[item[j]] = -1
    return found
