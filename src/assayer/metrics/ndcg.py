"""Normalised discounted cumulative gain."""

import numpy as np
import numpy.typing as npt

from assayer.metrics.judged import WHOLE_LIST, Judged, accumulate, ratio


def ndcg(
    judged: Judged, cutoffs: npt.NDArray[np.int64], *, truncate_ideal: bool = True
) -> npt.NDArray[np.float64]:
    """Normalised discounted cumulative gain: the list's gain as a share of the best possible one.

    nDCG_u@n = sum_{k <= n} G(L_u[k]) D(k) / sum_{k <= n} G*(k) D(k),  D(k) = 1 / log2(k + 1)

    with G the rating of a judged item and 0 for any other, and G* the gains of all the user's
    judged items in decreasing order. A rating below the relevance threshold gains too; one of
    zero or less does not. Range [0, 1]; 0 for an empty list and for a user without gains.

    Parameters
    ----------
    judged : Judged
    cutoffs : int64 (n_cutoffs,)
    truncate_ideal : bool
        Whether the ideal list is cut at n like the list itself (equation (4), trec_eval's
        `ndcg_cut`) or holds all judged items (trec_eval's `ndcg`, which the paper's authors ran).

    References
    ----------
    Valcarce et al., RecSys 2018, equation (4), after Järvelin and Kekäläinen, TOIS 2002.
    """
    judgements = judged.judgements
    gain = judged.accumulate(_discounted(judged.rating, judged.rank), cutoffs)
    ideal = accumulate(
        judgements.start,
        judgements.place,
        _discounted(judgements.ideal_rating, judgements.place),
        cutoffs if truncate_ideal else np.array([WHOLE_LIST]),
    )
    return ratio(gain, ideal)


def _discounted(
    rating: npt.NDArray[np.float64], rank: npt.NDArray[np.int32]
) -> npt.NDArray[np.float64]:
    return np.maximum(rating, 0.0) / np.log2(rank + 1)
