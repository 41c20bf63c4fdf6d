"""Bounds of metrics that a further relevant item can raise or lower.

With s of the unjudged items in the first n places relevant, such a metric is a sum over places,
divided by what depends on s alone. Exchanging a relevant item with a non-relevant one above it
never lowers the sum, so that the greatest is that of the first s unjudged items and the least that
of the last s. All s are tried: the bounds are attained.
"""

import numpy as np

from rankassay.kernels import kernel
from rankassay.metrics.infap import EPSILON
from rankassay.selection import sort_by

# What divides the sum of precisions: see `average_precision.divisor`.
DIVISORS = ("relevant", "min_cutoff", "hits", "listed")


def _steps(start, rank, values, length, *_):
    return len(length) * min(int(length.max(initial=0)), 100) ** 2


@kernel
def _by_place(rank, values, n):
    """Return the value at each of the first n places, -1 where none is known, and how many are not.

    `rank` and `values` are those of a user's judged items in the list.
    """
    found, free = np.full(n, -1.0), n
    for j in range(len(rank)):
        if rank[j] <= n:
            found[rank[j] - 1] = values[j]
            free -= 1
    return found, free


@kernel(steps=_steps)
def precision_range(
    start, rank, relevant, length, n_relevant, cutoff, beyond, inferred, divided_by
):
    """Return the least and the greatest average precision, each float64 (n_users,).

    Parameters
    ----------
    start, rank, relevant
        Of the judged items in the lists; see Entries.
    length : int32 (n_users,)
    n_relevant : float64 (n_users,)
    cutoff : int
    beyond : int64 (n_users,)
        How many unlisted items are relevant where the value is least.
    inferred : bool
        Whether precision is inferred, as infAP's.
    divided_by : int
        The place of the divisor in `DIVISORS`.
    """
    n_users = len(length)
    least, greatest = np.empty(n_users), np.empty(n_users)
    for u in range(n_users):
        n = min(cutoff, length[u])
        own = slice(start[u], start[u + 1])
        hit, free = _by_place(rank[own], relevant[own], n)
        least[u], greatest[u] = np.inf, -np.inf
        for s in range(free + 1):
            for best in range(2):
                passed, above, total = 0, 0, 0.0
                for k in range(n):
                    chosen = hit[k] == 1
                    if hit[k] < 0:
                        chosen = passed < s if best else passed >= free - s
                        passed += 1
                    if chosen:
                        if inferred:
                            share = (above + EPSILON) / (k + 2 * EPSILON)
                            total += (1 + k * share) / (k + 1)
                        else:
                            total += (above + 1) / (k + 1)
                        above += 1
                divisor = n_relevant[u] + s
                if not best:
                    divisor += beyond[u]
                if divided_by == 1:
                    divisor = min(divisor, float(cutoff))
                elif divided_by == 2:
                    divisor = float(above)
                elif divided_by == 3:
                    divisor = float(n)
                value = total / divisor if divisor > 0 else 0.0
                least[u], greatest[u] = min(least[u], value), max(greatest[u], value)
    return least, greatest


@kernel(steps=_steps)
def gain_range(
    start, rank, gains, length, judged_start, ideal, cutoff, beyond, top, logs, truncated, retrieved
):
    """Return the least and the greatest nDCG, each float64 (n_users,).

    Parameters
    ----------
    start, rank
        Of the judged items in the lists; see Entries.
    gains : float64 (n_entries,)
    length : int32 (n_users,)
    judged_start : int64 (n_users + 1,)
    ideal : float64 (n_judged,)
        The gains of each user's judged items, highest first.
    cutoff : int
    beyond : int64 (n_users,)
        How many unlisted items are relevant where the value is least.
    top : float
        What a relevant item gains that was unjudged: as much as any other.
    logs : float64
        The discounts of places from 0, as many as the longest ideal list has.
    truncated, retrieved : bool
        Whether ideal lists are cut at `cutoff`; whether they hold the items of the list alone.
    """
    n_users = len(length)
    least, greatest = np.empty(n_users), np.empty(n_users)
    tops = np.zeros(len(logs))
    for k in range(1, len(logs)):
        tops[k] = tops[k - 1] + top / logs[k]
    for u in range(n_users):
        n = min(cutoff, length[u])
        own = slice(start[u], start[u + 1])
        gain, free = _by_place(rank[own], gains[own], n)
        best_of = ideal[judged_start[u] : judged_start[u + 1]]
        if retrieved:
            best_of = _highest_first(gain, n - free)
        deepest = cutoff if truncated and not retrieved else len(logs) - 1
        least[u], greatest[u] = np.inf, -np.inf
        for s in range(free + 1):
            for best in range(2):
                passed, total = 0, 0.0
                for k in range(n):
                    added = gain[k]
                    if added < 0:
                        chosen = passed < s if best else passed >= free - s
                        added = top if chosen else 0.0
                        passed += 1
                    total += added / logs[k + 1]
                more = s if best or retrieved else s + beyond[u]
                highest = tops[min(more, deepest)]
                for k in range(more, min(more + len(best_of), deepest)):
                    highest += best_of[k - more] / logs[k + 1]
                value = total / highest if highest > 0 else 0.0
                least[u], greatest[u] = min(least[u], value), max(greatest[u], value)
    return least, greatest


@kernel
def _highest_first(gain, n):
    """Return the n gains that are not negative, sorted."""
    keys, order, found = np.empty(n), np.arange(n), np.empty(n)
    count = 0
    for value in gain:
        if value >= 0:
            keys[count] = -value
            count += 1
    sort_by(keys, order, np.empty_like(order))
    for k in range(n):
        found[k] = -keys[order[k]]
    return found


@kernel(steps=_steps)
def preference_range(start, rank, relevant, length, n_relevant, n_nonrelevant, cutoff, undefined):
    """Return the least and the greatest bpref, each float64 (n_users,), NaN where undefined.

    Parameters
    ----------
    start, rank, relevant
        Of the judged items in the lists; see Entries.
    length : int32 (n_users,)
    n_relevant, n_nonrelevant : float64 (n_users,)
    cutoff : int
    undefined : bool
        Whether it is undefined without judged non-relevant items.
    """
    n_users = len(length)
    least, greatest = np.full(n_users, np.nan), np.full(n_users, np.nan)
    for u in range(n_users):
        n = min(cutoff, length[u])
        own = slice(start[u], start[u + 1])
        hit, free = _by_place(rank[own], relevant[own], n)
        for s in range(free + 1):
            hits, others = n_relevant[u] + s, n_nonrelevant[u] + free - s
            if undefined and others == 0:
                continue
            bound = min(hits, others)
            for best in range(2):
                passed, above, total = 0, 0, 0.0
                for k in range(n):
                    chosen = hit[k] == 1
                    if hit[k] < 0:
                        chosen = passed < s if best else passed >= free - s
                        passed += 1
                    if chosen:
                        total += 1 - min(float(above), bound) / max(bound, 1.0)
                    else:
                        above += 1
                value = total / hits if hits > 0 else 0.0
                if not least[u] <= value:
                    least[u] = value
                if not greatest[u] >= value:
                    greatest[u] = value
    return least, greatest
