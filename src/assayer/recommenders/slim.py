"""Sparse linear methods."""

from typing import Self

import numba
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from assayer.errors import AssayerError
from assayer.recommenders.neighbourhoods import cosine_neighbours

Floats = npt.NDArray[np.float64]


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
        Descent ends when no weight changes by more in a round.

    Notes
    -----
    Solved on the Gram matrix, which is sparse; only the rows of items that get a weight are looked
    up. About n_items (neighbours n_weights) a round, and sum_u n_u^2 for the Gram matrix and
    the neighbours. Scores are not negative; an item without weight from any rated item has
    score 0 by the formula and is not scored, as are items and users without ratings.
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
        ratings = train.copy()
        if self.binary:
            ratings.data = np.ones_like(ratings.data)
        by_item = ratings.T.tocsr()
        # Sums of products of whole and half stars are exact in float32, at half the memory.
        gram = sp.csr_matrix(by_item @ ratings)
        gram.sort_indices()
        self.weights_ = self._weights(gram, by_item)
        self.train_ = ratings.astype(np.float64)
        return self

    def score(self, users: npt.NDArray[np.int32]) -> Floats:
        """Return the weighted sums of the users' ratings."""
        scores = (self.train_[users] @ self.weights_).toarray()
        scores[scores == 0] = -np.inf
        return scores

    def _weights(self, gram: sp.csr_matrix, by_item: sp.csr_matrix) -> sp.csr_matrix:
        """Return the weights w_ij, float64 (n_items, n_items)."""
        arrays = (gram.indptr, gram.indices, gram.data)
        diagonal = gram.diagonal().astype(np.float64)
        near = cosine_neighbours(by_item, self.neighbours)[0] if self.neighbours else None
        settings = (float(self.l1), float(self.l2), int(self.sweeps), float(self.tolerance))
        rows, columns, weights = [], [], []
        for item in range(gram.shape[0]):
            if near is None:
                candidates = gram.indices[gram.indptr[item] : gram.indptr[item + 1]]
            else:
                candidates = np.sort(near[item][near[item] >= 0])
            products = np.empty(len(candidates))
            _look_up(arrays, item, candidates, products)
            # The slope at 0 is at least l1 - g_ij, so that w_ij = 0 wherever g_ij <= l1.
            allowed = (products > self.l1) & (candidates != item)
            features = candidates[allowed]
            squares = diagonal[features]
            found = _descend(arrays, squares, features, products[allowed], settings)
            kept = found > 0
            rows.append(features[kept])
            columns.append(np.full(kept.sum(), item, np.int32))
            weights.append(found[kept])
        entries = np.concatenate(weights), (np.concatenate(rows), np.concatenate(columns))
        return sp.csr_matrix(entries, shape=gram.shape)


@numba.njit(cache=True)
def _descend(gram, squares, features, products, settings):
    """Return the weights of `features`, G_aa in `squares`, by cyclic coordinate descent.

    w_a = max(0, (g_a - sum_{b != a} G_ab w_b - l1) / (G_aa + l2)); `rest` holds g - G w, which a
    change of w_a changes by row a of G. Such a row is looked up when w_a changes first.
    """
    l1, l2, sweeps, tolerance = settings
    n = len(features)
    weights = np.zeros(n)
    rest = products.copy()
    looked_up = np.full(n, -1, np.int64)
    rows = np.empty((n, n))
    n_rows = 0
    for _ in range(sweeps):
        largest = 0.0
        for a in range(n):
            new = max(0.0, (rest[a] + squares[a] * weights[a] - l1) / (squares[a] + l2))
            change = new - weights[a]
            if change == 0.0:
                continue
            if looked_up[a] < 0:
                looked_up[a] = n_rows
                _look_up(gram, features[a], features, rows[n_rows])
                n_rows += 1
            row = rows[looked_up[a]]
            for b in range(n):
                rest[b] -= change * row[b]
            weights[a] = new
            largest = max(largest, abs(change))
        if largest <= tolerance:
            break
    return weights


@numba.njit(cache=True)
def _look_up(gram, item, features, row):
    """Write the Gram matrix's entries of `item` with `features` to `row`; both are sorted."""
    indptr, indices, data = gram
    low = indptr[item]
    for b in range(len(features)):
        high = indptr[item + 1]
        while low < high:
            middle = (low + high) // 2
            if indices[middle] < features[b]:
                low = middle + 1
            else:
                high = middle
        found = low < indptr[item + 1] and indices[low] == features[b]
        row[b] = data[low] if found else 0.0
