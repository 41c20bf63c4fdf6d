"""Robustness to sparsity: is the ranking of systems stable when test ratings are missing?

Valcarce et al., RecSys 2018, section 4 ("sparsity bias") and figures 2 and 6.
"""

from collections.abc import Mapping, Sequence
from typing import Unpack

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.statistics.incomplete import Order, random_parts, robustness_table
from rankassay.statistics.judged_systems import TestSet
from rankassay.statistics.replicated import Replicated
from rankassay.statistics.valuation import Valuation
from rankassay.types import Floats


def run(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    levels: Sequence[float],
    samples: int,
    seed: int,
    unjudged_users: str = "drop",
    round_means: int | None = None,
    stratified: bool = False,
    **order: Unpack[Order],
) -> Replicated:
    """Correlate the ranking of systems on random parts of the test set with that on the whole.

    A part depends on the seed, the level and its number alone;
    `rankassay.statistics.incomplete.random_part` says how numbers of ratings are rounded.
    `unjudged_users` changes arithmetic means of all systems by the same factor and so never their
    order, unless they are rounded. Users without relevant items who are undefined
    (`without_relevant` nan) are so either way.

    Parameters
    ----------
    test : (n_users, n_items)
    rankings : mapping from the systems' names to Rankings
    evaluation : dict
        threshold, measures, profile, without_relevant and aggregate, as `rankassay.metrics` takes
        them.

    Returns
    -------
    Replicated
        Columns metric, cutoff, level, samples, undefined (samples in which one side ties all
        systems, so that the correlation is undefined; they are excluded from the mean), tau (the
        mean of the correlation over samples, which is replicated), low, high (2.5 and 97.5
        percentiles over samples), standard_error (of tau, over samples: their standard deviation
        over the square root of their number; empty of fewer than two), correlation (its name).
    """
    whole = TestSet.of(test, rankings, evaluation, unjudged_users, round_means)
    return robustness(whole, levels, samples, seed, stratified, **order)


def robustness(
    valuation: Valuation,
    levels: Sequence[float],
    samples: int,
    seed: int,
    stratified: bool = False,
    **order: Unpack[Order],
) -> Replicated:
    """As `run`, for any valuation of systems.

    The other arguments are those of `rankassay.statistics.incomplete.robustness_table`.
    """
    parts = random_parts(valuation.judgements.start, levels, samples, seed, stratified)
    return robustness_table(valuation, "level", parts, over_samples, seed, **order)


def analysis(
    valuation: Valuation, levels: Sequence[float], samples: int, seed: int, resamples: int = 0
) -> Replicated:
    """As `run`, with the columns tau_low and tau_high (the interval over users) and systems.

    The last is how many there are. Without `resamples` the ends are NaN.
    """
    found = robustness(valuation, levels, samples, seed, resamples=resamples)
    return found.with_interval(before="tau_").assign(systems=valuation.n_systems)


def over_samples(level: float, values: Floats) -> dict:
    """Return count, undefined count, range and standard error of correlations, (n_samples,)."""
    defined = values[~np.isnan(values)]
    low, high = np.percentile(defined, [2.5, 97.5]) if len(defined) else (np.nan, np.nan)
    return {
        "samples": len(values),
        "undefined": len(values) - len(defined),
        "tau": np.nan,
        "low": low,
        "high": high,
        "standard_error": _standard_error(defined),
    }


def _standard_error(values: Floats) -> float:
    """Return the standard error of the mean of values, NaN of fewer than two."""
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else np.nan
