"""The comparisons of the permutation test: which differences are as large as the observed one."""

import numpy as np
from numba import njit


@njit(cache=True)
def count_extreme(drawn, bits, scores, side, extreme):
    """Add to `extreme` the permutations at least as extreme as the observation.

    `side` is 0 for a two-sided test, whose counts go to [i, j] and [j, i]; 1 counts for i < j the
    differences at least as large as that observed of i and j, and -1 those at most as large, which
    go to [j, i]. The signs are bits, eight users a byte, the first of them its highest.
    """
    whole, observed, error, tie, scale = scores
    _, n_systems, n_measures = drawn.shape
    bound = np.empty(n_measures)
    surely, perhaps = np.empty(n_measures, np.float32), np.empty(n_measures, np.float32)
    for i in range(n_systems):
        for j in range(i + 1, n_systems):
            for m in range(n_measures):
                difference = observed[i, m] - observed[j, m]
                bound[m] = (abs(difference) if side == 0 else side * difference) - tie[m]
                doubt = error[i, m] + error[j, m]
                # Away from the bound by what float32 makes of it, too.
                doubt += abs(bound[m]) * 1e-6 if doubt > 0.0 else 0.0
                surely[m], perhaps[m] = bound[m] + doubt, bound[m] - doubt
            certain, possible = _compare(drawn, i, j, side, surely, perhaps)
            for m in range(n_measures):
                if possible[m] > certain[m]:
                    certain[m] += _decide(
                        drawn[:, i, m] - drawn[:, j, m],
                        bits,
                        whole[i, m] - whole[j, m],
                        (side, surely[m], perhaps[m], bound[m] / scale[m]),
                    )
                if side >= 0:
                    extreme[i, j, m] += certain[m]
                if side <= 0:
                    extreme[j, i, m] += certain[m]


@njit(cache=True)
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


@njit(cache=True)
def _decide(rough, bits, differences, limits):
    """Count, among the differences in doubt, those that are at least the bound exactly."""
    side, surely, perhaps, bound = limits
    users = np.flatnonzero(differences)
    count = 0
    for b in range(len(rough)):
        size = abs(rough[b]) if side == 0 else side * rough[b]
        if size >= surely or size < perhaps:
            continue
        exact = 0
        for u in users:
            negative = bits[b, u >> 3] >> (7 - (u & 7)) & 1
            exact += -differences[u] if negative else differences[u]
        count += (abs(exact) if side == 0 else side * exact) >= bound
    return count


@njit(cache=True)
def largest_differences(drawn, weight):
    """Return the largest weighted |difference| of any pair, float32 (n, n_measures)."""
    n, n_systems, n_measures = drawn.shape
    largest = np.zeros((n, n_measures), dtype=np.float32)
    for b in range(n):
        for i in range(n_systems):
            for j in range(i + 1, n_systems):
                for m in range(n_measures):
                    size = abs(drawn[b, i, m] - drawn[b, j, m]) * weight[i, j, m]
                    largest[b, m] = max(largest[b, m], size)
    return largest
