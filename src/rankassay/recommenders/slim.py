"""Sparse linear methods."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.kernels import njit
from rankassay.recommenders.slim_kernels import solve
from rankassay.recommenders.sparse import WeightedSums, arrays
from rankassay.types import Floats

DENSE_BYTES = 2**30  # the largest Gram matrix that is held dense


@dataclass
class SLIM(WeightedSums):
    """A sparse linear model of each item on the others, by non-negative elastic net.

    For each item j, with its own column excluded (w_jj = 0) and w >= 0, minimises ::

        1/2 |r_.j - R w|^2 + l2/2 |w|^2 + l1 |w|_1

    score(u, j) = sum_i r(u, i) w_ij (Ning, Karypis. SLIM: sparse linear methods for top-n
    recommender systems. ICDM 2011, equations 3 and 4). With `neighbours`, only the items of largest
    cosine may have a weight, as in the paper's fsSLIM.

    Parameters
    ----------
    l1, l2 : float
        Penalties, in units of sums of squared ratings. 10 and 1000 with 200 neighbours fit the
        results of Valcarce et al. (RecSys 2018) on MovieLens 1M.
    neighbours : int or None
        How many items of largest cosine may have a weight; None (or 0) for all.
    binary : bool
        Whether to learn from 1 for every rating instead of the rating.
    sweeps : int
        The most rounds of coordinate descent for an item.
    tolerance : float
        Descent ends when the duality gap is at most this share of the objective, which is then at
        most this share above its minimum; the distance of the weights from the optimum goes with
        its root. With l1 = l2 = 0 there is no such bound; the sum of what each weight alone could
        lower the objective by takes its place. With 0, descent ends when no weight changes any
        more, or after all `sweeps`.

    Notes
    -----
    SLIM is solved on the Gram matrix, in float32: dense if it fits 1 GB, otherwise sparse. The
    matrix takes sum_u n_u^2 multiply-adds (half of them if it is dense), a round of descent the
    number of weights times that of the features in the working set, and the check of the other
    features the number of weights times n_items. Ratings must not be negative, and neither are
    scores. An item without weight from any rated item would have score 0 and is not scored; nor are
    items and users without ratings.
    """

    l1: float = 10.0
    l2: float = 1000.0
    neighbours: int | None = 200
    binary: bool = False
    sweeps: int = 1000
    tolerance: float = 1e-6

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Solve for every item; the seed is not used."""
        if self.l1 < 0 or self.l2 < 0:
            raise RankassayError(f"slim: expected l1, l2 >= 0, found {self.l1} and {self.l2}.")
        if train.nnz and train.data.min() < 0:
            raise RankassayError(
                f"slim: expected ratings that are not negative, found {train.data.min()}; "
                "shift the ratings."
            )
        self.profiles_ = self._terms(train, train)
        ratings = self.profiles_.astype(train.dtype)
        settings = (float(self.l1), float(self.l2), int(self.sweeps), float(self.tolerance))
        solved = solve(*_gram(ratings), int(self.neighbours or 0), settings)
        self.weights_ = sp.csc_matrix(solved, shape=(train.shape[1],) * 2).tocsr()
        return self

    def _terms(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> sp.csr_matrix:
        ratings = profiles.astype(np.float64)
        ratings.eliminate_zeros()
        if self.binary:
            ratings.data[:] = 1
        return ratings


def _gram(ratings: sp.csr_matrix) -> tuple[tuple, Floats]:
    """Return the Gram matrix of the items as `slim_kernels` takes it, and its diagonal."""
    # Sums of products of whole and half stars are exact in float32, at half the memory.
    by_item = ratings.T.tocsr().astype(np.float32, copy=False)
    n_items = by_item.shape[0]
    if 4 * n_items**2 <= DENSE_BYTES:
        rows = by_item.T.tocsr()  # with the items of a user in order
        dense = _dense_gram(arrays(by_item), arrays(rows))
        nothing = np.zeros(1, np.int32), np.empty(0, np.int32), np.empty(0, np.float32)
        return (dense, *nothing), np.diag(dense).astype(np.float64)
    gram = sp.csr_matrix(by_item @ by_item.T)
    gram.sort_indices()
    return (np.empty((0, 0), np.float32), *arrays(gram)), gram.diagonal().astype(np.float64)


@njit
def _dense_gram(by_item, rows):
    """Return the products of all pairs of items, float32 (n_items, n_items), from CSR arrays."""
    indptr, users, ratings = by_item
    starts, items, values = rows
    n_items = len(indptr) - 1
    gram = np.zeros((n_items, n_items), np.float32)
    # Where the items from the present one on begin in each user's row.
    first = starts.copy()
    for a in range(n_items):
        row = gram[a]
        for x in range(indptr[a], indptr[a + 1]):
            user, rating = users[x], ratings[x]
            for y in range(first[user], starts[user + 1]):
                row[items[y]] += rating * values[y]
            first[user] += 1
    # The lower half in blocks that fit the cache.
    for i in range(0, n_items, 64):
        for j in range(i, n_items, 64):
            for a in range(i, min(i + 64, n_items)):
                for b in range(max(j, a + 1), min(j + 64, n_items)):
                    gram[b, a] = gram[a, b]
    return gram
