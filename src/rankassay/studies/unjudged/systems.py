"""The recommenders' lists, in terms of the judgements and cut where they were stored."""

from collections.abc import Mapping

import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.metrics.unjudged import cut


def lists_of(
    test: sp.csr_matrix, rankings: Mapping[str, Rankings], threshold: float
) -> tuple[Judgements, dict[str, Lists]]:
    """Return the judgements, and the list of each system by its name."""
    judgements = Judgements.of(test, threshold)
    depth = min(ranking.depth for ranking in rankings.values())
    lists = {name: cut(Lists.of(own, judgements), depth) for name, own in rankings.items()}
    return judgements, lists
