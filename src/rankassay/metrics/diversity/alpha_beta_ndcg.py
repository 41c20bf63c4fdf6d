"""The unified metric of relevance, aspects and missing ratings."""

import numpy as np

from rankassay.metrics.diversity.cascade import Candidates, Model, Weights, down_to, logarithmic
from rankassay.metrics.diversity.lists import AspectLists, Interests
from rankassay.metrics.parameters import Unit
from rankassay.metrics.totals import ratio
from rankassay.types import Floats, Integers


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
    discount = logarithmic(depth)
    best = down_to(model.ideal(interests, depth, ideal), discount, cutoffs)
    return ratio(model.total(lists, discount, cutoffs), best)


def unified_model(
    interests: Interests, alpha: float, beta: float, weights: Weights = "profile"
) -> Model:
    """Return the user model of alpha-beta-nDCG; parameters are those of `alpha_beta_ndcg`."""

    def probability(rating: Floats) -> Floats:
        known = beta * np.maximum(rating, 0.0) / interests.highest
        return np.where(np.isnan(rating), alpha, known)

    return Model(probability, 1.0, weights, True, ("alpha-beta-nDCG", alpha, beta, weights))
