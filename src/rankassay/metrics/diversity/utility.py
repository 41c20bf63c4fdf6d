"""Utility minus effort: expected utility and rank-biased utility."""

from typing import Annotated, Literal

import numpy as np

from rankassay.metrics.diversity.cascade import (
    Model,
    Relevance,
    Weights,
    geometric,
    logarithmic,
    relevance,
)
from rankassay.metrics.diversity.lists import AspectLists
from rankassay.metrics.parameters import NotNegative, Range, Unit
from rankassay.types import Floats, Integers


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
