"""What becomes of users who lose all their judgements: do they leave the means or score 0?

The paper samples the test ratings (Valcarce et al., RecSys 2018, section 4) and does not say; in
trec_eval such users leave. This analysis shows what the choice changes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import scipy.sparse as sp

from assayer.analysis.rank_correlation import PERSISTENCE
from assayer.analysis.rank_correlation import correlation as correlation_of
from assayer.analysis.resampling import UNJUDGED_USERS, TestSet, random_part
from assayer.artifacts import Rankings
from assayer.progress import progress


def run(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    levels: Sequence[float],
    samples: int,
    seed: int,
    stratified: bool = False,
    round_means: int | None = None,
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
) -> pd.DataFrame:
    """Evaluate random parts of the test set with and without the users who are left no judgement.

    An arithmetic mean with them is the mean without them times the share of users who are left,
    for all systems alike: the values differ, but not the order of the systems nor its correlation.
    Other aggregates over users and rounded means may order the systems differently.

    Parameters are those of `assayer.analysis.sparsity.run`, and so are the parts.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, level, unjudged_users (drop or zero), samples, users (with a
        judgement, mean over samples), mean (of the metric's values over samples and systems),
        undefined (samples without a correlation), tau (mean over the others), correlation.
    """
    correlate = correlation_of(correlation, persistence)
    whole = TestSet.of(test, rankings, evaluation, round_means=round_means)
    choices = {how: replace(whole, unjudged_users=how) for how in UNJUDGED_USERS}
    reference = whole.means()
    start, row = whole.judgements.start, whole.judgements.row
    found = []
    for level in progress(levels, "levels of sparsity"):
        users, means = [], {how: [] for how in choices}
        for number in range(1 if level == 100 else samples):
            keep = random_part(start, level, number, seed, stratified)
            users.append(len(np.unique(row[keep])))
            for how, test_set in choices.items():
                means[how].append(test_set.means(keep))
        for how, values in means.items():
            taus = correlate(np.array(values), reference)
            found += [
                {"metric": measure.name, "cutoff": measure.cutoff, "level": level}
                | {"unjudged_users": how, "samples": len(users), "users": np.mean(users)}
                | {"mean": np.mean([value[column] for value in values])}
                | _mean_of_defined(taus[:, column])
                for column, measure in enumerate(whole.measures)
            ]
    return pd.DataFrame(found).assign(correlation=correlation)


def _mean_of_defined(taus: np.ndarray) -> dict:
    """Return how many correlations are undefined, and the mean of the others."""
    defined = taus[~np.isnan(taus)]
    mean = defined.mean() if len(defined) else np.nan
    return {"undefined": len(taus) - len(defined), "tau": mean}
