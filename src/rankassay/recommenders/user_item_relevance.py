"""The user-item relevance model."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError, one_of
from rankassay.kernels import njit
from rankassay.recommenders.base import Picked
from rankassay.recommenders.sparse import merged
from rankassay.types import Floats, Integers32


@dataclass
class UIRItem:
    """UIR-Item: how likely the user's items are to be drawn together with the candidate.

    ::

        score(u, i) = log P(i) + sum_{b in I_u, c(b, i) > 0} log(1 + (1 - a) P(b|i) / (a P(b)))

    with c(b, i) the number of users who rated both, P(i) the share of item i in all ratings and a
    the amount of smoothing. The values of the ratings are not used. This is log P(i) prod_{b in
    I_u} ((1 - a) P(b|i) + a P(b)) less a constant of the user (Wang, de Vries, Reinders, A
    user-item relevance model for log-based collaborative filtering, ECIR 2006, item-based, with
    linear interpolation).

    Parameters
    ----------
    amount : float
        Between 0 and 1. The results of Valcarce et al. (RecSys 2018) on MovieLens 1M equal those of
        Popularity to the third decimal, so they come from an amount close to 1, which leaves only
        the prior: hence the default. For a personal list take 0.5.
    norm : {"count", "distribution"}
        c(b, i) is divided, to give P(b|i), by the number of users of i, or by the sum of c(b, i)
        over all b, i included, which makes it a distribution over items.

    Notes
    -----
    Fitting takes the squared number of ratings of each user, twice, and keeps a float32 and an
    int32 for each pair of items that share a user (1.3 GB for BeerAdvocate); sums are in float64. A
    user takes as many additions as the items of the profile have such pairs. Every item rated in
    training is scored, by P(i) if nothing else is known about it, even for users without ratings.
    As the amount goes to 1, the ranking becomes that of Popularity.
    """

    amount: float = 0.9999
    norm: str = "distribution"

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Weight the pairs of items; the seed is not used."""
        one_of("norm", self.norm, ("count", "distribution"))
        if not 0 < self.amount < 1:
            raise RankassayError(f"expected an amount between 0 and 1, found {self.amount:g}.")
        self.rated_ = (train.indptr.copy(), train.indices.copy())
        columns = train.T.tocsr()
        counts = np.diff(columns.indptr).astype(np.float64)
        shares = counts / max(train.nnz, 1)
        divisors = counts
        if self.norm == "distribution":
            lengths = np.diff(train.indptr).astype(np.float64)
            divisors = np.bincount(
                train.indices, np.repeat(lengths, np.diff(train.indptr)), train.shape[1]
            )
        with np.errstate(divide="ignore"):
            self.prior_ = np.log(shares)
        odds = (1 - self.amount) / self.amount
        items = (columns.indptr, columns.indices)
        self.pairs_ = _pairs(self.rated_, items, odds / np.where(shares > 0, shares, 1), divisors)
        return self

    def fold_in(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Self:
        """Fold in the users of the profiles."""
        rated = merged(train, profiles)
        self.rated_ = (rated.indptr, rated.indices)
        return self

    def among(self, items: Integers32) -> Picked:
        """Return a model of some items; without the others, the pairs would be in memory twice."""
        return Picked(self, items)

    def score(self, users: Integers32) -> Floats:
        """Return the scores; see the class for the formula."""
        scores = np.tile(self.prior_, (len(users), 1))
        _add(users, self.rated_, self.pairs_, scores)
        return scores


@njit
def _count(rated, items, touched, b, seen):
    """Count the users that b shares with every other item; return the number of these items."""
    filled = 0
    for x in range(items[0][b], items[0][b + 1]):
        user = items[1][x]
        for y in range(rated[0][user], rated[0][user + 1]):
            i = rated[1][y]
            if i == b:
                continue
            if seen[i] == 0:
                touched[filled] = i
                filled += 1
            seen[i] += 1
    return filled


@njit
def _pairs(rated, items, odds, divisors):
    """Return the logarithms of all pairs as CSR arrays with rows b, first sizes and then values.

    `rated` are the pattern of the users and `items` that of the items, `odds` the factor of
    P(b|i) that depends on b.
    """
    n_items = len(items[0]) - 1
    seen, touched = np.zeros(n_items, np.int64), np.empty(n_items, np.int32)
    starts = np.zeros(n_items + 1, np.int64)
    for b in range(n_items):
        filled = _count(rated, items, touched, b, seen)
        seen[touched[:filled]] = 0
        starts[b + 1] = starts[b] + filled
    indices = np.empty(starts[-1], np.int32)
    values = np.empty(starts[-1], np.float32)
    for b in range(n_items):
        filled = _count(rated, items, touched, b, seen)
        for x in range(filled):
            i = touched[x]
            indices[starts[b] + x] = i
            values[starts[b] + x] = np.log1p(odds[b] * seen[i] / divisors[i])
            seen[i] = 0
    return starts, indices, values


@njit
def _add(users, rated, pairs, scores):
    """Add the pairs of the rated items to the scores."""
    starts, indices, values = pairs
    for x in range(len(users)):
        row = scores[x]
        for y in range(rated[0][users[x]], rated[0][users[x] + 1]):
            b = rated[1][y]
            for z in range(starts[b], starts[b + 1]):
                row[indices[z]] += np.float64(values[z])
