"""The analyses of robustness and discriminative power with metrics of this study's own.

The metrics that Schröder, Thiele and Lehner, 2011, propose are compared with those of Valcarce et
al., RecSys 2018, whose analyses these are; nothing is measured in another way. Each takes `metrics`
and `cutoffs` in place of the configured measures, and has the neutral choice where it has no
setting.
"""

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
