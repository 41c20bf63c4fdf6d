"""Novelty-biased discounted cumulative gain."""

from rankassay.metrics.diversity.cascade import Model, Relevance, down_to, logarithmic, relevance
from rankassay.metrics.diversity.lists import AspectLists
from rankassay.metrics.parameters import Unit
from rankassay.metrics.totals import ratio
from rankassay.types import Floats, Integers


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
    discount = logarithmic(depth)
    best = down_to(model.ideal(interests, depth), discount, cutoffs)
    return ratio(model.total(lists, discount, cutoffs), best)
