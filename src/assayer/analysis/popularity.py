"""Robustness to popularity: do the systems keep their order without the most popular items?

Valcarce et al., RecSys 2018, section 4 ("popularity bias") and figures 3 and 7.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

from assayer.analysis.kendall import tau_b
from assayer.analysis.resampling import TestSet
from assayer.artifacts import Rankings
from assayer.errors import unknown
from assayer.metrics.evaluate import Measure

COUNTS = ("train", "test")


def run(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    percentages: Sequence[float],
    count: str,
    unjudged_users: str = "drop",
    round_means: int | None = None,
) -> pd.DataFrame:
    """Correlate the systems' order on the least popular items with that on all items.

    The rankings stay as they are; only the judgements on the popular items are removed.

    Parameters
    ----------
    train, test : (n_users, n_items)
    rankings, evaluation, unjudged_users, round_means
        As in `assayer.analysis.sparsity.run`.
    percentages : sequence of float
        Percentages of the test set's items to keep, the least popular ones; the number kept is
        rounded to the nearest.
    count : {"train", "test"}
        Whether an item is as popular as its training ratings are many, or its test ratings. The
        text does not say; ties go by item index.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, percentage, items, ratings and users (what is left), tau (empty
        where one side ties all systems, so that tau-b has no value).
    """
    if count not in COUNTS:
        raise unknown("popularity count", count, COUNTS)
    whole = TestSet.of(test, rankings, evaluation, unjudged_users, round_means)
    reference = whole.means()
    items = by_popularity(train if count == "train" else test, test)
    row = whole.judgements.row
    taus, left = {}, {}
    for percentage in percentages:
        kept = np.zeros(test.shape[1], dtype=bool)
        kept[items[: round(len(items) * percentage / 100)]] = True
        keep = kept[test.indices]
        taus[percentage] = tau_b(whole.means(keep), reference)
        left[percentage] = {
            "items": kept.sum(),
            "ratings": keep.sum(),
            "users": len(np.unique(row[keep])),
        }
    measures = [Measure.parse(measure) for measure in evaluation["measures"]]
    return pd.DataFrame(
        {"metric": measure.name, "cutoff": measure.cutoff, "percentage": percentage}
        | left[percentage]
        | {"tau": taus[percentage][column]}
        for column, measure in enumerate(measures)
        for percentage in percentages
    )


def by_popularity(counted: sp.csr_matrix, test: sp.csr_matrix) -> npt.NDArray[np.int64]:
    """Return the items of the test set, the least often rated first, ties by item index."""
    items = np.flatnonzero(np.bincount(test.indices, minlength=test.shape[1]))
    count = np.bincount(counted.indices, minlength=counted.shape[1])
    return items[np.argsort(count[items], kind="stable")]
