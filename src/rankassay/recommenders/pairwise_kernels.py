"""The inner loop of pairwise learning: drawing triples and following their gradients.

Arrays are taken out of their tuples before a loop begins, and are passed singly within: taking one
out counts a reference, which takes as long as fetching a number from main memory.
"""

import numpy as np

from rankassay.kernels import FOUR, ONE, THREE, TWO, njit

BATCH = 256


@njit
def climb(factors, drawn, rated, settings, steps, state):
    """Take some of the steps of gradient ascent, each for one drawn triple; return the next state.

    Triples are drawn a batch ahead of the steps, which do not wait for them then: the fetches of
    many triples from memory overlap.
    """
    users, items = factors
    n_factors, rate, penalty, negative_penalty = settings
    begin, end, n_steps, decay, by_user = steps
    triples = np.empty((BATCH, 3), np.int32)
    for first in range(begin, end, BATCH):
        batch = triples[: min(BATCH, end - first)]
        state = draw(batch, drawn, rated, by_user, state)
        for k in range(len(batch)):
            now = rate * (1.0 - (first + k) / n_steps) if decay else rate
            p, q, r = users[batch[k, 0]], items[batch[k, 1]], items[batch[k, 2]]
            _step(p, q, r, n_factors, (now, penalty, negative_penalty))
    return state


@njit
def draw(triples, drawn, rated, by_user, state):
    """Draw triples of a user, a positive item of the user and an item without a rating."""
    users, items, starts = drawn
    marks, indptr, indices, pool, n_items = rated
    for k in range(len(triples)):
        if by_user:
            state, user = _below(state, len(starts) - 1)
            state, x = _below(state, starts[user + 1] - starts[user])
            x += starts[user]
        else:
            state, x = _below(state, len(users))
        u = users[x]
        state, y = _below(state, len(pool))
        while _is_rated(marks, indptr, indices, n_items, u, pool[y]):
            state, y = _below(state, len(pool))
        triples[k, 0], triples[k, 1], triples[k, 2] = u, items[x], pool[y]
    return state


@njit
def mark(marks, indptr, indices, n_items):
    """Set the bit u n_items + i of `marks` for every item i that a user u rated."""
    for u in range(len(indptr) - 1):
        for k in range(indptr[u], indptr[u + 1]):
            at = np.uint64(u) * np.uint64(n_items) + np.uint64(indices[k])
            marks[at >> np.uint64(6)] |= np.uint64(1) << (at & np.uint64(63))


@njit
def _is_rated(marks, indptr, indices, n_items, u, i):
    """Return whether a user rated an item, by the bits of `mark` or else by bisection."""
    if len(marks):
        at = np.uint64(u) * np.uint64(n_items) + np.uint64(i)
        return (marks[at >> np.uint64(6)] >> (at & np.uint64(63))) & np.uint64(1) != 0
    low, last = indptr[u], indptr[u + 1]
    high = last
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < i:
            low = middle + 1
        else:
            high = middle
    return low < last and indices[low] == i


@njit
def _below(state, n):
    """Return the next state of SplitMix64 and an integer from 0 to n - 1, for n < 2^31.

    The high 32 bits are scaled to n, so that the probabilities differ by a share of n / 2^32.
    """
    state = state + np.uint64(0x9E3779B97F4A7C15)
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return state, np.int64(((z >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@njit
def _step(p, q, r, n_factors, settings):
    """Go up the gradient of one triple, of a user p, a positive item q and a negative one r.

    Factors beyond `n_factors` are biases: the user's is 1 and stays so.
    """
    rate, penalty, negative_penalty = settings
    n = len(p)
    # Four sums, because one would have to wait for every addition before the next.
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for f in range(np.uint64(0), np.uint64(n - n % 4), FOUR):
        a += p[f] * (q[f] - r[f])
        b += p[f + ONE] * (q[f + ONE] - r[f + ONE])
        c += p[f + TWO] * (q[f + TWO] - r[f + TWO])
        d += p[f + THREE] * (q[f + THREE] - r[f + THREE])
    for f in range(n - n % 4, n):
        a += p[f] * (q[f] - r[f])
    pull = rate / (1.0 + np.exp((a + b) + (c + d)))
    kept, negative_kept = 1.0 - rate * penalty, 1.0 - rate * negative_penalty
    for f in range(n_factors):
        x, y, z = p[f], q[f], r[f]
        p[f] = kept * x + pull * (y - z)
        q[f] = kept * y + pull * x
        r[f] = negative_kept * z - pull * x
    for f in range(n_factors, n):
        q[f] += pull
        r[f] -= pull
