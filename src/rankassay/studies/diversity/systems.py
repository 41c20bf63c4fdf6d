"""The recommenders by diversity metrics, and by accuracy metrics for comparison.

The questions of Valcarce et al., RecSys 2018, on accuracy metrics, for diversity metrics: do
metrics agree in the ranking of systems, is the ranking robust to missing judgements, and what is
the metrics' discriminative power?
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypedDict, Unpack

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.anew import fits, of_each
from rankassay.artifacts.arrays import Rankings, Ratings
from rankassay.artifacts.shards import successive
from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import METRICS
from rankassay.metrics.diversity.lists import AspectLists, Interests
from rankassay.metrics.evaluate import diversity_values, grid
from rankassay.metrics.judgements import blocks
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import OnTestSet, TestSet, means_of_values
from rankassay.studies.diversity.ideal import ground_truth_of
from rankassay.types import Booleans, Floats, Integers, Integers32

BLOCK = 2**14  # users whose lists are looked at together


class Data(TypedDict):
    """What every analysis of the systems reads, by the names of its parameters."""

    train: sp.csr_matrix
    test: sp.csr_matrix
    rankings: Mapping[str, Rankings]
    aspects: Ratings


@dataclass(frozen=True)
class Systems(OnTestSet):
    """Systems that can be evaluated on any part of the judgements, by metrics of both kinds."""

    interests: Interests  # of the users who have judgements
    lists: Mapping[str, Integers32]  # (n_users, depth), by system
    metrics: list[str]  # those of diversity
    cutoffs: list[int]
    columns: Integers  # where each measure stands among those of accuracy, then of diversity

    @classmethod
    def of(
        cls, evaluation: dict, metrics: Sequence[str], cutoffs: Sequence[int], **data: Unpack[Data]
    ) -> Self:
        """Judge the systems of a dataset.

        `evaluation` has a threshold and a profile: one number for all users is always the mean, as
        some of these metrics can be below 0.
        """
        accuracy = [name for name in metrics if name in METRICS or ":" in name]
        varied = [name for name in metrics if name not in accuracy]
        spec = evaluation | {"measures": grid(accuracy, cutoffs), "without_relevant": "value"}
        train, test, rankings = data["train"], data["test"], data["rankings"]
        listed = 4 * test.shape[0] * sum(ranking.depth for ranking in rankings.values())
        whole = TestSet.of(test, rankings, spec, anew=not fits(listed))
        users = whole.judgements.users
        names, columns = _arranged(metrics, accuracy, varied, cutoffs)
        lists = of_each(rankings, lambda ranking: ranking.items[users], listed)
        for system, own in lists.items():
            if own.max(initial=-1) >= test.shape[1]:
                raise RankassayError(
                    f"{system} lists items that the dataset does not have, whose aspects are not "
                    "known; set systems.not_candidates to drop."
                )
        interests = ground_truth_of(train, test, data["aspects"], evaluation, "test")
        return cls(whole, names, interests, lists, varied, [*cutoffs], columns)

    def values(self, keep: Booleans | None = None) -> Floats:
        """Return every user's values on the kept judgements; see `UsersValues`.

        Users whom nothing is left of have none.
        """
        interests, rows = self.interests, np.arange(self.judgements.n_users)
        if keep is not None:
            rows = np.unique(interests.row[keep])
            interests = interests.part(keep, rows)
        values = np.full((self.judgements.n_users, len(self.lists), len(self.names)), np.nan)
        n_exact = len(self.whole.evaluation["measures"])
        for s, exact in enumerate(self.whole.by_system(keep)):
            values[:, s, :n_exact] = exact
        # The blocks cache what is the same for all systems.
        own = [(block, interests.block(*block)) for block in blocks(len(rows), BLOCK)]
        for s, items in enumerate(self.lists.values() if self.metrics else ()):
            for (first, last), some in own:
                lists = AspectLists.of(items[rows[first:last]], some)
                found = diversity_values(lists, self.metrics, self.cutoffs)
                values[rows[first:last], s, n_exact:] = found.reshape(last - first, -1)
        in_order = (np.diff(self.columns) == 1).all()
        return values if in_order else np.take(values, self.columns, axis=2)

    def means(self, keep: Booleans | None = None, draws: Draws | None = None) -> Floats:
        """Return the systems' means on the kept judgements; see `UsersValues`."""
        draws = draws or Draws.none(self.judgements.n_users)
        each = self.judgements.n_users * self.n_systems * len(self.cutoffs)
        every = [*dict.fromkeys(metric for metric, _ in self.names)]
        some = [every[own] for own in successive(every, each)]
        systems = [self] if len(some) == 1 else map(self._by, some)
        return np.concatenate([means_of_values(own.values(keep), draws) for own in systems], axis=1)

    def _by(self, metrics: Sequence[str]) -> "Systems":
        """Return the same by some of the metrics."""
        exact = [m for m in metrics if m not in self.metrics]
        varied = [m for m in metrics if m in self.metrics]
        spec = self.whole.evaluation | {"measures": grid(exact, self.cutoffs)}
        accuracy = replace(self.whole, evaluation=spec)
        names, columns = _arranged(metrics, exact, varied, self.cutoffs)
        return replace(self, whole=accuracy, metrics=varied, names=names, columns=columns)


def _arranged(
    metrics: Sequence[str], accuracy: Sequence[str], varied: Sequence[str], cutoffs: Sequence[int]
) -> tuple[list[tuple[str, int]], Integers]:
    """Return the measures, and the place of each among those of accuracy and then of diversity."""
    names = [*itertools.product(metrics, cutoffs)]
    computed = [*itertools.product([*accuracy, *varied], cutoffs)]
    return names, np.array([computed.index(name) for name in names])
