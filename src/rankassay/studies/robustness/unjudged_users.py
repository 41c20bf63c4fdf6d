"""Users who lose all their judgements: the effect of excluding them from means, or scoring 0.

The paper samples the test ratings (Valcarce et al., RecSys 2018, section 4) and does not say; in
trec_eval such users leave. This analysis shows what the choice changes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.progress import progress
from rankassay.statistics.incomplete import best_first, mean_of_defined, random_parts
from rankassay.statistics.judged_systems import UNJUDGED_USERS, TestSet
from rankassay.statistics.rank_correlation import correlation as correlation_of


def run(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    levels: Sequence[float],
    samples: int,
    seed: int,
    stratified: bool,
    round_means: int | None,
    correlation: str,
    persistence: float,
) -> pd.DataFrame:
    """Evaluate random parts of the test set with and without users who lose all judgements.

    An arithmetic mean with them is the mean without them times the share of users with a judgement,
    for all systems alike: the values differ, but not the ranking of systems nor its correlation.
    Under medians over users and rounded means the ranking may differ.

    The settings are those of `rankassay.studies.robustness.study.UnjudgedUsersStudy`; the other
    parameters and the parts are those of `rankassay.statistics.sparsity.run`.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, level, unjudged_users (drop or zero), samples, users (with a
        judgement, mean over samples), mean (of the metric's values over samples and systems),
        undefined (samples without a correlation), tau (mean over the others), correlation.
    """
    rows: list[dict] = []
    judged = TestSet.of(test, rankings, evaluation, round_means=round_means)
    for how in UNJUDGED_USERS:
        whole = replace(judged, unjudged_users=how)
        correlate = best_first(correlation_of(correlation, persistence), whole.measures)
        user, reference = whole.judgements.row, whole.means()[0]
        parts = random_parts(whole.judgements.start, levels, samples, seed, stratified)
        for level, masks in progress(parts.items(), f"parts of the test set, {how}"):
            found = [(len(np.unique(user[keep])), whole.means(keep)[0]) for keep in masks]
            users = np.mean([n for n, _ in found])
            taus = np.array([correlate(means, reference) for _, means in found])
            means = np.array([means.mean(axis=-1) for _, means in found])
            for column, measure in enumerate(whole.measures):
                head = measure | {"level": level, "unjudged_users": how, "samples": len(found)}
                head |= {"users": users, "mean": means[:, column].mean()}
                own = taus[:, column]
                head["undefined"] = int(np.isnan(own).sum())
                rows.append(head | {"tau": float(mean_of_defined(own))})
    table = pd.DataFrame(rows).assign(correlation=correlation)
    return table.sort_values("level", kind="stable", key=lambda column: column.map(levels.index))
