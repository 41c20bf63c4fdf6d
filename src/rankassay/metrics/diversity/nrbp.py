"""Novelty- and rank-biased precision."""

from typing import Literal

from rankassay.metrics.diversity.cascade import Model, Relevance, down_to, geometric, relevance
from rankassay.metrics.diversity.lists import AspectLists
from rankassay.metrics.diversity.subtopics import Of, possible_aspects
from rankassay.metrics.parameters import Unit
from rankassay.metrics.totals import ratio
from rankassay.types import Floats, Integers


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
    value = model.total(lists, discount, cutoffs)
    if normalise == "ideal":
        return ratio(value, down_to(model.ideal(interests, depth), discount, cutoffs))
    possible = possible_aspects(interests, aspects).sum(axis=1, keepdims=True)
    return ratio((1 - (1 - alpha) * beta) * value, possible)
