"""Expected reciprocal rank."""

from typing import Literal

import numpy as np

from rankassay.errors import RankassayError
from rankassay.kernels import kernel
from rankassay.metrics.judged import Judged
from rankassay.metrics.parameters import Positive
from rankassay.metrics.totals import Total
from rankassay.types import Floats, Integers


def expected_reciprocal_rank(
    judged: Judged, cutoffs: Integers, *, highest: Positive | Literal["all", "user"] = "all"
) -> Total:
    """ERR: the expected reciprocal rank at which a user stops; good items stop users more often.

    ::

        ERR_u@n = sum_{k <= n} (1/k) p_k prod_{l < k} (1 - p_l),  p_k = (2^G(L_u[k]) - 1) / 2^G_max

    with G the rating of a judged item and 0 for any other (and for one rated below 0). Range
    [0, 1); 0 for an empty list.

    Parameters
    ----------
    highest : {"all", "user"} or float
        G_max: the highest judgement of all users, of the user (as in TREC's ndeval), or a number,
        such as the top of the scale.

    References
    ----------
    Chapelle, Metzler, Zhang and Grinspan, CIKM 2009.
    """
    items, stops = judged.items, stopping(judged, highest)
    return items.total(stops * reached(items.start, stops) / items.rank, cutoffs)


def stopping(judged: Judged, highest: float | Literal["all", "user"] = "all") -> Floats:
    """Return the probability p_k that each judged item in the lists stops a user; see above."""
    judgements = judged.judgements
    if highest == "user":
        top = np.zeros(judgements.n_users)
        np.maximum.at(top, judgements.row, judgements.rating)
    elif highest == "all":
        top = np.full(judgements.n_users, max(judgements.scale[1], 0.0))
    else:
        top = np.full(judgements.n_users, float(highest))
    items = judged.items
    if (items.rating > np.maximum(top, 0.0)[items.row]).any():
        raise RankassayError(
            f"ERR's parameter highest is {highest}, below the rating {items.rating.max():g}."
        )
    top = top[items.row]
    return np.exp2(np.maximum(items.rating, 0.0) - top) - np.exp2(-top)


@kernel
def reached(start, stops):
    """Return for each entry the probability that no entry above it stopped the user."""
    reached = np.empty(len(stops))
    for u in range(len(start) - 1):
        left = 1.0
        for j in range(start[u], start[u + 1]):
            reached[j] = left
            left *= 1.0 - stops[j]
    return reached
