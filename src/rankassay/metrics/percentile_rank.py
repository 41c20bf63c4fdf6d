"""Mean percentile rank."""

from typing import Literal

import numpy as np

from rankassay.metrics.judged import Judged
from rankassay.metrics.totals import ratio
from rankassay.types import Floats, Integers


def mean_percentile_rank(
    judged: Judged, cutoffs: Integers, *, weight: Literal["equal", "rating"] = "equal"
) -> Floats:
    """Mean percentile rank: how far down the whole ranking the relevant items stand.

    ::

        MPR_u = sum_{i in R_u} w_i (rank_i - 1) / (N - 1) / sum_{i in R_u} w_i

    of N items: the first place is 0, the last is 1. From the exact ranks in the whole ranking:
    cut-offs make no difference. Items that are not ranked share the places below all that are.
    Range [0, 1], lower is better and 0.5 is chance. It is undefined (NaN) for a user without
    relevant items, or whose items weigh nothing: 0 would be the best value.

    Parameters
    ----------
    weight : {"equal", "rating"}
        Whether relevant items have equal weight, or their ratings (0 for one below 0).

    References
    ----------
    Hu, Koren and Volinsky, ICDM 2008, section 5, who weigh by ratings (amounts of watching) and
    take one mean over the items of all users; this is the mean of users' means.
    """
    judgements, ranks = judged.judgements, judged.ranks.astype(np.float64)
    items = judged.n_candidates("MPR")[:, 0]
    lowest = (judged.lists.length + items - 1) / 2  # the mean of the places that are left
    below = np.where(ranks > 0, ranks - 1, lowest[judgements.row])
    weights = judgements.relevant * (
        np.maximum(judgements.rating, 0.0) if weight == "rating" else 1.0
    )
    n_users = judgements.n_users
    sums = np.bincount(judgements.row, weights * below, n_users)
    total = np.bincount(judgements.row, weights, n_users)
    means = np.where(total > 0, ratio(sums, total * (items - 1)), np.nan)
    return np.repeat(means[:, None], len(cutoffs), axis=1)
