"""The analyses of robustness and discriminative power with metrics of this study's own.

The metrics that Schröder, Thiele and Lehner, 2011, propose stand beside those of Valcarce et al.,
RecSys 2018, whose analyses these are; nothing is measured in another way. Each takes `metrics` and
`cutoffs` in place of the configured measures, and has the neutral choice where it has no setting.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import scipy.sparse as sp

from assayer.artifacts.arrays import Rankings, Scores
from assayer.metrics.evaluate import grid
from assayer.statistics import discriminative_power as power
from assayer.statistics import significance
from assayer.statistics.identical import named, same_lists
from assayer.statistics.replicated import LEVEL, Replicated
from assayer.statistics.test_sets import TestSet
from assayer.statistics.user_values import evaluated


def systems(
    evaluation: dict,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    metrics: Sequence[str],
    cutoffs: Sequence[int],
) -> TestSet:
    """Return the systems by the study's metrics, as analyses of the robustness study see them."""
    return TestSet.of(test, rankings, evaluation | {"measures": grid(metrics, cutoffs)})


def discriminative_power(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    samples: int,
    replicates: int,
    seed: int,
) -> Replicated:
    """Sum the p-values of all pairs of systems; see `assayer.statistics.discriminative_power`."""
    measures = grid(metrics, cutoffs)
    judgements, values = evaluated(test, rankings, evaluation, measures)
    scores = Scores(values, judgements.users, np.array([*rankings]), np.array(measures))
    identical = named(rankings, same_lists(rankings))
    p_values = significance.p_values(
        scores, samples, seed, "permutation", True, identical=identical
    )
    return power.run(scores, p_values, seed, replicates, LEVEL)
