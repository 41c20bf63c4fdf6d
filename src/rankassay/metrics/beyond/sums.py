"""Sums over users, for measures that are no means over users."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from rankassay.types import Floats


@dataclass(frozen=True)
class Sums:
    """A measure of a set of lists at one cut-off: a function of sums over its users.

    ::

        M(w) = value(sum_u w_u contributions_u, sum_u w_u)

    with a weight of 1 for each user who counts once: so it is known for any part of the users, and
    for users that are drawn again.

    Attributes
    ----------
    contributions : csr float64 (n_users, n_columns), or float32 where that holds them exactly
        What a user adds to each sum, such as the exposure of each item.
    value : function
        From totals, float64 (n, n_columns), and numbers of users, float64 (n,), to values, float64
        (n,); NaN where the sums say nothing.
    """

    contributions: sp.csr_matrix
    value: Callable[[Floats, Floats], Floats]

    def of(self, weights: Floats) -> Floats:
        """Return the measure for each weighting of the users, (n, n_users) to float64 (n,)."""
        weights = np.asarray(weights, dtype=np.float64)
        totals = np.asarray((self.contributions.T @ weights.T).T)
        return self.value(totals, weights.sum(axis=1))

    def of_all(self) -> float:
        """Return the measure of all users."""
        return float(self.of(np.ones((1, self.contributions.shape[0])))[0])
