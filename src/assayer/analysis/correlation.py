"""Do two cut-offs, or two metrics, order the systems alike?

Valcarce et al., RecSys 2018, sections 6 and 7, figures 1 and 5.
"""

import itertools

import pandas as pd

from assayer.analysis.kendall import system_values, tau_b
from assayer.artifacts import Scores
from assayer.metrics.evaluate import Measure


def cutoffs(scores: Scores, evaluation: dict, round_means: int | None = None) -> pd.DataFrame:
    """Correlate, for each metric, the orders of the systems at all pairs of cut-offs.

    Parameters
    ----------
    scores : Scores
    evaluation : dict
        Its `aggregate` makes one number of the users' values.
    round_means : int or None
        Decimals to which system means are rounded before they are ordered.

    Returns
    -------
    DataFrame
        Columns metric, cutoff_a, cutoff_b, tau (Kendall's tau-b; empty where undefined).
    """
    table = _all_pairs(scores, evaluation, round_means)
    table = table[table.metric_a == table.metric_b].rename(columns={"metric_a": "metric"})
    return table[["metric", "cutoff_a", "cutoff_b", "tau"]]


def metrics(scores: Scores, evaluation: dict, round_means: int | None = None) -> pd.DataFrame:
    """Correlate, at each cut-off, the orders of the systems by all pairs of metrics.

    Parameters and result are those of `cutoffs`, with the columns cutoff, metric_a, metric_b, tau.
    """
    table = _all_pairs(scores, evaluation, round_means)
    table = table[table.cutoff_a == table.cutoff_b].rename(columns={"cutoff_a": "cutoff"})
    return table[["cutoff", "metric_a", "metric_b", "tau"]].sort_values("cutoff", kind="stable")


def _all_pairs(scores: Scores, evaluation: dict, round_means: int | None) -> pd.DataFrame:
    """Return tau between all ordered pairs of measures."""
    means = system_values(scores.values, evaluation["aggregate"], round_means)
    tau = tau_b(means[:, None], means[None, :])
    measures = [Measure.parse(str(measure)) for measure in scores.measures]
    rows = [
        (a.name, b.name, a.cutoff, b.cutoff, tau[i, j])
        for (i, a), (j, b) in itertools.product(enumerate(measures), repeat=2)
    ]
    return pd.DataFrame(rows, columns=["metric_a", "metric_b", "cutoff_a", "cutoff_b", "tau"])
