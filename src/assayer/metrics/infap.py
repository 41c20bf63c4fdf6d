"""Inferred average precision."""

import numpy as np
import numpy.typing as npt

from assayer.errors import unknown
from assayer.metrics.judged import Judged, ratio

EPSILON = 1e-5


def infap(
    judged: Judged, cutoffs: npt.NDArray[np.int64], *, unjudged: str = "pooled"
) -> npt.NDArray[np.float64]:
    """Inferred average precision: average precision with each precision estimated from judgements.

    infAP_u@n = (1 / |R_u|) sum_{k <= n} rel(L_u[k]) E[P@k]

    E[P@k] = 1/k + (k-1)/k * s * (r + e) / (r + m + 2e)

    with r and m the relevant and judged non-relevant items above place k, and e = 0.00001. Range
    [0, 1]; 0 for an empty list and for a user without relevant items. When nothing above a
    relevant item is judged its precision is taken as one half, which favours blind lists.

    Parameters
    ----------
    judged : Judged
    cutoffs : int64 (n_cutoffs,)
    unjudged : {"pooled", "unpooled"}
        Whether the items without a rating count as members of the pool that were not judged
        (s = 1: equation (8), and what the paper's authors ran as `infAP2`), or as items outside
        the pool, known to be non-relevant (s = (r + m) / (k - 1): trec_eval's `infAP` where the
        judgements hold no negative levels).

    References
    ----------
    Valcarce et al., RecSys 2018, equations (7) and (8), after Yilmaz and Aslam, KAIS 2008.
    """
    if unjudged not in ("pooled", "unpooled"):
        raise unknown("value of infAP's parameter unjudged", unjudged, ["pooled", "unpooled"])
    relevant = judged.relevant_above
    seen = relevant + judged.nonrelevant_above
    inferred = (relevant + EPSILON) / (seen + 2 * EPSILON)
    if unjudged == "unpooled":
        inferred = ratio(seen, judged.rank - 1) * inferred
    expected = 1 / judged.rank + (judged.rank - 1) / judged.rank * inferred
    return ratio(
        judged.accumulate(np.where(judged.relevant, expected, 0.0), cutoffs),
        judged.judgements.n_relevant[:, None],
    )
