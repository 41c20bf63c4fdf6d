"""Intra-list diversity: how far apart the items of one list are."""

from typing import Literal

import numpy as np

from rankassay.errors import RankassayError
from rankassay.kernels import kernel
from rankassay.metrics.beyond.lists import Catalogue, Shown
from rankassay.metrics.diversity.lists import Aspects
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
