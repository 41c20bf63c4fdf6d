"""Implicit alternating least squares with regularisation that grows with the evidence."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.progress import progress
from rankassay.recommenders.als_kernels import solve_rows
from rankassay.recommenders.base import check_bounds
from rankassay.recommenders.factorization import FoldedFactors, solved
from rankassay.seeds import generator
from rankassay.types import Floats, Integers32


@dataclass
class IALS(FoldedFactors):
    """Matrix factorization of rated or not, with regularisation scaled by the evidence.

    Minimises ::

        sum_{rated u,i} (1 - x_u . y_i)^2 + alpha0 sum_{all u,i} (x_u . y_i)^2
        + regularization (sum_u (n_u + alpha0 n_items)^nu |x_u|^2
                          + sum_i (n_i + alpha0 n_users)^nu |y_i|^2)

    where n_u and n_i count ratings; score(u, i) = x_u . y_i (Rendle, Krichene, Zhang, Koren.
    Revisiting the performance of iALS on item recommendation benchmarks. RecSys 2022).

    Parameters
    ----------
    factors : int
        The length of x_u and y_i; the more the better, according to the paper.
    regularization : float
        Positive. The paper's best are 0.002 to 0.003, with nu = 1.
    alpha0 : float
        The weight of all pairs, positive: 0.1 on MovieLens 20M and 0.02 on Million Songs there.
    nu : float
        0 gives everybody the same regularisation, as in `WRMF`; 1 makes it proportional to the
        evidence, as recommended.
    iterations : int
        Rounds of solving for all users and then for all items; 16 in the paper.
    deviation : float
        Factors start from a normal distribution of this standard deviation divided by
        sqrt(factors); 0.1 in the paper.

    Notes
    -----
    Each half round is solved exactly. O(n_ratings factors^2 + (n_users + n_items) factors^3) a
    round. Ratings count as 1. Users and items without ratings have no scores.
    """

    factors: int = 64
    regularization: float = 0.003
    alpha0: float = 0.1
    nu: float = 1.0
    iterations: int = 16
    deviation: float = 0.1

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Alternate; the seed chooses the factors to start from."""
        check_bounds("ials", self, factors=">= 1", regularization="> 0", alpha0="> 0")
        n_users, n_items = train.shape
        by_item = train.T.tocsr()
        user_penalty = self._penalties(np.diff(train.indptr), n_items)
        item_penalty = self._penalties(np.diff(by_item.indptr), n_users)
        start = generator(seed, "ials").standard_normal((n_items, self.factors))
        items = start * (self.deviation / np.sqrt(self.factors))
        users = np.zeros((n_users, self.factors))
        for _ in progress(range(self.iterations), "iterations"):
            users = least_squares(train, items, self.alpha0, user_penalty)
            items = least_squares(by_item, users, self.alpha0, item_penalty)
        self.user_factors_, self.item_factors_ = users, items
        self._note_ratings(train)
        return self

    def _users_of(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Floats:
        """Return the users of the first half of a round."""
        penalties = self._penalties(np.diff(profiles.indptr), profiles.shape[1])
        return least_squares(profiles, self.item_factors_, self.alpha0, penalties)

    def _penalties(self, counts: Integers32, n_others: int) -> Floats:
        """Return the regularisation of each user, or item, from its number of ratings."""
        return self.regularization * (counts + self.alpha0 * n_others) ** self.nu


def least_squares(
    pattern: sp.csr_matrix, factors: Floats, alpha0: float, penalties: Floats
) -> Floats:
    """Return the rows' factors that minimise the objective of `IALS` for the columns' `factors`.

    ::

        x = (sum_{rated i} y_i y_i^T + alpha0 Y^T Y + penalty I)^-1 sum_{rated i} y_i

    A row without ratings gets zeros. The size of the entries of `pattern` does not matter.
    """
    ones = np.ones(pattern.nnz)
    solution = solve_rows(
        (pattern.indptr, pattern.indices), (ones, ones), factors, float(alpha0), penalties
    )
    return solved("ials", solution)
