"""Robustness to popularity: do the systems keep their order without the most popular items?

Valcarce et al., RecSys 2018, section 4 ("popularity bias") and figures 3 and 7.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

from assayer.analysis.rank_correlation import PERSISTENCE
from assayer.analysis.rank_correlation import correlation as correlation_of
from assayer.analysis.resampling import TestSet
from assayer.artifacts import Rankings
from assayer.errors import one_of

COUNTS = ("train", "test")
OF = ("items", "ratings")

Integers = npt.NDArray[np.int64]


def run(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    percentages: Sequence[float],
    count: str,
    of: str = "items",
    unjudged_users: str = "drop",
    round_means: int | None = None,
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
) -> pd.DataFrame:
    """Correlate the systems' order on the least popular items with that on all items.

    The rankings stay as they are; only the judgements on the popular items are removed.

    Parameters
    ----------
    train, test : (n_users, n_items)
    rankings, evaluation, unjudged_users, round_means, correlation, persistence
        As in `assayer.analysis.sparsity.run`.
    percentages : sequence of float
        What to keep, the least popular items.
    count : {"train", "test"}
        Whether an item is as popular as its training ratings are many, or its test ratings. The
        text does not say; ties go by item index, the lower first.
    of : {"items", "ratings"}
        What the percentages are of: the test set's items (the paper; the number kept is rounded to
        the nearest), or its ratings (as many of the least popular items as hold at most so many).

    Returns
    -------
    DataFrame
        Columns metric, cutoff, percentage, items, ratings and users (what is left), undefined (1
        where one side ties all systems, so that the correlation has no value), tau (the
        correlation, empty where it is undefined), correlation (its name).
    """
    one_of("popularity count", count, COUNTS)
    whole = TestSet.of(test, rankings, evaluation, unjudged_users, round_means)
    counted = train if count == "train" else test
    popularity = np.bincount(counted.indices, minlength=test.shape[1])
    table = robustness(whole, test.indices, popularity, percentages, of, correlation, persistence)
    return table.assign(correlation=correlation)


def robustness(
    whole: TestSet,
    item: npt.NDArray[np.integer],
    popularity: Integers,
    percentages: Sequence[float],
    of: str = "items",
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
) -> pd.DataFrame:
    """Return what `run` does, but for the column correlation, for a test set that is prepared.

    `item` is the item of each judgement, (n_judged,), and `popularity` of all items, (n_items,).
    """
    correlate = correlation_of(correlation, persistence)
    reference = whole.means()
    taus, left = {}, {}
    for percentage in percentages:
        kept = np.zeros(len(popularity), dtype=bool)
        kept[least_popular(item, popularity, percentage, of)] = True
        keep = kept[item]
        taus[percentage] = correlate(whole.means(keep), reference)
        left[percentage] = {
            "items": kept.sum(),
            "ratings": keep.sum(),
            "users": len(np.unique(whole.judgements.row[keep])),
        }
    return pd.DataFrame(
        {"metric": measure.name, "cutoff": measure.cutoff, "percentage": percentage}
        | left[percentage]
        | {"undefined": int(np.isnan(tau[column])), "tau": tau[column]}
        for column, measure in enumerate(whole.measures)
        for percentage, tau in taus.items()
    )


def least_popular(
    item: npt.NDArray[np.integer], popularity: Integers, percentage: float, of: str
) -> Integers:
    """Return the least popular of the items that have judgements; see `run` for `of`."""
    one_of("choice of what percentages are of", of, OF)
    judged = np.bincount(item, minlength=len(popularity))
    items = np.flatnonzero(judged)
    items = items[np.argsort(popularity[items], kind="stable")]
    if of == "items":
        return items[: round(len(items) * percentage / 100)]
    most = round(len(item) * percentage / 100)
    return items[: np.searchsorted(np.cumsum(judged[items]), most, side="right")]
