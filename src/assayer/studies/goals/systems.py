"""The analyses of robustness and discriminative power with metrics of this study's own.

The metrics that Schröder, Thiele and Lehner, 2011, propose stand beside those of Valcarce et al.,
RecSys 2018, whose analyses these are; nothing is measured in another way. Each takes `metrics` and
`cutoffs` in place of the configured measures, and has the neutral choice where it has no setting.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from assayer.artifacts.arrays import Rankings, Scores
from assayer.metrics.evaluate import grid
from assayer.statistics import discriminative_power as power
from assayer.statistics import popularity as popular
from assayer.statistics import significance
from assayer.statistics import sparsity as sparse
from assayer.statistics.correlation import between_metrics
from assayer.statistics.draws import Draws
from assayer.statistics.identical import named, same_lists
from assayer.statistics.replicated import LEVEL, Replicated
from assayer.statistics.test_sets import means_of_values, names_of
from assayer.statistics.user_values import evaluated, evaluated_parts


def sparsity(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    seed: int,
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
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    seed: int,
    **settings: Any,
) -> Replicated:
    """Correlate it on the least popular items; see `assayer.statistics.popularity`."""
    evaluation = evaluation | {"measures": grid(metrics, cutoffs)}
    return popular.run(train, test, rankings, evaluation, seed=seed, **settings)


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


def metric_correlation(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    seed: int,
    resamples: int,
) -> Replicated:
    """Correlate the metrics' orders of the systems; see `assayer.statistics.correlation`."""
    measures, n_users = grid(metrics, cutoffs), np.count_nonzero(np.diff(test.indptr))
    draws = Draws.of(n_users, resamples, seed)
    parts = evaluated_parts(test, rankings, evaluation, measures)
    means = [means_of_values(values, draws, evaluation["aggregate"]) for values in parts]
    found = between_metrics(np.concatenate(means, axis=1), names_of(measures))
    return found.assign(correlation="tau_b")
