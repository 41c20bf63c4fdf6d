"""Serendipity: items that are both unexpected and relevant."""

from typing import Literal

import numpy as np

from rankassay.kernels import kernel
from rankassay.metrics.beyond.lists import Shown
from rankassay.types import Floats, Integers


def serendipity(
    lists: Shown, cutoffs: Integers, *, expected: Literal["popular", "similar"] = "popular"
) -> Floats:
    """Serendipity: how unexpected the relevant items of the list are.

    ::

        Serendipity_u@n = 1 / min(n, |L_u|) sum_{k <= n} rel_k unexpected_u(L_u[k])

    Range [0, 1]; 0, the worst value, for an empty list.

    Parameters
    ----------
    expected : {"popular", "similar"}
        What is expected: with "popular", the n most popular items that the user has not rated in
        training, which a primitive system would show, so that an item is unexpected (1) or not (0);
        one that the user has rated, in lists that show such items, is as expected as if it were
        unrated;
        with "similar", items are unexpected so far as they are unlike those that the user rated in
        training: unexpected is 1 minus the mean cosine of their sets of raters (Microsoft's
        serendipity, by co-occurrence), which is 1 for a user without training ratings.

    References
    ----------
    Ge, Delgado-Battenfeld and Jannach, RecSys 2010, section 4; Zhang, Ó Séaghdha, Quercia and
    Jambor, WSDM 2012, unserendipity.
    """
    if expected == "similar":
        return lists.mean(np.where(lists.relevant, 1 - _alike(lists), 0.0), cutoffs)
    rank = _popular_rank(lists)
    values = [
        lists.mean((lists.relevant & (rank > n)).astype(np.float64), np.array([n])) for n in cutoffs
    ]
    return np.concatenate(values, axis=1)


def _popular_rank(lists: Shown) -> Integers:
    """Return the rank of each relevant listed item among the most popular unrated ones, from 1.

    An item that the user rated in training is in no such list; it has the rank that it would have.
    Of others it is 0, as they do not count.
    """
    catalogue = lists.catalogue
    start, places = catalogue.train.indptr, catalogue.places_by_user
    return _ranks(lists.items, lists.relevant, lists.users, catalogue.place, start, places)


@kernel
def _ranks(items, counted, users, place, start, places):
    """Return the counted items' places among all, from 1, without the user's own above them."""
    found = np.zeros(items.shape, dtype=np.int64)
    for u in range(len(items)):
        own = places[start[users[u]] : start[users[u] + 1]]
        for k in range(items.shape[1]):
            if counted[u, k] and items[u, k] >= 0:
                at = place[items[u, k]]
                found[u, k] = at + 1 - np.searchsorted(own, at)
    return found


def _alike(lists: Shown) -> Floats:
    """Return the mean cosine of each relevant listed item to the items that the user rated.

    Of others it is 0, as they do not count.
    """
    catalogue = lists.catalogue
    train, raters = catalogue.train, catalogue.raters
    row, place = np.nonzero(lists.relevant)
    by_item = np.argsort(lists.items[row, place], kind="stable")
    row, place = row[by_item], place[by_item]
    found = np.zeros(lists.items.shape)
    found[row, place] = _mean_cosines(
        lists.items[row, place],
        lists.users[row],
        train.indptr,
        train.indices,
        raters.indptr,
        raters.indices,
        1 / np.sqrt(np.maximum(catalogue.popularity, 1)),
    )
    return found


@kernel
def _mean_cosines(items, users, start, item, rater_start, rater, scale):
    """Return the mean cosine of the raters of each item and of those in the profile of its user.

    Equal items are grouped: co-ratings with an item are counted once.
    """
    found = np.zeros(len(items))
    together = np.zeros(len(scale))
    for p in range(len(items)):
        i = items[p]
        if p == 0 or i != items[p - 1]:
            together[:] = 0.0
            for v in rater[rater_start[i] : rater_start[i + 1]]:
                for j in range(start[v], start[v + 1]):
                    together[item[j]] += 1
        own = item[start[users[p]] : start[users[p] + 1]]
        if len(own) > 0:
            total = 0.0
            for j in own:
                total += together[j] * scale[j]
            found[p] = total * scale[i] / len(own)
    return found
