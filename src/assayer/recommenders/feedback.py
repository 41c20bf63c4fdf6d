"""Recommenders that treat the ratings of similar users as pseudo-relevance feedback.

The user is the query, the k most similar users V_u are the documents that it retrieved, and the
items are the terms that may expand it. All score only items that a neighbour rated, so that a user
who shares no item with anyone gets no list, and lists may be short.

In all of them the neighbours come from the cosine of the rating vectors. Fitting costs what
`cosine_neighbours` does, scoring one sparse product of k rows of the training matrix a user.

References
----------
D. Valcarce, J. Parapar, A. Barreiro. Efficient pseudo-relevance feedback methods for collaborative
filtering recommendation. ECIR 2016. After C. Carpineto, R. de Mori, G. Romano, B. Bigi. An
information-theoretic approach to automatic query expansion. ACM TOIS 19(1), 2001.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from assayer.errors import unknown
from assayer.recommenders.neighbourhoods import cosine_neighbours

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class _Evidence:
    """What the neighbours of a block of users say, one entry per scored pair of user and item.

    Attributes
    ----------
    total : sum of the item's ratings, or of its shares in the neighbours' ratings ("mean_user")
    size : |V_u|, the number of the user's neighbours
    mass : sum of `total` over all items of the user
    item : the item
    """

    total: Floats
    size: Floats
    mass: Floats
    item: npt.NDArray[np.int32]


class _Feedback:
    """Neighbours at fitting, and one sparse product per block of users at scoring."""

    neighbours: int
    estimate: str = "mle"

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Find the neighbours and sum up the collection; the seed is not used."""
        if self.estimate not in ("nmle", "mle", "mean_user"):
            raise unknown("estimate", self.estimate, ["nmle", "mle", "mean_user"])
        self.neighbours_, _ = cosine_neighbours(train, self.neighbours)
        weights = train.astype(np.float64)
        if self.estimate == "mean_user":
            lengths = np.asarray(weights.sum(axis=1)).ravel()
            weights.data /= np.repeat(lengths, np.diff(weights.indptr))
        self.weights_ = weights
        totals = np.asarray(weights.sum(axis=0)).ravel()
        self.collection_ = totals / max(totals.sum(), np.finfo(float).tiny)
        self.n_active_ = int(np.count_nonzero(np.diff(train.indptr)))
        return self

    def score(self, users: npt.NDArray[np.int32]) -> Floats:
        """Return the scores; see the class for the formula."""
        near = self.neighbours_[users]
        sizes = (near >= 0).sum(axis=1)
        starts = np.concatenate(([0], np.cumsum(sizes)))
        ones = np.ones(starts[-1])
        chosen = sp.csr_matrix(
            (ones, near[near >= 0], starts), shape=(len(users), self.weights_.shape[0])
        )
        totals = chosen @ self.weights_
        lengths = np.diff(totals.indptr)
        masses = np.asarray(totals.sum(axis=1)).ravel()
        evidence = _Evidence(
            totals.data, np.repeat(sizes, lengths), np.repeat(masses, lengths), totals.indices
        )
        scores = np.full(totals.shape, -np.inf)
        scores[np.repeat(np.arange(len(users)), lengths), totals.indices] = self._score(evidence)
        return scores

    def _score(self, evidence: _Evidence) -> Floats:
        """Return the score of every pair."""
        raise NotImplementedError

    def _probabilities(self, evidence: _Evidence) -> tuple[Floats, Floats]:
        """Return p(i|V_u) and p(i|C) of every pair, by the estimate in force."""
        local = evidence.total / evidence.mass
        collection = self.collection_[evidence.item]
        if self.estimate == "nmle":
            return local / evidence.size, collection / self.n_active_
        return local, collection


class Rocchio(_Feedback):
    """Rocchio's weights: the mean rating of the neighbours, unrated items counting as 0.

    score(u, i) = sum_{v in V_u} r(v, i) / |V_u|  (Valcarce et al., ECIR 2016)

    Parameters
    ----------
    neighbours : int
        The most neighbours of a user. 200 is what fits the results of Valcarce et al. (RecSys 2018)
        on MovieLens 1M, which come without their settings.

    Notes
    -----
    Scores are multiples of 1 / |V_u|: with few neighbours there are many ties.
    """

    def __init__(self, neighbours: int = 200):
        self.neighbours = neighbours

    def _score(self, evidence: _Evidence) -> Floats:
        return evidence.total / evidence.size


class RSV(_Feedback):
    """Robertson selection value.

    score(u, i) = sum_{v in V_u} r(v, i) / |V_u| * p(i|V_u)  (Valcarce et al., ECIR 2016)

    with p(i|V_u) the share of item i in the sum of the neighbours' ratings. This is the square of
    Rocchio's weight times a constant of the user, so that both rank alike.

    Parameters
    ----------
    neighbours : int
        As in `Rocchio`.
    difference : bool
        Whether to weight by p(i|V_u) - p(i|C) instead, C being the whole training set, as in
        Robertson's original. Those published results do not support it.
    """

    def __init__(self, neighbours: int = 200, difference: bool = False):
        self.neighbours = neighbours
        self.difference = difference

    def _score(self, evidence: _Evidence) -> Floats:
        local, collection = self._probabilities(evidence)
        weight = local - collection if self.difference else local
        return evidence.total / evidence.size * weight


class ChiSquared(_Feedback):
    """Chi-squared divergence of the neighbours' ratings from everybody's.

    score(u, i) = (p(i|V_u) - p(i|C))^2 / p(i|C)  (Valcarce et al., ECIR 2016)

    Parameters
    ----------
    neighbours : int
        As in `Rocchio`.
    estimate : {"nmle", "mle", "mean_user"}
        "mle": p(i|V_u) and p(i|C) are the shares of item i in the sum of the ratings of the
        neighbours and of all users. "nmle", the paper's proposal: these divided by the number of
        neighbours and of users. "mean_user": the means over the neighbours and over all users of
        the share of item i in the sum of the user's ratings.

    Notes
    -----
    The square forgets the sign: an item that the neighbours rate less than others do may come
    before one that they rate a little more. Items that no neighbour rated are not scored, since
    the square would prefer the most popular of them.
    """

    def __init__(self, neighbours: int = 200, estimate: str = "nmle"):
        self.neighbours = neighbours
        self.estimate = estimate

    def _score(self, evidence: _Evidence) -> Floats:
        local, collection = self._probabilities(evidence)
        return (local - collection) ** 2 / collection


class KullbackLeibler(_Feedback):
    """Item's part in the Kullback-Leibler divergence of the neighbours' ratings from everybody's.

    score(u, i) = p(i|V_u) log(p(i|V_u) / p(i|C))  (Valcarce et al., ECIR 2016)

    Negative for items that the neighbours rate less than others do: these come last.

    Parameters
    ----------
    neighbours : int
        As in `Rocchio`.
    estimate : {"nmle", "mle", "mean_user"}
        As in `ChiSquared`.
    """

    def __init__(self, neighbours: int = 200, estimate: str = "nmle"):
        self.neighbours = neighbours
        self.estimate = estimate

    def _score(self, evidence: _Evidence) -> Floats:
        local, collection = self._probabilities(evidence)
        return local * np.log(local / collection)
