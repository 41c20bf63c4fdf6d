"""Neighbourhoods of users and of items, with ratings from a threshold on or weights of terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError, one_of
from rankassay.kernels import njit
from rankassay.recommenders.base import changed, check_bounds
from rankassay.recommenders.neighbourhoods import cosine_neighbours, product_neighbours
from rankassay.recommenders.sparse import WeightedSums, arrays, graph, merged, weighted_sums
from rankassay.types import Floats, Integers32


@dataclass
class UserKNN:
    """Sums of the ratings of the nearest users, or their weighted mean.

    ::

        score(u, i) = sum_{v in V_u, v rated i} cos(u, v) g(v, i)
        g(v, i) = max(r(v, i) - threshold + 1, 0)

    with V_u the `neighbours` users of largest cosine of the rating vectors, in which all ratings
    count; normalised, the score is divided by the sum of cos(u, v) over the same v (Cañamares,
    Castells. Should I follow the crowd? SIGIR 2018, and On target item sampling in offline
    recommender system evaluation. RecSys 2020, whose code has this g).

    Parameters
    ----------
    neighbours : int
        The most neighbours of a user.
    normalised : bool
        Whether scores are weighted means instead of sums.
    min_raters : int
        How many neighbours must have rated an item that a normalised score is given to: the mean of
        one neighbour says little. Sums take no notice of it.
    threshold : float
        The least positive rating, which counts 1; each star more counts 1 more, and lower ratings
        count 0.

    Notes
    -----
    An item that neighbours rated below the threshold alone has the score 0, and one that none of
    them rated has no score. Ties are common where scores are normalised: all items whose ratings
    are equal have the same score. Fitting costs as much as `cosine_neighbours`, and scoring
    `neighbours` rows of ratings per user.
    """

    neighbours: int = 100
    normalised: bool = False
    min_raters: int = 3
    threshold: float = 4.0

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Find the neighbours; the seed is not used."""
        fit_together([self], train)
        return self

    def _take(self, near: Integers32, similarities: Floats, train: sp.csr_matrix) -> None:
        """Keep the neighbours, (n_users, neighbours) each, and the gains of all users' ratings."""
        self.similarities_ = graph(near, similarities)
        # In single precision the neighbours' ratings would be another copy of twice the size.
        gains = np.maximum(train.data - np.float32(self.threshold) + 1, 0)
        self.gains_ = sp.csr_matrix((gains, train.indices, train.indptr), train.shape, copy=True)

    def fold_in(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Self:
        """Find the neighbours of the profiles among the users in training."""
        near, similarities = cosine_neighbours(
            profiles, min(self.neighbours, train.shape[0]), train
        )
        self.similarities_ = merged(self.similarities_, graph(near, similarities))
        return self

    def among(self, items: Integers32) -> Self:
        """Serve some items."""
        return changed(self, gains_=self.gains_[:, items])

    def score(self, users: Integers32) -> Floats:
        """Return the scores; see the class for the formula."""
        if not self.normalised:
            return weighted_sums(users, self.similarities_, self.gains_)
        scores = np.empty((len(users), self.gains_.shape[1]))
        _means(users, arrays(self.similarities_), arrays(self.gains_), self.min_raters, scores)
        return scores


def fit_together(models: Sequence[UserKNN], train: sp.csr_matrix) -> None:
    """Fit some to the same ratings: the neighbours of all are the first of those with the most."""
    for model in models:
        check_bounds("user-knn", model, neighbours=">= 1", min_raters=">= 1")
    most = max(model.neighbours for model in models)
    near, similarities = cosine_neighbours(train, min(most, train.shape[0]))
    for model in models:
        own = slice(model.neighbours)
        model._take(near[:, own], similarities[:, own], train)


@njit(error_model="numpy")
def _means(users, near, gains, min_raters, scores):
    """Write the means of neighbours' gains, weighted by similarity; -inf for too few raters."""
    n_items = scores.shape[1]
    # What is added up of an item stands together, gains and similarities, in one line of the cache.
    sums, raters = np.empty((n_items, 2)), np.empty(n_items, np.int32)
    for x in range(len(users)):
        sums[:], raters[:] = 0.0, 0
        for y in range(near[0][users[x]], near[0][users[x] + 1]):
            neighbour, similarity = near[1][y], near[2][y]
            own = slice(gains[0][neighbour], gains[0][neighbour + 1])
            items, given = gains[1][own], gains[2][own]
            for z in range(len(items)):
                # An index without a sign needs no look at whether it counts from the end.
                item = np.uint64(items[z])
                total, weight = sums[item, 0] + similarity * given[z], sums[item, 1] + similarity
                sums[item, 0], sums[item, 1] = total, weight
                raters[item] += 1
        for item in range(n_items):
            enough = raters[item] >= min_raters
            scores[x, item] = sums[item, 0] / sums[item, 1] if enough else -np.inf


@dataclass
class ItemKNN(WeightedSums):
    """Sums of the user's ratings over the nearest items, by weighted similarity.

    score(u, i) = sum_{j in J_i and I_u} s(i, j) r(u, j), with J_i the `neighbours` items of largest
    similarity s(i, .) (Sarwar, Karypis, Konstan, Riedl. WWW 2001, without the denominator, which
    does harm in top-N recommendation: Cremonesi et al., RecSys 2010). For the similarity, an item
    is a text and its users are the words; a user of many items is less informative about each of
    them: idf(u) = log((1 + n_items) / (1 + n_u)).

    Parameters
    ----------
    neighbours : int
        The most neighbours of an item.
    weighting : {"none", "tfidf", "bm25"}
        w(i, u) = r, or sqrt(r) idf(u), or (k1 + 1) r / (k1 (1 - b + b l_i) + r) idf(u), with l_i
        the sum of the ratings of item i divided by the mean of this sum (Robertson, Zaragoza. The
        probabilistic relevance framework: BM25 and beyond. 2009).
    similarity : {"cosine", "product"}
        The cosine of the w(i, .) and w(j, .), or their inner product: BM25 has its own
        normalisation.
    k1, b : float
        For "bm25": how soon more stars stop counting, and how far popular items are held back, from
        0 to 1. 1.2 and 0.75 are usual for texts.

    Notes
    -----
    The weights are those of `implicit`, except that 1 + n_items replaces n_items so that no idf
    becomes negative: a user of all items has 0. `implicit` sums over the neighbours of the rated
    items instead, and each item is a neighbour of itself. sum_u n_u^2 multiply-adds, and memory for
    neighbours n_items similarities. Items without any rated neighbour are not scored.
    """

    neighbours: int = 100
    weighting: str = "none"
    similarity: str = "cosine"
    k1: float = 1.2
    b: float = 0.75

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Find the neighbours; the seed is not used."""
        one_of("similarity", self.similarity, ("cosine", "product"))
        if self.k1 < 0 or not 0 <= self.b <= 1:
            raise RankassayError(
                f"item-knn: expected k1 >= 0 and b from 0 to 1, found {self.k1} and {self.b}."
            )
        self.profiles_ = train.astype(np.float64)
        weighted = weigh(self.profiles_.T.tocsr(), self.weighting, self.k1, self.b)
        if self.similarity == "cosine":
            near, similarities = cosine_neighbours(weighted, self.neighbours)
        else:
            near, similarities = product_neighbours(weighted, weighted, self.neighbours)
        self.weights_ = graph(near, similarities).T.tocsr()
        return self


def weigh(by_item: sp.csr_matrix, weighting: str, k1: float, b: float) -> sp.csr_matrix:
    """Return the weights w(i, u) of `ItemKNN` from ratings with an item per row."""
    one_of("weighting", weighting, ("none", "tfidf", "bm25"))
    if weighting == "none":
        return by_item
    n_items, n_users = by_item.shape
    counts = np.bincount(by_item.indices, minlength=n_users)
    idf = np.log((1 + n_items) / (1 + counts))
    ratings = by_item.data
    if weighting == "tfidf":
        weights = np.sqrt(ratings)
    else:
        sums = np.asarray(by_item.sum(axis=1)).ravel()
        lengths = np.repeat(sums / sums.mean(), np.diff(by_item.indptr))
        weights = (k1 + 1) * ratings / (k1 * (1 - b + b * lengths) + ratings)
    entries = (weights * idf[by_item.indices], by_item.indices, by_item.indptr)
    weighted = sp.csr_matrix(entries, shape=by_item.shape, copy=True)
    weighted.eliminate_zeros()
    return weighted
