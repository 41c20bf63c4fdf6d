"""The user-item graph of a synthetic dataset, given everybody's number of ratings."""

import numpy as np

from rankassay.kernels import njit
from rankassay.seeds import generator
from rankassay.types import Floats32, Integers, Integers32

# Proposed swaps per rating. With eight times as many the mean affinity of the ratings rises by a
# tenth only.
SWEEPS = 20
# Proposals whose random numbers are drawn at a time, which bounds the memory.
BLOCK = 1 << 20


def choose(
    user_counts: Integers, item_counts: Integers, tastes: Floats32, traits: Floats32, seed: int
) -> tuple[Integers32, Integers32]:
    """Draw who rates what, by affinity and with the given numbers of ratings, realisable ones.

    The affinity is the inner product of `tastes`, float32 (users, factors), and `traits`, float32
    (items, factors). Returns users and items, int32 (ratings,), sorted by user and then item.
    """
    order = np.argsort(-user_counts, kind="stable")
    user, item = _first_graph(order.astype(np.int32), user_counts[order], item_counts)
    # The items of random pairs of ratings are swapped, so that they follow the affinities.
    rated = np.zeros((len(tastes), len(traits) // 8 + 1), np.uint8)
    _mark(rated, user, item)
    affinity = affinities(user, item, tastes, traits)
    random = generator(seed, "synthetic", "swaps")
    for start in range(0, SWEEPS * len(user), BLOCK):
        size = min(BLOCK, SWEEPS * len(user) - start)
        pairs = random.integers(0, len(user), size=(size, 2))
        # The logarithm of a uniform random number is a negative exponential one.
        thresholds = -random.standard_exponential(size)
        _swap(user, item, affinity, rated, tastes, traits, pairs, thresholds)
    keys = user.astype(np.int64) * len(item_counts) + item
    keys.sort()
    user, item = np.divmod(keys, len(item_counts))
    return user.astype(np.int32), item.astype(np.int32)


@njit
def _first_below(values, bound):
    """Return the first place in descending values that is below the bound."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < bound:
            high = middle
        else:
            low = middle + 1
    return low


@njit
def _first_graph(order, remaining, item_counts):
    """Connect each item with the users who have most ratings left, which always works out.

    `order` are the users by their number of ratings, most first, and `remaining` these numbers,
    which are counted down in place.
    """
    total = item_counts.sum()
    user, item = np.empty(total, np.int32), np.empty(total, np.int32)
    edge = 0
    for i in range(len(item_counts)):
        least = remaining[item_counts[i] - 1]
        first = _first_below(remaining, least + 1)
        end = _first_below(remaining, least)
        # Of those with equally many left the last are taken: `remaining` stays in order.
        start = end - (item_counts[i] - first)
        for place in range(end):
            if place < first or place >= start:
                remaining[place] -= 1
                user[edge], item[edge] = order[place], i
                edge += 1
    return user, item


@njit
def _affinity(taste, trait):
    """Return the inner product of a user's and an item's factors, summed in a fixed order."""
    total = 0.0
    for k in range(len(taste)):
        total += taste[k] * trait[k]
    return total


@njit
def affinities(user, item, tastes, traits):
    """Return the affinity of each rating's user to its item, float64 (ratings,)."""
    affinity = np.empty(len(user), np.float64)
    for edge in range(len(user)):
        affinity[edge] = _affinity(tastes[user[edge]], traits[item[edge]])
    return affinity


@njit
def _flip(rated, user, item):
    """Flip the bit of a pair."""
    rated[user, item >> 3] ^= np.uint8(1 << (item & 7))


@njit
def _is_rated(rated, user, item):
    """Return the bit of a pair."""
    return (rated[user, item >> 3] >> (item & 7)) & 1 == 1


@njit
def _mark(rated, user, item):
    """Set the bits of all ratings, none of which is set yet."""
    for edge in range(len(user)):
        _flip(rated, user[edge], item[edge])


@njit
def _swap(user, item, affinity, rated, tastes, traits, pairs, thresholds):
    """Exchange the items of pairs of ratings, in place, by the Metropolis rule.

    A swap is made with the probability min(1, exp(gain)), where gain is the change in the sum of
    affinities, unless it would make a pair double. `rated` has a bit for each pair of user and
    item; `thresholds` are the logarithms of uniform random numbers, one for each of the `pairs`.
    """
    for k in range(len(pairs)):
        a, b = pairs[k]
        u, v, i, j = user[a], user[b], item[a], item[b]
        # A common user or item, or the same rating twice, is a pair that is rated already.
        if _is_rated(rated, u, j) or _is_rated(rated, v, i):
            continue
        new_a, new_b = _affinity(tastes[u], traits[j]), _affinity(tastes[v], traits[i])
        if new_a + new_b - affinity[a] - affinity[b] < thresholds[k]:
            continue
        for x, y in ((u, i), (v, j), (u, j), (v, i)):
            _flip(rated, x, y)
        item[a], item[b] = j, i
        affinity[a], affinity[b] = new_a, new_b
