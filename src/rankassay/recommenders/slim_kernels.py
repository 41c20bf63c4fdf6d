"""The compiled loops of SLIM: coordinate descent on the Gram matrix, for item after item.

A Gram matrix is given as a tuple of the dense one and the CSR arrays (indptr, indices, data) of the
sparse one; one of the two is empty. The `state` of a descent is (weights, rest, products, squares,
total): for the features a, the weights w_a, the residual products, g_a - (G w)_a, the products g_a
with the item, the squared lengths G_aa, and the squared length of the item.

Entries are chosen by loops: array expressions would take numba a second more to compile.
"""

import numpy as np

from rankassay.kernels import njit
from rankassay.selection import nonzero, select

WHOLE = 256  # up to this number of features, descent goes over all of them
START = 128  # features of the first working set, where there are more


@njit
def solve(gram, diagonal, k, settings):
    """Return the weights as CSC arrays; `k` is how many nearest items are features, 0 for all."""
    n_items = len(diagonal)
    indptr = np.zeros(n_items + 1, np.int64)
    indices, data = np.empty(64 * n_items, np.int32), np.empty(64 * n_items)
    space = np.empty(WHOLE * WHOLE, np.float32)
    for item in range(n_items):
        features, products = _features(gram, diagonal, item, k, settings[0])
        weights, space = _minimise(gram, diagonal, item, features, products, settings, space)
        end = indptr[item]
        if end + len(features) > len(indices):
            more = len(indices) + len(features)
            indices = np.concatenate((indices, np.empty(more, np.int32)))
            data = np.concatenate((data, np.empty(more)))
        for a in range(len(features)):
            if weights[a] > 0.0:
                indices[end], data[end] = features[a], weights[a]
                end += 1
        indptr[item + 1] = end
    return data[: indptr[-1]], indices[: indptr[-1]], indptr


@njit(error_model="numpy")
def _features(gram, diagonal, item, k, l1):
    """Return the items that may have a weight, in order, and the products of `item` with them.

    Of the k items of largest cosine, ties by index, those whose product is above l1: as nothing is
    negative, the slope at 0 is at least l1 - g_ij, so that w_ij = 0 wherever g_ij <= l1.
    """
    dense, indptr, indices, data = gram
    if len(dense):
        row = dense[item]
        others = np.empty(len(row), np.int32)
        n = nonzero(row, others)
        products = np.empty(n)
        for a in range(n):
            products[a] = row[others[a]]
    else:
        first, n = indptr[item], indptr[item + 1] - indptr[item]
        others, products = np.empty(n, np.int32), np.empty(n)
        for a in range(n):
            others[a], products[a] = indices[first + a], data[first + a]
    keys, limit, free = np.empty(n), -np.inf, k
    if 0 < k < n:
        # As in `cosine_neighbours`: the item's own length does not matter for the order.
        for a in range(n):
            own = others[a] == item
            keys[a] = -1.0 if own else products[a] * products[a] / diagonal[others[a]]
        limit = select(keys.copy(), n - k)
        for a in range(n):
            free -= keys[a] > limit
    kept = 0
    for a in range(n):
        allowed = products[a] > l1 and others[a] != item
        if 0 < k < n:
            allowed &= keys[a] > limit or (keys[a] == limit and free > 0)
            free -= keys[a] == limit
        if allowed:
            others[kept], products[kept] = others[a], products[a]
            kept += 1
    return others[:kept], products[:kept]


@njit
def _minimise(gram, diagonal, item, features, products, settings, space):
    """Return the weights of `features`, and `space`, enlarged where it was too small.

    Descends on a working set, until the duality gap over all features is small enough.
    """
    l1, l2, sweeps, tolerance = settings
    weights, rest = np.zeros(len(features)), products.copy()
    squares, total = _at(diagonal, features), diagonal[item]
    reached = 1.0
    while sweeps > 0:
        working = _working_set(weights, rest, squares, l1, l2)
        m = len(working)
        if m == 0:
            break
        if m * m > len(space):
            space = np.empty(2 * m * m, np.float32)
        # What is left for the features outside; before they are looked at, more is in vain.
        goal = tolerance if m == len(features) else max(tolerance / 2, reached / 1000)
        found, own = _at(weights, working), _at(features, working)
        used = _descend(
            (gram, own, space[: m * m].reshape(m, m)),
            (found, _at(rest, working), _at(products, working), _at(squares, working), total),
            (l1, l2, sweeps, goal),
        )
        sweeps -= used
        # Then none would in another round either: every feature that would get a weight was in this
        # one.
        still = True
        for a in range(m):
            still &= weights[working[a]] == found[a]
            weights[working[a]] = found[a]
        if m == len(features):
            break
        whole = _multiply(gram, own, found, len(diagonal))
        for a in range(len(features)):
            rest[a] = products[a] - whole[features[a]]
        reached = _gap((weights, rest, products, squares, total), l1, l2)
        if still or reached <= tolerance:
            break
    return weights, space


@njit
def _working_set(weights, rest, squares, l1, l2):
    """Return the features with weight and, of those that would get one, the most gainful.

    A weight lowers the objective by (rest - l1)^2 / (2 (G_aa + l2)) at most, if it alone changes.
    At most as many are added as have a weight, or START.
    """
    n = len(weights)
    if n <= WHOLE:
        return np.arange(n)
    gains = np.zeros(n)
    most = 0
    for a in range(n):
        most += weights[a] > 0.0
        if rest[a] > l1 and not weights[a] > 0.0:
            gains[a] = (rest[a] - l1) ** 2 / (squares[a] + l2)
    most = max(START, most)
    limit = select(gains.copy(), n - most) if most < n else 0.0
    chosen, count = np.empty(n, np.int64), 0
    for a in range(n):
        chosen[count] = a
        count += weights[a] > 0.0 or (gains[a] >= limit and gains[a] > 0.0)
    return chosen[:count]


@njit
def _at(values, places):
    """Return the values at some places."""
    found = np.empty(len(places), values.dtype)
    for a in range(len(places)):
        found[a] = values[places[a]]
    return found


@njit
def _descend(matrix, state, settings):
    """Improve the weights by cyclic coordinate descent and return the number of rounds.

    A round over all features finds out which have a weight; rounds over these alone, on a compact
    copy of their rows, then take most of the way.
    """
    gram, features, rows = matrix
    l1, l2, sweeps, tolerance = settings
    looked_up = np.zeros(len(features), np.bool_)
    used = 0
    while used < sweeps:
        used += 1
        if not _round((gram, features, rows, looked_up), state, l1, l2):
            break
        reached = _gap(state, l1, l2)
        if tolerance > 0.0 and reached <= tolerance:
            break
        support = np.empty(len(features), np.int64)
        support = support[: nonzero(state[0], support)]  # as no weight is negative
        for a in support:
            if not looked_up[a]:
                looked_up[a] = True
                _look_up(gram, features[a], features, rows[a])
        # Half of the tolerance is left for the features that are not in the support.
        goal = max(tolerance / 2, reached / 30)
        used += _descend_on(support, (gram, features, rows), state, (l1, l2, sweeps - used, goal))
    return used


@njit
def _descend_on(support, matrix, state, settings):
    """Improve the weights of the features in `support` only; return the number of rounds."""
    gram, features, rows = matrix
    weights, rest, products, squares, total = state
    l1, l2, sweeps, tolerance = settings
    m = len(support)
    compact = np.empty((m, m), np.float32)
    for a in range(m):
        row = rows[support[a]]
        for b in range(m):
            compact[a, b] = row[support[b]]
    found = _at(weights, support)
    inner = (found, _at(rest, support), _at(products, support), _at(squares, support), total)
    small = (gram, _at(features, support), compact, np.ones(m, np.bool_))
    used = 0
    while used < sweeps:
        used += 1
        if not _round(small, inner, l1, l2):
            break
        # Looking at the gap is not for free.
        if used % 3 == 0 and _gap(inner, l1, l2) <= tolerance:
            break
    for a in range(m):
        change = found[a] - weights[support[a]]
        if change != 0.0:
            row = rows[support[a]]
            for b in range(len(rest)):
                rest[b] -= change * row[b]
            weights[support[a]] = found[a]
    return used


@njit
def _round(matrix, state, l1, l2):
    """Minimise over one weight after another and return whether any changed.

    w_a = max(0, (g_a - sum_{b != a} G_ab w_b - l1) / (G_aa + l2)); `rest` holds g - G w, which a
    change of w_a changes by row a of G. Such a row is looked up when w_a changes first.
    """
    gram, features, rows, looked_up = matrix
    weights, rest, _, squares, _ = state
    changed = False
    for a in range(len(features)):
        slope = rest[a] - l1 - l2 * weights[a]
        if slope <= 0.0 and weights[a] == 0.0:
            continue
        new = max(0.0, weights[a] + slope / (squares[a] + l2))
        change = new - weights[a]
        if change == 0.0:
            continue
        row = rows[a]
        if not looked_up[a]:
            looked_up[a] = True
            _look_up(gram, features[a], features, row)
        for b in range(len(features)):
            rest[b] -= change * row[b]
        weights[a] = new
        changed = True
    return changed


@njit
def _gap(state, l1, l2):
    """Return the duality gap in relation to the objective, which bounds the remaining gain.

    For the dual point s (r_.j - R w), the gap is (1 - s)^2 / 2 |r_.j - R w|^2 + sum_a of l2/2 (w_a
    - u_a)^2 + max(0, l1 - s rest_a) w_a, where u_a = max(0, s rest_a - l1) / l2. With l2 = 0, s is
    such that no u_a is positive; otherwise it is 1. With l1 = l2 = 0 only s = 0 would do, which is
    uninformative, and the possible gains of each weight alone are summed.
    """
    weights, rest, products, squares, total = state
    free = l1 == 0.0 and l2 == 0.0
    largest = -np.inf
    for a in range(len(rest)):
        largest = max(largest, rest[a])
    scale = 1.0 if free or l2 > 0.0 or largest <= l1 else l1 / largest
    squared, penalty, gap = total, 0.0, 0.0
    for a in range(len(weights)):
        weight = weights[a]
        slope = scale * rest[a] - l1
        squared -= weight * (products[a] + rest[a])
        penalty += weight * (l1 + 0.5 * l2 * weight)
        if free:
            step = max(-weight, slope / squares[a])
            gap += step * (slope - 0.5 * squares[a] * step)
        elif slope > 0.0 and l2 > 0.0:
            gap += 0.5 * (l2 * weight - slope) ** 2 / l2
        else:
            gap += weight * (0.5 * l2 * weight - min(slope, 0.0))
    # Rounding may make the square of a perfect fit negative.
    loss = 0.5 * max(squared, 0.0)
    gap += (1.0 - scale) ** 2 * loss
    return gap / (loss + penalty) if loss + penalty > 0.0 else gap


@njit
def _multiply(gram, features, weights, n_items):
    """Return the products of all items with the weighted sum of the features."""
    dense, indptr, indices, data = gram
    products = np.zeros(n_items)
    for a in range(len(features)):
        weight, feature = weights[a], features[a]
        if weight == 0.0:
            continue
        if len(dense):
            row = dense[feature]
            for b in range(n_items):
                products[b] += weight * row[b]
        else:
            for x in range(indptr[feature], indptr[feature + 1]):
                products[indices[x]] += weight * data[x]
    return products


@njit
def _look_up(gram, item, features, row):
    """Write the Gram matrix's entries of `item` with `features` to `row`; all are sorted."""
    dense, indptr, indices, data = gram
    if len(dense):
        source = dense[item]
        for b in range(len(features)):
            row[b] = source[features[b]]
        return
    low = indptr[item]
    for b in range(len(features)):
        high = indptr[item + 1]
        while low < high:
            middle = (low + high) // 2
            if indices[middle] < features[b]:
                low = middle + 1
            else:
                high = middle
        found = low < indptr[item + 1] and indices[low] == features[b]
        row[b] = data[low] if found else 0.0
