"""Do two cut-offs, or two metrics, agree in the ranking of systems?

Valcarce et al., RecSys 2018, sections 6 and 7, figures 1 and 5.
"""

import itertools
from collections.abc import Callable, Sequence
from typing import TypedDict, Unpack

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Scores
from rankassay.declared.correlations import CORRELATIONS, PERSISTENCE
from rankassay.statistics.draws import Draws
from rankassay.statistics.families import Families
from rankassay.statistics.judged_systems import compared, means_of_values, names_of
from rankassay.statistics.rank_correlation import correlation as correlation_of
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import Replicated
from rankassay.statistics.valuation import Valuation, directions
from rankassay.types import Floats

Names = Sequence[tuple[str, int | None]]  # metric and cut-off of each measure
Correlate = Callable[[Floats, Floats], Floats]  # of an order and the reference


class Order(TypedDict, total=False):
    """How rankings of systems are made, compared, and made again, as `_of_scores` has it."""

    resamples: int
    round_means: int | None
    correlation: str
    persistence: float
    families: Families | None


def cutoff_correlation(
    scores: Scores, evaluation: dict, seed: int = 0, **order: Unpack[Order]
) -> Replicated:
    """Correlate, for each metric, the rankings of systems at all pairs of cut-offs.

    The `aggregate` of `evaluation` makes one number of the users' values. Of a pair, b is the
    reference, for correlations that are not symmetric. Kendall's tau is that of the values, so that
    a metric where lower is better may correlate negatively with others; the correlations that weigh
    the top are those of the rankings of systems, best first.

    Returns
    -------
    Replicated
        Columns metric, cutoff_a, cutoff_b, undefined (1 where one side ties all systems, so that
        the correlation is undefined), tau (the correlation, empty where it is undefined; it is
        replicated), correlation (its name).
    """
    return _of_scores(scores, evaluation, seed, 0, **order)


def metric_correlation(
    scores: Scores, evaluation: dict, seed: int = 0, **order: Unpack[Order]
) -> Replicated:
    """Correlate, at each cut-off, the rankings of systems under all pairs of metrics.

    The parameters and the result are those of `cutoff_correlation`, with the columns cutoff,
    metric_a and metric_b in place of metric, cutoff_a and cutoff_b.
    """
    return _of_scores(scores, evaluation, seed, 1, **order)


def agreement(valuation: Valuation, seed: int, resamples: int = 0) -> Replicated:
    """Correlate by Kendall's tau the rankings under all pairs of a valuation's measures.

    The best system comes first, by the lowest value where lower is better.

    Returns
    -------
    Replicated
        The columns of `metric_correlation`, systems (how many there are), low and high (the
        interval for resampled users; NaN without `resamples`).
    """
    draws = Draws.of(valuation.judgements.n_users, resamples, seed)
    names = [(str(own["metric"]), own["cutoff"]) for own in valuation.measures]
    means = valuation.means(draws=draws) * directions(valuation.measures)
    found = between_metrics(means, names)
    return found.assign(correlation="tau_b", systems=valuation.n_systems).with_interval()


def between_metrics(means: Floats, names: Names, families: Families | None = None) -> Replicated:
    """Correlate by Kendall's tau the rankings under all pairs of measures at the same cut-off.

    `means` are float64 (1 + n_resamples, n_measures, n_systems). The replicates are of resampled
    users or, if they are given, of the systems without each of `families`.
    """
    return _between(means, names, tau_b, 1, families)


def _of_scores(
    scores: Scores,
    evaluation: dict,
    seed: int,
    same: int,
    resamples: int = 0,
    round_means: int | None = None,
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
    families: Families | None = None,
) -> Replicated:
    """Correlate the rankings under the measures of stored scores.

    The replicates are of resampled users or, if they are given, of the systems without each of
    `families`.
    """
    correlate = correlation_of(correlation, persistence)
    draws = Draws.of(len(scores.users), 0 if families else resamples, seed)
    how = (evaluation["aggregate"], round_means)
    parts = [means_of_values(part.values, draws, *how) for part in scores.parts()]
    means = np.concatenate(parts, axis=1)
    names = names_of(scores.measures)
    if CORRELATIONS[correlation].at_top:  # where the best systems belong
        means = means * directions({"metric": metric} for metric, _ in names)
    found = _between(means, names, correlate, same, families)
    return found.assign(correlation=correlation)


def _between(
    means: Floats,
    names: Names,
    correlate: Correlate,
    same: int,
    families: Families | None = None,
) -> Replicated:
    """Correlate the rankings under all pairs of measures with the same metric (0) or cut-off (1).

    The pairs are in the order of the measures; those of metrics are as `compared` has them.
    """
    if same:
        pairs = compared(names)
    else:
        places = itertools.product(range(len(names)), repeat=2)
        pairs = [(a, b, names[a][0]) for a, b in places if names[a][0] == names[b][0]]
    rows = [(shared, names[a][1 - same], names[b][1 - same]) for a, b, shared in pairs]
    common, other = ("cutoff", "metric") if same else ("metric", "cutoff")
    table = pd.DataFrame(rows, columns=[common, f"{other}_a", f"{other}_b"])
    first, second = np.array([pair[:2] for pair in pairs], dtype=np.int64).reshape(-1, 2).T
    if families:
        taus = families.correlate(correlate, means[0][first], means[0][second])
    else:
        taus = np.array([correlate(own[first], own[second]) for own in means])
    table = table.assign(undefined=np.isnan(taus[0]).astype(np.int64))
    return Replicated.of(table, "tau", taus.T)
