"""Inferred average precision."""

from typing import Literal

from rankassay.metrics.judged import Judged
from rankassay.metrics.totals import Total, ratio
from rankassay.types import Integers

EPSILON = 1e-5


def infap(
    judged: Judged,
    cutoffs: Integers,
    *,
    unjudged: Literal["pooled", "unpooled"] = "pooled",
    negative: Literal["nonrelevant", "unjudged"] = "nonrelevant",
) -> Total:
    """Inferred average precision: average precision with each precision estimated from judgements.

    ::

        infAP_u@n = (1 / |R_u|) sum_{k <= n} rel(L_u[k]) E[P@k]

        E[P@k] = 1/k + (k-1)/k * s * (r + e) / (r + m + 2e)

    with r and m the relevant and judged non-relevant items above place k, and e = 0.00001. Range
    [0, 1]; 0 for an empty list and for a user without relevant items. If nothing above a relevant
    item is judged, its precision is taken as one half, which favours blind lists.

    Parameters
    ----------
    unjudged : {"pooled", "unpooled"}
        Whether the items without a rating count as members of the pool that were not judged
        (s = 1: equation (8), and what the paper's authors ran as `infAP2`), or as items outside
        the pool, known to be non-relevant (s = (r + m) / (k - 1): trec_eval's `infAP`).
    negative : {"nonrelevant", "unjudged"}
        Whether an item rated below 0 is judged and not relevant, or a member of the pool that was
        not judged, as in trec_eval: it is not among m, and s = (r + m + g) / (k - 1) where g such
        items stand above place k.

    References
    ----------
    Valcarce et al., RecSys 2018, equations (7) and (8), after Yilmaz and Aslam, KAIS 2008.
    """
    hits = judged.from_zero.hits if negative == "unjudged" else judged.hits
    relevant = hits.relevant_above
    seen = relevant + hits.nonrelevant_above
    inferred = (relevant + EPSILON) / (seen + 2 * EPSILON)
    if unjudged == "unpooled":
        pooled = relevant + judged.hits.nonrelevant_above  # those below 0 are in the pool, too
        inferred = ratio(pooled, hits.rank - 1) * inferred
    expected = (1 + (hits.rank - 1) * inferred) / hits.rank
    return hits.total(expected, cutoffs, judged.n_relevant)
