"""Binary preference."""

import numpy as np
import numpy.typing as npt

from assayer.metrics.judged import Judged, ratio


def bpref(judged: Judged, cutoffs: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Binary preference: how few judged non-relevant items stand above each relevant one.

    bpref_u@n = (1 / |R_u|) sum_{k <= n} rel(L_u[k]) (1 - min(a_k, |R_u|) / min(|N_u|, |R_u|))

    with a_k the number of judged non-relevant items above place k; unjudged items are passed
    over. For a user without judged non-relevant items the fraction is 0/0: as in trec_eval, each
    relevant item in the list then adds 1. Range [0, 1]; 0 for an empty list and for a user without
    relevant items.

    References
    ----------
    Valcarce et al., RecSys 2018, equation (6), after Buckley and Voorhees, SIGIR 2004;
    trec_eval's `bpref` (since version 8) on lists cut at n (`-M`).
    """
    n_relevant = judged.judgements.n_relevant
    bound = np.minimum(n_relevant, judged.judgements.n_nonrelevant)
    above = np.minimum(judged.nonrelevant_above, n_relevant[judged.row])
    preferred = np.where(judged.relevant, 1 - ratio(above, bound[judged.row]), 0.0)
    return ratio(judged.accumulate(preferred, cutoffs), n_relevant[:, None])
