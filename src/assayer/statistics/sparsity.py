"""Robustness to sparsity: do the systems keep their order when test ratings are missing?

Valcarce et al., RecSys 2018, section 4 ("sparsity bias") and figures 2 and 6.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp

from assayer.artifacts.arrays import Rankings
from assayer.statistics.draws import Draws
from assayer.statistics.incomplete import against_whole, mean_of_defined, random_parts
from assayer.statistics.rank_correlation import PERSISTENCE
from assayer.statistics.rank_correlation import correlation as correlation_of
from assayer.statistics.replicated import Replicated
from assayer.statistics.test_sets import JudgedSystems, TestSet
from assayer.types import Floats


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
    resamples: int = 0,
) -> Replicated:
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
        of ratings are rounded: `assayer.statistics.incomplete.random_part`.
    unjudged_users : {"drop", "zero"}
        Whether users who keep no test rating leave the means or score 0. It changes arithmetic
        means of all systems by the same factor and so never their order, unless they are rounded.
        Where users without relevant items have no value (`without_relevant` nan), these have none
        either way.
    round_means : int or None
        Decimals to which system means are rounded before they are ordered.
    correlation : str
        A key of `assayer.statistics.rank_correlation.CORRELATIONS`; the whole test set is the
        reference.
    persistence : float
        The p of the correlation rbo.
    resamples : int
        Resamples of the users, see `assayer.statistics.draws`.

    Returns
    -------
    Replicated
        Columns metric, cutoff, level, samples, undefined (samples in which one side ties all
        systems, so that the correlation has no value; they are left out of the mean), tau (the mean
        of the correlation over samples, which is replicated), low, high (2.5 and 97.5 percentiles
        over samples), correlation (its name).
    """
    whole = TestSet.of(test, rankings, evaluation, unjudged_users, round_means)
    return robustness(whole, levels, samples, seed, stratified, correlation, persistence, resamples)


def robustness(
    whole: JudgedSystems,
    levels: Sequence[float],
    samples: int,
    seed: int,
    stratified: bool = False,
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
    resamples: int = 0,
) -> Replicated:
    """Return what `run` does for whatever systems are judged on a test set."""
    draws = Draws.of(whole.judgements.n_users, resamples, seed)
    parts = random_parts(whole.judgements.start, levels, samples, seed, stratified)
    found = against_whole(whole, parts, draws, correlation_of(correlation, persistence))
    means = {level: mean_of_defined(taus) for level, taus in found.items()}
    heads, numbers = [], []
    for column, measure in enumerate(whole.measures):
        for level, taus in found.items():
            heads.append(measure | {"level": level} | _over_samples(taus[:, 0, column]))
            numbers.append(means[level][:, column])
    table = pd.DataFrame(heads).assign(correlation=correlation)
    return Replicated.of(table, "tau", numbers)


def _over_samples(values: Floats) -> dict:
    """Return what is said of the correlations of all samples, (n_samples,), beside their mean."""
    defined = values[~np.isnan(values)]
    low, high = np.percentile(defined, [2.5, 97.5]) if len(defined) else (np.nan, np.nan)
    return {
        "samples": len(values),
        "undefined": len(values) - len(defined),
        "tau": np.nan,
        "low": low,
        "high": high,
    }
