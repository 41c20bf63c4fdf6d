"""Neighbourhoods of users whose ratings count from the threshold on."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from assayer.recommenders.base import check_bounds
from assayer.recommenders.neighbourhoods import cosine_neighbours
from assayer.recommenders.sparse import graph, merged, weighted_sums
from assayer.types import Floats, Integers32


@dataclass
class UserKNN:
    """Sums of what the nearest users gave an item, or their weighted mean.

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
    them rated has no score. Ties are common where scores are normalised: an item that all rated
    alike has the same score as any other such. Fitting costs as much as `cosine_neighbours`, and
    scoring `neighbours` rows of ratings per user, three times where it is normalised.
    """

    neighbours: int = 100
    normalised: bool = False
    min_raters: int = 3
    threshold: float = 4.0

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Find the neighbours; the seed is not used."""
        check_bounds("user-knn", self, neighbours=">= 1", min_raters=">= 1")
        near, similarities = cosine_neighbours(train, min(self.neighbours, train.shape[0]))
        self.similarities_ = graph(near, similarities)
        # In single precision the neighbours' ratings would be another copy of twice the size.
        gains = np.maximum(train.data - np.float32(self.threshold) + 1, 0)
        self.gains_ = sp.csr_matrix((gains, train.indices, train.indptr), train.shape, copy=True)
        return self

    def fold_in(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Self:
        """Find the neighbours of the profiles among the users in training."""
        near, similarities = cosine_neighbours(
            profiles, min(self.neighbours, train.shape[0]), train
        )
        self.similarities_ = merged(self.similarities_, graph(near, similarities))
        return self

    def score(self, users: Integers32) -> Floats:
        """Return the scores; see the class for the formula."""
        scores = weighted_sums(users, self.similarities_, self.gains_)
        if self.normalised:
            rated = _ones_of(self.gains_)
            raters = weighted_sums(users, _ones_of(self.similarities_), rated)
            enough = raters >= self.min_raters
            weights = weighted_sums(users, self.similarities_, rated)
            np.divide(scores, weights, out=scores, where=enough)
            scores[~enough] = -np.inf
        return scores


def _ones_of(matrix: sp.csr_matrix) -> sp.csr_matrix:
    """Return a matrix of ones where there are entries."""
    ones = np.ones(matrix.nnz, dtype=np.float32)
    return sp.csr_matrix((ones, matrix.indices, matrix.indptr), matrix.shape)
