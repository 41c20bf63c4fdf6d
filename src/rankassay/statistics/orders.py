"""The numbers by which systems are ordered: equal aggregates over users have the same bits."""

import numpy as np

from rankassay.kernels import kernel
from rankassay.types import Floats

# To which values are rounded where equal ones shall tie: their sums differ in the last bits.
DECIMALS = 12


def settled(means: Floats, n_users: int, decimals: int | None = None) -> Floats:
    """Give means (..., n_systems) that are equal, but for errors of rounding, the same bits.

    Of the systems' means in order, neighbours that differ by at most n 2^-51 m are joined, with n
    the users and m the largest mean. They are then rounded to `decimals`, if any, which makes near
    ties into ties: the files of the authors of Valcarce et al., RecSys 2018, hold four.

    Equal means are always joined: a sum of n values is off by at most n 2^-52 of the sum of their
    sizes, whether added one by one or as in `rankassay.metrics.totals`. Means that differ are never
    joined where they are multiples of 1 / (n D), for then they differ by at least as much, and n^2
    D < 2^51 / m is enough. P@n, success and counts have D = n; RR@n has the least common multiple
    of 1 to n. For 6,040 users that proves it for P at every cut-off and for RR down to cut-off 18.
    Where D is larger (R, AP, Bpref) or values are irrational (nDCG) there is no such bound; means
    that differ are then joined by chance in one of some 10^10 pairs whose means are spread over a
    tenth of m.
    """
    tolerance = (n_users + 8) * 2.0**-51
    n = means.shape[-1]
    joined = _merge_near(np.ascontiguousarray(means, dtype=np.float64).reshape(-1, n), tolerance)
    joined = joined.reshape(means.shape)
    return joined if decimals is None else np.round(joined, decimals)


def settled_known(means: Floats, n_users: int) -> Floats:
    """Return `settled` means (n_systems,); NaN, of a system without a value, stays NaN."""
    found, known = means.copy(), ~np.isnan(means)
    if known.any():
        found[known] = settled(means[known], n_users)
    return found


@kernel(steps=lambda means, _: means.size * means.shape[1])
def _merge_near(means, tolerance):
    """Set neighbours in the order of each row to the lowest if within the tolerance.

    The tolerance is a share of the largest size in the row.
    """
    joined = means.copy()
    order = np.empty(means.shape[1], dtype=np.int64)
    for r in range(len(means)):
        own, largest, near = means[r], 0.0, 0
        for i in range(len(own)):
            largest = max(largest, abs(own[i]))
        for i in range(len(own)):
            for j in range(i):
                d = abs(own[i] - own[j])
                near += (d > 0.0) & (d <= tolerance * largest)
        if near == 0:  # as mostly, and to find that out takes less than to sort
            continue
        for i in range(len(own)):
            place = i  # sorted by insertion: rows are short
            while place > 0 and own[order[place - 1]] > own[i]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = i
        for k in range(1, len(own)):
            below, above = order[k - 1], order[k]
            if own[above] - own[below] <= tolerance * largest:
                joined[r, above] = joined[r, below]
    return joined
