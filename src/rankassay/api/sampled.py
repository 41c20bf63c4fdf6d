"""Estimates of exact metrics from ranks among sampled items."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from rankassay.data import inputs
from rankassay.errors import NeedsCutoffError, RankassayError, one_of
from rankassay.metrics.evaluate import Measure
from rankassay.metrics.sampled.one_item import CORRECTIONS, METRICS, corrected

CORRECTION = "bias-variance 0.1"


def correct_sampled(
    ranks: npt.ArrayLike,
    n_items: int,
    n_sampled: int,
    metrics: str | Sequence[str] = "nDCG@10",
    correction: str = CORRECTION,
) -> pd.DataFrame:
    """Return estimates of exact metrics from the ranks of relevant items among sampled ones.

    Each rank is that of one relevant item among `n_sampled` others, which were drawn at random, all
    alike, from the `n_items` - 1 others that there are. A metric at these ranks says little of the
    metric of the whole ranking: it is another metric, which may order systems in another way. A
    correction puts another value in the place of each rank.

    Parameters
    ----------
    ranks : array_like (n,)
        Whole numbers from 1 to n_sampled + 1, one for each relevant item.
    n_items, n_sampled : int
        All items, with the relevant one; and the items sampled in addition to it, fewer than there
        are.
    metrics : str or sequence of str
        P, R, AP, RR, nDCG or AUC by any of their names, with a cut-off or none, as in "R@10". With
        one relevant item Success, by its name HR as well, is R.
    correction : str
        A key of `rankassay.metrics.sampled.one_item.CORRECTIONS`: "uncorrected", "rank
        estimate", "least squares", "bias-variance 0.1" or "bias-variance 0.01", least biased last.

    Returns
    -------
    DataFrame
        One row for each metric: sampled (its mean at the ranks as they are), corrected (the mean of
        the corrected values), error (the standard error of that mean, NaN for one rank).

    References
    ----------
    Krichene and Rendle, KDD 2020, section 5.

    Examples
    --------
    >>> import rankassay
    >>> ranks = [1, 1, 2, 5]
    >>> rankassay.correct_sampled(ranks, 1000, 100, ["R@10", "AUC"], "rank estimate").round(3)
          sampled  corrected  error
    R@10    1.000      0.750  0.250
    AUC     0.988      0.988  0.009
    """
    metrics = inputs.names("metrics", metrics)
    one_of("correction", correction, CORRECTIONS)
    n_items = inputs.whole("n_items", n_items, 3)
    n_sampled = inputs.whole("n_sampled", n_sampled, 1)
    if n_sampled >= n_items - 1:
        raise RankassayError(
            f"n_sampled: expected fewer than the {n_items - 1} items other than the relevant one, "
            f"found {n_sampled}; with all of them, ranks are exact and need no correction."
        )
    found = inputs.array("ranks", ranks)
    if found.ndim != 1 or not len(found):
        raise RankassayError(
            f"ranks: expected one or more in a row, found the shape {found.shape}."
        )
    wrong = ~((found >= 1) & (found <= n_sampled + 1) & (found == np.floor(found)))
    if wrong.any():
        raise RankassayError(
            f"ranks: expected whole numbers from 1 to n_sampled + 1 = {n_sampled + 1}, found "
            f"{found[wrong][0]:g}."
        )
    inputs.check_memory("n_sampled", n_sampled, 5 * 8)
    if correction not in ("uncorrected", "rank estimate"):  # others solve for all ranks at once
        inputs.check_memory("the numbers of the correction", 4 * n_items * (n_sampled + 1), 8)
    place, rows = found.astype(np.int64) - 1, {}
    for text in metrics:
        measure = _one(text)
        given = measure.metric, measure.cutoff, n_items, n_sampled
        values = corrected(correction, *given)[place]
        error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
        sampled = corrected("uncorrected", *given)[place]
        rows[text] = (sampled.mean(), values.mean(), error)
    return pd.DataFrame.from_dict(rows, "index", columns=["sampled", "corrected", "error"])


def _one(text: str) -> Measure:
    """Return a metric that has corrections."""
    measure = Measure.parse(text)
    if measure.metric == "Success":
        measure = replace(measure, metric="R")
    one_of("metric of one relevant item", measure.metric, METRICS)
    if measure.parameters:
        raise RankassayError(f"{text}: metrics of one relevant item have no parameters.")
    if measure.metric == "P" and measure.cutoff is None:
        raise NeedsCutoffError("P")
    return measure
