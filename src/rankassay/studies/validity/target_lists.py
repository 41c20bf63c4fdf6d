"""Lists of target items: one pass over the scores of a user serves samples of all sizes.

Samples are nested: that of size N are the first N items of a random order of the user's own. So the
list of a size is that of the size before and the new items, if they are better.
"""

import numpy as np

from rankassay.kernels import kernel


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
