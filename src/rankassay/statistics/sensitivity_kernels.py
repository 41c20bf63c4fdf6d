"""Loops over the judged items of systems: what each pair's leader gains more, and the other.

Gains are whole numbers of a unit, a power of two, so that every sum of them is exact: equal sums
are equal in any order of addition.
"""

import numpy as np

from rankassay.kernels import kernel
from rankassay.metrics.totals import unit_of
from rankassay.statistics.sensitivity_worst import most_spread

# What `of_pairs` sums up, the rows of its first result.
ROWS = ("hits_leader", "hits_other", "plus", "minus")
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
                total += abs(gains[e])
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
def of_pairs(start, bound, judgement, first, gains, a, b, gammas):
    """Return sums over each pair's differences, (4, n_pairs), and spreads (n_gammas, n_pairs).

    `a` and `b`, int64 (n_pairs,), are the leaders and the others, and `first`, int64
    (n_users + 1,), is where the judgements of each user begin. The sums, whose rows are `ROWS`, are
    the numbers of user-item pairs by which the leader gains more, and less, and the positive and
    the negative parts; for the spreads see `rankassay.statistics.sensitivity_worst`.
    """
    n_users, n_pairs, most = bound.shape[1], len(a), 0
    for u in range(n_users):
        most = max(most, first[u + 1] - first[u])
    rest, plus, minus = np.zeros(most), np.empty(n_users), np.empty(n_users)
    sums, spread = np.zeros((4, n_pairs)), np.empty((len(gammas), n_pairs))
    for p in range(n_pairs):
        x, y, n = a[p], b[p], 0
        for u in range(n_users):
            more, less = 0.0, 0.0
            for e in range(start[x, u], start[x, u] + bound[x, u]):
                rest[judgement[e] - first[u]] = gains[e]
            for e in range(start[y, u], start[y, u] + bound[y, u]):
                d = rest[judgement[e] - first[u]] - gains[e]
                rest[judgement[e] - first[u]] = 0.0
                more += d if d > 0.0 else 0.0
                less -= d if d < 0.0 else 0.0
                sums[0, p] += d > 0.0
                sums[1, p] += d < 0.0
            for e in range(start[x, u], start[x, u] + bound[x, u]):
                d = rest[judgement[e] - first[u]]  # 0 where both list the item
                rest[judgement[e] - first[u]] = 0.0
                more += d if d > 0.0 else 0.0
                less -= d if d < 0.0 else 0.0
                sums[0, p] += d > 0.0
                sums[1, p] += d < 0.0
            sums[2, p] += more
            sums[3, p] += less
            plus[n], minus[n] = more, less
            n += more + less > 0.0
        spread[:, p] = most_spread(plus[:n], minus[:n], gammas)
    return sums, spread


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
