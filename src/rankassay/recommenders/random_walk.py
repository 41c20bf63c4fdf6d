"""Recommenders by random walks of three steps from user to item, user and item."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.recommenders.base import check_bounds
from rankassay.recommenders.neighbourhoods import product_neighbours
from rankassay.recommenders.sparse import WeightedSums, graph, shares


@dataclass
class RP3Beta(WeightedSums):
    """Random walks of three steps, with a penalty for popular items.

    ::

        score(u, j) = sum_{i in I_u} p(i|u)^alpha sum_{v in U_i} p(v|i)^alpha p(j|v)^alpha
                      / |U_j|^beta

    with p(i|u) = r(u, i) / sum_j r(u, j) and p(v|i) = r(v, i) / sum_w r(w, i), the probabilities of
    going over one rating (Paudel, Christoffel, Newell, Bernstein. Updatable, accurate, diverse, and
    scalable recommendations for interactive applications. TiiS 2016; beta = 0 is the P3alpha of
    Cooper et al., WWW 2014). Of each item i, only the `neighbours` items j to which the inner sum
    leads most often are kept.

    Parameters
    ----------
    alpha : float
        How sharply likely steps are preferred; 1 for the random walk itself.
    beta : float
        The penalty: 0 for none, 1 for proportional to popularity. The paper has 0 to 1.
    neighbours : int
        How many items are kept for each item; give the number of items to keep all.
    binary : bool
        Whether to walk over ratings uniformly, as in the paper, instead of in proportion to them.

    Notes
    -----
    sum_u n_u^2 multiply-adds, and memory for neighbours n_items weights. Scores are positive. An
    item that no rated item leads to is not scored, and neither are items and users without ratings.
    """

    alpha: float = 1.0
    beta: float = 0.6
    neighbours: int = 100
    binary: bool = True

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Walk from every item; the seed is not used."""
        check_bounds("rp3beta", self, alpha=">= 0")
        by_item = self._edges(train).T.tocsr()
        self.profiles_ = self._terms(train, train)
        from_items = _steps(by_item, self.alpha)
        into_items = self.profiles_.T.tocsr()
        degrees = np.diff(by_item.indptr)
        into_items.data /= np.repeat(degrees, degrees) ** self.beta
        self.weights_ = graph(*product_neighbours(from_items, into_items, self.neighbours))
        return self

    def _terms(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> sp.csr_matrix:
        return _steps(self._edges(profiles), self.alpha)

    def _edges(self, ratings: sp.csr_matrix) -> sp.csr_matrix:
        edges = ratings.astype(np.float64)
        if self.binary:
            edges.data[:] = 1
        return edges


def _steps(matrix: sp.csr_matrix, alpha: float) -> sp.csr_matrix:
    """Return each entry's share of its row, to the power of alpha."""
    steps = shares(matrix)
    steps.data **= alpha
    return steps
