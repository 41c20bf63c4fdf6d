"""Expected values of users who stop at good items: reciprocal rank, success and ERR."""

import numpy as np

from rankassay.kernels import kernel


@kernel
def expected_stops(start, first, last, stops, weight, cutoffs):
    """Return sum_{k <= n} weight(k) P(the user stops at k), float64 (n_users, n_cutoffs).

    `start`, int64 (n_users + 1,), `first`, `last`, int64, and `stops`, float64 (n_items,), are the
    judged items of each user, in order of their ties; `weight` is float64 (deepest,).

    The chance of passing the first t places of a tie is the mean over all its subsets of t items of
    the product of 1 - p: the elementary symmetric means, which a recursion makes item by item.
    """
    values = np.zeros((len(start) - 1, len(cutoffs)))
    deepest = min(cutoffs[-1], len(weight))
    passed = np.empty(deepest + 1)
    for u in range(len(start) - 1):
        left, i = 1.0, start[u]
        while i < start[u + 1] and first[i] <= deepest and left > 0:
            end = i
            while end < start[u + 1] and first[end] == first[i]:
                end += 1
            size = last[i] - first[i] + 1
            n_places = min(size, deepest - first[i] + 1)
            passed[: n_places + 1] = 1.0  # as no user stops at an unjudged item
            seen = size - (end - i)
            for j in range(i, end):
                seen += 1
                for t in range(min(n_places, seen), 0, -1):
                    share = t / seen
                    passed[t] = share * (1 - stops[j]) * passed[t - 1] + (1 - share) * passed[t]
            for t in range(n_places):
                k = first[i] + t
                added = left * (passed[t] - passed[t + 1]) * weight[k - 1]
                for c in range(len(cutoffs)):
                    if k <= cutoffs[c]:
                        values[u, c] += added
            left *= passed[n_places]
            i = end
    return values
