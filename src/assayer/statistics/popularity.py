"""Robustness to popularity: do the systems keep their order without the most popular items?

Valcarce et al., RecSys 2018, section 4 ("popularity bias") and figures 3 and 7.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp

from assayer.artifacts.arrays import Rankings
from assayer.errors import one_of
from assayer.statistics.draws import Draws
from assayer.statistics.incomplete import against_whole, unpopular_parts
from assayer.statistics.rank_correlation import PERSISTENCE
from assayer.statistics.rank_correlation import correlation as correlation_of
from assayer.statistics.replicated import Replicated
from assayer.statistics.test_sets import JudgedSystems, TestSet
from assayer.types import Booleans, Integers

COUNTS = ("train", "test")


def run(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    percentages: Sequence[float],
    count: str,
    seed: int,
    of: str = "items",
    unjudged_users: str = "drop",
    round_means: int | None = None,
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
    resamples: int = 0,
) -> Replicated:
    """Correlate the systems' order on the least popular items with that on all items.

    The rankings stay as they are; only the judgements on the popular items are removed.

    Parameters
    ----------
    train, test : (n_users, n_items)
    rankings, evaluation, unjudged_users, round_means, correlation, persistence, resamples
        As in `assayer.statistics.sparsity.run`.
    seed : int
        Of the resamples of users; nothing else is drawn.
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
    Replicated
        Columns metric, cutoff, percentage, items, ratings and users (what is left), undefined (1
        where one side ties all systems, so that the correlation has no value), tau (the
        correlation, empty where it is undefined; it is replicated), correlation (its name).
    """
    one_of("popularity count", count, COUNTS)
    whole = TestSet.of(test, rankings, evaluation, unjudged_users, round_means)
    number = popularity(train if count == "train" else test)
    return robustness(whole, number, percentages, seed, of, correlation, persistence, resamples)


def popularity(ratings: sp.csr_matrix) -> Integers:
    """Return the number of ratings of each item, int64 (n_items,)."""
    return np.bincount(ratings.indices, minlength=ratings.shape[1])


def robustness(
    whole: JudgedSystems,
    number: Integers,
    percentages: Sequence[float],
    seed: int,
    of: str = "items",
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
    resamples: int = 0,
) -> Replicated:
    """Return what `run` does for whatever systems are judged on a test set.

    `number` are the ratings of each item, which make it popular, int64 (n_items,).
    """
    draws = Draws.of(whole.judgements.n_users, resamples, seed)
    parts = unpopular_parts(whole.item, number, percentages, of)
    found = against_whole(whole, parts, draws, correlation_of(correlation, persistence))
    left = {percentage: _left(whole, keep) for percentage, (keep,) in parts.items()}
    heads, numbers = [], []
    for column, measure in enumerate(whole.measures):
        for percentage, (taus,) in found.items():
            undefined = {"undefined": int(np.isnan(taus[0, column])), "tau": np.nan}
            heads.append(measure | {"percentage": percentage} | left[percentage] | undefined)
            numbers.append(taus[:, column])
    table = pd.DataFrame(heads).assign(correlation=correlation)
    return Replicated.of(table, "tau", numbers)


def _left(whole: JudgedSystems, keep: Booleans) -> dict[str, int]:
    """Return how much is left of a test set."""
    return {
        "items": len(np.unique(whole.item[keep])),
        "ratings": int(keep.sum()),
        "users": len(np.unique(whole.judgements.row[keep])),
    }
