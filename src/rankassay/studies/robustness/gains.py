"""Do the gain functions of nDCG rank the systems alike?

Valcarce et al., RecSys 2018, section 3: preliminary experiments showed "no meaningful differences"
among gain functions, so that the paper takes the rating itself.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.metrics.evaluate import grid
from rankassay.statistics.correlation import between_metrics
from rankassay.statistics.draws import Draws, Families
from rankassay.statistics.judged_systems import evaluated_parts, means_of_values
from rankassay.statistics.replicated import Replicated


def run(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    gains: Sequence[str],
    seed: int,
    resamples: int,
    families: Families | None = None,
) -> Replicated:
    """Correlate the rankings of systems under nDCG with each pair of gain functions.

    The settings are those of `rankassay.studies.robustness.study.Gains`. The cut-offs and the
    rest of nDCG's definition are those configured for metrics. The replicates are of resampled
    users or, if they are given, of the systems without each of `families`.

    Returns
    -------
    Replicated
        Columns cutoff, gain_a, gain_b, undefined (1 where one side ties all systems, so that tau is
        undefined) and tau (Kendall's tau-b of the two rankings; it is replicated).
    """
    cutoffs = evaluation["cutoffs"]
    measures = grid([f"nDCG(gain='{gain}')" for gain in gains], cutoffs)
    draws = Draws.of(np.count_nonzero(np.diff(test.indptr)), 0 if families else resamples, seed)
    parts = evaluated_parts(test, rankings, evaluation, measures)
    means = [means_of_values(values, draws, evaluation["aggregate"]) for values in parts]
    names = [(gain, cutoff) for gain in gains for cutoff in cutoffs]  # in the order of the grid
    found = between_metrics(np.concatenate(means, axis=1), names, families)
    renamed = {"metric_a": "gain_a", "metric_b": "gain_b"}
    return Replicated(found.table.rename(columns=renamed), found.column, found.replicates)
