"""Do two cut-offs, or two metrics, order the systems alike?

Valcarce et al., RecSys 2018, sections 6 and 7, figures 1 and 5.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd

from assayer.artifacts.arrays import Scores
from assayer.metrics.evaluate import Measure
from assayer.statistics.draws import Draws
from assayer.statistics.rank_correlation import PERSISTENCE, tau_b
from assayer.statistics.rank_correlation import correlation as correlation_of
from assayer.statistics.replicated import Replicated
from assayer.statistics.test_sets import means_of_values
from assayer.types import Floats


def cutoff_correlation(
    scores: Scores,
    evaluation: dict,
    round_means: int | None = None,
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
    resamples: int = 0,
    seed: int = 0,
) -> Replicated:
    """Correlate, for each metric, the orders of the systems at all pairs of cut-offs.

    Parameters
    ----------
    scores : Scores
    evaluation : dict
        Its `aggregate` makes one number of the users' values.
    round_means : int or None
        Decimals to which system means are rounded before they are ordered.
    correlation : str
        A key of `assayer.statistics.rank_correlation.CORRELATIONS`. Of a pair, b is the reference,
        for those that are not symmetric.
    persistence : float
        The p of the correlation rbo.
    resamples, seed : int
        Resamples of the users, see `assayer.statistics.draws`.

    Returns
    -------
    Replicated
        Columns metric, cutoff_a, cutoff_b, undefined (1 where one side ties all systems, so that
        the correlation has no value), tau (the correlation, empty where it is undefined; it is
        replicated), correlation (its name).
    """
    correlate = correlation_of(correlation, persistence)
    draws = Draws.of(len(scores.values), resamples, seed)
    means = means_of_values(scores.values, draws, evaluation["aggregate"], round_means)
    measures = [Measure.parse(str(measure)) for measure in scores.measures]
    pairs = [(a, b) for a, b in _pairs(measures) if measures[a].name == measures[b].name]
    table = pd.DataFrame(
        (measures[a].name, measures[a].cutoff, measures[b].cutoff) for a, b in pairs
    ).set_axis(["metric", "cutoff_a", "cutoff_b"], axis=1)
    return correlated(means, pairs, table, correlate).assign(correlation=correlation)


def metric_correlation(
    scores: Scores,
    evaluation: dict,
    round_means: int | None = None,
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
    resamples: int = 0,
    seed: int = 0,
) -> Replicated:
    """Correlate, at each cut-off, the orders of the systems by all pairs of metrics.

    Parameters and result are those of `cutoff_correlation`, with the columns cutoff, metric_a and
    metric_b in place of metric, cutoff_a and cutoff_b.
    """
    correlate = correlation_of(correlation, persistence)
    draws = Draws.of(len(scores.values), resamples, seed)
    means = means_of_values(scores.values, draws, evaluation["aggregate"], round_means)
    measures = [Measure.parse(str(measure)) for measure in scores.measures]
    return between_metrics(means, [(m.name, m.cutoff) for m in measures], correlate).assign(
        correlation=correlation
    )


def between_metrics(
    means: Floats,
    measures: Sequence[tuple[str, int | None]],
    correlate: Callable[[Floats, Floats], Floats] = tau_b,
) -> Replicated:
    """Correlate the orders by all pairs of measures at the same cut-off, the second the reference.

    Parameters
    ----------
    means : float64 (1 + n_resamples, n_measures, n_systems)
    measures : sequence of (metric, cut-off)
    correlate : function of an order and the reference
    """
    pairs = [(a, b) for a, b in _pairs(measures) if measures[a][1] == measures[b][1]]
    # By cut-off, in the order of the measures otherwise.
    pairs.sort(key=lambda pair: measures[pair[0]][1] or math.inf)
    rows = [(measures[a][1], measures[a][0], measures[b][0]) for a, b in pairs]
    table = pd.DataFrame(rows, columns=["cutoff", "metric_a", "metric_b"])
    return correlated(means, pairs, table, correlate)


def correlated(
    means: Floats,
    pairs: Sequence[tuple[int, int]],
    table: pd.DataFrame,
    correlate: Callable[[Floats, Floats], Floats],
) -> Replicated:
    """Return a table of pairs of measures with the columns undefined and tau."""
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    taus = np.array([correlate(own[first], own[second]) for own in means])
    table = table.assign(undefined=np.isnan(taus[0]).astype(np.int64))
    return Replicated.of(table, "tau", taus.T)


def _pairs(measures: Sequence) -> Iterator[tuple[int, int]]:
    """Return the places of all ordered pairs of measures."""
    return itertools.product(range(len(measures)), repeat=2)
