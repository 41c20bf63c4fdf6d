"""Recommenders that learn nothing about the single user."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.errors import one_of
from rankassay.recommenders.base import Picked, changed
from rankassay.seeds import generator
from rankassay.types import Floats, Integers32


class Random:
    """A uniformly random order of all items, independent from user to user.

    Every item has a score for every user, whether it was rated in training or not. The expected
    precision is the share of relevant items among the candidates. O(n_items) per user.
    """

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Keep the seed and the number of items."""
        self.seed_ = seed
        self.n_items_ = train.shape[1]
        return self

    def fold_in(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Self:
        """Fold in users, each with a stream of random numbers like all others."""
        return self

    def among(self, items: Integers32) -> Picked:
        """Return a model of some items, with the numbers that they have among all."""
        return Picked(self, items)

    def score(self, users: Integers32) -> Floats:
        """Return uniform numbers, from a stream of each user's own."""
        scores = np.empty((len(users), self.n_items_))
        for row, user in zip(scores, users, strict=True):
            generator(self.seed_, "random", int(user)).random(out=row)
        return scores


BY = ("count", "sum", "positive")


@dataclass
class Popularity:
    """The most popular items, the same for all users.

    `score(u, i) = |U_i|`, the number of training ratings of item i; or the sum of these ratings; or
    the number of those that are at least `threshold`. Users without training ratings get a list,
    too; an item without training ratings has no score. One pass.

    Parameters
    ----------
    by : {"count", "sum", "positive"}
        What makes an item popular. "count" is the usual reading.
    threshold : float
        The least positive rating, for "positive" only; 4 is usual for one to five stars.
    """

    by: str = "count"
    threshold: float = 4.0

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Count; the seed is not used."""
        one_of("popularity", self.by, BY)
        count = np.bincount(train.indices, minlength=train.shape[1])
        popularity = count
        if self.by != "count":
            weights = train.data if self.by == "sum" else train.data >= self.threshold
            popularity = np.bincount(train.indices, weights, minlength=len(count))
        self.popularity_ = np.where(count > 0, popularity, -np.inf)
        return self

    def fold_in(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Self:
        """Return the model itself, which is the same for all users."""
        return self

    def among(self, items: Integers32) -> Self:
        """Serve some items."""
        return changed(self, popularity_=self.popularity_[items])

    def score(self, users: Integers32) -> Floats:
        """Return the same row for every user."""
        return np.tile(self.popularity_, (len(users), 1))


@dataclass
class AverageRating:
    """The items of the highest share of positive ratings, the same for all users.

    ::

        score(u, i) = (|U_i+| + p) / (|U_i| + 1)

    with U_i the users who rated item i, U_i+ those who rated it at least `threshold`, and p the
    share of positive ratings among all (Cañamares, Castells. On target item sampling in offline
    recommender system evaluation. RecSys 2020; p adds one rating more, so that an item of few
    ratings is no extreme). An item without training ratings has no score. One pass.

    Parameters
    ----------
    threshold : float
        The least positive rating; 4 is usual for one to five stars.
    """

    threshold: float = 4.0

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Count; the seed is not used."""
        n_items = train.shape[1]
        positive = train.data >= self.threshold
        count = np.bincount(train.indices, minlength=n_items)
        liked = np.bincount(train.indices[positive], minlength=n_items)
        share = positive.mean() if train.nnz else 0.0
        self.average_ = np.where(count > 0, (liked + share) / (count + 1), -np.inf)
        return self

    def fold_in(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Self:
        """Return the model itself, which is the same for all users."""
        return self

    def among(self, items: Integers32) -> Self:
        """Serve some items."""
        return changed(self, average_=self.average_[items])

    def score(self, users: Integers32) -> Floats:
        """Return the same row for every user."""
        return np.tile(self.average_, (len(users), 1))
