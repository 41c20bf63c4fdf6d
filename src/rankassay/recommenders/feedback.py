"""Recommenders that treat the ratings of similar users as pseudo-relevance feedback.

The user is the query, the k most similar users V_u are the documents that it retrieved, and the
items are the terms that may expand it. All score only items that a neighbour rated. A user who
shares no item with anyone therefore gets no list, and lists may be short.

In all of them, the neighbours come from the cosine of the rating vectors. Fitting costs as much as
`cosine_neighbours`, and scoring one sparse product of k rows of the training matrix per user.

References
----------
D. Valcarce, J. Parapar, A. Barreiro. Efficient pseudo-relevance feedback methods for collaborative
filtering recommendation. ECIR 2016. After C. Carpineto, R. de Mori, G. Romano, B. Bigi. An
information-theoretic approach to automatic query expansion. ACM TOIS 19(1), 2001.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import scipy.sparse as sp

from rankassay.errors import one_of
from rankassay.recommenders.base import changed
from rankassay.recommenders.neighbourhoods import cosine_neighbours, neighbours_of_profiles
from rankassay.recommenders.sparse import graph, shares
from rankassay.types import Floats, Integers32


@dataclass
class _Feedback:
    """Neighbours at fitting, and one sparse product per block of users at scoring."""

    neighbours: int = 200
    estimate: ClassVar[str] = "mle"

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Find the neighbours and sum up the collection; the seed is not used."""
        one_of("estimate", self.estimate, ("nmle", "mle", "mean_user"))
        self.neighbours_, _ = cosine_neighbours(train, self.neighbours)
        by_user = self.estimate == "mean_user"
        self.weights_ = shares(train) if by_user else train.astype(np.float64)
        self.masses_ = np.asarray(self.weights_.sum(axis=1)).ravel()
        totals = np.asarray(self.weights_.sum(axis=0)).ravel()
        self.collection_ = totals / max(totals.sum(), np.finfo(float).tiny)
        self.n_active_ = int(np.count_nonzero(np.diff(train.indptr)))
        return self

    def fold_in(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Self:
        """Find the neighbours of the profiles among the users in training."""
        self.neighbours_ = neighbours_of_profiles(self.neighbours_, train, profiles)
        return self

    def among(self, items: Integers32) -> Self:
        """Serve some items."""
        own = {"weights_": self.weights_[:, items], "collection_": self.collection_[items]}
        return changed(self, **own)

    def score(self, users: Integers32) -> Floats:
        """Return the scores; see the class for the formula."""
        near = self.neighbours_[users]
        chosen = graph(near, np.ones(near.shape), self.weights_.shape[0])
        totals = chosen @ self.weights_
        row = np.repeat(np.arange(len(users)), np.diff(totals.indptr))
        size, mass = np.diff(chosen.indptr)[row], (chosen @ self.masses_)[row]
        local, collection = totals.data / mass, self.collection_[totals.indices]
        if self.estimate == "nmle":
            local, collection = local / size, collection / self.n_active_
        scores = np.full(totals.shape, -np.inf)
        scores[row, totals.indices] = self._score(totals.data / size, local, collection)
        return scores

    def _score(self, mean: Floats, local: Floats, collection: Floats) -> Floats:
        """Return the scores of pairs of user and item from mean rating, p(i|V_u) and p(i|C)."""
        raise NotImplementedError


class Rocchio(_Feedback):
    """Rocchio's weights: the mean rating of the neighbours, unrated items counting as 0.

    ::

        score(u, i) = sum_{v in V_u} r(v, i) / |V_u|  (Valcarce et al., ECIR 2016)

    Parameters
    ----------
    neighbours : int
        The most neighbours of a user. 200 fits the results of Valcarce et al. (RecSys 2018) on
        MovieLens 1M, which were published without settings.

    Notes
    -----
    Scores are multiples of `1 / |V_u|`: with few neighbours there are many ties.
    """

    def _score(self, mean: Floats, local: Floats, collection: Floats) -> Floats:
        return mean


@dataclass
class RSV(_Feedback):
    """Robertson selection value.

    ::

        score(u, i) = sum_{v in V_u} r(v, i) / |V_u| * p(i|V_u)  (Valcarce et al., ECIR 2016)

    with p(i|V_u) the share of item i in the sum of the neighbours' ratings. This is the square of
    Rocchio's weight times a constant of the user, so both rank alike.

    Parameters
    ----------
    neighbours : int
        As in `Rocchio`.
    difference : bool
        Whether to weight by p(i|V_u) - p(i|C) instead, C being the whole training set, as in
        Robertson's original. Those published results do not support it.
    """

    difference: bool = False

    def _score(self, mean: Floats, local: Floats, collection: Floats) -> Floats:
        return mean * (local - collection if self.difference else local)


@dataclass
class ChiSquared(_Feedback):
    """Chi-squared divergence of the neighbours' ratings from everybody's.

    ::

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
    The square loses the sign: an item that the neighbours rate less often than others may come
    before one that they rate a little more. Items that no neighbour rated are not scored, as the
    square would prefer the most popular of them.
    """

    estimate: str = "nmle"

    def _score(self, mean: Floats, local: Floats, collection: Floats) -> Floats:
        return (local - collection) ** 2 / collection


@dataclass
class KullbackLeibler(_Feedback):
    """Item's part in the Kullback-Leibler divergence of the neighbours' ratings from everybody's.

    ::

        score(u, i) = p(i|V_u) log(p(i|V_u) / p(i|C))  (Valcarce et al., ECIR 2016)

    Items that the neighbours rate less than others do have negative scores and come last.

    Parameters
    ----------
    neighbours : int
        As in `Rocchio`.
    estimate : {"nmle", "mle", "mean_user"}
        As in `ChiSquared`.
    """

    estimate: str = "nmle"

    def _score(self, mean: Floats, local: Floats, collection: Floats) -> Floats:
        return local * np.log(local / collection)
