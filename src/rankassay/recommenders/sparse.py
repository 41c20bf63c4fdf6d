"""Sparse matrices of users and items, as several recommenders take and multiply them."""

from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.kernels import njit
from rankassay.recommenders.base import changed
from rankassay.types import Booleans, Floats, Integers32


def arrays(matrix: sp.csr_matrix) -> tuple:
    """Return indptr, indices and data, as kernels take a matrix."""
    return matrix.indptr, matrix.indices, matrix.data


def shares(matrix: sp.csr_matrix) -> sp.csr_matrix:
    """Return the rows divided by their sums, float64."""
    rows = matrix.astype(np.float64)
    rows.data /= np.repeat(np.asarray(rows.sum(axis=1)).ravel(), np.diff(rows.indptr))
    return rows


def graph(near: Integers32, values: Floats, n_columns: int | None = None) -> sp.csr_matrix:
    """Return lists of neighbours, padded with -1, as a matrix, square unless `n_columns` is given.

    Both `near` and `values` are (n, k).
    """
    found = near >= 0
    starts = np.concatenate(([0], np.cumsum(found.sum(axis=1))))
    shape = (len(near), n_columns or len(near))
    return sp.csr_matrix((values[found], near[found], starts), shape=shape)


def has_entries(matrix: sp.csr_matrix) -> Booleans:
    """Return which rows have entries, bool (n_rows,)."""
    return np.diff(matrix.indptr) > 0


def merged(matrix: sp.csr_matrix, others: sp.csr_matrix) -> sp.csr_matrix:
    """Return a matrix with the rows of another one wherever that has entries, zeros included."""
    rows = np.arange(matrix.shape[0])
    rows[has_entries(others)] += len(rows)
    return sp.vstack([matrix, others], "csr")[rows]


class WeightedSums:
    """Scores that are sums over a user's terms: the ratings or the neighbours.

    Attributes
    ----------
    profiles_ : CSR (n_users, n)
        The terms of each user, and how much they weigh.
    weights_ : CSR (n, n_items)
        What each term adds to the items.
    """

    profiles_: sp.csr_matrix
    weights_: sp.csr_matrix

    def fold_in(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Self:
        """Fold in the users of the profiles."""
        self.profiles_ = merged(self.profiles_, self._terms(train, profiles))
        return self

    def _terms(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> sp.csr_matrix:
        """Return the terms of users from their ratings: the ratings themselves."""
        return profiles

    def among(self, items: Integers32) -> Self:
        """Serve some items."""
        return changed(self, weights_=self.weights_[:, items])

    def score(self, users: Integers32) -> Floats:
        """Return the weighted sums; see the class for the formula."""
        return weighted_sums(users, self.profiles_, self.weights_)


def weighted_sums(users: Integers32, profiles: sp.csr_matrix, weights: sp.csr_matrix) -> Floats:
    """Return the rows of the product of two matrices, -inf where it is a sum of nothing."""
    scores = np.full((len(users), weights.shape[1]), -np.inf)
    _multiply(users, arrays(profiles), arrays(weights), scores)
    return scores


@njit
def _multiply(users, left, right, scores):
    """Add up the rows of `right` that the rows of `left` name; `scores` are -inf on entry."""
    for x in range(len(users)):
        row = scores[x]
        for y in range(left[0][users[x]], left[0][users[x] + 1]):
            middle, weight = left[1][y], np.float64(left[2][y])
            for z in range(right[0][middle], right[0][middle + 1]):
                # An index without a sign needs no look at whether it counts from the end.
                item = np.uint64(right[1][z])
                before = row[item]
                if before == -np.inf:
                    before = 0.0
                row[item] = before + weight * right[2][z]
