"""Putting rows of indices into groups and in order, and finding judged items in lists."""

import numpy as np

from rankassay.kernels import kernel
from rankassay.selection import sort_by


@kernel
def group(index, n_groups):
    """Return the start of each group's rows, and the rows group by group, in their order.

    Group `g` has the rows `order[start[g]:start[g + 1]]`; both arrays are int64.
    """
    start = np.zeros(n_groups + 1, dtype=np.int64)
    order = np.arange(len(index))
    grouped = True
    for i in range(1, len(index)):
        grouped &= index[i] >= index[i - 1]
    if grouped:
        g = 0
        for i in range(len(index)):
            while g < index[i]:
                g += 1
                start[g] = i
        start[g + 1 :] = len(index)
        return start, order
    for i in range(len(index)):
        start[index[i] + 1] += 1
    for g in range(n_groups):
        start[g + 1] += start[g]
    end = start[:-1].copy()
    for i in range(len(index)):
        order[end[index[i]]] = i
        end[index[i]] += 1
    return start, order


@kernel
def by_value(start, order, value):
    """Sort each group's rows by decreasing value, in place; return whether any two are equal."""
    ties = False
    keys, space = -value, np.empty_like(order)
    for g in range(len(start) - 1):
        falling = True
        for i in range(start[g] + 1, start[g + 1]):
            falling &= value[order[i - 1]] > value[order[i]]
        if falling:
            continue
        own = order[start[g] : start[g + 1]]
        sort_by(keys, own, space)
        for i in range(1, len(own)):
            ties |= value[own[i]] == value[own[i - 1]]
    return ties


@kernel
def break_ties(start, order, value, item, place):
    """Sort rows of equal value by the place of their item, in place."""
    places, space = place[item], np.empty_like(order)
    for g in range(len(start) - 1):
        first = start[g]
        for i in range(start[g] + 1, start[g + 1] + 1):
            if i == start[g + 1] or value[order[i]] != value[order[first]]:
                if i > first + 1:
                    sort_by(places, order[first:i], space)
                first = i


@kernel
def duplicate(start, item, n_items):
    """Return the index of an entry whose item its group has already, or -1."""
    last = np.full(n_items, -1, dtype=np.int64)
    for g in range(len(start) - 1):
        for i in range(start[g], start[g + 1]):
            if last[item[i]] == g:
                return i
            last[item[i]] = g
    return -1


@kernel
def found(start, judged_item, list_of, list_start, order, item, n_items):
    """Return the rank and row of each judged item, 0 and -1 if not listed, and a row there twice.

    Judged items and lists meet in an array over all items, which holds the last judgement of each:
    it is the user's own if it is not before the user's first.
    """
    rank = np.zeros(len(judged_item), dtype=np.int32)
    row = np.full(len(judged_item), -1, dtype=np.int64)
    judgement = np.full(n_items, -1, dtype=np.int64)
    last = np.full(n_items, -1, dtype=np.int64)
    for u in range(len(start) - 1):
        if list_of[u] < 0:
            continue
        for j in range(start[u], start[u + 1]):
            if judged_item[j] >= 0:
                judgement[judged_item[j]] = j
        first = list_start[list_of[u]]
        for k in range(first, list_start[list_of[u] + 1]):
            i = item[order[k]]
            if last[i] == u:
                return rank, row, order[k]
            last[i] = u
            if judgement[i] >= start[u]:
                rank[judgement[i]] = k - first + 1
                row[judgement[i]] = order[k]
    return rank, row, -1
