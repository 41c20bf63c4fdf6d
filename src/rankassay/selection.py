"""Selecting and sorting inside compiled loops.

NumPy's functions would do, but numba compiles their dependencies (other dtypes' comparisons, the
wording of errors) into every kernel that calls them: several seconds each, before the first result.
What is here takes as long to run and a tenth of that to compile. Numbers are not NaN.
"""

import numpy as np

from rankassay.kernels import kernel

SAMPLE = 512  # values from which it is guessed where the largest begin
SHORT = 16  # up to this number of values, insertion is faster than merging


@kernel
def select(values, place):
    """Put the value at a place where sorting would put it, in place, and return it.

    None before it is larger, and none after it smaller (C. A. R. Hoare. Algorithm 65: Find.
    Communications of the ACM 4, 1961; N. Lomuto's way to part values). Values are exchanged whether
    they are small or not: that takes less than what a processor loses when it guesses wrongly. The
    pivot is the one of three that is most likely near the place; where they are looks random, so
    that no plain order of the values takes many passes.
    """
    low, high, number = 0, len(values), 1
    while True:
        least, middle, most = np.inf, np.inf, np.inf
        for _ in range(3):
            number = (number * 1_103_515_245 + 12_345) % 2**31  # as C's rand() does
            value = values[low + (number >> 8) % (high - low)]
            most = min(most, max(middle, value))
            middle = min(middle, max(least, value))
            least = min(least, value)
        third, first = 3 * (place - low) // (high - low), low
        pivot = least if third == 0 else middle if third == 1 else most
        for i in range(low, high):
            value = values[i]
            values[i], values[first] = values[first], value
            first += value < pivot
        if place < first:
            high = first
            continue
        # All that are left reach the pivot. Its equals come first, and so would NaN, lest this
        # never ends.
        low = first
        for i in range(low, high):
            value = values[i]
            values[i], values[first] = values[first], value
            first += not value > pivot
        if place < first:
            return pivot
        low = first


@kernel
def largest(values, k):
    """Return the k-th largest value, and how many of the values equal to it are among the k."""
    step = max(1, len(values) // SAMPLE)
    sample = values[::step].copy()
    place = len(sample) - 5 - 3 * k // (2 * step)
    likely = select(sample, place) if place >= 0 else -np.inf
    # Those above a likely bound are few, and mostly the k largest are among them.
    high = np.empty(len(values))
    n_high = 0
    for x in range(len(values)):
        high[n_high] = values[x]
        n_high += values[x] > likely
    if n_high < k:
        high, n_high = values.copy(), len(values)
    bound = select(high[:n_high], n_high - k)
    n_above = 0
    for x in range(n_high):
        n_above += high[x] > bound
    return bound, k - n_above


@kernel
def nonzero(values, places):
    """Write the places of the values that are not 0, in their order, and return how many."""
    count = 0
    for place in range(len(values)):
        places[count] = place
        count += values[place] != 0.0
    return count


@kernel
def sort_by(keys, order, space):
    """Sort indices by increasing key, in place; those of equal key stay in their order.

    `order` are indices of `keys`, and `space` is scratch of its dtype, at least as long.
    """
    n = len(order)
    for first in range(0, n, SHORT):
        for i in range(first + 1, min(first + SHORT, n)):
            index, key, j = order[i], keys[order[i]], i
            while j > first and keys[order[j - 1]] > key:
                order[j] = order[j - 1]
                j -= 1
            order[j] = index
    width = SHORT
    while width < n:
        for first in range(0, n - width, 2 * width):
            _merge(keys, order, space, (first, first + width, min(first + 2 * width, n)))
        width *= 2


@kernel
def _merge(keys, order, space, bounds):
    """Merge two neighbouring runs, which start at the first two bounds, in place."""
    first, middle, last = bounds
    if keys[order[middle - 1]] <= keys[order[middle]]:
        return
    for i in range(first, middle):
        space[i] = order[i]
    i, j, to = first, middle, first
    left, right = keys[space[i]], keys[order[j]]
    while True:
        if right < left:
            order[to] = order[j]
            j += 1
            if j == last:
                break
            right = keys[order[j]]
        else:
            order[to] = space[i]
            i += 1
            if i == middle:
                break
            left = keys[space[i]]
        to += 1
    for rest in range(i, middle):
        to += 1
        order[to] = space[rest]
