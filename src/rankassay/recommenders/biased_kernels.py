"""The inner loops of the neighbourhood methods with shrunk cosines.

A `matrix` here is the CSR arrays (indptr, indices, data) of the rows that are compared, those of
its transpose, the squared lengths of the rows, and the shrinkage.
"""

import numpy as np

from rankassay.kernels import njit
from rankassay.selection import largest, nonzero, sort_by


@njit
def _compare(a, matrix, counts, similarities):
    """Write the shrunk cosines of row a with all rows to `similarities`; needs `counts` of 0."""
    (indptr, indices, data), (starts, rows, values), squares, shrinkage = matrix
    similarities[:] = 0.0
    for x in range(indptr[a], indptr[a + 1]):
        column = indices[x]
        for y in range(starts[column], starts[column + 1]):
            counts[rows[y]] += 1
            similarities[rows[y]] += data[x] * values[y]
    for b in range(len(similarities)):
        if counts[b]:
            n = counts[b]
            similarities[b] *= n / ((n + shrinkage) * np.sqrt(squares[a] * squares[b]))
            counts[b] = 0
    similarities[a] = 0.0


@njit
def nearest_rows(matrix, k):
    """Return the k rows of largest similarity of every row, as data, indices and indptr of CSR."""
    (own, columns, _), (starts, _, _), _, _ = matrix
    n = len(own) - 1
    indptr = np.zeros(n + 1, np.int64)
    indices = np.empty(n * k, np.int32)
    data = np.empty(n * k)
    counts, similarities = np.zeros(n, np.int64), np.zeros(n)
    found, values = np.empty(n, np.int64), np.empty(n)
    numbers, space = np.arange(n), np.empty(n, np.int64)
    filled = 0
    for a in range(n):
        most = 0
        for x in range(own[a], own[a + 1]):
            most += starts[columns[x] + 1] - starts[columns[x]]
        if most < n // 8:
            count = _compare_few(a, matrix, counts, similarities, (found, numbers, space))
        else:
            _compare(a, matrix, counts, similarities)
            count = nonzero(similarities, found)
        for x in range(count):
            values[x] = similarities[found[x]]
            similarities[found[x]] = 0.0
        bound, n_equal = 0.0, 0
        if count > k:
            bound, n_equal = largest(values[:count], k)
        for x in range(count):
            if values[x] < bound or (values[x] == bound and n_equal == 0):
                continue
            n_equal -= values[x] == bound
            indices[filled], data[filled] = found[x], values[x]
            filled += 1
        indptr[a + 1] = filled
    return data[:filled], indices[:filled], indptr


@njit
def _compare_few(a, matrix, counts, similarities, arrays):
    """Do as `_compare`, and write the rows that are similar; return how many.

    `similarities` are 0 before, and those that are not afterwards are at the first of `arrays`, in
    order. The others are the numbers of all rows, and space.
    """
    found, numbers, space = arrays
    (indptr, indices, data), (starts, rows, values), squares, shrinkage = matrix
    n_found = 0
    for x in range(indptr[a], indptr[a + 1]):
        column = indices[x]
        for y in range(starts[column], starts[column + 1]):
            b = rows[y]
            if counts[b] == 0:
                found[n_found] = b
                n_found += 1
            counts[b] += 1
            similarities[b] += data[x] * values[y]
    sort_by(numbers, found[:n_found], space)
    kept = 0
    for x in range(n_found):
        b = found[x]
        n = counts[b]
        similarities[b] *= n / ((n + shrinkage) * np.sqrt(squares[a] * squares[b]))
        counts[b] = 0
        if b == a:
            similarities[b] = 0.0
        if similarities[b] != 0.0:
            found[kept] = b
            kept += 1
    return kept


@njit
def sums_of_nearest(matrix, rows, groups, k):
    """Sum up, for each of the rows and each group of residuals, those of the row's k nearest.

    A group is a row of the CSR arrays `groups`; its indices name the rows to compare with. Returns
    float64 (len(rows), number of groups).
    """
    starts, members, residuals = groups
    n = len(matrix[0][0]) - 1
    counts = np.zeros(n, np.int64)
    similarities = np.empty(n)
    sums = np.zeros((len(rows), len(starts) - 1))
    for at in range(len(rows)):
        _compare(rows[at], matrix, counts, similarities)
        for group in range(len(starts) - 1):
            first, last = starts[group], starts[group + 1]
            bound, n_equal = 0.0, last - first
            if last - first > k:
                bound, n_equal = largest(similarities[members[first:last]], k)
            for x in range(first, last):
                value = similarities[members[x]]
                if value > bound or (value == bound and n_equal > 0):
                    n_equal -= value == bound
                    sums[at, group] += value * residuals[x]
    return sums
