"""The items ranked in addition to a user's test items: none, some unrated ones, or all.

Bellogín et al. (RecSys 2011) and Cañamares and Castells (RecSys 2020) call them target items.
"""

import numpy as np
import pandas as pd

from rankassay.answers.findings import ALL_ITEMS
from rankassay.kernels import kernel
from rankassay.metrics.catalogue import weighs
from rankassay.metrics.judgements import Lists
from rankassay.types import Booleans, Integers, Integers32

DENSE = 8  # ranks for each item, up to which counting ranks is quicker than sorting them


def name(unrated: int | None) -> str:
    """Return the name of test items and this number of unrated ones; None is all.

    >>> name(None), name(0), name(100)
    ('all items', 'test items', 'test items + 100')
    """
    if unrated is None:
        return ALL_ITEMS
    return f"test items + {unrated}" if unrated else "test items"


def lists_among(user: Integers, ranks: Integers32, target: Booleans, users: Integers) -> Lists:
    """Return a system's lists of the target items alone, in the order that it gave to more items.

    Parameters
    ----------
    user : int (n,)
        The user of each item, increasing.
    ranks : int32 (n,)
        The rank of each item among those of its user; 0 for one without a score.
    target : bool (n,)
    users : int (n_users,)
        The users whose lists are wanted. The ranks are those of all target items of the users in
        `user`, in their order.
    """
    last = int(max(users.max(initial=0), user.max(initial=0)))
    start = np.searchsorted(user, np.arange(last + 2))
    if (last + 1) * int(ranks.max(initial=0)) <= DENSE * len(ranks):
        among, length, candidates = _counted(start, ranks, target)
    else:
        ranked = target & (ranks > 0)
        among = np.zeros(len(ranks), dtype=np.int32)
        among[ranked] = _places(user[ranked], ranks[ranked])
        length, candidates = (np.bincount(user[of], minlength=last + 1) for of in (ranked, target))
    return Lists(
        among[target],
        length[users].astype(np.int32),
        candidates[users].astype(np.int32),
    )


@kernel
def _counted(start, ranks, target):
    """Return places of target items among their user's, and how many are ranked, and are there.

    Ranks are counted, not sorted; `start` is where each user's items begin.
    """
    among = np.zeros(len(ranks), dtype=np.int32)
    length = np.zeros(len(start) - 1, dtype=np.int64)
    candidates = np.zeros(len(start) - 1, dtype=np.int64)
    at = np.zeros(max(0, ranks.max()) + 1, dtype=np.int32)
    for u in range(len(length)):
        most = 0
        for i in range(start[u], start[u + 1]):
            candidates[u] += target[i]
            if target[i] and ranks[i] > 0:
                at[ranks[i]] += 1
                most = max(most, ranks[i])
                length[u] += 1
        before = 0
        for rank in range(1, most + 1):
            before, at[rank] = before + at[rank], before
        for i in range(start[u], start[u + 1]):
            if target[i] and ranks[i] > 0:
                at[ranks[i]] += 1
                among[i] = at[ranks[i]]
        at[: most + 1] = 0
    return among, length, candidates


def sample_order(user: Integers, draws: np.ndarray, tested: Booleans) -> Integers:
    """Return the place of each unrated item in a random order of its user's; 0 for test items.

    `user` is increasing; the order is that of the draws. The first n places are a sample of n, and
    each sample holds those that are smaller.
    """
    return np.where(tested, 0, _places(user, draws, tested))


def _places(user: Integers, *keys: np.ndarray) -> Integers:
    """Return the place of each item among its user's, from 1, by the keys, the last one first."""
    order = np.lexsort((*keys, user))
    places = np.empty(len(user), dtype=np.int64)
    places[order] = np.arange(len(user)) - np.searchsorted(user, user)[order] + 1
    return places


def on_all_items(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of lists of all items, or else of the first candidates."""
    known = rows["candidates"].unique()
    return rows[rows["candidates"] == (ALL_ITEMS if ALL_ITEMS in known else known[0])]


def of_yardstick(rows: pd.DataFrame, yardstick: str) -> pd.DataFrame:
    """Return the rows of a yardstick: liked (true P@10) or own (each metric by itself)."""
    return rows[rows["yardstick"] == yardstick]


def of_metrics(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the same of plain metrics, which know no propensities."""
    return on_all_items(rows[~rows["metric"].map(weighs).astype(bool)])
