"""Recall."""

from typing import Literal

import numpy as np

from rankassay.metrics.judged import Judged
from rankassay.metrics.totals import Total
from rankassay.types import Integers


def recall(
    judged: Judged,
    cutoffs: Integers,
    *,
    denominator: Literal["relevant", "min_cutoff"] = "relevant",
) -> Total:
    """Recall: the share of the user's relevant items that stand in the first n places.

    ::

        Recall_u@n = |L_u^n ∩ R_u| / |R_u|

    Range [0, 1]; 0 for an empty list and for a user without relevant items.

    Parameters
    ----------
    denominator : {"relevant", "min_cutoff"}
        `|R_u|` (equation (2), trec_eval's `recall`), or `min(n, |R_u|)`, so that every user can
        reach 1 (also called capped or truncated recall).

    References
    ----------
    Valcarce et al., RecSys 2018, equation (2).
    """
    bound = cutoffs if denominator == "min_cutoff" else np.inf
    return judged.hits.total(1.0, cutoffs, np.minimum(judged.n_relevant, bound))
