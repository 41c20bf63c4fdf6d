"""Intent-aware expected reciprocal rank."""

from typing import Literal

import numpy as np

from rankassay.metrics.diversity.cascade import Model, Relevance, Weights, down_to, relevance
from rankassay.metrics.diversity.lists import AspectLists
from rankassay.metrics.parameters import Unit
from rankassay.metrics.totals import ratio
from rankassay.types import Floats, Integers


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
        As in `rankassay.metrics.diversity.utility.expected_utility`; TREC's ndeval weighs
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
    value = model.total(lists, discount, cutoffs)
    if normalise == "none":
        return value
    return ratio(value, down_to(model.ideal(interests, depth), discount, cutoffs))
