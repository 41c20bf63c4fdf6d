"""What the two robustness analyses share: the systems' order on a part of the test set."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from assayer.analysis.kendall import rounded
from assayer.artifacts import Rankings
from assayer.metrics.evaluate import measure_aggregates
from assayer.metrics.judged import Judged, judge
from assayer.metrics.judgements import Judgements, Lists


@dataclass(frozen=True)
class TestSet:
    """The judgements of a test set and where each system ranks the judged items.

    Evaluating a part of the test set needs nothing else: no ranking is made again.
    """

    __test__ = False  # the name is the field's term; pytest should not collect it

    judgements: Judgements
    systems: list[Judged]
    evaluation: dict
    unjudged_users: str
    round_means: int | None

    @classmethod
    def of(
        cls,
        test: sp.csr_matrix,
        rankings: Mapping[str, Rankings],
        evaluation: dict,
        unjudged_users: str,
        round_means: int | None,
    ) -> Self:
        """Return the test set of a dataset; see `assayer.metrics.evaluate` for `evaluation`."""
        judgements = Judgements.of(test, evaluation["threshold"])
        depth = min(ranking.depth for ranking in rankings.values())
        systems = [
            judge(judgements, Lists.of(ranking, judgements), depth) for ranking in rankings.values()
        ]
        return cls(judgements, systems, evaluation, unjudged_users, round_means)

    def means(self, keep: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.float64]:
        """Return the systems' means on the kept test ratings, float64 (n_measures, n_systems)."""
        systems = self.systems
        if keep is not None:
            part = self.judgements.sample(keep, self.unjudged_users)
            systems = [judged.sample(keep, part) for judged in systems]
        spec = self.evaluation
        means = [
            measure_aggregates(
                judged,
                spec["measures"],
                spec["profile"],
                spec["without_relevant"],
                spec["aggregate"],
            )
            for judged in systems
        ]
        return rounded(np.array(means).T, self.round_means)
