"""The items ranked in addition to a user's test items: none, some unrated ones, or all.

Bellogín et al. (RecSys 2011) and Cañamares and Castells (RecSys 2020) call them target items. Where
lists are of samples of all sizes, these are nested: one of size N is the first N items of a random
order of the user's own, so that the list of a size is that of the size before and the new items, if
they are better.
"""

import numpy as np

from rankassay.answers.findings import ALL_ITEMS
from rankassay.kernels import kernel
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

    Items are by user, increasing, and have their rank among those of the user, 0 for one without a
    score; all target items of the users in `user` are there. Lists are of `users`.
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


@kernel(steps=lambda orders, *rest: 2 * orders.size)
def targets_by_size(orders, sizes, train, test):
    """Return the targets of each user, those of a size before those that a larger one adds.

    Parameters
    ----------
    orders : int64 (n_users, n_items)
        A random order of all items for each user.
    sizes : int64 (n_sizes,)
        Increasing numbers of items that are drawn in addition to the test items; the last is
        n_items.
    train, test : pairs of int arrays
        Row starts and items of the users' ratings, each of which is in one of the two.

    Returns
    -------
    targets : int32 (n_users, n_items)
        The test items and then those drawn, in their order. Training items are drawn and then
        excluded, as the authors do: of N drawn items fewer are targets. Padded with -1.
    counts : int64 (n_users, n_sizes)
        How many targets each size has.
    """
    n_users, n_items = orders.shape
    targets = np.full((n_users, n_items), -1, np.int32)
    counts = np.empty((n_users, len(sizes)), np.int64)
    rated = np.zeros(n_items, np.int8)
    for u in range(n_users):
        own, n = targets[u], 0
        for j in range(train[0][u], train[0][u + 1]):
            rated[train[1][j]] = 1
        for j in range(test[0][u], test[0][u + 1]):
            rated[test[1][j]] = 2
            own[n] = test[1][j]
            n += 1
        drawn, size = 0, 0
        for item in orders[u]:
            if rated[item] == 2:
                continue
            while drawn >= sizes[size]:
                counts[u, size] = n
                size += 1
            if rated[item] == 0:
                own[n] = item
                n += 1
            drawn += 1
        counts[u, size:] = n
        rated[:] = 0
    return targets, counts


@kernel(steps=lambda scores, *rest: scores.size)
def listed(scores, targets, counts, ties, turns, test, depth):
    """Rank the targets of each size for some users, and find the test items in the lists.

    Items without a score (-inf) follow those that have one, in the order of `ties` from the place
    `turns` on, so that every list is as long as its targets allow: it is filled at random, as by
    the authors, whose random recommender walks round one list from a random place.

    Parameters
    ----------
    scores : float64 (n_users, n_items)
    targets, counts : int32 (n_users, n_items) and int64 (n_users, n_sizes)
        As `targets_by_size` returns them.
    ties : int64 (n_items,)
        The order of items of equal score, the same for all users.
    turns : int64 (n_users,)
    test : pair of int arrays
        Row starts and items of the users' test ratings.
    depth : int
        The length of the lists.

    Returns
    -------
    ranks : int32 (n_sizes, n_test)
        The rank of each test item, from 1; 0 beyond the list.
    scored : int32 (n_sizes, n_users)
        How many items of the list have a score.
    """
    (n_users, n_items), n_sizes = scores.shape, counts.shape[1]
    ranks = np.zeros((n_sizes, test[0][n_users] - test[0][0]), np.int32)
    scored = np.zeros((n_sizes, n_users), np.int32)
    place_of, judged = np.empty(n_items, np.int64), np.full(n_items, -1, np.int64)
    for place in range(n_items):
        place_of[ties[place]] = place
    keys, places, items = np.empty(depth), np.empty(depth, np.int64), np.empty(depth, np.int64)
    for u in range(n_users):
        for j in range(test[0][u], test[0][u + 1]):
            judged[test[1][j]] = j - test[0][0]
        own = scores[u].copy()  # brings them into the cache, where they are read in any order
        n, done, worst = 0, 0, -np.inf
        for size in range(n_sizes):
            for target in targets[u, done : counts[u, size]]:
                # An index without a sign needs no look at whether it counts from the end.
                item = np.uint64(target)
                key = own[item]
                if key < worst:
                    continue
                place = place_of[item]
                if key == -np.inf:  # what the walk round the list comes to last is behind
                    place += n_items if place < turns[u] else 0
                n = _insert(keys, places, items, n, (key, place, item))
                worst = keys[depth - 1] if n == depth else -np.inf
            done = counts[u, size]
            for k in range(n):
                scored[size, u] += keys[k] > -np.inf
                if judged[items[k]] >= 0:
                    ranks[size, judged[items[k]]] = k + 1
        for j in range(test[0][u], test[0][u + 1]):
            judged[test[1][j]] = -1
    return ranks, scored


@kernel
def _insert(keys, places, items, n, new):
    """Insert an entry by decreasing key and then place, drop the excess; return the count."""
    (key, place, item), at = new, min(n, len(keys) - 1)
    if n == len(keys) and (key < keys[at] or (key == keys[at] and place > places[at])):
        return n
    while at > 0 and (keys[at - 1] < key or (keys[at - 1] == key and places[at - 1] > place)):
        keys[at], places[at], items[at] = keys[at - 1], places[at - 1], items[at - 1]
        at -= 1
    keys[at], places[at], items[at] = key, place, item
    return min(n + 1, len(keys))
