"""The aspects of one list: how far apart its items are, and whether they suit the user."""

from typing import Literal

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.kernels import kernel
from rankassay.metrics.beyond.lists import Catalogue, Shown
from rankassay.metrics.diversity.lists import Aspects
from rankassay.metrics.parameters import Between
from rankassay.types import Floats, Integers


def intra_list_diversity(
    lists: Shown,
    cutoffs: Integers,
    *,
    by: Literal["aspects", "ratings"] = "aspects",
    distance: Literal["cosine", "jaccard"] = "cosine",
) -> Floats:
    """ILD, intra-list diversity: the mean distance of two items of the list.

    ::

        ILD_u@n = 2 / (m (m - 1)) sum_{j < k <= m} (1 - s(L_u[j], L_u[k])),   m = min(n, |L_u|)

    Range [0, 1]; 0, the worst value, for a list of fewer than two items.

    Parameters
    ----------
    by : {"aspects", "ratings"}
        What items are compared by: their aspects, or the users who rated them in training.
    distance : {"cosine", "jaccard"}
        s of two sets: the members that they share, divided by the geometric mean of their sizes,
        or by the members of either; 0 if one of them is empty, so that an item without aspects, or
        without ratings, is far from all others.

    References
    ----------
    Smyth and McClave, ICCBR 2001; Ziegler, McNee, Konstan and Lausen, WWW 2005; Microsoft's
    diversity is distance="cosine", by="ratings" on the items that are listed and rated, or
    by="aspects" with its item_feature_vector.
    """
    start, member, size = _sets(lists.catalogue, by)
    depth = min(int(max(cutoffs)), lists.depth)
    items = np.ascontiguousarray(lists.items[:, :depth])
    if distance == "cosine":
        scale = np.diff(start).astype(np.float64)
        np.divide(1.0, np.sqrt(scale), out=scale, where=scale > 0)
        alike = _cosines(items, start, member, scale, size)
    else:
        alike = _jaccards(items, start, member, size)
    at = np.minimum(cutoffs, depth) - 1
    m = np.minimum(lists.length[:, None], at + 1)
    pairs = m * (m - 1) / 2
    found = np.divide(alike[:, at], pairs, out=np.ones(m.shape), where=pairs > 0)
    # What is left of rounding is no distance.
    return np.where(pairs > 0, np.maximum(1 - found, 0.0), 0.0)


def _sets(catalogue: Catalogue, by: str) -> tuple[Integers, Integers, int]:
    """Return the set of each item, one behind another, and how many different members there are."""
    if by == "aspects":
        aspects = required_aspects(catalogue)
        return aspects.start, aspects.aspect, aspects.n_aspects
    raters = catalogue.raters
    return raters.indptr.astype(np.int64), raters.indices.astype(np.int32), raters.shape[1]


def required_aspects(catalogue: Catalogue) -> Aspects:
    """Return the aspects of the items; raises RankassayError if there are none."""
    if catalogue.aspects is None or catalogue.aspects.n_aspects == 0:
        raise RankassayError(
            "aspects: expected the aspects of the items, such as their genres, found none; give "
            "some, or leave out metrics that read them."
        )
    return catalogue.aspects


@kernel
def _cosines(items, start, member, scale, size):
    """Return the sum of the cosines of all pairs down to each place, float64 (n_users, depth).

    Each item is compared with the sum of those above it, and not with each of them.
    """
    sums = np.zeros(items.shape)
    above = np.zeros(size)
    for u in range(len(items)):
        total = 0.0
        for k in range(items.shape[1]):
            i = items[u, k]
            if i >= 0:
                product = 0.0
                for j in range(start[i], start[i + 1]):
                    product += above[member[j]]
                    above[member[j]] += scale[i]
                total += product * scale[i]
            sums[u, k] = total
        for k in range(items.shape[1]):
            i = items[u, k]
            if i >= 0:
                for j in range(start[i], start[i + 1]):
                    above[member[j]] = 0.0
    return sums


@kernel
def _jaccards(items, start, member, size):
    """Return the sum of Jaccard's coefficients of all pairs down to each place, as `_cosines`."""
    sums = np.zeros(items.shape)
    mine = np.zeros(size, dtype=np.bool_)
    for u in range(len(items)):
        total = 0.0
        for k in range(items.shape[1]):
            i = items[u, k]
            if i >= 0:
                for j in range(start[i], start[i + 1]):
                    mine[member[j]] = True
                for other in items[u, :k]:
                    if other >= 0:
                        both = 0
                        for j in range(start[other], start[other + 1]):
                            both += mine[member[j]]
                        either = start[i + 1] - start[i] + start[other + 1] - start[other] - both
                        if either > 0:
                            total += both / either
                for j in range(start[i], start[i + 1]):
                    mine[member[j]] = False
            sums[u, k] = total
    return sums


def calibration(
    lists: Shown,
    cutoffs: Integers,
    *,
    alpha: Between = 0.01,
    weights: Literal["count", "rating"] = "count",
) -> Floats:
    """Miscalibration: how far the aspects of the list are from those of the user's profile.

    ::

        MC_u@n = sum_a p(a|u) ln(p(a|u) / q~(a|u)),   q~ = (1 - alpha) q + alpha p
        p(a|u) = sum_{i in H_u} w_ui [a in A_i] / |A_i| / sum_{i in H_u} w_ui

    and q the same of the list with weights of 1. H_u are the items of the user's training ratings
    that show an aspect; items of the list that show none are passed over, too. Lower is better: 0
    is a list with the same shares, and -ln alpha is the greatest value, which an empty list and one
    without aspects have. NaN for a user whose profile shows no aspect, and for
    one whose items with aspects all have a weight of 0.

    Parameters
    ----------
    alpha : float
        Between 0 and 1: the part of the profile that keeps aspects without any item from making the
        divergence infinite.
    weights : {"count", "rating"}
        w_ui: 1, or the training rating; items of the list always have 1.

    Raises
    ------
    RankassayError
        For other parameters, without aspects, and for ratings below 0 as weights, with which there
        are no shares.

    References
    ----------
    Steck, RecSys 2018, equations (2), (3) and (6).
    """
    aspects = required_aspects(lists.catalogue)
    number = np.diff(aspects.start)
    shares = sp.diags_array(1 / np.maximum(number, 1)) @ aspects.matrix
    train = lists.catalogue.train
    if weights == "rating" and (least := train.data.min(initial=0)) < 0:
        raise RankassayError(
            f"weights='rating': expected training ratings from 0 on, found {least:g}; use "
            "weights='count'."
        )
    given = np.ones(train.nnz) if weights == "count" else train.data.astype(np.float64)
    profile = sp.csr_matrix((given, train.indices, train.indptr), shape=train.shape)[lists.users]
    p = _distribution(np.asarray((profile @ shares).todense()))
    known = ~np.isnan(p[:, 0])
    values = np.full((len(lists.items), len(cutoffs)), np.nan)
    for column, n in enumerate(cutoffs):
        shown = lists.exposure(np.ones(lists.depth), int(n))
        q = np.nan_to_num(_distribution(np.asarray((shown @ shares).todense())))
        mixed = (1 - alpha) * q + alpha * p
        ratio = np.divide(p, mixed, out=np.ones_like(p), where=p > 0)
        values[known, column] = np.maximum((p * np.log(ratio)).sum(axis=1), 0)[known]
    return values


def _distribution(sums: Floats) -> Floats:
    """Return shares of each row that add up to 1; NaN for a row of zeros."""
    total = sums.sum(axis=1, keepdims=True)
    return np.divide(sums, total, out=np.full_like(sums, np.nan), where=total > 0)
