"""Robustness to sparsity: do the systems keep their order when test ratings are missing?

Valcarce et al., RecSys 2018, section 4 ("sparsity bias") and figures 2 and 6.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp

from assayer.analysis.rank_correlation import PERSISTENCE
from assayer.analysis.rank_correlation import correlation as correlation_of
from assayer.analysis.resampling import TestSet, random_part
from assayer.artifacts import Rankings
from assayer.metrics.evaluate import Measure
from assayer.progress import progress


def run(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    levels: Sequence[float],
    samples: int,
    seed: int,
    stratified: bool = False,
    unjudged_users: str = "drop",
    round_means: int | None = None,
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
) -> pd.DataFrame:
    """Correlate the systems' order on random parts of the test set with that on the whole.

    Parameters
    ----------
    test : (n_users, n_items)
    rankings : mapping from the systems' names to Rankings
    evaluation : dict
        threshold, measures, profile, without_relevant and aggregate, as `assayer.metrics` takes
        them.
    levels : sequence of float
        Percentages of the test ratings to keep.
    samples : int
        Random parts drawn at each level, without replacement within a part.
    seed : int
        A part depends on the seed, the level and its number alone.
    stratified : bool
        Whether each user keeps that share of the own ratings, or all users together. How numbers
        of ratings are rounded: `assayer.analysis.resampling.random_part`.
    unjudged_users : {"drop", "zero"}
        Whether users who keep no test rating leave the means or score 0. It changes arithmetic
        means of all systems by the same factor and so never their order, unless they are rounded.
    round_means : int or None
        Decimals to which system means are rounded before they are ordered.
    correlation : str
        A key of `assayer.analysis.rank_correlation.CORRELATIONS`; the whole test set is the
        reference.
    persistence : float
        The p of the correlation rbo.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, level, samples, undefined (samples in which one side ties all
        systems, so that the correlation has no value; they are left out of the mean), tau (the mean
        of the correlation over samples), low, high (2.5 and 97.5 percentiles over samples),
        correlation (its name).
    """
    whole = TestSet.of(test, rankings, evaluation, unjudged_users, round_means)
    table = robustness(whole, levels, samples, seed, stratified, correlation, persistence)
    return table.assign(correlation=correlation)


def robustness(
    whole: TestSet,
    levels: Sequence[float],
    samples: int,
    seed: int,
    stratified: bool = False,
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
) -> pd.DataFrame:
    """Return what `run` does, but for the column correlation, for a test set that is prepared."""
    correlate = correlation_of(correlation, persistence)
    reference = whole.means()
    values = {}
    for level in progress(levels, "levels of sparsity"):
        # The whole test set is one sample, however often it is drawn.
        numbers = range(1 if level == 100 else samples)
        masks = (random_part(whole.judgements.start, level, n, seed, stratified) for n in numbers)
        values[level] = np.array([correlate(whole.means(keep), reference) for keep in masks])
    return pd.DataFrame(
        _summary(measure, level, values[level][:, column])
        for column, measure in enumerate(whole.measures)
        for level in levels
    )


def _summary(measure: Measure, level: float, values: np.ndarray) -> dict:
    """Return one row of the result from the correlations of all samples, (n_samples,)."""
    defined = values[~np.isnan(values)]
    low, high = np.percentile(defined, [2.5, 97.5]) if len(defined) else (np.nan, np.nan)
    return {
        "metric": measure.name,
        "cutoff": measure.cutoff,
        "level": level,
        "samples": len(values),
        "undefined": len(values) - len(defined),
        "tau": defined.mean() if len(defined) else np.nan,
        "low": low,
        "high": high,
    }
