"""Novelty: the popularity of the listed items, and how unexpected they are."""

from typing import Literal

import numpy as np

from rankassay.kernels import kernel
from rankassay.metrics.beyond.exposure import place_weights
from rankassay.metrics.beyond.lists import Catalogue, Shown, sums_to
from rankassay.metrics.parameters import Between
from rankassay.types import Booleans, Floats, Integers

Popularity = Literal["count", "share", "log"]


def average_popularity(
    lists: Shown, cutoffs: Integers, *, popularity: Popularity = "count"
) -> Floats:
    """ARP, average recommendation popularity: the mean popularity of the listed items.

    ::

        ARP_u@n = 1 / min(n, |L_u|) sum_{k <= n} pop(L_u[k])

    Lower is better here: the metric is of popularity bias. NaN for an empty list, which does not
    count: 0 would be the best value, and a system could reach it by listing nothing.

    Parameters
    ----------
    popularity : {"count", "share", "log"}
        pop(i): the number of training ratings of the item (RecBole, Elliot), their share of the
        users with training ratings, or log(1 + the number).

    References
    ----------
    Yin, Cui, Li, Yao and Chen, VLDB 2012; Abdollahpouri, Burke and Mobasher, FLAIRS 2019.
    """
    count = lists.catalogue.popularity.astype(np.float64)
    if popularity == "share":
        count = count / max(lists.catalogue.n_raters, 1)
    elif popularity == "log":
        count = np.log1p(count)
    return np.where(lists.length[:, None] > 0, lists.mean(count[lists.items], cutoffs), np.nan)


def long_tail(
    lists: Shown,
    cutoffs: Integers,
    *,
    tail: Between = 0.8,
    of: Literal["items", "ratings"] = "items",
) -> Floats:
    """APLT, average percentage of long-tail items: the share of the list that is of the tail.

    ::

        APLT_u@n = |{k <= n: L_u[k] in the tail}| / min(n, |L_u|)

    Range [0, 1]; 0, the worst value, for an empty list.

    Parameters
    ----------
    tail, of
        The tail is the least popular items: this share of all items ("items"; RecBole's
        TailPercentage with 0.1, which takes the smaller number of equally popular items first), or
        those that together have at most this share of the training ratings ("ratings"; Elliot's
        APLT with 0.2). Of equally popular items the one with the smaller number is more popular.

    References
    ----------
    Abdollahpouri, Burke and Mobasher, FLAIRS 2019, equation (2).
    """
    return lists.mean(in_tail(lists.catalogue, tail, of)[lists.items].astype(np.float64), cutoffs)


def in_tail(catalogue: Catalogue, tail: float, of: str) -> Booleans:
    """Return whether each item is of the long tail, bool (n_items,); see `long_tail`."""
    upwards = catalogue.by_popularity[::-1]
    if of == "items":
        n = int(np.floor(tail * catalogue.n_items + 1e-9))
    else:
        below = np.cumsum(catalogue.popularity[upwards])
        n = int((below <= tail * catalogue.popularity.sum() + 1e-9).sum())
    found = np.zeros(catalogue.n_items, dtype=bool)
    found[upwards[:n]] = True
    return found


Discount = Literal["none", "log"]


def expected_popularity_complement(
    lists: Shown, cutoffs: Integers, *, discount: Discount = "none", relevant_only: bool = False
) -> Floats:
    """EPC, expected popularity complement: the chance that others have not seen the listed items.

    ::

        EPC_u@n = sum_{k <= n} d_k rel_k (1 - |U_i| / |U|) / sum_{k <= min(n, |L_u|)} d_k

    with i the item at place k, U the users with training ratings and U_i those who rated it. Range
    [0, 1]; 0, the worst value, for an empty list.

    Parameters
    ----------
    discount : {"none", "log"}
        d_k: 1, or 1 / log2(1 + k).
    relevant_only : bool
        Whether only relevant items count: rel_k is 1 for all items, or 1 for relevant ones alone
        (Elliot's EPC, with discount="log", of users with relevant items).

    References
    ----------
    Vargas and Castells, RecSys 2011, equations (2) and (7).
    """
    seen = lists.catalogue.popularity / max(lists.catalogue.n_raters, 1)
    return _discounted(lists, 1 - seen, cutoffs, discount, relevant_only)


def expected_free_discovery(
    lists: Shown, cutoffs: Integers, *, discount: Discount = "none", relevant_only: bool = False
) -> Floats:
    """EFD, expected free discovery: the mean self-information of the listed items, in bits.

    ::

        EFD_u@n = sum_{k <= n} d_k rel_k (-log2(r_i / r)) / sum_{k <= min(n, |L_u|)} d_k

    with r_i the training ratings of item i, and r all of them. 0, the worst value, for an empty
    list; an item without training ratings counts as if it had one.

    Parameters
    ----------
    discount, relevant_only
        As in `expected_popularity_complement`. With both it is Elliot's EFD; without either it is
        Microsoft's novelty, but for items without training ratings.

    References
    ----------
    Vargas and Castells, RecSys 2011, section 3.2; Zhou et al., PNAS 2010, mean self-information.
    """
    count = np.maximum(lists.catalogue.popularity, 1)
    bits = np.log2(max(lists.catalogue.train.nnz, 1)) - np.log2(count)
    return _discounted(lists, bits, cutoffs, discount, relevant_only)


def _discounted(
    lists: Shown, novelty: Floats, cutoffs: Integers, discount: Discount, relevant_only: bool
) -> Floats:
    """Return the mean novelty of the places, weighted by a discount."""
    weight = place_weights("count" if discount == "none" else "log", lists.depth)
    counts = lists.relevant if relevant_only else lists.listed
    gained = sums_to(np.where(counts, weight * novelty[lists.items], 0.0), cutoffs)
    whole = sums_to(np.where(lists.listed, weight, 0.0), cutoffs)
    return np.divide(gained, whole, out=np.zeros_like(gained), where=whole > 0)


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
