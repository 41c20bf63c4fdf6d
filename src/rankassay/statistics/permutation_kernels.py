"""The comparisons of the permutation test: which differences are as large as the observed one."""

import numpy as np

from rankassay.kernels import njit
from rankassay.statistics.small_differences import difference


@njit
def count_extreme(drawn, bits, scores, side, extreme):
    """Add to `extreme` the permutations at least as extreme as the observation.

    `side` is 0 for a two-sided test, whose counts go to [i, j] and [j, i]; 1 counts for i < j the
    differences at least as large as that observed of i and j, and -1 those at most as large, which
    go to [j, i]. The signs are bits, eight users a byte, the first of them its highest.
    """
    values, observed, error, tie = scores
    _, n_systems, n_measures = drawn.shape
    surely, perhaps = np.empty(n_measures, drawn.dtype), np.empty(n_measures, drawn.dtype)
    for i in range(n_systems):
        for j in range(i + 1, n_systems):
            for m in range(n_measures):
                bound = observed[i, m] - observed[j, m]
                bound = (abs(bound) if side == 0 else side * bound) - tie[i, j, m]
                doubt = error[i, m] + error[j, m]
                # Away from the bound by what float32 makes of it, too.
                doubt += abs(bound) * 1e-6 + tie[i, j, m] if doubt > 0.0 else 0.0
                surely[m], perhaps[m] = bound + doubt, bound - doubt
            certain, possible = _compare(drawn, i, j, side, surely, perhaps)
            for m in range(n_measures):
                if possible[m] > certain[m]:
                    certain[m] += _decide(
                        drawn[:, i, m] - drawn[:, j, m],
                        bits,
                        _differences(values[i, m], values[j, m]),
                        (side, surely[m], perhaps[m], tie[i, j, m]),
                    )
                if side >= 0:
                    extreme[i, j, m] += certain[m]
                if side <= 0:
                    extreme[j, i, m] += certain[m]


@njit
def _compare(drawn, i, j, side, surely, perhaps):
    """Count the differences that are at least `surely`, and those at least `perhaps`."""
    n, _, n_measures = drawn.shape
    certain, possible = np.zeros(n_measures, np.int32), np.zeros(n_measures, np.int32)
    for b in range(n):
        for m in range(n_measures):
            difference = drawn[b, i, m] - drawn[b, j, m]
            size = abs(difference) if side == 0 else side * difference
            certain[m] += size >= surely[m]
            possible[m] += size >= perhaps[m]
    return certain, possible


@njit
def _differences(a, b):
    """Return the differences of users' values by two systems."""
    d = np.empty(len(a))
    for u in range(len(a)):
        d[u] = difference(a[u], b[u])
    return d


@njit
def _decide(rough, bits, d, limits):
    """Count, among the differences in doubt, those at least as large as the observed one."""
    side, surely, perhaps, tie = limits
    users = np.flatnonzero(d)
    observed = d.sum()
    observed = abs(observed) if side == 0 else side * observed
    near = (len(users) + 4) * 2.0**-52 * (np.abs(d).sum() + tie)  # the largest rounding error
    count = 0
    for b in range(len(rough)):
        size = abs(rough[b]) if side == 0 else side * rough[b]
        if size >= surely or size < perhaps:
            continue
        total = 0.0
        for u in users:
            total += -d[u] if _negative(bits[b], u) else d[u]
        more = (abs(total) if side == 0 else side * total) - observed
        if abs(more + tie) <= near:
            more = _more(bits[b], d, users, side)
        count += more >= -tie
    return count


@njit
def _negative(bits, u):
    """Whether a user's sign is -1."""
    return bits[u >> 3] >> (7 - (u & 7)) & 1


@njit
def _more(bits, d, users, side):
    """Return by how much a sum under signs exceeds the observed one, as if it were not rounded.

    It is twice the sum of those whose sign is -1, the other way round; on the other side, twice the
    sum of those whose sign is 1. What each addition loses is kept (Neumaier, ZAMM 54, 1974).
    """
    sums, lost = np.zeros(2), np.zeros(2)
    for u in users:
        k = _negative(bits, u)
        total = sums[k] + d[u]
        part = total - sums[k]
        lost[k] += (sums[k] - (total - part)) + (d[u] - part)
        sums[k] = total
    kept, exchanged = sums[0] + lost[0], sums[1] + lost[1]
    if side != 0:
        return -2.0 * side * exchanged
    return -2.0 * (min(kept, exchanged) if kept + exchanged >= 0.0 else -max(kept, exchanged))


@njit
def largest_differences(drawn, weight, slack):
    """Return the largest weighted |difference| of any pair, with its slack, (n, n_measures)."""
    n, n_systems, n_measures = drawn.shape
    largest = np.zeros((n, n_measures), dtype=drawn.dtype)
    for b in range(n):
        for i in range(n_systems):
            for j in range(i + 1, n_systems):
                for m in range(n_measures):
                    size = abs(drawn[b, i, m] - drawn[b, j, m]) * weight[i, j, m]
                    size += slack[i, j, m]
                    largest[b, m] = max(largest[b, m], size)
    return largest
