"""Unjudged items: judgements that they could have, lists without them, and those that two share."""

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from rankassay.kernels import kernel
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.selection import sort_by
from rankassay.types import Booleans, Floats, Integers, Integers32


def cut(lists: Lists, depth: int) -> Lists:
    """Return lists cut at a depth."""
    ranks = np.where(lists.ranks > depth, 0, lists.ranks).astype(np.int32)
    return replace(lists, ranks=ranks, length=np.minimum(lists.length, depth).astype(np.int32))


def condensed(judgements: Judgements, lists: Lists, negative: str = "nonrelevant") -> Lists:
    """Return lists without the items that the user has not judged.

    Where `negative` is "unjudged", items rated below 0 leave them, too, unless the threshold is
    below 0. The items that could have been listed are the judged ones. (Sakai, SIGIR 2007,
    "Alternatives to bpref"; trec_eval's option -J.)
    """
    judged = np.ones(len(judgements.rating), dtype=bool)
    if negative == "unjudged" and judgements.threshold >= 0:
        judged = judgements.rating >= 0
    ranks = _condensed(judgements.start, np.where(judged, lists.ranks, 0).astype(np.int32))
    length = np.bincount(judgements.row, ranks > 0, judgements.n_users).astype(np.int32)
    candidates = lists.n_candidates
    if candidates is not None:
        candidates = np.bincount(judgements.row, judged, judgements.n_users).astype(np.int32)
    return replace(lists, ranks=ranks, length=length, n_candidates=candidates)


def unjudged_places(judgements: Judgements, lists: Lists, cutoff: int) -> Booleans:
    """Return which of the first places hold an unjudged item, bool (n_users, n_places)."""
    n = min(cutoff, int(lists.length.max(initial=0)))
    free = np.arange(n) < lists.length[:, None]
    seen = (lists.ranks > 0) & (lists.ranks <= n)
    free[judgements.row[seen], lists.ranks[seen] - 1] = False
    return free


def top_rating(judgements: Judgements) -> float:
    """Return the rating of an unjudged item that is taken as relevant: the top of the scale.

    Where no rating of the data is relevant, it is the threshold.
    """
    return max(judgements.scale[1], judgements.threshold)


def world(
    judgements: Judgements, lists: Lists, chosen: Booleans, beyond: Integers
) -> tuple[Judgements, Lists]:
    """Return the judgements and lists had the user judged more items, all of them relevant.

    These stand at the `chosen` places, bool (n_users, n_places); `beyond`, int64 (n_users,), is the
    number of those that are not listed.
    """
    row, place = np.nonzero(chosen)
    unlisted = np.repeat(np.arange(judgements.n_users), beyond)
    rows = np.concatenate((judgements.row, row, unlisted))
    order = np.argsort(rows, kind="stable")
    top = top_rating(judgements)
    ranks = np.concatenate((lists.ranks, place + 1, np.zeros(len(unlisted))))[order]
    rating = _extended(judgements.rating, top, len(rows))[order]
    start = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=judgements.n_users))))
    scale = (min(judgements.scale[0], top), top)
    judged = Judgements(judgements.users, start, rating, judgements.threshold, known_scale=scale)
    return judged, Lists(ranks.astype(np.int32), lists.length, lists.n_candidates)


def _extended(rating: Floats, value: float, size: int) -> Floats:
    return np.concatenate((rating, np.full(size - len(rating), value)))


@kernel
def _condensed(start, ranks):
    """Return the ranks of judged items among the judged items of the list; 0 is not listed."""
    condensed, order = np.zeros(len(ranks), np.int32), np.arange(len(ranks))
    space = np.empty_like(order)
    for u in range(len(start) - 1):
        own = order[start[u] : start[u + 1]]
        sort_by(ranks, own, space)
        place = 0
        for j in own:
            if ranks[j] > 0:
                place += 1
                condensed[j] = place
    return condensed


def shared_places(items: Integers32, test: sp.csr_matrix) -> Floats:
    """Count the unjudged items that two systems both list, by the lower of their two places.

    Of metrics that are sums of weights of places, w_1 >= w_2 >= ..., an item that two systems list
    at the places j and k adds to both the weight of max(j, k), relevant or not: the smaller of its
    two weights. With c_k the counts, sum_k c_k w_k is what unjudged items add to both.

    `items`, int32 (n_systems, n_users, depth), are padded with -1 and may be beyond those of
    `test`. The result is (n_systems, n_systems, depth), symmetric; of a system with itself it is
    all its unjudged items by their place.
    """
    n_items = max(test.shape[1], int(items.max(initial=-1)) + 1)
    return _shared(items, test.indptr, test.indices, n_items).astype(np.float64)


def _steps(items, *_):
    return items.size * len(items)


@kernel(steps=_steps)
def _shared(items, start, judged, n_items):
    """Return the counts of `shared_places`, int64."""
    n_systems, n_users, depth = items.shape
    count = np.zeros((n_systems, n_systems, depth), dtype=np.int64)
    place = np.full((n_items, n_systems), -1)
    known = np.zeros(n_items, dtype=np.bool_)
    for u in range(n_users):
        for j in range(start[u], start[u + 1]):
            known[judged[j]] = True
        for s in range(n_systems):
            for k in range(depth):
                if items[s, u, k] >= 0 and not known[items[s, u, k]]:
                    place[items[s, u, k], s] = k
        for s in range(n_systems):
            for k in range(depth):
                item = items[s, u, k]
                if item >= 0 and not known[item]:
                    for other in range(n_systems):
                        if place[item, other] >= 0:
                            count[s, other, max(k, place[item, other])] += 1
        for s in range(n_systems):
            for k in range(depth):
                if items[s, u, k] >= 0:
                    place[items[s, u, k], s] = -1
        for j in range(start[u], start[u + 1]):
            known[judged[j]] = False
    return count
