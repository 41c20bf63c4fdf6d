"""Estimators that weigh observed ratings by how likely it was that they are observed.

Ratings are missing not at random: popular items have more of them. With the propensity P of each
judged rating, the probability that it is observed, a metric that adds up a gain c of each relevant
item is estimated for all relevant items, observed or not, by weights 1 / P.

The gain of a relevant item at place k of a list, at the cut-off n, is

====  ======================  ==============================================================
R     [k <= n]                its mean over the relevant items is recall
P     [k <= n] / n            its sum is precision; it needs a cut-off
DCG   [k <= n] / log2(k + 1)  its sum is DCG with gains of 0 and 1
RR    [k <= n] / k            its sum is that of the reciprocal ranks of all relevant items
AUC   (N - k) / N             the share of the N candidates ranked below, at any cut-off
====  ======================  ==============================================================

An item that is not listed gains nothing; in AUC it stands at the middle place of those not ranked.
"""

from typing import Annotated, Literal, NamedTuple

import numpy as np

from rankassay.errors import NeedsCutoffError, RankassayError
from rankassay.metrics.judged import Judged
from rankassay.metrics.judgements import WHOLE_LIST, Judgements
from rankassay.metrics.ndcg import logarithms
from rankassay.metrics.parameters import NotNegative, Range
from rankassay.metrics.totals import Total, ratio
from rankassay.types import Floats, Integers

Gain = Literal["P", "R", "DCG", "RR", "AUC"]
MEANS = ("R", "AUC")  # gains whose mean over relevant items is wanted, and not their sum


class Weights(NamedTuple):
    """How weights follow from propensities; see the parameters of `ips`."""

    clip: float | None = None
    power: float = 1.0
    centred: bool = False

    def effective(self, propensity: Floats) -> Floats:
        """Return the propensities whose inverses are the weights."""
        clipped = propensity if self.clip is None else np.maximum(propensity, 1 / self.clip)
        return clipped if self.power == 1 else clipped**self.power


PLAIN = Weights()


def ips(
    judged: Judged,
    cutoffs: Integers,
    *,
    gain: Gain = "DCG",
    clip: Annotated[float, Range(1)] | None = None,
    power: NotNegative = 1.0,
    centred: bool = False,
) -> Total | Floats:
    """Inverse propensity scoring: the sum of gains, estimated for all relevant items.

    ::

        IPS_u@n = sum_{i in R_u} w_ui c(k_ui),  w_ui = min(1 / P_ui, clip)^power

    with R_u the observed relevant items and k_ui their places. Where P_ui is right and nothing is
    clipped, the mean of the sum over what may be observed is that over all relevant items. Gains R
    and AUC are means over the relevant items, whose number is not known: their sum is divided by
    its estimate sum_{i in R_u} w_ui, which makes them those of `snips`, if not clipped.

    Range [0, inf); 0 for an empty list (but for AUC) and for a user without relevant items. Where
    every P is 1 and nothing is clipped, it is the metric that is named like the gain (see this
    module for the kin of RR and AUC). Propensities known up to a factor give values up to a factor,
    too; the ranking of systems does not depend on it.

    Parameters
    ----------
    gain : {"P", "R", "DCG", "RR", "AUC"}
        What a relevant item adds at its place; see `rankassay.metrics.unbiased`.
    clip : float or None
        The greatest weight, at least 1, which trades variance for bias (clipped IPS).
    power : float
        The exponent of the weights, which trades variance for bias, too: 1/2 makes them roots, and
        0 makes all of them 1, which takes no propensities.
    centred : bool
        Whether each judged item counts, relevant or not, as far as it is above the share p_u of
        relevant items among those that the user judged::

            sum_{i in J_u} w_ui (y_ui - p_u) c(k_ui)

        with y_ui 1 for a relevant item and 0 for another. This is a doubly robust estimate: a
        simple model says that each item is relevant with probability p_u, and the weighted sum
        corrects it. Where P_ui is right, the estimate is unbiased like IPS, up to a constant that
        is the same for all full lists. It varies less than IPS, as more judged items in a list
        no longer make it better by themselves. It takes a gain that is a sum, may be negative, and
        is 0 for a user whose judgements are all equal. Without weights (power 0), DCG so centred
        is also called CDCG, and P is the metric CP.

    References
    ----------
    Yang, Cui, Xuan, Wang, Belongie and Estrin, RecSys 2018, equation of the IPS estimator; Schnabel
    et al., ICML 2016, section 3; clipping: Ionides, JCGS 17, 2008; powers of popularity: Steck,
    RecSys 2011; doubly robust estimates: Dudík, Langford and Li, ICML 2011, section 3.
    """
    judgements = judged.judgements
    if centred and gain in MEANS:
        raise RankassayError(
            f"IPS(centred=True): expected a gain that is a sum, found {gain!r}, a mean; give P, "
            "DCG or RR."
        )
    of, key = Weights(clip, power, centred), ("IPS", clip, power, centred)
    lowest = _lowest(judged, "IPS", of)
    weight = judgements.remember(key, lambda: _weights(judgements, lowest, "IPS", of))
    return _estimate(judged, cutoffs, "IPS", gain, weight, None if gain in MEANS else lowest)


def snips(judged: Judged, cutoffs: Integers, *, gain: Gain = "R") -> Total | Floats:
    """Self-normalised inverse propensity scoring: the mean gain, estimated for all relevant items.

    ::

        SNIPS_u@n = sum_{i in R_u} c(k_ui) / P_ui  /  sum_{i in R_u} 1 / P_ui

    A weighted mean over the observed relevant items R_u, whose places are k_ui. It varies less than
    `ips`, and a factor of all propensities makes no difference. Range [0, 1]; 0 for an empty list
    (but for AUC) and for a user without relevant items. Where all propensities are equal it is the
    plain mean over the relevant items, such as recall for the gain R.

    Parameters
    ----------
    gain : {"P", "R", "DCG", "RR", "AUC"}
        What a relevant item adds at its place; see `rankassay.metrics.unbiased`.

    References
    ----------
    Yang, Cui, Xuan, Wang, Belongie and Estrin, RecSys 2018, equation of the SNIPS estimator;
    Swaminathan and Joachims, NIPS 2015.
    """
    judgements, lowest = judged.judgements, _lowest(judged, "SNIPS")
    weight = judgements.remember(("IPS", *PLAIN), lambda: _weights(judgements, lowest, "SNIPS"))
    return _estimate(judged, cutoffs, "SNIPS", gain, weight)


def stratified(
    judged: Judged, cutoffs: Integers, *, gain: Gain = "R", width: Annotated[float, Range(2)] = 10.0
) -> Total | Floats:
    """Stratified by propensity: the mean gain within strata, weighted by the strata's shares.

    ::

        V_u@n = sum_s W_us m_us / sum_s W_us,  W_us = sum_{i in R_us} 1 / P_ui

    with R_us the user's observed relevant items in the stratum s, m_us the plain mean of their
    gains, and W_us the estimated number of all relevant items in it. A stratum holds the items
    whose propensities have the same floor(log P / log width). Where propensities grow with the
    popularity of items, as estimated ones do, these are strata of popularity. Within a stratum no
    rating outweighs the others: one alone for the whole is the plain mean, and strata of single
    propensities give `snips`.

    Range [0, 1]; 0 for an empty list (but for AUC) and for a user without relevant items.

    Parameters
    ----------
    gain : {"P", "R", "DCG", "RR", "AUC"}
        What a relevant item adds at its place; see `rankassay.metrics.unbiased`.
    width : float
        The ratio of the greatest and the least propensity of a stratum, at least 2.

    References
    ----------
    Subclassification on the propensity: Rosenbaum and Rubin, JASA 79, 1984.
    """
    judgements, lowest = judged.judgements, _lowest(judged, "Stratified")

    def weights() -> Floats:
        return _levelled(judgements, _weights(judgements, lowest, "Stratified"), width)

    weight = judgements.remember(("Stratified", width), weights)
    return _estimate(judged, cutoffs, "Stratified", gain, weight)


def _estimate(
    judged: Judged,
    cutoffs: Integers,
    metric: str,
    gain: Gain,
    weight: Floats,
    divisor: Floats | None = None,
) -> Total | Floats:
    """Return the weighted sum of the gains divided, by the sum of the weights if by nothing else.

    `weight` is float64 (n_judged,), 0 or, if centred, negative for items that are not relevant;
    `divisor` is (n_users,).
    """
    judgements = judged.judgements
    # The weights of irrelevant items are 0, unless they are centred.
    entries = judged.items if (weight < 0).any() else judged.hits
    if divisor is None:
        divisor = np.bincount(judgements.row, weights=weight, minlength=judgements.n_users)
    if gain == "AUC":
        below = np.bincount(judgements.row, weight * _below(judged, metric), judgements.n_users)
        area = ratio(below[:, None], divisor[:, None] * judged.n_candidates(metric))
        return np.repeat(area, len(cutoffs), axis=1)
    if judged.kept is None:
        own = weight[entries.judgement]
    else:
        kept = judged.kept
        place = judgements.remember(("places",), lambda: np.cumsum(kept) - 1)
        own = weight[place[entries.judgement]]
    if gain == "P":
        if WHOLE_LIST in cutoffs:
            raise NeedsCutoffError(f"{metric}(gain='P')")
        return entries.total(own, cutoffs, divisor[:, None] * cutoffs)
    if gain == "DCG":
        own = own / logarithms(int(entries.rank.max(initial=0)))[entries.rank]
    elif gain == "RR":
        own = own / entries.rank
    return entries.total(own, cutoffs, divisor[:, None])


def _below(judged: Judged, metric: str) -> Floats:
    """Return how many candidates rank below each judged item, float64 (n_judged,)."""
    row, ranks = judged.judgements.row, judged.ranks
    candidates = judged.n_candidates(metric)[row, 0]
    unranked = candidates - judged.lists.length[row]
    return np.where(ranks > 0, candidates - ranks, np.maximum(unranked - 1, 0) / 2)


def _propensity(judgements: Judgements, metric: str, of: Weights) -> Floats:
    """Return the propensities, or ones where these make no difference."""
    if of.power == 0:
        return np.ones_like(judgements.rating)
    if judgements.propensity is None:
        raise RankassayError(
            f"the metric {metric} needs the probabilities that ratings are observed; give "
            "propensities."
        )
    return judgements.propensity


def _lowest(judged: Judged, metric: str, of: Weights = PLAIN) -> Floats:
    """Return the lowest effective propensity of each user's weighted items, (n_users,).

    Relevant items are weighted, or, where these are centred, all judged ones. It is 1 for a user
    without any.
    """
    judgements, propensity = judged.judgements, _propensity(judged.judgements, metric, of)

    def lowest() -> Floats:
        least = np.ones(judgements.n_users)
        weighed = np.ones_like(judgements.relevant) if of.centred else judgements.relevant
        np.minimum.at(least, judgements.row[weighed], propensity[weighed])
        return of.effective(least)

    return judgements.remember(("lowest propensity", *of), lowest)


def _weights(judgements: Judgements, lowest: Floats, metric: str, of: Weights = PLAIN) -> Floats:
    """Return the weights 1 / P as shares of the user's greatest, float64 (n_judged,).

    They are 0 for items that are not relevant, and multiples of a power of two so small that any
    sum of a user's weights is exact: lists with the same hits tie, in any order of these. Centred
    ones are times 1 - p_u for relevant items, and times -p_u for the others.
    """
    propensity, relevant = _propensity(judgements, metric, of), judgements.relevant
    share = lowest[judgements.row] / of.effective(propensity)
    if not of.centred:
        return _exact(judgements, np.where(relevant, share, 0), judgements.n_relevant)
    count = judgements.n_relevant + judgements.n_nonrelevant
    above = relevant - ratio(judgements.n_relevant, count)[judgements.row]
    return _exact(judgements, share * above, count)


def _levelled(judgements: Judgements, weight: Floats, width: float) -> Floats:
    """Return the mean weight of each user's relevant items in the stratum in place of their own."""
    relevant, propensity = judgements.relevant, judgements.propensity
    assert propensity is not None
    # Rounded, so that the last bit of a logarithm moves nothing to another stratum.
    stratum = np.floor(np.round(np.log(propensity) / np.log(width), 9)).astype(np.int64)
    stratum -= stratum.min(initial=0)
    key = judgements.row * (stratum.max(initial=0) + 1) + stratum
    _, cell = np.unique(key, return_inverse=True)
    mean = ratio(np.bincount(cell, weights=weight), np.bincount(cell, weights=relevant))
    return _exact(judgements, np.where(relevant, mean[cell], 0), judgements.n_relevant)


def _exact(judgements: Judgements, weight: Floats, count: Floats) -> Floats:
    """Round weights of at most 1 to multiples of 2^-52 times the power of two above their count.

    `count` is how many weights of each user are not 0, float64 (n_users,).
    """
    bits = (52 - np.frexp(count)[1])[judgements.row]
    return np.ldexp(np.rint(np.ldexp(weight, bits)), -bits)
