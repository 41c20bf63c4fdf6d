"""Recommenders that factorise the observed ratings, to predict the others."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.kernels import FOUR, ONE, THREE, TWO, njit
from rankassay.progress import progress
from rankassay.recommenders.als_kernels import solve_rows
from rankassay.recommenders.base import check_bounds
from rankassay.recommenders.factorization import FoldedFactors, solved
from rankassay.seeds import generator
from rankassay.types import Floats

BATCH = 256


@dataclass
class SVD(FoldedFactors):
    """Regularised matrix factorization of the observed ratings by stochastic gradient descent.

    Minimises the sum over the ratings of ::

        (r(u, i) - x_ui)^2 + regularization (b_u^2 + b_i^2 + |p_u|^2 + |q_i|^2)

    with x_ui = mu + b_u + b_i + p_u . q_i, mu being the mean rating, or with x_ui = p_u . q_i;
    score(u, i) = x_ui (Takács, Pilászy, Németh, Tikk. Scalable collaborative filtering approaches
    for large recommender systems. JMLR 10, 2009, section 3.1 and algorithm 1).

    Parameters
    ----------
    factors : int
        The length of p_u and q_i, at least 0; 10 in MyMediaLite. The defaults of all parameters fit
        the results of Valcarce et al. (RecSys 2018) on MovieLens 1M.
    learning_rate : float
        The length of a step; 0.01 in MyMediaLite.
    regularization : float
        Of factors and biases; 0.015 in MyMediaLite.
    epochs : int
        Passes over the ratings, each in a random order; 30 in MyMediaLite.
    biased : bool
        Whether there are mu, b_u and b_i: apart from mu, the paper's BRISMF instead of RISMF.

    Notes
    -----
    SVD predicts ratings and ignores that the choice of items to rate shows preference: it often
    lists items with few, high ratings first. Scores are not clipped to the scale, which would make
    ties. O(factors n_ratings) per epoch, O(factors n_items) per user. An item without ratings has
    no score. A user without ratings gets the items by bias, and nothing without biases.
    """

    factors: int = 20
    learning_rate: float = 0.01
    regularization: float = 0.1
    epochs: int = 30
    biased: bool = True

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Descend; the seed chooses the factors to start from and the order of the ratings."""
        check_bounds("svd", self, factors=">= 0", learning_rate="> 0", regularization=">= 0")
        self._note_ratings(train)
        random = generator(seed, "svd")
        users, items = (random.standard_normal((n, self.factors)) * 0.1 for n in train.shape)
        users[~self.active_] = 0.0
        mean = float(train.data.mean(dtype=np.float64)) if self.biased and train.nnz else 0.0
        if self.biased:
            # Two more factors, p, b_u, 1 and q, 1, b_i, which serve users without ratings too.
            users = np.column_stack((users, np.zeros(len(users)), np.ones(len(users))))
            items = np.column_stack((items, np.ones(len(items)), np.zeros(len(items))))
            self.active_[:] = True
        owners = np.repeat(np.arange(train.shape[0], dtype=np.int32), np.diff(train.indptr))
        ratings = (owners, train.indices, train.data)
        settings = (self.factors, float(self.learning_rate), float(self.regularization))
        for _ in progress(range(self.epochs), "epochs"):
            _descend((users, items), ratings, random.permutation(train.nnz), mean, settings)
        if not np.isfinite(items).all():
            raise RankassayError("svd: the factors grew without bound; lower the learning_rate.")
        if self.biased:
            users[:, self.factors] += mean
        self.user_factors_, self.item_factors_ = users, items
        return self

    def _users_of(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Floats:
        """Return the users that minimise the objective, which for them is a ridge regression."""
        profiles = profiles.multiply(self.rated_).tocsr()
        profiles.eliminate_zeros()  # nothing was learned of these items
        features, targets, end = self.item_factors_, profiles.data.astype(np.float64), []
        mean = float(train.data.mean(dtype=np.float64)) if self.biased and train.nnz else 0.0
        if self.biased:
            features, end = features[:, :-1], [np.ones(profiles.shape[0])]
            targets -= mean + self.item_factors_[profiles.indices, -1]
        solution = solve_rows(
            (profiles.indptr, profiles.indices),
            (np.ones(profiles.nnz), targets),
            np.ascontiguousarray(features),
            0.0,
            self.regularization * np.diff(profiles.indptr),
        )
        users = np.column_stack((solved("svd", solution), *end))
        if self.biased:
            users[:, self.factors] += mean
        return users


@njit
def _descend(factors, ratings, order, mean, settings):
    """Take a step for every rating, in the given order.

    Ratings are looked up a batch ahead of the steps, which do not wait for them then: the fetches
    of many ratings from memory overlap.
    """
    users, items = factors
    owners, indices, data = ratings
    user, item, target = np.empty(BATCH, np.int32), np.empty(BATCH, np.int32), np.empty(BATCH)
    for first in range(0, len(order), BATCH):
        batch = order[first : first + BATCH]
        for k in range(len(batch)):
            x = batch[k]
            user[k], item[k], target[k] = owners[x], indices[x], data[x] - mean
        for k in range(len(batch)):
            _step(users[user[k]], items[item[k]], target[k], settings)


@njit
def _step(p, q, target, settings):
    """Go down half the gradient of one rating's loss, of a user p and an item q.

    Beyond the factors come, if at all, the user's bias with 1 and 1 with the item's bias.
    """
    n_factors, rate, regularization = settings
    # Four sums, because one would have to wait for every addition before the next.
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    n = len(p)
    for f in range(np.uint64(0), np.uint64(n - n % 4), FOUR):
        a += p[f] * q[f]
        b += p[f + ONE] * q[f + ONE]
        c += p[f + TWO] * q[f + TWO]
        d += p[f + THREE] * q[f + THREE]
    for f in range(n - n % 4, n):
        a += p[f] * q[f]
    pull = rate * (target - ((a + b) + (c + d)))
    kept = 1.0 - rate * regularization
    for f in range(n_factors):
        of_user = p[f]
        p[f] = kept * of_user + pull * q[f]
        q[f] = kept * q[f] + pull * of_user
    if n > n_factors:
        p[n_factors] = kept * p[n_factors] + pull
        q[n_factors + 1] = kept * q[n_factors + 1] + pull
