"""Recall."""

import numpy as np
import numpy.typing as npt

from assayer.metrics.judged import Judged, ratio


def recall(judged: Judged, cutoffs: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Recall: the share of the user's relevant items that stand in the first n places.

    Recall_u@n = |L_u^n ∩ R_u| / |R_u|

    The denominator is |R_u|, not min(n, |R_u|). Range [0, 1]; 0 for an empty list and for a user
    without relevant items.

    References
    ----------
    Valcarce et al., RecSys 2018, equation (2); trec_eval's `recall`.
    """
    hits = judged.accumulate(judged.relevant, cutoffs)
    return ratio(hits, judged.judgements.n_relevant[:, None])
