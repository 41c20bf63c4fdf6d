"""How irrelevant items are sampled: uniformly, or by their popularity.

With samples by popularity, an irrelevant item is drawn with a probability proportional to its
number of training ratings, with replacement. How likely one stands above a relevant item is then
the popularity of all irrelevant items above it, as a share of that of all. Of a ranking, only the
first items are kept: down to there the share is exact. Below, it is interpolated, as if what lies
deeper were in random order, and bounded: no less than the share of the list, and no more than 1.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.errors import RankassayError
from rankassay.metrics.judgements import Judgements, Lists, blocks
from rankassay.metrics.sampled.lists import Instances
from rankassay.recommenders.rank import CANDIDATES, candidate_items
from rankassay.types import Booleans, Floats, Integers, Integers32

BLOCK = 2**14  # users whose lists are looked at together


@dataclass(frozen=True)
class Popularity:
    """The popularity of the items, as sampling sees it.

    Attributes
    ----------
    weight : float64 (n_items,)
        Training ratings; 0 for items that are no candidates.
    seen : float64 (n_users,)
        The weight of the candidates that each user has not rated in training.
    relevant : bool csr (n_users, n_items)
    """

    weight: Floats
    seen: Floats
    relevant: sp.csr_matrix

    @classmethod
    def of(
        cls, train: sp.csr_matrix, test: sp.csr_matrix, threshold: float, n_candidates: npt.NDArray
    ) -> "Popularity":
        """Count the popularity in a split; `n_candidates` (n_users,) tells which were ranked."""
        rated = sp.csr_matrix((np.ones(train.nnz), train.indices, train.indptr), train.shape)
        count = np.bincount(train.indices, minlength=train.shape[1]).astype(np.float64)
        judged = np.diff(test.indptr) > 0
        for candidates in CANDIDATES:
            pool = candidate_items(train, test, candidates)
            if np.array_equal((pool.sum() - rated @ pool)[judged], n_candidates[judged]):
                break
        else:
            raise RankassayError(
                "expected rankings of the test set's items, or of all, without those rated in "
                "training; found others. Make the rankings again from the same split."
            )
        weight = np.where(pool, count, 0.0)
        liked = test.data >= Judgements.of(test, threshold).threshold
        relevant = sp.csr_matrix((liked, test.indices, test.indptr), test.shape)
        return cls(weight, weight.sum() - rated @ weight, relevant)

    def bounds(self, ranking: Rankings, instances: Instances, users: Integers32) -> list[Instances]:
        """Return a system's instances with the weights above them: likely, least and most.

        `users` are the indices of the rows of the instances, (n_users,).
        """
        relevant = self.relevant[users]
        total = self.seen[users] - relevant @ self.weight
        row, rank = instances.row, instances.rank
        deep = (rank == 0) | (rank - 1 > ranking.depth)
        place = np.where(deep, ranking.depth, rank - 1)
        least, listed = np.empty(len(row)), np.empty(len(users), dtype=np.int64)
        start = np.searchsorted(row, np.arange(len(users) + 1))
        items = ranking.items
        for first, last in blocks(len(users), BLOCK):
            shown = items[users[first:last]]
            irrelevant = _irrelevant(shown, relevant[first:last])
            weight = np.where(irrelevant, self.weight[shown], 0.0)
            # Column k: of the first k items of the list.
            mass = np.hstack([np.zeros((len(shown), 1)), np.cumsum(weight, axis=1)])
            own = slice(start[first], start[last])
            least[own] = mass[row[own] - first, place[own]]
            listed[first:last] = irrelevant.sum(axis=1)
        most = np.where(deep, total[row], least)
        likely = least + (most - least) * _deeper(ranking, instances, users, listed)
        return [instances.weighing(above, total[row]) for above in (likely, least, most)]


def _irrelevant(items: Integers32, relevant: sp.csr_matrix) -> Booleans:
    """Mark the places that hold irrelevant items, bool (n_users, depth)."""
    if not items.size:
        return np.zeros(items.shape, dtype=bool)
    row, listed = np.repeat(np.arange(len(items)), items.shape[1]), np.maximum(items, 0).ravel()
    return (items >= 0) & ~np.asarray(relevant[row, listed]).reshape(items.shape)


def _deeper(ranking: Rankings, instances: Instances, users, listed: Integers) -> Floats:
    """Return the share of scored irrelevant items below the list that are above each item.

    Of each user, `listed` of them are in the list.
    """
    row, rank = instances.row, instances.rank
    scored = ranking.n_ranked[users] - np.bincount(row, rank > 0, len(users))
    order = np.arange(len(row)) - np.searchsorted(row, np.arange(len(users)))[row]
    share = (rank - 1 - order - listed[row]) / np.maximum(scored - listed, 1)[row]
    return np.where(rank > 0, np.clip(share, 0.0, 1.0), 1.0)


def judged(test: sp.csr_matrix, threshold: float) -> tuple[Judgements, Integers32]:
    """Return the judgements, and the users with relevant items, who alone have values.

    Raises RankassayError where there are none.
    """
    judgements = Judgements.of(test, threshold)
    judgements.check_relevant()
    return judgements, judgements.users[judgements.n_relevant > 0]


def uniform(ranking: Rankings, judgements: Judgements, relevant: str) -> Instances:
    """Return a system's instances where irrelevant items are drawn uniformly."""
    return Instances.of(judgements, Lists.of(ranking, judgements), relevant)
