"""What the study's results would be for other users: the same tables from resampled users.

A resample draws as many users with replacement; what is known of it is how often each was drawn.
A system's mean is then a weighted one, and one matrix product gives the means of all resamples.
"""

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

from assayer.analysis.discriminative_power import resampled_power
from assayer.analysis.popularity import least_popular
from assayer.analysis.rank_correlation import tau_b
from assayer.analysis.resampling import TestSet, random_part
from assayer.artifacts import Scores
from assayer.metrics.evaluate import Measure, measure_values
from assayer.progress import progress

Floats = npt.NDArray[np.float64]


def correlations(scores: Scores, drawn: Floats) -> tuple[pd.DataFrame, Floats]:
    """Return Kendall's tau-b between all pairs of measures, for every resample.

    Parameters
    ----------
    scores : Scores
    drawn : float64 (n_resamples, n_users)
        How often each user was drawn.

    Returns
    -------
    DataFrame, float64 (n_rows, n_resamples)
        Columns metric_a, cutoff_a, metric_b, cutoff_b; and the taus.
    """
    means = _means(np.nan_to_num(scores.values), drawn)
    first, second = np.triu_indices(means.shape[1], k=1)
    taus = []
    for mean in means:
        # Of two measures, the signs of the differences agree in C pairs and differ in D; the
        # lengths of the vectors of signs are the roots of the pairs that are not tied.
        signs = np.sign(mean[first] - mean[second])
        untied = np.sqrt((signs**2).sum(axis=0))
        lengths = np.outer(untied, untied)
        undefined = np.full_like(lengths, np.nan)
        taus.append(np.divide(signs.T @ signs, lengths, out=undefined, where=lengths > 0))
    measures = [Measure.parse(str(measure)) for measure in scores.measures]
    keys = pd.DataFrame(
        [(a.name, a.cutoff, b.name, b.cutoff) for a in measures for b in measures],
        columns=["metric_a", "cutoff_a", "metric_b", "cutoff_b"],
    )
    return keys, np.array(taus).reshape(len(drawn), -1).T


def power(scores: Scores, samples: int, seed: int) -> tuple[pd.DataFrame, Floats]:
    """Return DP, by the normal approximation of the p-values, for every resample."""
    dp = resampled_power(scores.values, samples, seed).T
    measures = [Measure.parse(str(measure)) for measure in scores.measures]
    return pd.DataFrame([(m.name, m.cutoff) for m in measures], columns=["metric", "cutoff"]), dp


def sparsity(
    whole: TestSet, drawn: Floats, levels: Iterable[float], parts: int, seed: int
) -> tuple[pd.DataFrame, Floats]:
    """Return the mean tau of random parts of the test set with the whole, for every resample.

    Parameters
    ----------
    whole : TestSet
    drawn : float64 (n_resamples, n_users)
    levels : iterable of float
        Percentages of the test ratings to keep.
    parts : int
        Random parts at each level.
    seed : int
    """
    start = whole.judgements.start
    masks = {
        level: [random_part(start, level, n, seed) for n in range(1 if level == 100 else parts)]
        for level in levels
    }
    return _against_whole(whole, drawn, "level", masks)


def popularity(
    whole: TestSet,
    drawn: Floats,
    percentages: Iterable[float],
    counted: sp.csr_matrix,
    test: sp.csr_matrix,
) -> tuple[pd.DataFrame, Floats]:
    """Return the tau of the least popular items with all, for every resample.

    Popularity is by the ratings in `counted`; percentages are of the items.
    """
    count = np.bincount(counted.indices, minlength=counted.shape[1])
    masks = {
        percentage: [np.isin(test.indices, least_popular(test.indices, count, percentage, "items"))]
        for percentage in percentages
    }
    return _against_whole(whole, drawn, "percentage", masks)


def _against_whole(
    whole: TestSet, drawn: Floats, name: str, parts: Mapping[float, list[npt.NDArray[np.bool_]]]
) -> tuple[pd.DataFrame, Floats]:
    """Return the mean tau of the parts of the test set with the whole: keys, and taus."""
    reference = _sums(whole, drawn)
    frames, taus = [], []
    for value, masks in progress(parts.items(), "parts of the test set"):
        found = [tau_b(_sums(whole, drawn, keep), reference) for keep in masks]
        with np.errstate(invalid="ignore"):
            taus.append(np.mean(found, axis=0).T)
        frames.append(
            pd.DataFrame(
                [(m.name, m.cutoff, value) for m in whole.measures],
                columns=["metric", "cutoff", name],
            )
        )
    return pd.concat(frames, ignore_index=True), np.concatenate(taus)


def _sums(whole: TestSet, drawn: Floats, keep=None) -> Floats:
    """Return weighted sums over users, (n_resamples, n_measures, n_systems).

    All systems have the same users, so that sums order them as means do.
    """
    spec, users = whole.evaluation, slice(None)
    systems = whole.systems
    if keep is not None:
        part = whole.judgements.sample(keep)
        users = np.searchsorted(whole.judgements.users, part.users)
        systems = [judged.sample(keep, part) for judged in systems]
    weights = drawn[:, users]
    sums = [
        weights
        @ np.nan_to_num(
            measure_values(judged, spec["measures"], spec["profile"], spec["without_relevant"])
        )
        for judged in systems
    ]
    return np.stack(sums, axis=2)


def _means(values: Floats, drawn: Floats) -> Floats:
    """Return weighted means, (n_resamples, n_systems, n_measures)."""
    n_users, n_systems, n_measures = values.shape
    sums = drawn @ values.reshape(n_users, -1)
    return sums.reshape(len(drawn), n_systems, n_measures) / drawn.sum(axis=1)[:, None, None]
