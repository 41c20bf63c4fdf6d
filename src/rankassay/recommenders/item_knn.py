"""Item neighbourhoods with the term weights of information retrieval."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError, one_of
from rankassay.recommenders.neighbourhoods import cosine_neighbours, product_neighbours
from rankassay.recommenders.sparse import WeightedSums, graph


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
