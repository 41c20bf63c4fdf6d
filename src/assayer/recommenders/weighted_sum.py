"""Weighted sums over neighbours that language models choose.

The neighbourhood methods of Cremonesi et al. (RecSys 2010) without biases and shrinkage, and with
the likelihood of the query in place of the cosine: the user (or the item) is the query, every
other user (item) is a document with a smoothed language model p(j|v), and

    s(u, v) = log p(u|v) - const(u)
            = sum_{j in both} r(u, j) log(p(j|v) / (b(v) c(j))) + s_u log b(v)

where b(v) c(j) is what the model gives to j if v did not rate it, see `language_models`, and s_u is
the sum of the ratings. For Jelinek-Mercer smoothing b is a constant and its term is left out, so
that s is positive; for the others it may be negative. It is not symmetric. Rows without a common
column are no neighbours.

References
----------
D. Valcarce, J. Parapar, A. Barreiro. Language models for collaborative filtering neighbourhoods.
ECIR 2016.
"""

from typing import Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from numba import njit

from assayer.errors import unknown
from assayer.recommenders.language_models import language_models
from assayer.recommenders.neighbourhoods import (
    Neighbours,
    cosine_neighbours,
    product_neighbours,
)

Floats = npt.NDArray[np.float64]

SIMILARITIES = ("jelinek_mercer", "dirichlet", "absolute_discounting", "cosine")
WEIGHTS = ("lm", "lm_norm", "cosine", "uniform")


class _WeightedSum:
    """A product of two sparse matrices, with -inf where no term adds to an entry."""

    left_: sp.csr_matrix
    right_: sp.csr_matrix

    def score(self, users: npt.NDArray[np.int32]) -> Floats:
        """Return the scores; see the class for the formula."""
        scores = np.full((len(users), self.right_.shape[1]), -np.inf)
        left, right = ((m.indptr, m.indices, m.data) for m in (self.left_, self.right_))
        _multiply(users, left, right, scores)
        return scores


class LMWSRUser(_WeightedSum):
    """LM-WSR-UB: the ratings of the users most like the user, weighted by their likeness.

    score(u, i) = sum_{v in V_u, v rated i} w(u, v) r(v, i)  (Valcarce et al., ECIR 2016)

    V_u are the users of largest similarity, s above or the cosine of the ratings.

    Parameters
    ----------
    neighbours : int
        The most neighbours of a user. 100, with Jelinek-Mercer smoothing of 0.9, is what fits the
        results of Valcarce et al. (RecSys 2018) on MovieLens 1M, which come without settings.
    similarity : {"jelinek_mercer", "dirichlet", "absolute_discounting", "cosine"}
        The smoothing of the models that find the neighbours, or the cosine instead of models.
    amount : float
        The parameter of the smoothing, see `language_models`; unused for the cosine.
    weight : {"lm", "lm_norm", "cosine", "uniform"}
        What w is: s; s / s_u, which ranks alike; the cosine; or 1. Where similarity is "cosine",
        the last two only. With "lm", smoothings other than Jelinek-Mercer may give negative ones.

    Notes
    -----
    Fitting costs what `product_neighbours` does, scoring the ratings of the neighbours. Only items
    that a neighbour rated are scored; a user who shares no item with anyone gets no list.
    """

    def __init__(
        self,
        neighbours: int = 100,
        similarity: str = "jelinek_mercer",
        amount: float = 0.9,
        weight: str = "lm",
    ):
        self.neighbours = neighbours
        self.similarity = similarity
        self.amount = amount
        self.weight = weight

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Find and weight the neighbours; the seed is not used."""
        self.left_ = _graph(train, self.neighbours, self.similarity, self.amount, self.weight)
        self.right_ = train
        return self


class LMWSRItem(_WeightedSum):
    """LM-WSR-IB: the ratings that the user gave to the neighbours of an item.

    score(u, i) = sum_{j in J_i, u rated j} w(i, j) r(u, j)  (Valcarce et al., ECIR 2016)

    J_i are the items of largest similarity, with the items as queries and as documents, and their
    users as terms.

    Parameters
    ----------
    neighbours : int
        The most neighbours of an item. 50, with Jelinek-Mercer smoothing of 0.99 and the other
        defaults, is what fits the results of Valcarce et al. (RecSys 2018) on MovieLens 1M.
    similarity, amount
        As in `LMWSRUser`.
    weight : {"lm", "lm_norm", "cosine", "uniform"}
        As in `LMWSRUser`, with s_i for s_u. Unlike there, the first two rank differently: s grows
        with the popularity of the candidate, and without that P@10 falls by nine tenths there.
    direction : {"candidate", "profile"}
        "candidate" is the formula above. "profile" sums over the rated items j of which the
        candidate is a neighbour, i in J_j, with w(j, i).

    Notes
    -----
    Fitting costs what `product_neighbours` does, scoring `neighbours` terms for each rated item, or
    as many on average. Lists may be short, and shorter with few neighbours.
    """

    def __init__(
        self,
        neighbours: int = 50,
        similarity: str = "jelinek_mercer",
        amount: float = 0.99,
        weight: str = "lm",
        direction: str = "candidate",
    ):
        self.neighbours = neighbours
        self.similarity = similarity
        self.amount = amount
        self.weight = weight
        self.direction = direction

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Find and weight the neighbours; the seed is not used."""
        if self.direction not in ("candidate", "profile"):
            raise unknown("direction", self.direction, ["candidate", "profile"])
        items = train.T.tocsr()
        graph = _graph(items, self.neighbours, self.similarity, self.amount, self.weight)
        self.left_ = train
        self.right_ = graph.T.tocsr() if self.direction == "candidate" else graph
        return self


def _graph(rows: sp.csr_matrix, k: int, similarity: str, amount: float, weight: str):
    """Return the weights w(a, b) of the neighbours b of every row a, as CSR (n, n)."""
    if similarity not in SIMILARITIES:
        raise unknown("similarity", similarity, SIMILARITIES)
    weights = ("cosine", "uniform") if similarity == "cosine" else WEIGHTS
    if weight not in weights:
        raise unknown(f"weight for {similarity} neighbours", weight, weights)
    if similarity == "cosine":
        near, values = cosine_neighbours(rows, k)
    else:
        near, values = _likeliest(rows, k, similarity, amount)
        if weight == "lm_norm":
            totals = np.asarray(rows.sum(axis=1, dtype=np.float64)).ravel()
            values /= np.where(totals > 0, totals, 1)[:, None]
        elif weight == "cosine":
            _cosines(rows.indptr, rows.indices, rows.data, near, values)
    if weight == "uniform":
        values = np.ones_like(values)
    found = near >= 0
    starts = np.concatenate(([0], np.cumsum(found.sum(axis=1))))
    return sp.csr_matrix((values[found], near[found], starts), shape=(len(near), len(near)))


def _likeliest(rows: sp.csr_matrix, k: int, smoothing: str, amount: float) -> Neighbours:
    """Return the k rows whose models give every row the highest likelihood."""
    models = language_models(rows, smoothing, amount)
    offsets = None if smoothing == "jelinek_mercer" else np.log(models.share)
    return product_neighbours(rows, models.gains(), k, offsets)


@njit(cache=True)
def _cosines(indptr, indices, data, near, values):
    """Write the cosines of every row with its neighbours."""
    lengths = np.zeros(len(near))
    row = np.zeros(indices.max() + 1 if len(indices) else 0)
    for a in range(len(near)):
        for x in range(indptr[a], indptr[a + 1]):
            lengths[a] += np.float64(data[x]) * data[x]
    for a in range(len(near)):
        for x in range(indptr[a], indptr[a + 1]):
            row[indices[x]] = data[x]
        for place in range(near.shape[1]):
            b = near[a, place]
            if b < 0:
                break
            dot = 0.0
            for x in range(indptr[b], indptr[b + 1]):
                dot += row[indices[x]] * data[x]
            values[a, place] = dot / np.sqrt(lengths[a] * lengths[b])
        row[indices[indptr[a] : indptr[a + 1]]] = 0.0


@njit(cache=True)
def _multiply(users, left, right, scores):
    """Add up the rows of `right` that the rows of `left` name; `scores` are -inf on entry."""
    for x in range(len(users)):
        row = scores[x]
        for y in range(left[0][users[x]], left[0][users[x] + 1]):
            middle, weight = left[1][y], np.float64(left[2][y])
            for z in range(right[0][middle], right[0][middle + 1]):
                item = right[1][z]
                if row[item] == -np.inf:
                    row[item] = 0.0
                row[item] += weight * right[2][z]
