"""Diversity metrics: what a list gains by relevant items and by showing several aspects."""

from typing import Annotated, Literal

import numpy as np

from rankassay.metrics.diversity.cascade import (
    Candidates,
    Model,
    Relevance,
    Weights,
    geometric,
    logarithmic,
    relevance,
)
from rankassay.metrics.diversity.lists import AspectLists, Interests
from rankassay.metrics.parameters import NotNegative, Range, Unit
from rankassay.metrics.totals import ratio
from rankassay.types import Floats, Integers

Of = Literal["catalogue", "judged", "relevant"]


def s_recall(
    lists: AspectLists, cutoffs: Integers, *, aspects: Of = "catalogue", relevant_only: bool = False
) -> Floats:
    """S-Recall: the share of the possible aspects that the list shows.

    ::

        S-Recall@n = |union_{k <= n} A(i_k)| / |A|

    Range [0, 1]; 0 for an empty list and where no aspect is possible.

    Parameters
    ----------
    aspects : {"catalogue", "judged", "relevant"}
        The aspects that are possible, and count: those of all items, of the items that the user
        judged, or of those relevant to the user (as in TREC's ndeval).
    relevant_only : bool
        Whether only relevant items can show an aspect (ndeval); in the papers all can.

    References
    ----------
    Zhai, Cohen and Lafferty, SIGIR 2003; Parapar and Radlinski, RecSys 2021, section 4.2.
    """
    first, possible = _first_shown(lists, aspects, relevant_only)
    # Those beyond the end of the lists are not shown, at any cut-off.
    ends = np.minimum(cutoffs, lists.items.shape[1])
    return ratio(np.stack([(first < end).sum(axis=1) for end in ends], axis=1), possible[:, None])


def s_rr(
    lists: AspectLists,
    cutoffs: Integers,
    *,
    share: Annotated[float, Range(0, 1, above=True)] = 1.0,
    aspects: Of = "catalogue",
    relevant_only: bool = False,
) -> Floats:
    """S-RR: the reciprocal of the place at which the list has shown enough aspects.

    ::

        S-RR@n = 1 / min{k: S-Recall@k >= share}, and 0 if that is beyond n

    Range [0, 1]; 0 where no aspect is possible.

    Parameters
    ----------
    aspects, relevant_only
        As in `s_recall`.
    share : float
        Above 0, at most 1: of the possible aspects; S-RR@100% of the papers is 1.

    References
    ----------
    As `s_recall`. The text of Parapar and Radlinski has the condition the wrong way round (0 unless
    the place is beyond n).
    """
    first, possible = _first_shown(lists, aspects, relevant_only)
    wanted = np.ceil(possible * share - 1e-9)
    depth = lists.items.shape[1]
    # The place at which the last of the wanted ones is shown; behind all, one that never is.
    places = np.pad(np.sort(first, axis=1), ((0, 0), (0, 1)), constant_values=depth)
    last = np.maximum(wanted.astype(np.int64) - 1, 0)[:, None]
    place = np.take_along_axis(places, last, axis=1) + 1
    shown = (place <= np.minimum(cutoffs, depth)) & (possible[:, None] > 0)
    return np.where(shown, 1 / place, 0.0)


def _first_shown(lists: AspectLists, of: Of, relevant_only: bool) -> tuple[Integers, Integers]:
    """Return where each aspect is shown first, and the number of those that could be shown.

    The former is `AspectLists.first_shown`, with a place beyond the list for others.
    """
    interests, first = lists.interests, lists.first_shown
    possible = possible_aspects(interests, of)
    if relevant_only:
        relevant = np.append(interests.rating >= interests.threshold, False)  # -1: not judged
        first = lists.first_among(np.where(relevant[lists.judgement], lists.items, -1))
    return np.where(possible, first, lists.items.shape[1]), possible.sum(axis=1)


def possible_aspects(interests: Interests, of: Of):
    """Return the aspects that count for each user, bool (n_users, n_aspects)."""
    n = interests.aspects.n_aspects
    if of == "catalogue":
        return np.ones((interests.n_users, n), dtype=bool)
    counts = interests.rating >= (interests.threshold if of == "relevant" else -np.inf)

    def compute():
        shown = interests.aspects.matrix[interests.item[counts]].tocoo()
        possible = np.zeros((interests.n_users, n), dtype=bool)
        possible[interests.row[counts][shown.row], shown.col] = True
        return possible

    return interests.remember(("possible aspects", of), compute)


def alpha_ndcg(
    lists: AspectLists, cutoffs: Integers, *, alpha: Unit = 0.5, gain: Relevance = "rating"
) -> Floats:
    """alpha-nDCG: an aspect gains less if more relevant items above have shown it already.

    ::

        alpha-nDCG@n = sum_{k <= n} G(k) / log2(k + 1) / the same of the greedy ideal list
        G(k) = sum_{a in i_k} r(i_k) prod_{l < k: a in i_l} (1 - alpha r(i_l))

    which for binary r is r(i_k) (1 - alpha)^(relevant items above that show a), summed over the
    aspects. All aspects count alike. Range [0, 1], though a list may exceed 1 as the ideal list is
    greedy; 0 for an empty list and a user without gains.

    Parameters
    ----------
    alpha : float
        Between 0 and 1. The paper that compares the metric names no value; its authors take 0.5.
    gain : {"rating", "exponential", "binary"}
        r of a judged item; see `rankassay.metrics.diversity.cascade.relevance`. The original is
        binary, and judges each pair of item and aspect; Parapar and Radlinski take the rating. An
        item that is not judged has r = 0.

    References
    ----------
    Clarke et al., SIGIR 2008; for recommendations Vargas, SIGIR 2014, and Parapar and Radlinski,
    RecSys 2021, section 3.1. The ideal list is greedy in all of them.
    """
    interests, depth = lists.interests, lists.items.shape[1]
    model = Model(relevance(gain, interests), alpha, "one", False, ("alpha-nDCG", alpha, gain))
    return model.share_of_ideal(lists, logarithmic(depth), cutoffs)


def alpha_beta_ndcg(
    lists: AspectLists,
    cutoffs: Integers,
    *,
    alpha: Unit = 0.005,
    beta: Unit = 0.5,
    weights: Weights = "profile",
    ideal: Candidates = "judged",
) -> Floats:
    """alpha-beta-nDCG: the probability that an item meets a remaining interest of the user.

    ::

        alpha-beta-nDCG@n = sum_{k <= n} G(k) / log2(k + 1) / the same of the greedy ideal list
        G(k) = 1 - prod_{a in i_k} (1 - P(a | i_k) gamma_a prod_{l < k: a in i_l} (1 - P(a | i_l)))
        P(a | i) = beta r_ui / r_max, or alpha if the user did not rate i

    with gamma the user's weights of the aspects. Range [0, 1], though a list may exceed 1 as the
    ideal list is greedy and, with `ideal="judged"`, holds no unjudged items; 0 for an empty list
    and a user without gains.

    Parameters
    ----------
    alpha : float
        The value of an item without a rating, between 0 and 1.
    beta : float
        How far a rating is trusted, and how soon a user is satisfied, between 0 and 1.
    weights : {"profile", "uniform"}
        gamma: from the user's profile (equation (9)), or `1 / |A|`.
    ideal : {"judged", "all"}
        The ideal list may hold the items that the user judged, as in section 5.1 of the paper, or
        all items, where unjudged ones are worth alpha. The paper leaves this open.

    References
    ----------
    Parapar and Radlinski, RecSys 2021, equations (4) to (16). The order of equal items in the ideal
    list, arbitrary there, is that of their indices.
    """
    interests, depth = lists.interests, lists.items.shape[1]
    model = unified_model(interests, alpha, beta, weights)
    return model.share_of_ideal(lists, logarithmic(depth), cutoffs, ideal)


def unified_model(
    interests: Interests, alpha: float, beta: float, weights: Weights = "profile"
) -> Model:
    """Return the user model of alpha-beta-nDCG; parameters are those of `alpha_beta_ndcg`."""

    def probability(rating: Floats) -> Floats:
        known = beta * np.maximum(rating, 0.0) / interests.highest
        return np.where(np.isnan(rating), alpha, known)

    return Model(probability, 1.0, weights, True, ("alpha-beta-nDCG", alpha, beta, weights))


def err_ia(
    lists: AspectLists,
    cutoffs: Integers,
    *,
    weights: Weights = "profile",
    gain: Relevance = "exponential",
    stop: Unit = 1.0,
    normalise: Literal["none", "ideal"] = "none",
) -> Floats:
    """ERR-IA: the reciprocal rank at which a user with one of the interests stops, on average.

    ::

        ERR-IA@n = sum_a w_a sum_{k <= n: a in i_k} (1/k) R(i_k) prod_{l < k: a in i_l} (1 - R(i_l))

    with R = stop r. Range [0, number of aspects that an item can show); 0 for an empty list.

    Parameters
    ----------
    weights, gain
        As in `rankassay.metrics.diversity.metrics.expected_utility`; TREC's ndeval weighs
        uniformly.
    stop : float
        The largest probability to stop, between 0 and 1; ndeval has 0.5 with the binary gain.
    normalise : {"none", "ideal"}
        Whether to divide by the greedy ideal list (nERR-IA), which is chosen by gains without the
        discount.

    References
    ----------
    Chapelle et al., Information Retrieval 14, 2011; Agrawal et al., WSDM 2009.
    """
    interests, depth = lists.interests, lists.items.shape[1]
    r = relevance(gain, interests)
    name = ("ERR-IA", weights, gain, stop)
    model = Model(lambda rating: stop * r(rating), 1.0, weights, False, name)
    discount = 1 / np.arange(1, depth + 1)
    if normalise == "ideal":
        return model.share_of_ideal(lists, discount, cutoffs)
    return model.total(lists, discount, cutoffs)


def nrbp(
    lists: AspectLists,
    cutoffs: Integers,
    *,
    alpha: Unit = 0.25,
    beta: Unit = 0.9,
    gain: Relevance = "rating",
    aspects: Of = "catalogue",
    normalise: Literal["maximum", "ideal"] = "maximum",
) -> Floats:
    """NRBP: gains as in alpha-nDCG, for a user who continues to the next item with chance beta.

    ::

        NRBP@n = (1 - (1 - alpha) beta) / S sum_{k <= n} beta^(k-1) G(k)
        G(k) = sum_{a in i_k} r(i_k) prod_{l < k: a in i_l} (1 - alpha r(i_l))

    All aspects count alike. Range [0, 1], though a list may exceed 1 with the ideal list, which is
    greedy; 0 for an empty list.

    Parameters
    ----------
    cutoffs : int64 (n_cutoffs,)
        The original takes whole lists.
    alpha, beta : float
        Between 0 and 1. The paper gives a p of 0.99, too, which NRBP does not have.
    gain : {"rating", "exponential", "binary"}
        r of a judged item; the original is binary.
    aspects : {"catalogue", "judged", "relevant"}
        S is the number of aspects of all items, of those that the user judged, or of those
        relevant to the user (ndeval).
    normalise : {"maximum", "ideal"}
        Whether the sum is divided by that of endless lists whose items all show every aspect, as
        above, or by that of the greedy ideal list (nNRBP), chosen without the discount.

    References
    ----------
    Clarke, Kolla and Vechtomova, ICTIR 2009; Parapar and Radlinski, RecSys 2021, section 4.2.
    """
    interests, depth = lists.interests, lists.items.shape[1]
    # The model is that of alpha-nDCG, and so is its name: they share their ideal lists.
    model = Model(relevance(gain, interests), alpha, "one", False, ("alpha-nDCG", alpha, gain))
    discount = geometric(depth, beta)
    if normalise == "ideal":
        return model.share_of_ideal(lists, discount, cutoffs)
    possible = possible_aspects(interests, aspects).sum(axis=1, keepdims=True)
    value = model.total(lists, discount, cutoffs)
    return ratio((1 - (1 - alpha) * beta) * value, possible)


def expected_utility(
    lists: AspectLists,
    cutoffs: Integers,
    *,
    alpha: Unit = 0.25,
    effort: NotNegative = 0.05,
    weights: Weights = "profile",
    gain: Relevance = "exponential",
    discount: Literal["none", "log"] = "none",
) -> Floats:
    """EU: the utility of the items in a list, minus the effort of looking at each of them.

    ::

        EU@n = sum_{k <= n} D(k) (G(k) - e)
        G(k) = sum_{a in i_k} w_a r(i_k) prod_{l < k: a in i_l} (1 - alpha r(i_l))

    A list of many irrelevant items is worth less than none; 0 for an empty list. Without a discount
    the order of items does not matter at all: for each aspect the products telescope to
    (1 - prod_k (1 - alpha r_k)) / alpha.

    Parameters
    ----------
    alpha, effort : float
        alpha is between 0 and 1, and effort is e, at least 0.
    weights : {"profile", "uniform"}
        w: the user's, or `1 / |A|`.
    gain : {"exponential", "rating", "binary"}
        r: (2^r - 1) / 2^r_max, r / r_max, or 1 for a relevant item.
    discount : {"none", "log"}
        D: 1, or 1 / log2(k + 1).

    References
    ----------
    Yang and Lad, ICTIR 2009, in the form that Amigó, Spina and Carrillo-de-Albornoz, SIGIR 2018,
    compare; Parapar and Radlinski, RecSys 2021, take the values of the parameters from there.
    """
    depth = lists.items.shape[1]
    r = relevance(gain, lists.interests)
    model = Model(r, alpha, weights, False, ("EU", alpha, weights, gain))
    places = logarithmic(depth) if discount == "log" else np.ones(depth)
    return model.total(lists, places, cutoffs, effort)


def rank_biased_utility(
    lists: AspectLists,
    cutoffs: Integers,
    *,
    persistence: Annotated[float, Range(0, 1, below=True)] = 0.99,
    effort: NotNegative = 0.05,
    weights: Weights = "profile",
    gain: Relevance = "exponential",
) -> Floats:
    """RBU: utility minus effort, for a user who continues to the next item with probability p.

    ::

        RBU@n = (1 - p) sum_{k <= n} p^(k-1) (G(k) - e)
        G(k) = sum_{a in i_k} w_a r(i_k) prod_{l < k: a in i_l} (1 - r(i_l))

    A list of many irrelevant items is worth less than none; 0 for an empty list.

    Parameters
    ----------
    persistence, effort : float
        p, at least 0 and below 1, and e, at least 0.
    weights, gain
        As in `expected_utility`.

    References
    ----------
    Amigó, Spina and Carrillo-de-Albornoz, SIGIR 2018; the factor 1 - p is in their program, whose
    defaults are p = 0.8 and e = 0.03.
    """
    depth = lists.items.shape[1]
    r = relevance(gain, lists.interests)
    model = Model(r, 1.0, weights, False, ("RBU", weights, gain))
    places = (1 - persistence) * geometric(depth, persistence)
    return model.total(lists, places, cutoffs, effort)
