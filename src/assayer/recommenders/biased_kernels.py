"""The inner loops of the neighbourhood methods with shrunk cosines.

A `matrix` here is the CSR arrays (indptr, indices, data) of the rows that are compared, those of
its transpose, the squared lengths of the rows, and the shrinkage.
"""

import numba
import numpy as np

from assayer.selection import select


@numba.njit(cache=True)
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


@numba.njit(cache=True)
def _bound(values, k):
    """Return the k-th largest value, and how many of the values equal to it are among the k."""
    bound = select(values.copy(), len(values) - k)
    return bound, k - np.sum(values > bound)


@numba.njit(cache=True)
def nearest_rows(matrix, k):
    """Return the k rows of largest similarity of every row, as data, indices and indptr of CSR."""
    n = len(matrix[0][0]) - 1
    indptr = np.zeros(n + 1, np.int64)
    indices = np.empty(n * k, np.int32)
    data = np.empty(n * k)
    counts = np.zeros(n, np.int64)
    similarities = np.empty(n)
    filled = 0
    for a in range(n):
        _compare(a, matrix, counts, similarities)
        bound, n_equal = _bound(similarities, k)
        for b in range(n):
            value = similarities[b]
            if value == 0.0 or value < bound or (value == bound and n_equal == 0):
                continue
            n_equal -= value == bound
            indices[filled], data[filled] = b, value
            filled += 1
        indptr[a + 1] = filled
    return data[:filled], indices[:filled], indptr


@numba.njit(cache=True)
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
                bound, n_equal = _bound(similarities[members[first:last]], k)
            for x in range(first, last):
                value = similarities[members[x]]
                if value > bound or (value == bound and n_equal > 0):
                    n_equal -= value == bound
                    sums[at, group] += value * residuals[x]
    return sums
