"""Relevance models: language models of the items that would satisfy the user.

The items of the user are the query, the k most similar users V_u are the documents that it
retrieved, each with a smoothed language model p(i|v), and the model of the relevant documents is
estimated from the two. Both score only items that a neighbour rated and the user did not. A user
who shares no item with anyone therefore gets no list, and lists may be short.

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
