"""The nearest rows of a matrix, for the neighbourhood methods."""

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.kernels import njit
from rankassay.recommenders.sparse import arrays, has_entries
from rankassay.selection import largest, nonzero, sort_by
from rankassay.types import Floats, Integers32

Neighbours = tuple[Integers32, Floats]


def cosine_neighbours(
    matrix: sp.csr_matrix, k: int, documents: sp.csr_matrix | None = None
) -> Neighbours:
    """Return the k rows of largest cosine for every row, and the cosines, both (n, k).

    Over the rows filled up with zeros, as in Sarwar et al. (WWW 2001), section 3.1. A row is no
    neighbour of itself, and neither is one that shares no column with it; ties are by index, and
    places without a neighbour hold -1 and 0. The rows that may be neighbours are those of
    `documents`, if they are not those of `matrix`: row a is the same user or item in both.
    """
    documents = matrix if documents is None else documents
    # Dividing dot^2 by |b|^2 instead of dot by |b| keeps ties exact: for ratings both are exact in
    # float64, so that equal cosines give equal keys for rows of any lengths.
    neighbours, keys = _checked(matrix, documents, k, squares_of(documents), np.empty(0))
    with np.errstate(invalid="ignore", divide="ignore"):
        similarities = np.sqrt(keys / squares_of(matrix)[:, None])
    return neighbours, np.where(neighbours >= 0, similarities, 0.0)


def squares_of(matrix: sp.csr_matrix) -> Floats:
    """Return the squared lengths of the rows, float64 (n,)."""
    return np.asarray(matrix.astype(np.float64).power(2).sum(axis=1)).ravel()


def neighbours_of_profiles(
    near: Integers32, train: sp.csr_matrix, profiles: sp.csr_matrix
) -> Integers32:
    """Return `near`, (n, k), with the users of largest cosine in training for each profile."""
    found, _ = cosine_neighbours(profiles, near.shape[1], train)
    return np.where(has_entries(profiles)[:, None], found, near)


def product_neighbours(
    queries: sp.csr_matrix, documents: sp.csr_matrix, k: int, offsets: Floats | None = None
) -> Neighbours:
    """Return the k rows of `documents` of largest inner product for every row of `queries`.

    Both have the same shape, and row a stands for the same thing in both, so it is left out.
    Otherwise this works like `cosine_neighbours`, with inner products as similarities.

    With `offsets`, one for each document, the similarity is the inner product with the document
    after this number was added to all of its entries, the zeros included. Documents that share no
    column with the query are no neighbours then either, and similarities may be negative.
    """
    nothing = np.empty(0)
    return _checked(queries, documents, k, nothing, nothing if offsets is None else offsets)


def _checked(
    queries: sp.csr_matrix, documents: sp.csr_matrix, k: int, squares: Floats, offsets: Floats
) -> Neighbours:
    """Check the input, as the kernel would otherwise write out of bounds."""
    if k < 1:
        raise RankassayError(f"expected at least 1 neighbour, found {k}.")
    if queries.shape != documents.shape:
        raise RankassayError(
            f"expected matrices of one shape, found {queries.shape} and {documents.shape}."
        )
    for matrix in (queries, documents):
        if matrix.nnz and matrix.data.min() <= 0:
            raise RankassayError(
                f"neighbourhoods expect positive entries, found {matrix.data.min()}; "
                "shift the ratings."
            )
    indptr, indices, data = arrays(queries)
    # The loop is compiled for one type, as the values are read just once.
    rows = indptr, indices, data.astype(np.float64, copy=False)
    return _nearest(rows, arrays(documents.T.tocsr()), (squares, offsets), k)


@njit
def _nearest(queries, columns, options, k):
    """Accumulate each row's inner products with all rows in a dense array, and keep the best k.

    `queries` are CSR arrays of the rows and `columns` those of the transposed documents. For
    `options`, see `_key`. Which rows have a product is noted if these are surely few.
    """
    indptr, indices, data = queries
    starts = columns[0]
    n = len(indptr) - 1
    neighbours = np.full((n, k), -1, np.int32)
    keys = np.zeros((n, k))
    dots = np.zeros(n)
    found, values, order = np.empty(n, np.int64), np.empty(n), np.empty(n, np.int64)
    for a in range(n):
        total, most = 0.0, 0
        for x in range(indptr[a], indptr[a + 1]):
            total += np.float64(data[x])
            most += starts[indices[x] + 1] - starts[indices[x]]
        few = most < n // 8
        if few:
            count = _add_few(a, queries, columns, dots, found)
        else:
            _add(a, queries, columns, dots)
            count = nonzero(dots, found)
        count = _take((a, total), dots, found[:count], options, values)
        if count > k:
            count = _cut(found[:count], values[:count], k)
        chosen = order[:count]
        _sort(found[:count], values[:count], chosen, few)
        for place in range(min(count, k)):
            neighbours[a, place] = found[chosen[place]]
            keys[a, place] = values[chosen[place]]
    return neighbours, keys


@njit
def _add(a, queries, columns, dots):
    """Add the inner products of a row with all rows."""
    (indptr, indices, data), (starts, rows, values) = queries, columns
    for x in range(indptr[a], indptr[a + 1]):
        weight = np.float64(data[x])
        for y in range(starts[indices[x]], starts[indices[x] + 1]):
            # An index without a sign needs no look at whether it counts from the end.
            dots[np.uint64(rows[y])] += weight * values[y]


@njit
def _add_few(a, queries, columns, dots, touched):
    """Do the same and note which rows have a product; return how many these are."""
    (indptr, indices, data), (starts, rows, values) = queries, columns
    count = 0
    for x in range(indptr[a], indptr[a + 1]):
        weight = np.float64(data[x])
        for y in range(starts[indices[x]], starts[indices[x] + 1]):
            b = rows[y]
            if dots[b] == 0.0:
                touched[count] = b
                count += 1
            dots[b] += weight * values[y]
    return count


@njit
def _take(query, dots, found, options, values):
    """Write the keys of the rows found, without the query's own; return how many, clear `dots`."""
    a, total = query
    count = 0
    for b in found:
        found[count], values[count] = b, _key(dots[b], total, b, options)
        count += b != a
        dots[b] = 0.0
    return count


@njit
def _key(dot, total, b, options):
    """Return the key by which document b is sorted.

    At least one of the two options is empty. With the squared lengths of the documents the key is
    dot^2 / square, with their offsets dot + total * offset, where total is the sum of the query.
    """
    squares, offsets = options
    if len(squares):
        return dot * dot / squares[b]
    if len(offsets):
        return dot + total * offsets[b]
    return dot


@njit
def _cut(found, values, k):
    """Move the rows to the front that are no worse than the k-th best; return how many."""
    bound, _ = largest(values, k)
    count = 0
    for x in range(len(found)):
        value = values[x]
        found[count], values[count] = found[x], value
        count += value >= bound
    return count


@njit
def _sort(found, values, order, few):
    """Write the places of the rows by decreasing value, ties by index, by which few are not yet."""
    space = np.empty_like(order)
    for x in range(len(order)):
        order[x] = x
    if few:
        sort_by(found, order, space)
    sort_by(-values, order, space)
