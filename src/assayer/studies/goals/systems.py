"""The analyses of robustness and discriminative power with metrics of this study's own.

The metrics that Schröder, Thiele and Lehner, 2011, propose stand beside those of Valcarce et al.,
RecSys 2018, whose analyses these are; nothing is measured in another way. Each takes `metrics` and
`cutoffs` in place of the configured measures, and is otherwise as documented there.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import scipy.sparse as sp

from assayer.artifacts.arrays import Rankings, Scores
from assayer.metrics.evaluate import grid
from assayer.statistics import popularity as popular
from assayer.statistics import sparsity as sparse
from assayer.statistics.replicated import Replicated
from assayer.statistics.user_values import evaluated


def sparsity(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    seed: int,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    **settings: Any,
) -> Replicated:
    """Correlate the systems' order on parts of the test set; see `assayer.statistics.sparsity`."""
    evaluation = evaluation | {"measures": grid(metrics, cutoffs)}
    return sparse.run(test, rankings, evaluation, seed=seed, **settings)


def popularity(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    seed: int,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    **settings: Any,
) -> Replicated:
    """Correlate it on the least popular items; see `assayer.statistics.popularity`."""
    evaluation = evaluation | {"measures": grid(metrics, cutoffs)}
    return popular.run(train, test, rankings, evaluation, seed=seed, **settings)


def own_scores(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
) -> Scores:
    """Return the metrics of every user and system, as the stage `score` would store them."""
    measures = grid(metrics, cutoffs)
    judgements, values = evaluated(test, rankings, evaluation, measures)
    return Scores(values, judgements.users, np.array([*rankings]), np.array(measures))
