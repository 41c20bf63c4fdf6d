"""Recommenders by random walks of three steps from user to item, user and item."""

from typing import Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from assayer.errors import AssayerError
from assayer.recommenders.neighbourhoods import product_neighbours


class RP3Beta:
    """Random walks of three steps, with a penalty for popular items.

    score(u, j) = sum_{i in I_u} p(i|u)^alpha sum_{v in U_i} p(v|i)^alpha p(j|v)^alpha / |U_j|^beta

    with p(i|u) = r(u, i) / sum_j r(u, j) and p(v|i) = r(v, i) / sum_w r(w, i), the probabilities of
    going over one rating (Paudel, Christoffel, Newell, Bernstein. Updatable, accurate, diverse, and
    scalable recommendations for interactive applications. TiiS 2016; beta = 0 is the P3alpha of
    Cooper et al., WWW 2014). Of each item i, only the `neighbours` items j to which the inner sum
    leads most are kept.

    Parameters
    ----------
    alpha : float
        How sharply likely steps are preferred; 1 for the random walk itself.
    beta : float
        The penalty: 0 for none, 1 for proportional to popularity. The paper has 0 to 1.
    neighbours : int
        How many items are kept for each item; as many as there are items for all.
    binary : bool
        Whether to walk over ratings uniformly, as in the paper, instead of in proportion to them.

    Notes
    -----
    sum_u n_u^2 multiply-adds, and memory for neighbours n_items weights. Scores are positive; an
    item that no rated item leads to is not scored, and neither is one without ratings, nor anything
    for a user without.
    """

    def __init__(
        self,
        alpha: float = 1.0,
        beta: float = 0.6,
        neighbours: int = 100,
        binary: bool = True,
    ):
        self.alpha = alpha
        self.beta = beta
        self.neighbours = neighbours
        self.binary = binary

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Walk from every item; the seed is not used."""
        if self.alpha < 0:
            raise AssayerError(f"rp3beta: expected alpha >= 0, found {self.alpha}.")
        ratings = train.astype(np.float64)
        if self.binary:
            ratings.data[:] = 1
        by_item = ratings.T.tocsr()
        from_users = _steps(ratings, self.alpha)
        from_items = _steps(by_item, self.alpha)
        into_items = from_users.T.tocsr()
        degrees = np.diff(by_item.indptr)
        into_items.data /= np.repeat(degrees, degrees) ** self.beta
        near, weights = product_neighbours(from_items, into_items, self.neighbours)
        found = near >= 0
        starts = np.concatenate(([0], np.cumsum(found.sum(axis=1))))
        shape = (train.shape[1], train.shape[1])
        self.weights_ = sp.csr_matrix((weights[found], near[found], starts), shape=shape)
        self.from_users_ = from_users
        return self

    def score(self, users: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
        """Return the weights of all walks from the users to the items."""
        scores = (self.from_users_[users] @ self.weights_).toarray()
        scores[scores == 0] = -np.inf
        return scores


def _steps(matrix: sp.csr_matrix, alpha: float) -> sp.csr_matrix:
    """Return each entry's share of its row, to the power of alpha."""
    sums = np.asarray(matrix.sum(axis=1)).ravel()
    shares = matrix.data / np.repeat(sums, np.diff(matrix.indptr))
    return sp.csr_matrix((shares**alpha, matrix.indices, matrix.indptr), shape=matrix.shape)
