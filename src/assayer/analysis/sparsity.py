"""Robustness to sparsity: do the systems keep their order when test ratings are missing?

Valcarce et al., RecSys 2018, section 4 ("sparsity bias") and figures 2 and 6.
"""

import logging
import time
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp

from assayer.analysis.kendall import tau_b
from assayer.analysis.resampling import TestSet
from assayer.artifacts import Rankings
from assayer.metrics.evaluate import Measure
from assayer.seeds import generator

log = logging.getLogger(__name__)


def run(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    levels: Sequence[float],
    samples: int,
    seed: int,
    unjudged_users: str = "drop",
    round_means: int | None = None,
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
        Percentages of the test ratings to keep; the number kept is rounded to the nearest.
    samples : int
        Random parts drawn at each level, without replacement within a part.
    seed : int
        A part depends on the seed, the level and its number alone.
    unjudged_users : {"drop", "zero"}
        Whether users who keep no test rating leave the means or score 0. It changes means of all
        systems by the same factor and so never their order, unless means are rounded.
    round_means : int or None
        Decimals to which system means are rounded before they are ordered.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, level, samples, undefined (samples in which one side ties all
        systems, so that tau-b has no value; they are left out of the mean), tau (mean over
        samples), low, high (2.5 and 97.5 percentiles over samples).
    """
    whole = TestSet.of(test, rankings, evaluation, unjudged_users, round_means)
    reference = whole.means()
    taus = {}
    began = time.monotonic()
    for level in levels:
        # The whole test set is one sample, however often it is drawn.
        parts = range(1 if level == 100 else samples)
        masks = (_part(test.nnz, level, number, seed) for number in parts)
        taus[level] = np.array([tau_b(whole.means(keep), reference) for keep in masks])
        log.info("%g%% of the test ratings: %.0f s so far", level, time.monotonic() - began)
    return pd.DataFrame(
        _summary(measure, level, taus[level][:, column])
        for column, measure in enumerate(evaluation["measures"])
        for level in levels
    )


def _part(n: int, level: float, number: int, seed: int) -> np.ndarray:
    """Return a random mask over n test ratings."""
    rng = generator(seed, "sparsity", f"{level:g}", number)
    keep = np.zeros(n, dtype=bool)
    keep[rng.permutation(n)[: round(n * level / 100)]] = True
    return keep


def _summary(measure: str, level: float, taus: np.ndarray) -> dict:
    """Return one row of the result from the taus of all samples, (n_samples,)."""
    parsed = Measure.parse(measure)
    defined = taus[~np.isnan(taus)]
    low, high = np.percentile(defined, [2.5, 97.5]) if len(defined) else (np.nan, np.nan)
    return {
        "metric": parsed.name,
        "cutoff": parsed.cutoff,
        "level": level,
        "samples": len(taus),
        "undefined": len(taus) - len(defined),
        "tau": defined.mean() if len(defined) else np.nan,
        "low": low,
        "high": high,
    }
