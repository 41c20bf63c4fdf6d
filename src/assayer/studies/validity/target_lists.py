"""Lists of target items: one pass over the scores of a user serves samples of all sizes.

Samples are nested: that of size N are the first N items of a random order of the user's own. So an
item is a target of all sizes from a first one on, and the list of a size is what the items that
are new at each size up to it make together.
"""

import numpy as np

from assayer.kernels import kernel


@kernel(steps=lambda orders, *rest: 2 * orders.size)
def first_sizes(orders, sizes, train, test):
    """Return for each user and item at which size the item becomes a target.

    Parameters
    ----------
    orders : int64 (n_users, n_items)
        A random order of all items for each user.
    sizes : int64 (n_sizes,)
        Increasing numbers of items that are drawn beside the test items; the last is n_items.
    train, test : pairs of int arrays
        Row starts and items of the users' ratings.

    Returns
    -------
    int32 (n_users, n_items)
        The index of the first size whose targets include the item: 0 for test items, and n_sizes,
        which is never, for training items. They are drawn and left out, as the authors do: of N
        drawn items fewer are targets.
    """
    n_users, n_items = orders.shape
    n_sizes = len(sizes)
    first = np.empty((n_users, n_items), np.int32)
    for u in range(n_users):
        own = first[u]
        own[:] = -1
        for j in range(test[0][u], test[0][u + 1]):
            own[test[1][j]] = 0
        drawn, size = 0, 0
        for item in orders[u]:
            if own[item] == 0:
                continue
            while size < n_sizes and drawn >= sizes[size]:
                size += 1
            own[item] = size + 1  # so that 0 says that it is a test item, until all are done
            drawn += 1
        for item in range(n_items):
            own[item] = max(own[item] - 1, 0)
        for j in range(train[0][u], train[0][u + 1]):
            own[train[1][j]] = n_sizes
    return first


@kernel(steps=lambda scores, *rest: 2 * scores.size)
def listed(scores, first, n_sizes, ties, turns, test, depth):
    """Rank the targets of each size for some users, and find the test items in the lists.

    Items without a score (-inf) follow those that have one, in the order of `ties` from the place
    `turns` on, so that every list is as long as its targets allow: it is filled at random, as by
    the authors, whose random recommender walks round one list from a random place.

    Parameters
    ----------
    scores : float64 (n_users, n_items)
    first : int32 (n_users, n_items)
        As `first_sizes` returns it.
    n_sizes : int
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
    n_users, n_items = scores.shape
    ranks = np.zeros((n_sizes, test[0][n_users] - test[0][0]), np.int32)
    scored = np.zeros((n_sizes, n_users), np.int32)
    # Of items with a score and those without: the best at each size, and those of all sizes so far.
    keys, places = np.empty((2, n_sizes + 1, depth)), np.empty((2, n_sizes + 1, depth), np.int64)
    count = np.empty((2, n_sizes + 1), np.int64)
    judged = np.full(n_items, -1, np.int64)
    for u in range(n_users):
        for j in range(test[0][u], test[0][u + 1]):
            judged[test[1][j]] = j - test[0][0]
        count[:] = 0
        for place in range(n_items):
            item = ties[place]
            size = first[u, item]
            if size == n_sizes:
                continue
            kind, key = 0, scores[u, item]
            if key == -np.inf:
                kind, key = 1, -float((place - turns[u]) % n_items)
            if count[kind, size] < depth or key > keys[kind, size, depth - 1]:
                found = (keys[kind, size], places[kind, size])
                count[kind, size] = _insert(*found, count[kind, size], key, place)
        for size in range(n_sizes):
            rank = 0
            for kind in range(2):
                whole = (keys[kind, n_sizes], places[kind, n_sizes])
                for k in range(count[kind, size]):
                    new = (keys[kind, size, k], places[kind, size, k])
                    count[kind, n_sizes] = _insert(*whole, count[kind, n_sizes], *new)
                for k in range(min(count[kind, n_sizes], depth - rank)):
                    j = judged[ties[whole[1][k]]]
                    rank += 1
                    if j >= 0:
                        ranks[size, j] = rank
            scored[size, u] = count[0, n_sizes]
        for j in range(test[0][u], test[0][u + 1]):
            judged[test[1][j]] = -1
    return ranks, scored


@kernel
def _insert(keys, places, count, key, place):
    """Insert an entry by decreasing key and then place, drop what is too much; return the count."""
    at = min(count, len(keys) - 1)
    if count == len(keys) and (key < keys[at] or (key == keys[at] and place > places[at])):
        return count
    while at > 0 and (keys[at - 1] < key or (keys[at - 1] == key and places[at - 1] > place)):
        keys[at], places[at] = keys[at - 1], places[at - 1]
        at -= 1
    keys[at], places[at] = key, place
    return min(count + 1, len(keys))
