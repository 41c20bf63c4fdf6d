"""Linear models of the items on each other that have a closed form."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp
from scipy.linalg import lapack

from rankassay.errors import RankassayError, one_of
from rankassay.recommenders.base import check_bounds
from rankassay.recommenders.sparse import has_entries, merged
from rankassay.types import Floats, Integers32

BLOCK = 512  # items whose products with all users are held at a time


@dataclass
class EASE:
    """A linear model of each item on all others, by ridge regression.

    Minimises `|X - X B|^2 + regularization |B|^2` with a diagonal of zeros, which has the solution
    B = I - P diag(P)^-1 with P = (X^T X + regularization I)^-1; score(u, .) = x_u B (Steck.
    Embarrassingly shallow autoencoders for sparse data. WWW 2019).

    Parameters
    ----------
    regularization : float
        Positive. The paper has 500 on MovieLens 20M, 1000 on Netflix and 200 on Million Songs, with
        1 for every rating. On ratings it is about ten times that.
    binary : bool
        Whether to learn from 1 for every rating, as in the paper, instead of the rating.
    form : {"auto", "primal", "dual"}
        "primal" inverts a matrix of items x items. "dual" inverts K = (X X^T + regularization I)^-1
        of users x users instead, since X P = K X, and gives the same: X B = X - K X diag(P)^-1 with
        P_ii = (1 - x_i^T K x_i) / regularization. "auto" takes the smaller.

    Notes
    -----
    n^3 operations and 8 n^2 bytes (twice that for a moment), where n is the smaller of the numbers
    of users and of items. A user takes n_items multiply-adds for every rating ("primal"), or
    n_ratings ("dual"). Scores may be negative. Users and items without ratings have none.
    """

    regularization: float = 500.0
    binary: bool = True
    form: str = "auto"

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Invert; the seed is not used."""
        one_of("form", self.form, ("auto", "primal", "dual"))
        check_bounds("ease", self, regularization="> 0")
        self.train_ = self._terms(train)
        n_users, n_items = train.shape
        self.dual_ = self.form == "dual" or (self.form == "auto" and n_users < n_items)
        self.rated_ = np.bincount(train.indices, minlength=n_items) > 0
        if self.dual_:
            self._fit_dual()
        else:
            self._fit_primal()
        return self

    def fold_in(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Self:
        """Fold in the users of the profiles."""
        terms = self._terms(profiles)
        self.train_ = merged(self.train_, terms)
        if self.dual_:
            # For such a row x, x P = (x - x X^T K X) / regularization.
            users = np.flatnonzero(has_entries(terms))
            columns = self.inverse_ @ (self.by_item_.T @ terms[users].T).toarray()
            self.inverse_ = np.array(self.inverse_)
            self.inverse_[:, users] = -columns / self.regularization
            self.inverse_[users, users] = 1 / self.regularization
            self.by_item_ = self.train_.T.tocsr()
        return self

    def _terms(self, ratings: sp.csr_matrix) -> sp.csr_matrix:
        terms = ratings.astype(np.float64)
        if self.binary:
            terms.data[:] = 1
        return terms

    def score(self, users: Integers32) -> Floats:
        """Return the rows of X B; only for users and items with ratings."""
        rows = self.train_[users]
        # A sparse matrix times a dense one is summed up row by row, or column by column, each
        # independent of the others: the result does not depend on the block of users.
        if self.dual_:
            products = self.by_item_ @ self.inverse_[:, users]
            scores = rows.toarray() - products.T / self.diagonal_
        else:
            scores = rows @ self.weights_
        scores[:, ~self.rated_] = -np.inf
        scores[np.diff(rows.indptr) == 0] = -np.inf
        return scores

    def _fit_primal(self) -> None:
        weights = inverse((self.train_.T @ self.train_).toarray(), self.regularization)
        weights /= -np.diag(weights).copy()
        np.fill_diagonal(weights, 0)
        self.weights_ = weights

    def _fit_dual(self) -> None:
        self.by_item_ = self.train_.T.tocsr()
        self.inverse_ = inverse((self.train_ @ self.by_item_).toarray(), self.regularization)
        explained = np.empty(self.train_.shape[1])
        for first in range(0, len(explained), BLOCK):
            block = self.by_item_[first : first + BLOCK]
            products = block.multiply(block @ self.inverse_)
            explained[first : first + BLOCK] = np.asarray(products.sum(axis=1)).ravel()
        self.diagonal_ = (1 - explained) / self.regularization


def inverse(gram: Floats, regularization: float) -> Floats:
    """Return (G + regularization I)^-1 for a positive semidefinite G, which may be overwritten."""
    gram[np.diag_indices_from(gram)] += regularization
    factor, failed = lapack.dpotrf(gram, lower=True, clean=True, overwrite_a=True)
    result, failed = (factor, failed) if failed else lapack.dpotri(factor, True, overwrite_c=True)
    if failed:
        raise RankassayError("ease: the matrix is singular; set a larger regularization.")
    return np.tril(result) + np.tril(result, -1).T
