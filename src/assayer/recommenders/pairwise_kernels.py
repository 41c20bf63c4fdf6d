"""The inner loop of pairwise learning: drawing triples and following their gradients."""

import numba
import numpy as np


@numba.njit(cache=True)
def climb(factors, drawn, rated, settings, steps, state):
    """Take `n_steps` steps of gradient ascent, each for one drawn triple."""
    users, items = factors
    n_factors, rate, penalty, negative_penalty = settings
    n_steps, decay, by_user = steps
    scratch = np.empty(users.shape[1])
    for step in range(n_steps):
        state, u, i, j = _draw(drawn, rated, by_user, state)
        now = rate * (1.0 - step / n_steps) if decay else rate
        _step(users[u], items[i], items[j], n_factors, (now, penalty, negative_penalty), scratch)


@numba.njit(cache=True)
def _draw(drawn, rated, by_user, state):
    """Draw a triple of a user, an item of its positive ones and one that it did not rate."""
    users, items, starts = drawn
    indptr, indices, pool = rated
    if by_user:
        state, user = _below(state, len(starts) - 1)
        state, x = _below(state, starts[user + 1] - starts[user])
        x += starts[user]
    else:
        state, x = _below(state, len(users))
    u = users[x]
    first, last = indptr[u], indptr[u + 1]
    while True:
        state, y = _below(state, len(pool))
        j = pool[y]
        low, high = first, last
        while low < high:
            middle = (low + high) // 2
            if indices[middle] < j:
                low = middle + 1
            else:
                high = middle
        if low == last or indices[low] != j:
            return state, u, items[x], j


@numba.njit(cache=True)
def _below(state, n):
    """Return the next state of SplitMix64 and an integer from 0 to n - 1, for n < 2^31.

    The high 32 bits are scaled to n, so that the probabilities differ by a share of n / 2^32.
    """
    state = state + np.uint64(0x9E3779B97F4A7C15)
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return state, np.int64(((z >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@numba.njit(cache=True)
def _step(p, q, r, n_factors, settings, difference):
    """Go up the gradient of one triple, of a user p, a positive item q and a negative one r.

    Factors beyond `n_factors` are biases: the user's is 1 and stays so. `difference` is scratch.
    """
    rate, penalty, negative_penalty = settings
    n = len(p)
    for f in range(n):
        difference[f] = q[f] - r[f]
    # Four sums, because one would have to wait for every addition before the next.
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for f in range(0, n - 3, 4):
        a += p[f] * difference[f]
        b += p[f + 1] * difference[f + 1]
        c += p[f + 2] * difference[f + 2]
        d += p[f + 3] * difference[f + 3]
    for f in range(n - n % 4, n):
        a += p[f] * difference[f]
    pull = rate / (1.0 + np.exp((a + b) + (c + d)))
    kept, negative_kept = 1.0 - rate * penalty, 1.0 - rate * negative_penalty
    for f in range(n_factors):
        q[f] = kept * q[f] + pull * p[f]
    for f in range(n_factors):
        r[f] = negative_kept * r[f] - pull * p[f]
    for f in range(n_factors):
        p[f] = kept * p[f] + pull * difference[f]
    for f in range(n_factors, n):
        q[f] += pull
        r[f] -= pull
