"""Sparse linear methods."""

from typing import Self

import numba
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from assayer.errors import AssayerError
from assayer.recommenders.slim_kernels import solve

Floats = npt.NDArray[np.float64]

DENSE_BYTES = 2**30  # the largest Gram matrix that is held dense


class SLIM:
    """A sparse linear model of each item on the others, by non-negative elastic net.

    For each item j, with its own column left out (w_jj = 0) and w >= 0, minimises
    1/2 |r_.j - R w|^2 + l2/2 |w|^2 + l1 |w|_1; score(u, j) = sum_i r(u, i) w_ij (Ning, Karypis.
    SLIM: sparse linear methods for top-n recommender systems. ICDM 2011, equations 3 and 4). With
    `neighbours`, only the items of largest cosine may have a weight, as in the paper's fsSLIM.

    Parameters
    ----------
    l1, l2 : float
        Penalties, in units of sums of squared ratings. 10 and 1000 with 200 neighbours are what
        fits the results of Valcarce et al. (RecSys 2018) on MovieLens 1M.
    neighbours : int or None
        How many items of largest cosine may have a weight; None (or 0) for all.
    binary : bool
        Whether to learn from 1 for every rating instead of the rating.
    sweeps : int
        The most rounds of coordinate descent for an item.
    tolerance : float
        Descent ends when the duality gap is at most this share of the objective, which is then at
        most this share above its minimum; how far weights are from theirs goes with the root of
        it. With l1 = l2 = 0 there is no such bound: the sum of what each weight could lower the
        objective by if it alone changed is taken instead of it. With 0, descent ends when no
        weight changes any more, or after all `sweeps`.

    Notes
    -----
    Solved on the Gram matrix, in float32: dense where it fits 1 GB, otherwise sparse. It takes
    sum_u n_u^2 multiply-adds (half of them where it is dense), a round of descent the number of
    weights times that of the features in the working set, and the check of the features outside
    the number of weights times n_items. Ratings must not be negative. Scores are not negative; an
    item without weight from any rated item has score 0 by the formula and is not scored, as are
    items and users without ratings.
    """

    def __init__(
        self,
        l1: float = 10.0,
        l2: float = 1000.0,
        neighbours: int | None = 200,
        binary: bool = False,
        sweeps: int = 1000,
        tolerance: float = 1e-6,
    ):
        self.l1 = l1
        self.l2 = l2
        self.neighbours = neighbours
        self.binary = binary
        self.sweeps = sweeps
        self.tolerance = tolerance

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Solve for every item; the seed is not used."""
        if self.l1 < 0 or self.l2 < 0:
            raise AssayerError(f"slim: expected l1, l2 >= 0, found {self.l1} and {self.l2}.")
        if train.nnz and train.data.min() < 0:
            raise AssayerError(
                f"slim: expected ratings that are not negative, found {train.data.min()}; "
                "shift the ratings."
            )
        ratings = train.copy()
        ratings.eliminate_zeros()
        if self.binary:
            ratings.data = np.ones_like(ratings.data)
        settings = (float(self.l1), float(self.l2), int(self.sweeps), float(self.tolerance))
        arrays = solve(*_gram(ratings), int(self.neighbours or 0), settings)
        n_items = train.shape[1]
        self.weights_ = sp.csc_matrix(arrays, shape=(n_items, n_items)).tocsr()
        self.train_ = ratings.astype(np.float64)
        return self

    def score(self, users: npt.NDArray[np.int32]) -> Floats:
        """Return the weighted sums of the users' ratings."""
        scores = (self.train_[users] @ self.weights_).toarray()
        scores[scores == 0] = -np.inf
        return scores


def _gram(ratings: sp.csr_matrix) -> tuple[tuple, Floats]:
    """Return the Gram matrix of the items as `slim_kernels` takes it, and its diagonal."""
    # Sums of products of whole and half stars are exact in float32, at half the memory.
    by_item = ratings.T.tocsr().astype(np.float32, copy=False)
    n_items = by_item.shape[0]
    if 4 * n_items**2 <= DENSE_BYTES:
        rows = by_item.T.tocsr()  # with the items of a user in order
        dense = _dense_gram(
            (by_item.indptr, by_item.indices, by_item.data), (rows.indptr, rows.indices, rows.data)
        )
        nothing = np.zeros(1, np.int32), np.empty(0, np.int32), np.empty(0, np.float32)
        return (dense, *nothing), np.diag(dense).astype(np.float64)
    gram = sp.csr_matrix(by_item @ by_item.T)
    gram.sort_indices()
    arrays = (np.empty((0, 0), np.float32), gram.indptr, gram.indices, gram.data)
    return arrays, gram.diagonal().astype(np.float64)


@numba.njit(cache=True)
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
