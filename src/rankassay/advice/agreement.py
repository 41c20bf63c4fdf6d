"""How well the ranking under each measure agrees with the true order, and what that excludes.

A true ranking of systems, from judgements or from outcomes, is itself an estimate. Users are
resampled on both sides with the same draws, and measures are compared draw by draw.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from rankassay.advice.given import Given
from rankassay.advice.settings import Settings
from rankassay.advice.values import Counted
from rankassay.declared.columns import CORRELATION
from rankassay.metrics.names import direction
from rankassay.seeds import generator
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import TestSet, names_of
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import centred, interval
from rankassay.types import Floats

# Of the user's systems: three reach tau = 1 by chance in 1 of 6 orders, six in 1 of 720.
ENOUGH_TO_EXCLUDE = 6
ORDERS = 1_000  # random ones of the systems: a p-value of .05 is off by .007
ROUNDING = 1e-12  # of differences of taus, which are multiples of 1 / pairs but for ties


def observed(given: Given, measures: Sequence[str], draws: Draws, settings: Settings) -> Floats:
    """Return the means of the user's systems, higher is better, for the users and resamples.

    float64 (1 + n_resamples, n_measures, n_systems). The users of the draws are the rows of
    `given.judgements`, and may be more.
    """
    evaluation = {"measures": [*measures], "profile": settings.profile, "aggregate": "mean"}
    evaluation |= {"without_relevant": settings.without_relevant}
    lists = given.systems.values()
    whole = TestSet.of_lists(given.judgements, given.item, lists, evaluation, given.depth)
    signs = np.array([direction(metric) for metric, _ in names_of(measures)], np.float64)
    rows = np.arange(given.judgements.n_users)
    return Counted.of(whole).means(None, draws.of_users(rows)) * signs[:, None]


def compared(
    measures: Sequence[str], means: Floats, true: Floats, settings: Settings
) -> pd.DataFrame:
    """Compare the rankings of systems under measures with the true one.

    Measures are compared with the best one step by step, the one that agrees least first ::

        p_m = (1 + #{b: R_mb >= tau_best - tau_m}) / (1 + B), and at least that of any worse one
        R_mb = max c_kb - min c_kb over the measures k with tau_k >= tau_m

    where c_kb is what resample b adds to tau of measure k, less its mean over resamples. The range
    R is that of all pairs of the measures that are left, as in Tukey's test: so the best may be the
    one that came out best, and their number needs no other correction. (A measure as good as the
    best is dropped wrongly only if it is among those left when its range is exceeded, and that all
    its equals are among them, too, is what bounds the probability by alpha. In simulations with 6
    to 20 systems and 10 or 40 measures, any such measure was dropped in 0 to 3% at .05, and in up
    to 29% by comparing each with the best one.)

    Parameters
    ----------
    measures : sequence of str
    means : float64 (1 + n_resamples, n_measures, n_systems)
        Higher is better; for the users, and for resamples of them.
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
    low, high = interval(tau, replicates, settings.confidence, CORRELATION.bounds)
    worse = np.full(len(tau), np.nan)
    known = ~np.isnan(low)
    if known.any():
        worse[known] = _worse(tau[known], replicates[known])
    excluded = (worse < settings.alpha) & (true.shape[1] >= ENOUGH_TO_EXCLUDE)
    columns = {"tau": tau, "low": low, "high": high, "worse": worse, "excluded": excluded}
    return pd.DataFrame(columns, index=pd.Index([*measures], name="measure"))


def by_chance(means: Floats, true: Floats, seed: int) -> float:
    """Return the probability that some measure agrees as well as the best one by chance.

    ::

        p = (1 + #{o: max_m tau_mo >= max_m tau_m}) / (1 + n_orders)

    with tau_mo of the systems' means under measure m and of their true values in the random order
    o. The best of many measures agrees with a truth that is nothing but noise, too: in simulations,
    the interval of its tau lay above 0 in 11 to 25 % of the cases, and p below .05 in at most 5 %.

    `means`, float64 (n_measures, n_systems), and `true`, float64 (n_systems,), are those of the
    users, not of resamples. NaN where no measure has a tau.
    """
    orders = generator(seed, "orders of systems").permuted(np.tile(true, (ORDERS, 1)), axis=1)
    taus = tau_b(means, np.vstack([true, orders])[:, None, :])
    best = np.where(np.isnan(taus), -np.inf, taus).max(axis=1)
    if np.isinf(best[0]):
        return np.nan
    return float((1 + (best[1:] >= best[0] - ROUNDING).sum()) / (1 + ORDERS))


def _worse(tau: Floats, replicates: Floats) -> Floats:
    """Return the p-values of being worse than the best, (n_measures,); see `compared`.

    A replicate without a value, as where a resample ties all systems, differs from none.
    """
    order = np.argsort(-tau, kind="stable")
    gap = tau[order[0]] - tau[order]
    off = (centred(tau, replicates) - tau[:, None])[order]
    off = np.where(np.isnan(off), 0.0, off)
    most = np.maximum.accumulate(off, axis=0) - np.minimum.accumulate(off, axis=0)
    # Exact ties are ties: a range that equals the gap but for rounding reaches it.
    reached = (most >= gap[:, None] - ROUNDING).sum(axis=1)
    p = np.empty(len(tau))
    # Equal ones have the p-value of the last of them, from which it is handed on.
    p[order] = np.maximum.accumulate(((1 + reached) / (1 + most.shape[1]))[::-1])[::-1]
    return p
