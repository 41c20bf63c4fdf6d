"""How popular the listed items are: their mean popularity, and the share of the long tail."""

from typing import Literal

import numpy as np

from rankassay.metrics.beyond.lists import Catalogue, Shown
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
