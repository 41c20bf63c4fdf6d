"""Precision."""

import numpy as np
import numpy.typing as npt

from assayer.errors import AssayerError
from assayer.metrics.judged import WHOLE_LIST, Judged


def precision(judged: Judged, cutoffs: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Precision: the share of the first n places that hold a relevant item.

    P_u@n = |L_u^n ∩ R_u| / n

    The denominator is n for every list: places that a short list leaves empty count as
    non-relevant. Without a cut-off there is no n, so one must be given. Range [0, 1]; 0 for an
    empty list and for a user without relevant items.

    References
    ----------
    Valcarce et al., RecSys 2018, equation (1); trec_eval's `P`.
    """
    if WHOLE_LIST in cutoffs:
        raise AssayerError("the measure P needs a cut-off, as in P@10.")
    return judged.accumulate(judged.relevant, cutoffs) / cutoffs
