"""C/W/L: metrics as models of users who look at a place and continue to the next, or stop.

C(k) is the chance that a user who has looked at place k goes on to place k + 1. From it follow
W(k), the share of all looks that place k gets, and L(k), the chance that it is the last place. The
expected utility sum_k W(k) g(k) is the gain per place that is looked at, with gains from 0 to 1.
Precision has C(k) = 1 for k < n and C(n) = 0; `rank_biased_precision` has C(k) = p; `sdcg` and
`inst` are here.

References
----------
Moffat, Bailey, Scholer and Thomas, TOIS 35(3), 2017; their tool is cwl_eval.
"""

from typing import Annotated, Literal

import numpy as np
import scipy  # its parts are imported on use

from rankassay.errors import NeedsCutoffError, RankassayError
from rankassay.metrics.expected_reciprocal_rank import reached
from rankassay.metrics.judged import Judged
from rankassay.metrics.judgements import WHOLE_LIST
from rankassay.metrics.ndcg import logarithms
from rankassay.metrics.parameters import Positive, Range
from rankassay.metrics.totals import Total, running
from rankassay.types import Floats, Integers

Share = Literal["binary", "rating"]
Highest = Positive | Literal["all"]
MOST = 1e6  # of T, beyond which the looks of places differ by rounding alone


def weights(continuation: Floats) -> Floats:
    """Return the share of looks that each place gets, float64 (..., n).

    ::

        W(k) = prod_{j < k} C(j) / sum_l prod_{j < l} C(j)

    `continuation`, float64 (..., n), is C of the first n places; nobody goes on after the last.
    """
    looks = _reach(continuation)
    return looks / looks.sum(axis=-1, keepdims=True)


def last(continuation: Floats) -> Floats:
    """Return the chance that each place is the last that is looked at, float64 (..., n).

    ::

        L(k) = (1 - C(k)) prod_{j < k} C(j)

    See `weights`; the chances add up to 1 if C is 0 at the last place.
    """
    return (1 - continuation) * _reach(continuation)


def _reach(continuation: Floats) -> Floats:
    """Return the chance that each place is looked at, float64 (..., n)."""
    above = np.cumprod(continuation[..., :-1], axis=-1)
    return np.concatenate([np.ones((*continuation.shape[:-1], 1)), above], axis=-1)


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
