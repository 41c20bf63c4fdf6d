"""The input of diversity metrics: aspects, what users think of items, and a system's lists."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import scipy.sparse as sp

from assayer.errors import AssayerError
from assayer.kernels import kernel
from assayer.metrics.judgements import ByUser
from assayer.types import Booleans, Floats, Integers, Integers32


@dataclass(frozen=True)
class Aspects:
    """The aspects of each item, as lists behind one another.

    Attributes
    ----------
    start : int64 (n_items + 1,)
        The aspects of item `i` are `aspect[start[i]:start[i + 1]]`.
    aspect : int32 (n_shown,)
    n_aspects : int
        |A|: the aspects that some item shows.
    """

    start: Integers
    aspect: Integers32
    n_aspects: int

    @classmethod
    def of(cls, shown: Booleans) -> Self:
        """Return the aspects that a matrix says, bool (n_items, n_aspects).

        Aspects that no item shows are left out: nothing could ever cover them.
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

        with I_u the user's profile; 1 / |A| for a user whose profile shows no aspect.

        References
        ----------
        Parapar and Radlinski, RecSys 2021, equation (9).
        """
        liked = np.asarray((sp.csr_matrix(profile, dtype=np.float64) @ self.matrix).todense())
        total = liked.sum(axis=1, keepdims=True)
        uniform = np.full(liked.shape, 1 / max(self.n_aspects, 1))
        return np.divide(liked, total, out=uniform, where=total > 0)


@dataclass(frozen=True)
class Interests(ByUser):
    """The users' interest in items and in aspects.

    Attributes
    ----------
    start : int64 (n_users + 1,)
        The judgements of a user are by increasing item.
    item : int32 (n_judged,)
    rating : float64 (n_judged,)
    weights : float64 (n_users, n_aspects)
        gamma, which adds up to 1 for a user; see `Aspects.weights`.
    aspects : Aspects
    threshold : float
        Items rated at least this high are relevant.
    highest : float
        r_max, the top of the scale of ratings.
    """

    start: Integers
    item: Integers32
    rating: Floats
    weights: Floats
    aspects: Aspects
    threshold: float
    highest: float

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
            raise AssayerError(
                f"the top of the scale of ratings is {highest:g}, but the highest rating is "
                f"{rating.max(initial=0):g}; give the top of the scale."
            )
        if judged.shape[1] != len(aspects.start) - 1:
            raise AssayerError(
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


@dataclass(frozen=True)
class AspectLists:
    """One system's lists, with what the users think of each listed item.

    Attributes
    ----------
    items : int32 (n_users, depth)
        Best first, padded with -1.
    rating : float64 (n_users, depth)
        NaN where the user did not judge the item.
    interests : Interests
    """

    items: Integers32
    rating: Floats
    interests: Interests

    @classmethod
    def of(cls, items: Integers32, interests: Interests) -> Self:
        """Return the lists of all users of `interests`, (n_users, depth)."""
        items = np.ascontiguousarray(items, dtype=np.int32)
        n_items = len(interests.aspects.start) - 1
        rating = _looked_up(items, interests.start, interests.item, interests.rating, n_items)
        return cls(items, rating, interests)

    @property
    def listed(self) -> Booleans:
        """Whether there is an item at a place, bool (n_users, depth)."""
        return self.items >= 0


@kernel
def _looked_up(items, start, item, rating, n_items):
    """Return the rating of each listed item, NaN where there is none."""
    found = np.full(items.shape, np.nan)
    known = np.full(n_items, np.nan)
    for u in range(len(items)):
        for j in range(start[u], start[u + 1]):
            known[item[j]] = rating[j]
        for k in range(items.shape[1]):
            if items[u, k] >= 0:
                found[u, k] = known[items[u, k]]
        for j in range(start[u], start[u + 1]):
            known[item[j]] = np.nan
    return found
