"""Loops over the hits of systems: the surplus of each pair's leader, and that of the other.

Gains are whole numbers of a unit, a power of two, so that every sum of them is exact: equal sums
are equal in any order of addition.
"""

import numpy as np

from rankassay.kernels import kernel
from rankassay.metrics.totals import unit_of

# What `of_pairs` sums up, the rows of its result.
ROWS = ("hits_leader", "hits_other", "plus", "minus", "plus2", "minus2", "cross")
ROWS_BY_ITEM = ("item_plus", "item_minus", "item_plus2", "item_minus2", "item_cross")
NEAR = 1e-12  # of the sums: what their rounding leaves of a root at the end of the search


@kernel(error_model="numpy")
def whole_gains(start, bound, contribution, divisor, gains):
    """Write each listed item's gain, in whole numbers of a unit, and return it and the totals.

    `start` and `bound`, int64 (n_systems, n_users), are where the entries of a user begin, and how
    many of them stand in the first n places; `contribution` is float64 (n_entries,), and `divisor`
    (n_systems or 1, n_users or 1). The totals are those of the systems, in units.
    """
    n_systems, n_users = bound.shape
    by_system, by_user, size = divisor.shape[0] > 1, divisor.shape[1] > 1, 0.0
    for s in range(n_systems):
        total = 0.0
        for u in range(n_users):
            below = divisor[s * by_system, u * by_user]
            for e in range(start[s, u], start[s, u] + bound[s, u]):
                gains[e] = contribution[e] / below if below != 0.0 else 0.0
                total += gains[e]
        size = max(size, total)
    unit, per_unit = unit_of(size)
    totals = np.zeros(n_systems)
    for s in range(n_systems):
        for u in range(n_users):
            for e in range(start[s, u], start[s, u] + bound[s, u]):
                gains[e] = np.rint(gains[e] * per_unit)
                totals[s] += gains[e]
    return unit, totals


@kernel
def of_items(start, bound, judgement, item, gains, n_items):
    """Return each system's gain from each item, float64 (n_items, n_systems), in units."""
    n_systems, n_users = bound.shape
    by_item = np.zeros((n_items, n_systems))
    for s in range(n_systems):
        for u in range(n_users):
            for e in range(start[s, u], start[s, u] + bound[s, u]):
                by_item[item[judgement[e]], s] += gains[e]
    return by_item


@kernel(steps=lambda start, bound, judgement, *_: len(judgement) * len(start))
def of_pairs(start, bound, judgement, first, item, gains, by_item):
    """Return sums over users of each pair's differences, float64 (12, n_pairs); see `ROWS`.

    Pairs a < b are in the order of `numpy.triu_indices`, and a is the leader. `first`, int64
    (n_users + 1,), is where the judgements of each user begin. The rows are the numbers of
    user-item pairs by which the leader gains more, and less; the sums of the users' positive and
    negative parts, of the squares of these, and of their products; and the same five of parts by
    the sign of the item's difference, of which 0 counts as positive.
    """
    n_systems, n_users = bound.shape
    n_pairs, most = n_systems * (n_systems - 1) // 2, 0
    for u in range(n_users):
        most = max(most, first[u + 1] - first[u])
    rows, seen = np.zeros((most, n_systems)), np.zeros(most, dtype=np.bool_)
    touched, own, sums = (
        np.empty(most, dtype=np.int64),
        np.empty((3, n_pairs)),
        np.zeros((12, n_pairs)),
    )
    more, less = sums[0], sums[1]
    plus, minus, by_sign = own[0], own[1], own[2]
    for u in range(n_users):
        n = 0
        for s in range(n_systems):
            for e in range(start[s, u], start[s, u] + bound[s, u]):
                local = judgement[e] - first[u]
                if not seen[local]:
                    seen[local], touched[n] = True, local
                    n += 1
                rows[local, s] = gains[e]
        if n == 0:
            continue
        own[:] = 0.0
        for t in range(n):
            row, known = rows[touched[t]], by_item[item[first[u] + touched[t]]]
            p = 0
            for a in range(n_systems - 1):
                gain, all_gain = row[a], known[a]
                for b in range(a + 1, n_systems):
                    d = gain - row[b]
                    positive = d if d > 0.0 else 0.0
                    plus[p] += positive
                    minus[p] += positive - d
                    by_sign[p] += d if all_gain >= known[b] else 0.0
                    more[p] += 1.0 if d > 0.0 else 0.0
                    less[p] += 1.0 if d < 0.0 else 0.0
                    p += 1
            row[:] = 0.0
            seen[touched[t]] = False
        for p in range(n_pairs):
            x, y, z = plus[p], minus[p], by_sign[p]
            v = z - (x - y)
            sums[2, p] += x
            sums[3, p] += y
            sums[4, p] += x * x
            sums[5, p] += y * y
            sums[6, p] += x * y
            sums[7, p] += z
            sums[8, p] += v
            sums[9, p] += z * z
            sums[10, p] += v * v
            sums[11, p] += z * v
    return sums


@kernel(steps=lambda by_level, *_: by_level.size * by_level.shape[1] * 20)
def first_roots(by_level, spread, steps, finest):
    """Return the first root of each pair's difference in a direction, float64 (n_pairs,); or NaN.

    `by_level`, float64 (n_levels, n_systems), are gains, `spread` the logarithms L of weights at
    1, and `steps`, (finest + 1, n_levels), the factors exp(w L) for w = 1, 1/2, ..., 2^-finest.
    The difference of a pair is positive at 0 and searched up to 2; see
    `rankassay.statistics.popularity_exponent`.
    """
    n_levels, n_systems = by_level.shape
    roots = np.full(n_systems * (n_systems - 1) // 2, np.nan)
    at, beyond, size = np.empty(n_levels), np.empty(n_levels), np.empty(n_levels)
    end, p = 2 * 2**finest, -1
    for a in range(n_systems - 1):
        for b in range(a + 1, n_systems):
            p += 1
            for k in range(n_levels):
                at[k], size[k] = 1.0, by_level[k, a] - by_level[k, b]
            left, level = 0, 0
            more, less, rise = _parts(size, spread, at)
            if more <= less:
                continue
            while left < end:
                width = 1.0 / 2**level
                for k in range(n_levels):
                    beyond[k] = at[k] * steps[level, k]
                more_there, less_there, rise_there = _parts(size, spread, beyond)
                positive = more_there > less_there and (
                    more + width * rise > less_there or more_there - width * rise_there > less
                )
                if positive:
                    at, beyond = beyond, at
                    more, less, rise = more_there, less_there, rise_there
                    left += 2 ** (finest - level)
                    if level > 0 and left % 2 ** (finest - level + 1) == 0:
                        level -= 1
                elif level < finest:
                    level += 1
                else:  # a chord, where it has another sign at the other end
                    here, there = more - less, less_there - more_there
                    share = here / (here + there) if there > 0.0 else 0.5
                    roots[p] = left / 2**finest + width * share
                    break
            if left >= end and more - less <= NEAR * more:
                roots[p] = 2.0
    return roots


@kernel
def _parts(size, spread, weight):
    """Return the sums of the positive and of the negative parts, and the slope of the former."""
    more, less, rise = 0.0, 0.0, 0.0
    for k in range(len(size)):
        part = size[k] * weight[k]
        positive = part if part > 0.0 else 0.0
        more += positive
        less += positive - part
        rise += positive * spread[k]
    return more, less, rise
