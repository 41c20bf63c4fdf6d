"""Recommenders that learn to order pairs of items."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError, one_of
from rankassay.progress import progress
from rankassay.recommenders.base import check_bounds
from rankassay.recommenders.factorization import Factors, by_implicit
from rankassay.recommenders.pairwise_kernels import climb, mark
from rankassay.seeds import generator
from rankassay.types import Integers

SAMPLINGS = ("users", "ratings")
BACKENDS = ("numba", "implicit")
MARKED = 1 << 32  # pairs of user and item up to which each gets a bit: 512 MB


@dataclass
class BPRMF(Factors):
    """Matrix factorization for Bayesian personalised ranking.

    Maximises the sum of ::

        ln sigma(x_ui - x_uj) - regularization / 2 (|p_u|^2 + |q_i|^2)
        - negative_regularization / 2 |q_j|^2

    over drawn triples of a user u, an item i that the user rated and one j that the user did not,
    with x_ui = p_u . q_i (+ b_i), sigma the logistic function; score(u, i) = x_ui (Rendle,
    Freudenthaler, Gantner, Schmidt-Thieme. BPR: Bayesian personalized ranking from implicit
    feedback. UAI 2009, section 4.3.1 and figure 4).

    Parameters
    ----------
    factors : int
        The length of p_u and q_i. The defaults of all parameters come nearest to the results of
        Valcarce et al. (RecSys 2018) on MovieLens 1M.
    learning_rate : float
        The length of a step; 0.05 in MyMediaLite, 0.01 in LibRec and implicit.
    regularization : float
        Of p_u and q_i; 0.0025 in MyMediaLite, 0.01 in LibRec and implicit.
    negative_regularization : float or None
        Of q_j; None for the same. A tenth of the other in MyMediaLite.
    epochs : int
        An epoch is as many triples as there are positive ratings.
    decay : bool
        Whether the learning rate falls linearly to 0 over all steps. This takes the noise of the
        last steps out of the factors, so far fewer epochs are enough.
    item_bias : bool
        Whether there are b_i; they are not regularised.
    sampling : {"users", "ratings"}
        How u and i are drawn: a user uniformly and then one of the user's items (MyMediaLite's), so
        that all users have equal weight, as in the mean of a metric; or a rating uniformly (the
        paper's). j is uniform among the items with ratings, but not of the user.
    threshold : float
        The least rating that makes an item i; 0 for all ratings. j is never a rated item.
    backend : {"numba", "implicit"}
        "implicit" uses that library with its own sampler, which is another objective: i is drawn
        uniformly from the ratings and so is j, hence by popularity. It always has biases and one
        regularization, and ignores `decay` and `sampling`.

    Notes
    -----
    O(epochs n_ratings factors), for any number of items; O(factors n_items) per user. Learning
    takes n_users n_items / 8 further bytes, or none if that is above 512 MB: the result is the
    same, but a step then takes a fifth longer or more. Users without positive ratings and items
    without ratings have no scores. A user who rated everything teaches nothing.
    """

    factors: int = 100
    learning_rate: float = 0.1
    regularization: float = 0.01
    negative_regularization: float | None = None
    epochs: int = 100
    decay: bool = True
    item_bias: bool = False
    sampling: str = "users"
    threshold: float = 0.0
    backend: str = "numba"

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Learn; the seed chooses the factors to start from and the triples."""
        one_of("sampling", self.sampling, SAMPLINGS)
        one_of("backend", self.backend, BACKENDS)
        check_bounds("bprmf", self, factors=">= 1", learning_rate="> 0", regularization=">= 0")
        positives = train.copy()
        positives.data = (train.data >= self.threshold).astype(np.float32)
        positives.eliminate_zeros()
        self._note_ratings(train)
        self.active_ = np.diff(positives.indptr) > 0
        learn = self._learn if self.backend == "numba" else self._implicit
        self.user_factors_, self.item_factors_ = learn(train, positives, seed)
        if not np.isfinite(self.item_factors_).all():
            raise RankassayError("bprmf: the factors grew without bound; lower the learning_rate.")
        return self

    def _learn(self, train: sp.csr_matrix, positives: sp.csr_matrix, seed: int):
        random = generator(seed, "bprmf")
        users, items = (random.standard_normal((n, self.factors)) * 0.1 for n in train.shape)
        if self.item_bias:
            # The bias is one more factor, which is 1 for all users.
            users = np.column_stack((users, np.ones(len(users))))
            items = np.column_stack((items, np.zeros(len(items))))
        negative = self.negative_regularization
        penalties = (self.regularization, self.regularization if negative is None else negative)
        drawn = _drawn(train, positives, np.count_nonzero(self.rated_))
        if len(drawn[0]):
            rated = _rated(train, np.flatnonzero(self.rated_))
            settings = (self.factors, float(self.learning_rate), *map(float, penalties))
            choices = (bool(self.decay), self.sampling == "users")
            state = random.integers(0, 2**64, dtype=np.uint64)
            size = len(drawn[0])
            for epoch in progress(range(self.epochs), "epochs"):
                steps = (epoch * size, (epoch + 1) * size, self.epochs * size, *choices)
                state = np.uint64(climb((users, items), drawn, rated, settings, steps, state))
        return users, items

    def _implicit(self, train: sp.csr_matrix, positives: sp.csr_matrix, seed: int):
        from implicit.bpr import BayesianPersonalizedRanking

        settings = {"learning_rate": self.learning_rate, "iterations": self.epochs}
        random = generator(seed, "bprmf")
        return by_implicit(BayesianPersonalizedRanking, self, positives, random, **settings)


def _drawn(train: sp.csr_matrix, positives: sp.csr_matrix, n_rated: int):
    """Return the users and items to draw from, sorted by user, and where each user's begin.

    Users who rated all items are left out: no unrated item can be drawn for them.
    """
    lengths = np.diff(positives.indptr)
    lengths[np.diff(train.indptr) >= n_rated] = 0
    kept = np.repeat(np.diff(train.indptr) < n_rated, np.diff(positives.indptr))
    users = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    starts = np.concatenate(([0], np.cumsum(lengths[lengths > 0])))
    return users, positives.indices[kept], starts


def _rated(train: sp.csr_matrix, pool: Integers):
    """Return a lookup of who rated what, for drawing from the items of the pool.

    With a bit for every pair, this is one look; if there are too many pairs, ratings are bisected.
    """
    n_users, n_items = train.shape
    n_pairs = n_users * n_items
    marks = np.zeros(n_pairs // 64 + 1 if n_pairs <= MARKED else 0, np.uint64)
    if len(marks):
        mark(marks, train.indptr, train.indices, n_items)
    return marks, train.indptr, train.indices, pool, n_items
