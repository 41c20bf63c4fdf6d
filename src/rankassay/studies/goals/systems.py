"""The recommenders by the metrics of the study, for analyses of any systems."""

from collections.abc import Mapping, Sequence

import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.metrics.evaluate import grid
from rankassay.statistics.judged_systems import TestSet


def systems(
    evaluation: dict,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    metrics: Sequence[str],
    cutoffs: Sequence[int],
) -> TestSet:
    """Return the systems by the study's metrics, as analyses of the robustness study see them."""
    return TestSet.of(test, rankings, evaluation | {"measures": grid(metrics, cutoffs)})
