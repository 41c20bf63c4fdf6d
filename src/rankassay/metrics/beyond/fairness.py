"""Fairness between groups of items, by exposure, and between groups of users, by values."""

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.metrics.beyond.exposure import Weights, place_weights
from rankassay.metrics.beyond.lists import Groups, Shown, Sums, sums_to
from rankassay.metrics.parameters import Between
from rankassay.types import Booleans, Floats, Integers

Compared = Literal["ratio", "difference"]


def attention_weighted_rank_fairness(
    lists: Shown,
    cutoffs: Integers,
    *,
    target: Literal["items", "ratings", "equal"] = "items",
    distance: Literal["total_variation", "jensen_shannon"] = "total_variation",
    weights: Literal["geometric", "log"] = "geometric",
    patience: Between = 0.5,
) -> Floats:
    """AWRF: how far the groups' shares of a list's attention are from those they should have.

    ::

        AWRF_u@n = distance(epsilon, target),   epsilon_g = sum_{k: g(L_u[k]) = g} w_k / sum_k w_k
        w_k = patience^(k - 1), or 1 / log2(1 + k)

    Lower is better: 0 is fair. Range [0, 1]. Items whose group is not known are passed over, and do
    not count in the sums; NaN for a list without others.

    Parameters
    ----------
    target : {"items", "ratings", "equal"}
        The groups' shares of the items, of the training ratings, or equal ones.
    distance : {"total_variation", "jensen_shannon"}
        Half of the sum of absolute differences, which of two groups is the difference of either
        (Raj and Ekstrand), or the divergence with logarithms to base 2. The tool of the TREC 2021
        Fair Ranking Track shows 1 minus the divergence with natural logarithms, and its w_k are
        1 / log2(max(k, 2)).
    weights : {"geometric", "log"}
        w_k: with a patience, as in RBP (Sapiezynski et al.), or as in DCG.
    patience : float
        Between 0 and 1; of geometric weights.

    References
    ----------
    Sapiezynski, Zeng, Robertson, Mislove and Wilson, WWW 2019; Raj and Ekstrand, SIGIR 2022,
    section 3.
    """
    groups = _of_items(lists)
    known = groups.group >= 0
    counts = lists.catalogue.popularity if target == "ratings" else np.ones(len(known))
    if target == "equal":
        deserved = np.ones(groups.n_groups)
    else:
        deserved = np.bincount(groups.group[known], counts[known], minlength=groups.n_groups)
    if not deserved.sum() > 0:
        raise RankassayError(
            f"target='{target}': expected something of an item with a known group, found none; use "
            "target='equal'."
        )
    deserved = deserved / deserved.sum()
    geometric = weights == "geometric"
    weight = patience ** np.arange(lists.depth) if geometric else place_weights("log", lists.depth)
    member = _membership(groups)
    columns = []
    for n in map(int, cutoffs):
        given = np.asarray((lists.exposure(weight, n) @ member).todense())
        total = given.sum(axis=1, keepdims=True)
        share = np.divide(given, total, out=np.full_like(given, np.nan), where=total > 0)
        columns.append(_distance(share, deserved, distance))
    return np.stack(columns, axis=1)


def _distance(share: Floats, deserved: Floats, distance: str) -> Floats:
    """Return the distance of each row of shares from those that are deserved."""
    if distance == "total_variation":
        return np.abs(share - deserved).sum(axis=1) / 2
    middle = (share + deserved) / 2

    def divergence(of: Floats) -> Floats:
        of = np.broadcast_to(of, middle.shape)
        ratio = np.divide(of, middle, out=np.ones_like(middle), where=of > 0)
        return (of * np.log2(ratio)).sum(axis=1)

    found = np.maximum((divergence(share) + divergence(deserved)) / 2, 0)
    return np.where(np.isnan(share).any(axis=1), np.nan, found)


def item_group_exposure(
    lists: Shown,
    cutoffs: Integers,
    *,
    per: Literal["item", "rating", "relevant"] = "item",
    compared: Compared = "difference",
    weights: Weights = "log",
) -> list[Sums]:
    """Group fairness of items: the exposure of each group, divided by its size or merit.

    ::

        x_g = sum_u sum_{k <= n: g(L_u[k]) = g} w_k / sum_u c_ug
        ItemGroups@n = max_g x_g - min_g x_g,   or min_g x_g / max_g x_g

    Of the difference, the default, lower is better and 0 is fair; of the ratio higher is better and
    1 is fair. Items whose group is not known are passed over; groups with none of c are excluded,
    and with fewer than two others, or without any exposure, the value is NaN. The difference is
    never below 0, nor are the ends of its interval.

    Parameters
    ----------
    per : {"item", "rating", "relevant"}
        c_ug: for each user, the number of items of the group (Singh and Joachims' demographic
        parity), that of their training ratings, or that of those relevant to the user (their
        disparate treatment).
    compared : {"ratio", "difference"}
    weights
        w_k, as in `rankassay.metrics.beyond.exposure.gini`.

    References
    ----------
    Singh and Joachims, KDD 2018, equations (4) to (6), who compare two groups; of more, the least
    and the greatest are compared, as fairlearn's demographic parity does.
    """
    groups = _of_items(lists)
    member = _membership(groups)
    if per == "relevant":
        own = lists.liked @ member
    else:
        # By user, so that the divisor does not depend on the number of users.
        of_item = lists.catalogue.popularity if per == "rating" else np.ones(len(groups.group))
        own = sp.csr_matrix(np.tile(of_item @ member, (len(lists.items), 1)))
    value = partial(_between_exposed, compared)
    weight = place_weights(weights, lists.depth)
    return [
        Sums(sp.hstack([lists.exposure(weight, n) @ member, own]).tocsr(), value)
        for n in map(int, cutoffs)
    ]


def user_group_quality(
    lists: Shown,
    cutoffs: Integers,
    *,
    metric: Literal["P", "R", "nDCG", "RR"] = "nDCG",
    compared: Literal["ratio", "difference", "worst"] = "difference",
) -> list[Sums]:
    """Group fairness of users: how good the lists of each group are, by an accuracy metric.

    ::

        m_g = mean of metric_u@n over the users u of group g who have relevant items
        UserGroups@n = max_g m_g - min_g m_g,   or min_g m_g / max_g m_g,   or min_g m_g

    Of the difference, the default, lower is better and 0 is fair; of the others higher is better.
    Range [0, 1]. Users whose group is not known, and those without relevant items, are passed over;
    NaN with fewer than two groups, and a ratio of zeros. The difference is never below 0, nor are
    the ends of its interval; that of small groups is above 0 by chance alone.

    Parameters
    ----------
    metric : {"P", "R", "nDCG", "RR"}
        With gains of 0 and 1.
    compared : {"ratio", "difference", "worst"}

    References
    ----------
    Ekstrand et al., FAT* 2018; Li, Chen, Fu, Ge and Zhang, WWW 2021, equation (2), the difference
    of two groups; of more, the least and the greatest are compared, as in fairlearn's MetricFrame.
    """
    groups = lists.catalogue.user_groups
    if groups is None:
        raise RankassayError(
            "groups of users: expected an attribute of the users, found none; give one, or leave "
            "out metrics that compare groups of users."
        )
    own = groups.group[lists.users]
    counts = (own >= 0) & (lists.n_relevant > 0)
    # Two columns for each group: the sum of its users' values, and their number.
    column = np.column_stack([own[counts], own[counts] + groups.n_groups]).ravel()
    start = 2 * np.concatenate(([0], np.cumsum(counts)))
    shape = (len(own), 2 * groups.n_groups)
    values = QUALITY[metric](lists, cutoffs)[counts]
    ones = np.ones(len(values))
    data = [np.column_stack([of_cutoff, ones]).ravel() for of_cutoff in values.T]
    value = partial(_between, compared)
    return [Sums(sp.csr_matrix((each, column, start), shape=shape), value) for each in data]


def _of_items(lists: Shown) -> Groups:
    groups = lists.catalogue.item_groups
    if groups is None:
        raise RankassayError(
            "groups of items: expected an attribute of the items, found none; give one, or leave "
            "out metrics that compare groups of items."
        )
    return groups


def _membership(groups: Groups) -> sp.csr_matrix:
    """Return which item is of which group, ones, float64 (n_items, n_groups)."""
    row = np.flatnonzero(groups.group >= 0)
    shape = (len(groups.group), groups.n_groups)
    return sp.csr_matrix((np.ones(len(row)), (row, groups.group[row])), shape=shape)


def _between(compared: str, totals: Floats, n_users: Floats) -> Floats:
    """Compare the groups' means; totals are their sums, and then their counts."""
    sums, counts = np.split(totals, 2, axis=1)
    known = counts > 0
    means = np.divide(sums, counts, out=np.zeros_like(sums), where=known)
    least = np.where(known, means, np.inf).min(axis=1)
    most = np.where(known, means, -np.inf).max(axis=1)
    enough = known.sum(axis=1) > 1
    least, most = np.where(enough, least, 0.0), np.where(enough, most, 0.0)
    value, sound = COMPARED[compared](least, most)
    return np.where(enough & sound, value, np.nan)


def _between_exposed(compared: str, totals: Floats, n_users: Floats) -> Floats:
    """Compare the groups' exposure; NaN where there is none, which would be the fairest of all."""
    exposure, _ = np.split(totals, 2, axis=1)
    return np.where(exposure.sum(axis=1) > 0, _between(compared, totals, n_users), np.nan)


def _ratio(least: Floats, most: Floats) -> tuple[Floats, Booleans]:
    return np.divide(least, most, out=np.zeros_like(most), where=most > 0), most > 0


# By name: the value, and where there is one.
COMPARED: dict[str, Callable[[Floats, Floats], tuple[Floats, Booleans | bool]]] = {
    "ratio": _ratio,
    "difference": lambda least, most: (most - least, True),
    "worst": lambda least, most: (least, True),
}


def _precision(lists: Shown, cutoffs: Integers) -> Floats:
    return _hits(lists, np.ones(lists.depth), cutoffs) / np.asarray(cutoffs)


def _recall(lists: Shown, cutoffs: Integers) -> Floats:
    return _hits(lists, np.ones(lists.depth), cutoffs) / np.maximum(lists.n_relevant, 1)[:, None]


def _ndcg(lists: Shown, cutoffs: Integers) -> Floats:
    best = np.minimum(lists.n_relevant[:, None], cutoffs).astype(np.int64)
    weight = place_weights("log", max(int(best.max(initial=0)), lists.depth))
    ideal = np.concatenate(([0], np.cumsum(weight)))[best]
    gained = _hits(lists, weight[: lists.depth], cutoffs)
    return np.divide(gained, ideal, out=np.zeros_like(gained), where=ideal > 0)


def _reciprocal_rank(lists: Shown, cutoffs: Integers) -> Floats:
    first = np.where(lists.relevant.any(axis=1), lists.relevant.argmax(axis=1) + 1.0, np.inf)
    return np.where(first[:, None] <= cutoffs, 1 / first[:, None], 0.0)


def _hits(lists: Shown, weights: Floats, cutoffs: Integers) -> Floats:
    """Return the sum of the weights of the relevant items down to each cut-off."""
    return sums_to(lists.relevant * weights, cutoffs)


QUALITY: dict[str, Callable[[Shown, Integers], Floats]] = {
    "P": _precision,
    "R": _recall,
    "nDCG": _ndcg,
    "RR": _reciprocal_rank,
}
