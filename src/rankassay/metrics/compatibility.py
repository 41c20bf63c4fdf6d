"""Compatibility with an ideal ranking."""

import numpy as np

from rankassay.kernels import kernel
from rankassay.metrics.judged import Judged
from rankassay.metrics.parameters import Between
from rankassay.metrics.totals import Total
from rankassay.types import Floats, Integers


def compatibility(
    judged: Judged, cutoffs: Integers, *, p: Between = 0.95, normalise: bool = True
) -> Total:
    """Compatibility: the greatest rank-biased overlap of the list with an ideal ranking.

    ::

        Compat_u@n = RBO(L_u^n, I_u) / RBO(I_u, I_u)
        RBO(A, B) = (1 - p) sum_{d >= 1} p^(d - 1) |A^d ∩ B^d| / d

    over all depths d to infinity. The ideal ranking I_u holds the relevant items, highest ratings
    first; those of equal ratings stand in the order of the list, which makes the overlap greatest.
    Range [0, 1]; 0 for an empty list and for a user without relevant items.

    Parameters
    ----------
    p : float
        Persistence, between 0 and 1: the lower, the more the first places count.
    normalise : bool
        Whether it is divided by the overlap of the ideal ranking with itself, which is below 1 as
        that ranking ends.

    References
    ----------
    Clarke, Vtyurina and Smucker, TOIS 39(3), 2021. Their script sums 1000 depths, and ir_measures'
    `Compat` those of the longer of the two lists; for both, all items judged above 0 are ideal,
    which is the threshold 1 here for whole ratings.
    """
    hits, judgements = judged.hits, judged.judgements
    place = _ideal_places(hits.start, hits.rating, judgements.start, judgements.ideal_rating)
    depth = np.maximum(hits.rank, place)
    n_relevant = judged.n_relevant.astype(np.int64)
    overlap = _from_depth(p, int(max(depth.max(initial=0), n_relevant.max(initial=0))))
    # An item that both hold counts at every depth from the lower of its two places on.
    best = np.concatenate([[0.0], np.cumsum(overlap)])[n_relevant] if normalise else 1 / (1 - p)
    return hits.total(overlap[depth - 1], cutoffs, best)


def _from_depth(p: float, deepest: int) -> Floats:
    """Return sum_{d >= m} p^(d - 1) / d for the depths m = 1, ..., deepest, float64 (deepest,)."""
    depth = np.arange(1.0, deepest + 1)
    above = np.concatenate([[0.0], np.cumsum(p ** (depth - 1) / depth)])[:-1]
    return np.maximum(-np.log1p(-p) / p - above[:deepest], 0.0)


@kernel
def _ideal_places(start, rating, ideal_start, ideal):
    """Return the place of each relevant item of a list in the ideal ranking, int64 (n_hits,)."""
    places = np.empty(len(rating), dtype=np.int64)
    taken = np.zeros(len(ideal), dtype=np.int64)
    for u in range(len(start) - 1):
        for j in range(start[u], start[u + 1]):
            low, high = ideal_start[u], ideal_start[u + 1]
            while low < high:  # to the first item that is rated no higher
                middle = (low + high) // 2
                if ideal[middle] > rating[j]:
                    low = middle + 1
                else:
                    high = middle
            taken[low] += 1
            places[j] = low - ideal_start[u] + taken[low]
    return places
