"""Robustness to popularity: is the ranking of systems stable without the most popular items?

Valcarce et al., RecSys 2018, section 4 ("popularity bias") and figures 3 and 7.
"""

from collections.abc import Mapping, Sequence
from typing import Unpack

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.statistics.incomplete import Order, robustness_table, unpopular_parts
from rankassay.statistics.judged_systems import TestSet
from rankassay.statistics.replicated import Replicated
from rankassay.statistics.valuation import Valuation
from rankassay.types import Floats, Integers


def run(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    percentages: Sequence[float],
    count: str,
    seed: int,
    unjudged_users: str = "drop",
    round_means: int | None = None,
    of: str = "items",
    **order: Unpack[Order],
) -> Replicated:
    """Correlate the ranking of systems on the least popular items with that on all items.

    The rankings stay as they are; only the judgements on the popular items are removed. The
    other parameters are those of `rankassay.statistics.sparsity.run`; only the resamples of users
    depend on the seed.

    The paper does not say whether popularity counts training ratings or test ratings (`count`). Of
    equally popular items, the one with the lower index is kept longer. Of items (the paper), the
    number kept is rounded to the nearest; of ratings, the least popular items are kept that
    together have at most that percentage.

    Returns
    -------
    Replicated
        Columns metric, cutoff, percentage, items, ratings and users (what is left), undefined (1
        where one side ties all systems, so that the correlation is undefined), tau (the
        correlation, empty where it is undefined; it is replicated), correlation (its name).
    """
    whole = TestSet.of(test, rankings, evaluation, unjudged_users, round_means)
    number = popularity(train if count == "train" else test)
    return robustness(whole, number, percentages, seed, of, **order)


def popularity(ratings: sp.csr_matrix) -> Integers:
    """Return the number of ratings of each item, int64 (n_items,)."""
    return np.bincount(ratings.indices, minlength=ratings.shape[1])


def analysis(
    valuation: Valuation,
    train: sp.csr_matrix,
    percentages: Sequence[float],
    seed: int,
    resamples: int = 0,
    count: str = "train",
) -> Replicated:
    """As `run`, with the columns tau_low and tau_high (the interval over users) and systems.

    The last is how many there are. Without `resamples` the ends are NaN.
    """
    rated = train.indices if count == "train" else valuation.item
    number = np.bincount(rated, minlength=train.shape[1])
    found = robustness(valuation, number, percentages, seed, resamples=resamples)
    return found.with_interval(before="tau_").assign(systems=valuation.n_systems)


def robustness(
    valuation: Valuation,
    number: Integers,
    percentages: Sequence[float],
    seed: int,
    of: str = "items",
    **order: Unpack[Order],
) -> Replicated:
    """As `run`, for any valuation of systems.

    `number` are the ratings of each item, which make it popular, int64 (n_items,). The other
    arguments are those of `rankassay.statistics.incomplete.robustness_table`.
    """
    parts = unpopular_parts(valuation.item, number, percentages, of)
    left = {
        percentage: {
            "items": len(np.unique(valuation.item[keep])),
            "ratings": int(keep.sum()),
            "users": len(np.unique(valuation.judgements.row[keep])),
        }
        for percentage, (keep,) in parts.items()
    }

    def said(percentage: float, taus: Floats) -> dict:
        return left[percentage] | {"undefined": int(np.isnan(taus[0])), "tau": np.nan}

    return robustness_table(valuation, "percentage", parts, said, seed, **order)
