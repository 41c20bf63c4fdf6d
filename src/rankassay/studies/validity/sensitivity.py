"""Sensitivity without a truth: how much selection it takes to reverse systems."""

from collections.abc import Mapping

import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics import sensitivity as statistics
from rankassay.statistics.popularity import popularity


def run(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
) -> pd.DataFrame:
    """Return how unequally judged items may count until two systems reverse, pair by pair.

    `evaluation` has measures, threshold, profile and without_relevant. Systems are compared by
    their means over users, even if another aggregate is configured. The result is that of
    `rankassay.statistics.sensitivity.pairs`; items are popular by their training ratings.
    """
    judgements = Judgements.of(test, evaluation["threshold"])
    depth = min(ranking.depth for ranking in rankings.values())
    systems = {
        name: judge(judgements, Lists.of(ranking, judgements), depth)
        for name, ranking in rankings.items()
    }
    return statistics.pairs(judgements, test.indices, systems, evaluation, popularity(train))


def winners(sensitivity: pd.DataFrame) -> pd.DataFrame:
    """Return how much selection it takes to change the winner, measure by measure.

    `sensitivity` is as `run` returns it; for the result see
    `rankassay.statistics.sensitivity.winners`.
    """
    return statistics.winners(sensitivity)
