"""Relevance models: language models of the items that would satisfy the user.

In RM1 and RM2, the items of the user are the query, the k most similar users V_u are the documents
that it retrieved, each with a smoothed language model p(i|v), and the model of the relevant
documents is estimated from the two. Both score only items that a neighbour rated and the user did
not. A user who shares no item with anyone therefore gets no list, and lists may be short.

The neighbours come from the cosine of the rating vectors. Scores are natural logarithms, mostly far
below 0. The product over the items of the user counts every item once, and ignores its rating.

References
----------
J. Parapar, A. Bellogin, P. Castells, A. Barreiro. Relevance-based language modelling for
recommender systems. IPM 49(4), 2013. After V. Lavrenko, W. B. Croft. Relevance-based language
models. SIGIR 2001. For the smoothing, see `language_models`.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError, one_of
from rankassay.kernels import njit
from rankassay.recommenders.base import Picked
from rankassay.recommenders.language_models import LanguageModels, language_models
from rankassay.recommenders.neighbourhoods import cosine_neighbours, neighbours_of_profiles
from rankassay.recommenders.relevance_kernels import rm1, rm2
from rankassay.recommenders.sparse import arrays, merged
from rankassay.types import Floats, Integers32


@dataclass
class _RelevanceModel:
    """Neighbours and language models at fitting; the subclass scores."""

    neighbours: int = 100
    smoothing: str = "absolute_discounting"
    amount: float = 0.1

    def fit(self, train: sp.csr_matrix, seed: int) -> Self:
        """Find the neighbours and estimate the models; the seed is not used."""
        models = language_models(train, self.smoothing, self.amount)
        self.models_ = (*arrays(models.seen), models.share, models.background)
        self.neighbours_, _ = cosine_neighbours(train, self.neighbours)
        return self._with(models)

    def fold_in(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Self:
        """Find the neighbours of the profiles among the users in training."""
        self.neighbours_ = neighbours_of_profiles(self.neighbours_, train, profiles)
        _, _, seen, share, background = self.models_
        self.models_ = (*arrays(self._known(seen, profiles)), share, background)
        return self

    def _known(self, values: Floats, profiles: sp.csr_matrix) -> sp.csr_matrix:
        """Return values of the ratings in training as a matrix, with the profiles.

        The values of these are never read: they are queries, of which the items count.
        """
        indptr, items, *_, background = self.models_
        # An item that no model gives any probability would leave all neighbours without.
        asked = sp.csr_matrix(profiles.multiply(background > 0))
        asked.eliminate_zeros()
        return merged(sp.csr_matrix((values, items, indptr), profiles.shape), asked)

    def _with(self, models: LanguageModels) -> Self:
        """Keep further values of the models that the scores need."""
        return self

    def among(self, items: Integers32) -> Picked:
        """Return a model of some items; others count in the likelihood of what the user rated."""
        return Picked(self, items)

    def score(self, users: Integers32) -> Floats:
        """Return the scores; see the class for the formula."""
        background = self.models_[-1]
        scores = np.full((len(users), len(background)), -np.inf)
        self._score(users, scores)
        return scores

    def _score(self, users: Integers32, scores: Floats) -> None:
        """Write the scores of the candidates of each user."""
        raise NotImplementedError


class RM1(_RelevanceModel):
    """Relevance model whose items and query are drawn from the same neighbour.

    ::

        score(u, i) = log( 1 / |V_u| sum_{v in V_u} p(i|v) prod_{j in I_u} p(j|v) )
        (Parapar et al., IPM 2013, with the uniform prior p(v) = 1 / |V_u|)

    For users with many items, the product gives one neighbour nearly all the weight, so RM1 is a
    weak recommender: on MovieLens 1M it is below Popularity, both as published and here.

    Parameters
    ----------
    neighbours : int
        The most neighbours of a user. 100 fits the results of Valcarce et al. (RecSys 2018) on
        MovieLens 1M, which were published without settings.
    smoothing : {"absolute_discounting", "jelinek_mercer", "dirichlet", "additive"}
        How p(i|v) is smoothed, see `language_models`. Valcarce et al. (ECIR 2015) find the first as
        good as the others and insensitive to its parameter. Those results support this: for RM1 the
        others are 8% and more away.
    amount : float
        The parameter of the smoothing. Try 0.1 for absolute discounting, 0.1 to 0.9 for
        Jelinek-Mercer, 10 to 1000 for Dirichlet and 0.001 to 1 for additive smoothing.

    Notes
    -----
    A user takes time proportional to the ratings of the neighbours. With smoothing that leaves
    only the collection (Jelinek-Mercer, amount near 1) items are ranked by the sum of their
    ratings; for users of one item the scores are those of RM2.
    """

    def _with(self, models: LanguageModels) -> Self:
        self.gains_ = models.gains().data
        return self

    def fold_in(self, train: sp.csr_matrix, profiles: sp.csr_matrix) -> Self:
        """Find the neighbours of the profiles among the users in training."""
        self.gains_ = self._known(self.gains_, profiles).data
        return super().fold_in(train, profiles)

    def _score(self, users: Integers32, scores: Floats) -> None:
        rm1(users, self.neighbours_, self.models_, self.gains_, scores)


class RM2(_RelevanceModel):
    """Relevance model whose query items are drawn independently, given the item.

    ::

        score(u, i) = log( p(i) prod_{j in I_u} sum_{v in V_u} p(i|v) p(v) / p(i) p(j|v) )
        (Parapar et al., IPM 2013, with the uniform priors p(v) = 1 / |V_u| and p(i) = 1 / n_items)

    Parameters
    ----------
    neighbours, smoothing, amount
        As in `RM1`. For RM2 absolute discounting with 0.01 and additive smoothing with 0.01 are
        as near to the published results, and 200 neighbours 2% further away.

    Notes
    -----
    With p(i|v) = a(v, i) + b(v) c(i), the sum over the neighbours is

        sum_v a(v, i) a(v, j) + c(j) sum_v b(v) a(v, i) + c(i) (sum_v b(v) a(v, j) + c(j) sum_v
        b(v)^2)

    A user with n items therefore takes n times the ratings of the neighbours in multiply-adds, and
    n / 8 logarithms for each candidate. With one neighbour both models rank by p(i|v).
    """

    def _score(self, users: Integers32, scores: Floats) -> None:
        rm2(users, self.neighbours_, self.models_, scores)


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
