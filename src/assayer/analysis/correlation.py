"""Do two cut-offs, or two metrics, order the systems alike?

Valcarce et al., RecSys 2018, sections 6 and 7, figures 1 and 5.
"""

import itertools

import numpy as np
import pandas as pd

from assayer.analysis.rank_correlation import PERSISTENCE, system_values
from assayer.analysis.rank_correlation import correlation as correlation_of
from assayer.artifacts import Scores
from assayer.metrics.evaluate import Measure


def cutoffs(
    scores: Scores,
    evaluation: dict,
    round_means: int | None = None,
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
) -> pd.DataFrame:
    """Correlate, for each metric, the orders of the systems at all pairs of cut-offs.

    Parameters
    ----------
    scores : Scores
    evaluation : dict
        Its `aggregate` makes one number of the users' values.
    round_means : int or None
        Decimals to which system means are rounded before they are ordered.
    correlation : str
        A key of `assayer.analysis.rank_correlation.CORRELATIONS`. Of a pair, b is the reference,
        for those that are not symmetric.
    persistence : float
        The p of the correlation rbo.

    Returns
    -------
    DataFrame
        Columns metric, cutoff_a, cutoff_b, undefined (1 where one side ties all systems, so that
        the correlation has no value), tau (the correlation, empty where it is undefined),
        correlation (its name).
    """
    table = _all_pairs(scores, evaluation, round_means, correlation, persistence)
    table = table[table.metric_a == table.metric_b].rename(columns={"metric_a": "metric"})
    return table[["metric", "cutoff_a", "cutoff_b", "undefined", "tau", "correlation"]]


def metrics(
    scores: Scores,
    evaluation: dict,
    round_means: int | None = None,
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
) -> pd.DataFrame:
    """Correlate, at each cut-off, the orders of the systems by all pairs of metrics.

    Parameters and result are those of `cutoffs`, with the columns cutoff, metric_a and metric_b in
    place of metric, cutoff_a and cutoff_b.
    """
    table = _all_pairs(scores, evaluation, round_means, correlation, persistence)
    table = table[table.cutoff_a == table.cutoff_b].rename(columns={"cutoff_a": "cutoff"})
    columns = ["cutoff", "metric_a", "metric_b", "undefined", "tau", "correlation"]
    return table[columns].sort_values("cutoff", kind="stable")


def _all_pairs(scores, evaluation, round_means, correlation, persistence) -> pd.DataFrame:
    """Return the correlation of all ordered pairs of measures, the second being the reference."""
    means = system_values(scores.values, evaluation["aggregate"], round_means)
    tau = correlation_of(correlation, persistence)(means[:, None], means[None, :])
    measures = [Measure.parse(str(measure)) for measure in scores.measures]
    rows = [
        (a.name, b.name, a.cutoff, b.cutoff, int(np.isnan(tau[i, j])), tau[i, j])
        for (i, a), (j, b) in itertools.product(enumerate(measures), repeat=2)
    ]
    columns = ["metric_a", "metric_b", "cutoff_a", "cutoff_b", "undefined", "tau"]
    return pd.DataFrame(rows, columns=columns).assign(correlation=correlation)
