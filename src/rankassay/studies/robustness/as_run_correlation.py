"""Figure 5 as the authors of Valcarce et al., RecSys 2018, computed it.

They evaluated whole lists by trec_eval, whose `ndcg` has an ideal list of all judged items, where
equation (4) of the paper cuts it at the cut-off (see `rankassay.studies.robustness.as_run`).
"""

from collections.abc import Mapping

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.statistics.correlation import between_metrics
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import evaluated_parts, means_of_values
from rankassay.statistics.replicated import Replicated


def run(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    seed: int,
    profile: str,
    cutoff: int | None,
    round_means: int | None,
    resamples: int,
) -> Replicated:
    """Correlate the rankings of systems under the metrics of `evaluation`, without cut-offs.

    The settings are those of `rankassay.studies.robustness.study.AsRunCorrelation`.

    Returns
    -------
    Replicated
        As of `rankassay.statistics.correlation.metric_correlation`, with the lists' length as the
        cut-off, and profile (the definitions of the metrics).
    """
    depth = min(ranking.depth for ranking in rankings.values())
    depth = min(depth, cutoff or depth)
    names = evaluation["metrics"]
    parts = evaluated_parts(test, rankings, evaluation | {"profile": profile}, names, depth)
    draws = Draws.of(np.count_nonzero(np.diff(test.indptr)), resamples, seed)
    how = (evaluation["aggregate"], round_means)
    means = np.concatenate([means_of_values(values, draws, *how) for values in parts], axis=1)
    found = between_metrics(means, [(name, depth) for name in names])
    return found.assign(correlation="tau_b", profile=profile)
