"""How well the ranking under each measure agrees with the true order, and what that excludes.

A truth of the order of systems, from judgements or from outcomes, is itself an estimate. Users are
resampled on both sides with the same draws, and measures are compared draw by draw.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import pandas as pd

from assayer.advice.given import Given
from assayer.metrics.names import direction
from assayer.statistics.draws import Draws
from assayer.statistics.rank_correlation import tau_b
from assayer.statistics.replicated import CORRELATION, centred, interval
from assayer.statistics.test_sets import TestSet, names_of
from assayer.types import Floats

# Of the user's systems: three reach tau = 1 by chance in 1 of 6 orders, six in 1 of 720.
ENOUGH_TO_EXCLUDE = 6


class Choices(Protocol):
    """The settings that agreement depends on."""

    seed: int
    alpha: float
    confidence: float
    resamples: int
    profile: str
    without_relevant: str | None


def observed(given: Given, measures: Sequence[str], draws: Draws, settings: Choices) -> Floats:
    """Return the means of the user's systems, the higher the better, as they are and resampled.

    float64 (1 + n_resamples, n_measures, n_systems). The users of the draws are the rows of
    `given.judgements`, and may be more.
    """
    evaluation = {"measures": [*measures], "profile": settings.profile, "aggregate": "mean"}
    evaluation |= {"without_relevant": settings.without_relevant}
    lists = given.systems.values()
    judged = TestSet.of_lists(given.judgements, given.item, lists, evaluation, given.depth)
    signs = np.array([direction(metric) for metric, _ in names_of(measures)], np.float64)
    rows = np.arange(given.judgements.n_users)
    return judged.means(None, draws.of_users(rows)) * signs[:, None]


def compared(
    measures: Sequence[str], means: Floats, true: Floats, settings: Choices
) -> pd.DataFrame:
    """Compare the rankings of systems under measures with the true one.

    A measure is worse than the best with ::

        p_m = (1 + #{b: R_b >= max_k tau_k - tau_m}) / (1 + B),  R_b = max_k c_kb - min_k c_kb

    where c_kb is what resample b takes from or adds to tau of measure k, less the mean of that over
    resamples. R is the range of Tukey's test: it holds for all pairs of measures at once, so that
    the best may be the one that came out best, and that there are many needs no other correction.

    Parameters
    ----------
    measures : sequence of str
    means : float64 (1 + n_resamples, n_measures, n_systems)
        The higher the better, for the users as they are and resampled.
    true : float64 (1 + n_resamples, n_systems)
        Likewise.
    settings
        Its alpha and confidence.

    Returns
    -------
    DataFrame
        By measure: tau (Kendall's tau-b; NaN where a side ties all systems), low and high (its
        interval), worse (p) and excluded (whether that is below alpha, of at least
        `ENOUGH_TO_EXCLUDE` systems). Measures without an interval are neither compared nor
        excluded.
    """
    taus = tau_b(means, true[:, None, :])
    tau, replicates = taus[0], taus[1:].T
    low, high = interval(tau, replicates, settings.confidence, CORRELATION)
    worse = np.full(len(tau), np.nan)
    known = ~np.isnan(low)
    if known.any():
        worse[known] = _worse(tau[known], replicates[known])
    excluded = (worse < settings.alpha) & (true.shape[1] >= ENOUGH_TO_EXCLUDE)
    columns = {"tau": tau, "low": low, "high": high, "worse": worse, "excluded": excluded}
    return pd.DataFrame(columns, index=pd.Index([*measures], name="measure"))


def _worse(tau: Floats, replicates: Floats) -> Floats:
    """Return the p-values of being worse than the best, (n_measures,); see `compared`.

    A replicate without a value, as where a resample ties all systems, differs from none.
    """
    off = centred(tau, replicates) - tau[:, None]
    off = np.where(np.isnan(off), 0.0, off)
    most = off.max(axis=0) - off.min(axis=0)
    gap = tau.max() - tau
    # Exact ties are ties: a range that equals the gap but for rounding reaches it.
    reached = most[None, :] >= gap[:, None] - 1e-12
    return (1 + reached.sum(axis=1)) / (1 + len(most))
