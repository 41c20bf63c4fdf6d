"""Reciprocal rank."""

import numpy as np
import numpy.typing as npt

from assayer.metrics.judged import Judged


def reciprocal_rank(judged: Judged, cutoffs: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Reciprocal rank: one over the place of the first relevant item in the first n places.

    RR_u@n = 1 / min {k <= n : rel(L_u[k]) > 0}

    Range [0, 1]; 0 when no relevant item stands there. Its mean over users is MRR.

    References
    ----------
    Valcarce et al., RecSys 2018, equation (5); trec_eval's `recip_rank` on lists cut at n (`-M`).
    """
    first = judged.relevant & (judged.relevant_above == 0)
    return judged.accumulate(np.where(first, 1 / judged.rank, 0.0), cutoffs)
