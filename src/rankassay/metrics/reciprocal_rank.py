"""Reciprocal rank."""

from rankassay.metrics.judged import Judged
from rankassay.metrics.totals import Total
from rankassay.types import Integers


def reciprocal_rank(judged: Judged, cutoffs: Integers) -> Total:
    """Reciprocal rank: one over the place of the first relevant item in the first n places.

    ::

        RR_u@n = 1 / min {k <= n : rel(L_u[k]) > 0}

    Range [0, 1]; 0 without a relevant item there. Its mean over users is MRR.

    References
    ----------
    Valcarce et al., RecSys 2018, equation (5); trec_eval's `recip_rank` on lists cut at n (`-M`).
    """
    hits = judged.hits
    return hits.total((hits.relevant_above == 0) / hits.rank, cutoffs)
