"""Neighbourhoods of users whose ratings count from the threshold on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.kernels import njit
from rankassay.recommenders.base import changed, check_bounds
from rankassay.recommenders.neighbourhoods import cosine_neighbours
from rankassay.recommenders.sparse import arrays, graph, merged, weighted_sums
from rankassay.types import Floats, Integers32


@dataclass
class UserKNN:
    """Sums of the ratings of the nearest users, or their weighted mean.

    ::

        score(u, i) = sum_{v in V_u, v rated i} cos(u, v) g(v, i)
        g(v, i) = max(r(v, i) - threshold + 1, 0)

    with V_u the `neighbours` users of largest cosine of the rating vectors, in which all ratings
    count; normalised, the score is divided by the sum of cos(u, v) over the same v (Cañamares,
    Castells. Should I follow the crowd? SIGIR 2018, and On target item sampling in offline
    recommender system evaluation. RecSys 2020, whose code has this g).

    Parameters
    ----------
    neighbours : int
        The most neighbours of a user.
    normalised : bool
        Whether scores are weighted means instead of sums.
    min_raters : int
        How many neighbours must have rated an item that a normalised score is given to: the mean of
        one neighbour says little. Sums take no notice of it.
    threshold : float
        The least positive rating, which counts 1; each star more counts 1 more, and lower ratings
        count 0.

    Notes
    -----
    An item that neighbours rated below the threshold alone has the score 0, and one that none of
    them rated has no score. Ties are common where scores are normalised: all items whose ratings
    are equal have the same score. Fitting costs as much as `cosine_neighbours`, and scoring
    `neighbours` rows of ratings per user.
    """

    neighbours: int = 100
    normalised: bool = False
    min_raters: int = 3
    threshold: float = 4.0

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Find the neighbours; the seed is not used."""
        fit_together([self], train)
        return self

    def _take(self, near: Integers32, similarities: Floats, train: sp.csr_matrix) -> None:
        """Keep the neighbours, (n_users, neighbours) each, and the gains of all users' ratings."""
        self.similarities_ = graph(near, similarities)
        # In single precision the neighbours' ratings would be another copy of twice the size.
        gains = np.maximum(train.data - np.float32(self.threshold) + 1, 0)
        self.gains_ = sp.csr_matrix((gains, train.indices, train.indptr), train.shape, copy=True)

    def fold_in(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Self:
        """Find the neighbours of the profiles among the users in training."""
        near, similarities = cosine_neighbours(
            profiles, min(self.neighbours, train.shape[0]), train
        )
        self.similarities_ = merged(self.similarities_, graph(near, similarities))
        return self

    def among(self, items: Integers32) -> Self:
        """Serve some items."""
        return changed(self, gains_=self.gains_[:, items])

    def score(self, users: Integers32) -> Floats:
        """Return the scores; see the class for the formula."""
        if not self.normalised:
            return weighted_sums(users, self.similarities_, self.gains_)
        scores = np.empty((len(users), self.gains_.shape[1]))
        _means(users, arrays(self.similarities_), arrays(self.gains_), self.min_raters, scores)
        return scores


def fit_together(models: Sequence[UserKNN], train: sp.csr_matrix) -> None:
    """Fit some to the same ratings: the neighbours of all are the first of those with the most."""
    for model in models:
        check_bounds("user-knn", model, neighbours=">= 1", min_raters=">= 1")
    most = max(model.neighbours for model in models)
    near, similarities = cosine_neighbours(train, min(most, train.shape[0]))
    for model in models:
        own = slice(model.neighbours)
        model._take(near[:, own], similarities[:, own], train)


@njit(error_model="numpy")
def _means(users, near, gains, min_raters, scores):
    """Write the means of neighbours' gains, weighted by similarity; -inf for too few raters."""
    n_items = scores.shape[1]
    # What is added up of an item stands together, gains and similarities, in one line of the cache.
    sums, raters = np.empty((n_items, 2)), np.empty(n_items, np.int32)
    for x in range(len(users)):
        sums[:], raters[:] = 0.0, 0
        for y in range(near[0][users[x]], near[0][users[x] + 1]):
            neighbour, similarity = near[1][y], near[2][y]
            own = slice(gains[0][neighbour], gains[0][neighbour + 1])
            items, given = gains[1][own], gains[2][own]
            for z in range(len(items)):
                # An index without a sign needs no look at whether it counts from the end.
                item = np.uint64(items[z])
                total, weight = sums[item, 0] + similarity * given[z], sums[item, 1] + similarity
                sums[item, 0], sums[item, 1] = total, weight
                raters[item] += 1
        for item in range(n_items):
            enough = raters[item] >= min_raters
            scores[x, item] = sums[item, 0] / sums[item, 1] if enough else -np.inf
