"""What the two robustness analyses share: the systems' order on a part of the test set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from assayer.analysis.kendall import rounded
from assayer.artifacts import Rankings
from assayer.metrics.evaluate import measure_values
from assayer.metrics.judged import Judgements, judge


@dataclass(frozen=True)
class TestSet:
    """The judgements of a test set and where each system ranks the judged items.

    Evaluating a part of the test set needs nothing else: no ranking is made again.
    """

    __test__ = False  # the name is the field's term; pytest should not collect it

    judgements: Judgements
    ranks: Sequence[npt.NDArray[np.int32]]
    measures: Sequence[str]
    profile: str
    depth: int
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
        """Return the test set of a dataset; `evaluation` names threshold, measures and profile."""
        return cls(
            Judgements.of(test, evaluation["threshold"]),
            [ranking.ranks for ranking in rankings.values()],
            evaluation["measures"],
            evaluation["profile"],
            min(ranking.depth for ranking in rankings.values()),
            unjudged_users,
            round_means,
        )

    def means(self, keep: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.float64]:
        """Return the systems' means on the kept test ratings, float64 (n_measures, n_systems)."""
        judgements, ranks = self.judgements, self.ranks
        if keep is not None:
            judgements = judgements.sample(keep, self.unjudged_users)
            ranks = [r[keep] for r in ranks]
        sums = [
            measure_values(judge(judgements, r, self.depth), self.measures, self.profile).sum(
                axis=0
            )
            for r in ranks
        ]
        return rounded(np.array(sums).T / max(judgements.n_users, 1), self.round_means)
