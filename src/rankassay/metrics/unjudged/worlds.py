"""Judgements that unjudged items could have, and lists without these items."""

from dataclasses import replace

import numpy as np

from rankassay.kernels import kernel
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.selection import sort_by
from rankassay.types import Booleans, Floats, Integers


def cut(lists: Lists, depth: int) -> Lists:
    """Return lists cut at a depth."""
    ranks = np.where(lists.ranks > depth, 0, lists.ranks).astype(np.int32)
    return replace(lists, ranks=ranks, length=np.minimum(lists.length, depth).astype(np.int32))


def condensed(judgements: Judgements, lists: Lists, negative: str = "nonrelevant") -> Lists:
    """Return lists without the items that the user has not judged.

    Where `negative` is "unjudged", items rated below 0 leave them, too, unless the threshold is
    below 0.

    Whatever a metric says of these lists, items without a judgement do not count for or against
    them. A judged item keeps its prediction; the items that could have been listed are the judged
    ones.

    References
    ----------
    Sakai, SIGIR 2007 ("Alternatives to bpref"); trec_eval's option -J.
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

    Parameters
    ----------
    chosen : bool (n_users, n_places)
        The places of the lists whose items are relevant, of those that are unjudged.
    beyond : int64 (n_users,)
        How many relevant items are not listed.
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
