"""Average precision."""

import numpy as np
import numpy.typing as npt

from assayer.metrics.judged import Judged, ratio


def average_precision(judged: Judged, cutoffs: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Average precision: the mean, over the relevant items, of the precision where each stands.

    AP_u@n = (1 / |R_u|) sum_{k <= n} rel(L_u[k]) P_u@k

    A relevant item outside the first n places adds 0; the denominator is |R_u|, so a user with
    more than n relevant items cannot reach 1. Range [0, 1]; 0 for an empty list and for a user
    without relevant items. Its mean over users is MAP.

    References
    ----------
    Valcarce et al., RecSys 2018, equation (3); trec_eval's `map_cut`.
    """
    precision = np.where(judged.relevant, (judged.relevant_above + 1) / judged.rank, 0.0)
    return ratio(judged.accumulate(precision, cutoffs), judged.judgements.n_relevant[:, None])
