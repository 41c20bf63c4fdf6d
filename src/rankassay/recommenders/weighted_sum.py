"""Weighted sums over neighbours that language models choose.

The neighbourhood methods of Cremonesi et al. (RecSys 2010) without biases and shrinkage, and with
the likelihood of the query in place of the cosine: the user (or the item) is the query, every
other user (item) is a document with a smoothed language model p(j|v), and ::

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

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.errors import one_of
from rankassay.kernels import njit
from rankassay.recommenders.language_models import language_models
from rankassay.recommenders.neighbourhoods import Neighbours, cosine_neighbours, product_neighbours
from rankassay.recommenders.sparse import WeightedSums, arrays, graph

SIMILARITIES = ("jelinek_mercer", "dirichlet", "absolute_discounting", "cosine")
WEIGHTS = ("lm", "lm_norm", "cosine", "uniform")


@dataclass
class LMWSRUser(WeightedSums):
    """LM-WSR-UB: the ratings of the most similar users, weighted by their similarity.

    ::

        score(u, i) = sum_{v in V_u, v rated i} w(u, v) r(v, i)  (Valcarce et al., ECIR 2016)

    V_u are the users of largest similarity, s above or the cosine of the ratings.

    Parameters
    ----------
    neighbours : int
        The most neighbours of a user. 100, with Jelinek-Mercer smoothing of 0.9, fits the results
        of Valcarce et al. (RecSys 2018) on MovieLens 1M, which were published without settings.
    similarity : {"jelinek_mercer", "dirichlet", "absolute_discounting", "cosine"}
        The smoothing of the models that find the neighbours, or the cosine instead of models.
    amount : float
        The parameter of the smoothing, see `language_models`; unused for the cosine.
    weight : {"lm", "lm_norm", "cosine", "uniform"}
        w is s; s / s_u, which gives the same ranking; the cosine; or 1. If the similarity is
        "cosine", only the last two are possible. With "lm", smoothings other than Jelinek-Mercer
        may give negative weights.

    Notes
    -----
    Fitting costs as much as `product_neighbours`, and scoring takes the ratings of the neighbours.
    Only items that a neighbour rated are scored; a user who shares no item with anyone gets no
    list.
    """

    neighbours: int = 100
    similarity: str = "jelinek_mercer"
    amount: float = 0.9
    weight: str = "lm"

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Find and weight the neighbours; the seed is not used."""
        self.profiles_ = self._terms(train, train)
        self.weights_ = train
        return self

    def _terms(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> sp.csr_matrix:
        """Return the weights of the neighbours of the profiles, who are users in training."""
        return _weighted_graph(profiles, train, self)


@dataclass
class LMWSRItem(WeightedSums):
    """LM-WSR-IB: the ratings that the user gave to the neighbours of an item.

    ::

        score(u, i) = sum_{j in J_i, u rated j} w(i, j) r(u, j)  (Valcarce et al., ECIR 2016)

    J_i are the items of largest similarity, with the items as queries and as documents, and their
    users as terms.

    Parameters
    ----------
    neighbours : int
        The most neighbours of an item. 50, with Jelinek-Mercer smoothing of 0.99 and the other
        defaults, fits the results of Valcarce et al. (RecSys 2018) on MovieLens 1M.
    similarity, amount
        As in `LMWSRUser`.
    weight : {"lm", "lm_norm", "cosine", "uniform"}
        As in `LMWSRUser`, with s_i for s_u. Here the first two rank differently: s grows with the
        popularity of the candidate, and without that P@10 falls by nine tenths on MovieLens 1M.
    direction : {"candidate", "profile"}
        "candidate" is the formula above. "profile" sums over the rated items j that have the
        candidate as a neighbour, i in J_j, with w(j, i).

    Notes
    -----
    Fitting costs as much as `product_neighbours`, and scoring takes `neighbours` terms for each
    rated item, or as many on average. Lists may be short, and shorter with few neighbours.
    """

    neighbours: int = 50
    similarity: str = "jelinek_mercer"
    amount: float = 0.99
    weight: str = "lm"
    direction: str = "candidate"

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Find and weight the neighbours; the seed is not used."""
        one_of("direction", self.direction, ("candidate", "profile"))
        by_item = train.T.tocsr()
        items = _weighted_graph(by_item, by_item, self)
        self.profiles_ = train
        self.weights_ = items.T.tocsr() if self.direction == "candidate" else items
        return self


def _weighted_graph(
    rows: sp.csr_matrix, documents: sp.csr_matrix, model: LMWSRUser | LMWSRItem
) -> sp.csr_matrix:
    """Return the weights w(a, b) of the neighbours b of every row a, as CSR (n, n).

    The neighbours are documents.
    """
    k, similarity, weight = model.neighbours, model.similarity, model.weight
    one_of("similarity", similarity, SIMILARITIES)
    weights = ("cosine", "uniform") if similarity == "cosine" else WEIGHTS
    one_of(f"weight for {similarity} neighbours", weight, weights)
    if similarity == "cosine":
        near, values = cosine_neighbours(rows, k, documents)
    else:
        near, values = _likeliest(rows, documents, k, similarity, model.amount)
        if weight == "lm_norm":
            totals = np.asarray(rows.sum(axis=1, dtype=np.float64)).ravel()
            values /= np.where(totals > 0, totals, 1)[:, None]
        elif weight == "cosine":
            _cosines(arrays(rows), arrays(documents), rows.shape[1], near, values)
    if weight == "uniform":
        values = np.ones_like(values)
    return graph(near, values)


def _likeliest(
    rows: sp.csr_matrix, documents: sp.csr_matrix, k: int, smoothing: str, amount: float
) -> Neighbours:
    """Return the k documents whose models give every row the highest likelihood."""
    models = language_models(documents, smoothing, amount)
    offsets = None if smoothing == "jelinek_mercer" else np.log(models.share)
    return product_neighbours(rows, models.gains(), k, offsets)


@njit
def _cosines(rows, documents, n_columns, near, values):
    """Write the cosines of every row with its neighbours, from CSR arrays."""
    indptr, indices, data = rows
    starts, columns, entries = documents
    squares = np.zeros(len(near))
    row = np.zeros(n_columns)
    for b in range(len(near)):
        for x in range(starts[b], starts[b + 1]):
            squares[b] += np.float64(entries[x]) * entries[x]
    for a in range(len(near)):
        square = 0.0
        for x in range(indptr[a], indptr[a + 1]):
            row[indices[x]] = data[x]
            square += np.float64(data[x]) * data[x]
        for place in range(near.shape[1]):
            b = near[a, place]
            if b < 0:
                break
            dot = 0.0
            for x in range(starts[b], starts[b + 1]):
                dot += row[columns[x]] * entries[x]
            values[a, place] = dot / np.sqrt(square * squares[b])
        row[indices[indptr[a] : indptr[a + 1]]] = 0.0
