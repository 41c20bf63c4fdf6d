"""C/W/L: metrics as models of users who look at a place and continue to the next, or stop.

C(k) is the chance that a user who has looked at place k goes on to place k + 1. From it follow W,
the share of all looks that place k gets, and L, the chance that it is the last place::

    W(k) = prod_{j < k} C(j) / sum_l prod_{j < l} C(j),  L(k) = (1 - C(k)) prod_{j < k} C(j)

The expected utility sum_k W(k) g(k) is the gain per place that is looked at, with gains from 0 to
1. Precision has C(k) = 1 for k < n and C(n) = 0; `rank_biased_precision` has C(k) = p, and
`compatibility` weighs depths as it does places; `expected_reciprocal_rank` is the mean of 1 / k at
the last place.

References
----------
Moffat, Bailey, Scholer and Thomas, TOIS 35(3), 2017; their tool is cwl_eval.
"""

from typing import Annotated, Literal

import numpy as np
import scipy  # its parts are imported on use

from rankassay.errors import NeedsCutoffError, RankassayError
from rankassay.kernels import kernel
from rankassay.metrics.judged import Judged
from rankassay.metrics.judgements import WHOLE_LIST
from rankassay.metrics.ndcg import logarithms
from rankassay.metrics.parameters import Between, Positive, Range, check_kind
from rankassay.metrics.totals import Total, running
from rankassay.types import Floats, Integers

Share = Literal["binary", "rating"]
Highest = Positive | Literal["all"]
MOST = 1e6  # of T, beyond which the looks of places differ by rounding alone


def sdcg(
    judged: Judged, cutoffs: Integers, *, gain: Share = "rating", highest: Highest = "all"
) -> Total:
    """Scaled discounted cumulative gain: that of a list as a share of n items of the highest gain.

    ::

        SDCG_u@n = sum_{k <= n} g(L_u[k]) D(k) / sum_{k <= n} D(k),  D(k) = 1 / log2(k + 1)

    In C/W/L, C(k) = D(k + 1) / D(k) above place n. The divisor is the same for all users, unlike
    that of `ndcg`. Range [0, 1]; 0 for an empty list. Without a cut-off there is no n.

    Parameters
    ----------
    gain, highest
        See `gains_between`.

    References
    ----------
    Moffat et al., TOIS 2017, section 3; cwl_eval's `NDCG-k` and ir_measures' `SDCG`, which scale
    ratings by `max_rel`, here `highest`.
    """
    if WHOLE_LIST in cutoffs:
        raise NeedsCutoffError("SDCG")
    items = judged.items
    gains = gains_between(judged, gain, highest, "SDCG")
    discount = 1 / logarithms(int(max(items.rank.max(initial=0), cutoffs.max())))[1:]
    return items.total(gains * discount[items.rank - 1], cutoffs, np.cumsum(discount)[cutoffs - 1])


def inst(
    judged: Judged,
    cutoffs: Integers,
    *,
    T: Annotated[float, Range(0.5, MOST)] = 1.0,
    gain: Share = "binary",
    highest: Highest = "all",
    adaptive: bool = True,
) -> Total:
    """INST: the gain per look of a user who wants T relevant items, and leaves when they are found.

    ::

        INST_u@n = sum_{k <= n} W(k) g(L_u[k])
        C(k) = ((k + T + T_k - 1) / (k + T + T_k))^2,  T_k = T - sum_{j <= k} g(L_u[j])

    The list has no gain below place n, and the user no end: W is that of all places, however deep.
    Range [0, 1); 0 for an empty list.

    Parameters
    ----------
    T : float
        How many relevant items the user expects to need, from 0.5 to a million.
    gain, highest
        See `gains_between`.
    adaptive : bool
        Whether found items count. Without, T_k is T: INSQ (Moffat, Scholer and Thomas, ADCS 2012).

    References
    ----------
    Bailey, Moffat, Scholer and Thomas, SIGIR 2015; Moffat et al., TOIS 2017. cwl_eval and
    ir_measures look at the first 1000 places only, so that their values are a little higher.

    Notes
    -----
    Between two gains, T_k stays and the product of all C above place k is K / (k - 1 + T + T_k)^2,
    the sum of which to infinity is a trigamma function. A gain g at place k changes K by the factor
    ((k - 1 + T + T_k) / (k - 1 + T + T_k + g))^2.
    """
    items = judged.items
    gains = gains_between(judged, gain, highest, "INST")
    found = gains if adaptive else np.zeros(len(gains))
    wanted = 2 * T - (running(found, items.start) - found)  # T + T_k above each item
    before = items.rank - 1 + wanted
    kept = ((before - found) / before) ** 2
    looks = (2 * T) ** 2 * reached(items.start, 1 - kept)  # K above each item

    def below(places) -> Floats:
        return scipy.special.polygamma(1, places)

    # What each gain changes in the sum of all looks, which without gains is the first term.
    changes = looks * (kept * below(items.rank + wanted - found) - below(items.rank + wanted))
    whole = (2 * T) ** 2 * below(2 * T) + items.total(changes, cutoffs).values()
    return items.total(gains * looks / before**2, cutoffs, whole)


def gains_between(judged: Judged, gain: Share, highest: Highest, metric: str) -> Floats:
    """Return the gains of the judged items in the lists, from 0 to 1, float64 (n_entries,).

    With the gain "binary", a relevant item gains 1, any other 0. With "rating", a judged item gains
    its rating as a share of the highest one: that of all users ("all"), or a number such as the top
    of the scale; one rated below 0 gains nothing. Raises RankassayError for a rating above
    `highest`.
    """
    items = judged.items
    if gain == "binary":
        return items.relevant.astype(np.float64)
    top = judged.judgements.scale[1] if highest == "all" else float(highest)
    found = items.rating.max(initial=0.0)
    if found > max(top, 0.0):
        raise RankassayError(
            f"{metric}'s parameter highest is {highest}, below the rating {found:g}."
        )
    return np.maximum(items.rating, 0.0) / (top if top > 0 else 1.0)


def rank_biased_precision(
    judged: Judged,
    cutoffs: Integers,
    *,
    p: Between = 0.8,
    gain: Share = "binary",
    highest: Highest = "all",
) -> Total:
    """Rank-biased precision: the hits of a user who continues to the next place with probability p.

    ::

        RBP_u@n = (1 - p) sum_{k <= n} g(L_u[k]) p^(k - 1)

    Range [0, 1): only an endless list of relevant items approaches 1; 0 for an empty list and for a
    user without relevant items.

    Parameters
    ----------
    p : float
        Persistence, between 0 and 1; impatient users have small ones. The default is ir_measures';
        trec_eval's `rbp` has 0.9, as here under the profile `trec`, and graded gains.
    gain, highest
        What an item gains, see `rankassay.metrics.user_models.gains_between`.

    References
    ----------
    Moffat and Zobel, TOIS 2008. C/W/L with C(k) = p, see `rankassay.metrics.user_models`.
    """
    if gain == "binary":
        return judged.hits.total((1 - p) * p ** (judged.hits.rank - 1.0), cutoffs)
    gains = gains_between(judged, gain, highest, "RBP")
    return judged.items.total(gains * (1 - p) * p ** (judged.items.rank - 1.0), cutoffs)


def expected_reciprocal_rank(
    judged: Judged, cutoffs: Integers, *, highest: Positive | Literal["all", "user"] = "all"
) -> Total:
    """ERR: the expected reciprocal rank at which a user stops; good items stop users more often.

    ::

        ERR_u@n = sum_{k <= n} (1/k) p_k prod_{l < k} (1 - p_l),  p_k = (2^G(L_u[k]) - 1) / 2^G_max

    with G the rating of a judged item and 0 for any other (and for one rated below 0). Range
    [0, 1); 0 for an empty list.

    Parameters
    ----------
    highest : {"all", "user"} or float
        G_max: the highest judgement of all users, of the user (as in TREC's ndeval), or a number,
        such as the top of the scale.

    References
    ----------
    Chapelle, Metzler, Zhang and Grinspan, CIKM 2009.
    """
    items, stops = judged.items, stopping(judged, highest)
    return items.total(stops * reached(items.start, stops) / items.rank, cutoffs)


def stopping(judged: Judged, highest: float | Literal["all", "user"] = "all") -> Floats:
    """Return the probability p_k that each judged item in the lists stops a user; see above."""
    judgements = judged.judgements
    if highest == "user":
        top = np.zeros(judgements.n_users)
        np.maximum.at(top, judgements.row, judgements.rating)
    elif highest == "all":
        top = np.full(judgements.n_users, max(judgements.scale[1], 0.0))
    else:
        top = np.full(judgements.n_users, float(highest))
    items = judged.items
    if (items.rating > np.maximum(top, 0.0)[items.row]).any():
        raise RankassayError(
            f"ERR's parameter highest is {highest}, below the rating {items.rating.max():g}."
        )
    top = top[items.row]
    return np.exp2(np.maximum(items.rating, 0.0) - top) - np.exp2(-top)


@kernel
def reached(start, stops):
    """Return for each entry the probability that no entry above it stopped the user."""
    reached = np.empty(len(stops))
    for u in range(len(start) - 1):
        left = 1.0
        for j in range(start[u], start[u + 1]):
            reached[j] = left
            left *= 1.0 - stops[j]
    return reached


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


def rbp_residual(judged: Judged, cutoffs: Integers, *, p: Between = 0.8) -> Floats:
    """Residual of RBP: how much of it lies with items that are unjudged or not seen.

    ::

        residual_u@n = 1 - (1 - p) sum_{k <= n} [L_u[k] is judged] p^(k - 1)

    It is what RBP without a cut-off can rise by, had the list no end: the weights of the unjudged
    places down to n, and p^n for all below. Range (0, 1]; 1 for an empty list. RBP@n itself can
    rise by the unjudged places alone: by the residual less p^n, in a list of n places.

    References
    ----------
    Moffat and Zobel, TOIS 2008, section 3.2.
    """
    check_kind("p", p, Between)
    items = judged.items
    weights: Total = items.total((1 - p) * p ** (items.rank - 1.0), cutoffs)
    return np.maximum(1 - weights.values(), 0.0)
