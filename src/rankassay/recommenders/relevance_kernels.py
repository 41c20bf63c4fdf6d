"""The kernels of RM1 and RM2, see `relevance_models` for the formulas.

`models` are the arrays of `LanguageModels`: p(i|v) = a(v, i) + b(v) c(i). Rows of `neighbours` are
padded with -1, and `scores` are -inf on entry, a row for each of `users`. Every user is scored
alone and in one order, so that a row depends on no other.
"""

import numpy as np

from rankassay.kernels import njit

# Factors to a logarithm in RM2.
WIDTH = 8
# Products below this are not trusted, since a factor may have vanished.
TINY = 1e-290


@njit
def rm1(users, neighbours, models, gains, scores):
    """Weight the neighbours by their likelihood of the query, relative to the best one's.

    log prod_j p(j|v) = sum_{j in both} gain(v, j) + n_u log b(v) + sum_j log c(j), where the last
    term is of the user alone.
    """
    indptr, items, seen, share, background = models
    asked = np.zeros(len(background), np.bool_)
    for x in range(len(users)):
        query = items[indptr[users[x]] : indptr[users[x] + 1]]
        near = neighbours[users[x]]
        near = near[near >= 0]
        if len(near) == 0:
            continue
        asked[query] = True
        constant = np.log(background[query]).sum()
        weights = len(query) * np.log(share[near])
        for v in range(len(near)):
            for y in range(indptr[near[v]], indptr[near[v] + 1]):
                if asked[items[y]]:
                    weights[v] += gains[y]
        top = weights.max()
        weights = np.exp(weights - top)
        unseen = (weights * share[near]).sum()
        row = scores[x]
        for v in range(len(near)):
            for y in range(indptr[near[v]], indptr[near[v] + 1]):
                i = items[y]
                if asked[i]:
                    continue
                if row[i] == -np.inf:
                    row[i] = background[i] * unseen
                row[i] += weights[v] * seen[y]
        for i in range(len(row)):
            if row[i] != -np.inf:
                row[i] = np.log(row[i]) + top + constant - np.log(len(near))
        asked[query] = False


@njit
def rm2(users, neighbours, models, scores):
    """Take every candidate's sums over the neighbours for all items of the query at once."""
    indptr, items, _, share, background = models
    place = np.full(len(background), -1, np.int64)
    for x in range(len(users)):
        query = items[indptr[users[x]] : indptr[users[x] + 1]]
        near = neighbours[users[x]]
        near = near[near >= 0]
        if len(near) == 0:
            continue
        asked = _asked(query, near, models, place)
        candidates, starts, by, values = _gather(query, near, models, place)
        constant = (len(query) - 1) * np.log(len(background)) - len(query) * np.log(len(near))
        weights = share[near]
        common = background[query]
        own = np.zeros(asked.shape[1])
        for v in range(len(near)):
            own += weights[v] * asked[v]
        own = own[: len(query)] + common * (weights**2).sum()
        sums = np.ones(asked.shape[1])
        for c in range(len(candidates)):
            mixed = 0.0
            for y in range(starts[c], starts[c + 1]):
                mixed += values[y] * weights[by[y]]
            for q in range(len(query)):
                sums[q] = common[q] * mixed + background[candidates[c]] * own[q]
            for y in range(starts[c], starts[c + 1]):
                value, row = values[y], asked[by[y]]
                for q in range(len(sums)):
                    sums[q] += value * row[q]
            scores[x, candidates[c]] = constant + _log_product(sums)


@njit
def _asked(query, near, models, place):
    """Return a(v, j) for the items j of the query, and zeros up to a multiple of WIDTH columns.

    `place` is -1 throughout, before and after.
    """
    indptr, items, seen, _, _ = models
    asked = np.zeros((len(near), (len(query) + WIDTH - 1) // WIDTH * WIDTH))
    for q in range(len(query)):
        place[query[q]] = q
    for v in range(len(near)):
        for y in range(indptr[near[v]], indptr[near[v] + 1]):
            if place[items[y]] >= 0:
                asked[v, place[items[y]]] = seen[y]
    place[query] = -1
    return asked


@njit
def _gather(query, near, models, place):
    """Return the candidates, and a(v, i) for these as CSR arrays with a row for each candidate.

    `place` is -1 throughout, before and after.
    """
    indptr, items, seen, _, background = models
    place[query] = -2
    candidates = np.empty(len(background), np.int64)
    starts = np.zeros(len(background) + 1, np.int64)
    count = 0
    for v in near:
        for i in items[indptr[v] : indptr[v + 1]]:
            if place[i] == -1:
                place[i] = count
                candidates[count] = i
                count += 1
            if place[i] >= 0:
                starts[place[i] + 1] += 1
    starts = np.cumsum(starts[: count + 1])
    ends = starts.copy()
    by, values = np.empty(starts[-1], np.int64), np.empty(starts[-1])
    for v in range(len(near)):
        for y in range(indptr[near[v]], indptr[near[v] + 1]):
            row = place[items[y]]
            if row >= 0:
                by[ends[row]], values[ends[row]] = v, seen[y]
                ends[row] += 1
    place[query] = -1
    place[candidates[:count]] = -1
    return candidates[:count], starts, by, values


@njit
def _log_product(factors):
    """Return the logarithm of a product, of WIDTH factors at a time unless these vanish."""
    total = 0.0
    for first in range(0, len(factors), WIDTH):
        product = 1.0
        for q in range(WIDTH):
            product *= factors[first + q]
        if product > TINY:
            total += np.log(product)
        else:
            for q in range(WIDTH):
                total += np.log(factors[first + q])
    return total
