"""The nearest rows of a matrix, for the neighbourhood methods."""

import numba
import numpy as np
import scipy.sparse as sp

from assayer.errors import AssayerError
from assayer.recommenders.sparse import arrays, has_entries
from assayer.types import Floats, Integers32

Neighbours = tuple[Integers32, Floats]
FEW = 64  # products of which it is first asked whether any may be among the best


def cosine_neighbours(
    matrix: sp.csr_matrix, k: int, documents: sp.csr_matrix | None = None
) -> Neighbours:
    """Return the k rows of largest cosine for every row; transpose for the columns.

    cos(a, b) = sum_c m(a, c) m(b, c) / (|m(a)| |m(b)|), over the rows filled up with zeros, as in
    Sarwar et al. (WWW 2001), section 3.1. A row is no neighbour of itself, and neither is a row
    that shares no column with it.

    Parameters
    ----------
    matrix : CSR (n, n_columns)
        Positive entries.
    k : int
        The number of neighbours asked for, at least 1.
    documents : CSR (n, n_columns)
        The rows that may be neighbours, if they are not those of `matrix`. Row a stands for the
        same thing in both.

    Returns
    -------
    neighbours : int32 (n, k)
        By decreasing cosine, ties by index; padded with -1 where fewer rows share a column.
    similarities : float64 (n, k)
        The cosines, padded with 0.

    Notes
    -----
    Takes sum_c n_c^2 multiply-adds, n_c being the entries of column c, and memory for one row.
    """
    documents = matrix if documents is None else documents
    # Dividing dot^2 by |b|^2 instead of dot by |b| keeps ties exact: for ratings both are exact in
    # float64, so that equal cosines give equal keys whatever the lengths of the rows.
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
        raise AssayerError(f"expected at least 1 neighbour, found {k}.")
    if queries.shape != documents.shape:
        raise AssayerError(
            f"expected matrices of one shape, found {queries.shape} and {documents.shape}."
        )
    for matrix in (queries, documents):
        if matrix.nnz and matrix.data.min() <= 0:
            raise AssayerError(
                f"neighbourhoods expect positive entries, found {matrix.data.min()}; "
                "shift the ratings."
            )
    return _nearest(arrays(queries), arrays(documents.T.tocsr()), (squares, offsets), k)


@numba.njit(cache=True)
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
    touched = np.empty(n, np.int64)
    for a in range(n):
        total, most = 0.0, 0
        for x in range(indptr[a], indptr[a + 1]):
            total += np.float64(data[x])
            most += starts[indices[x] + 1] - starts[indices[x]]
        if most < n // 8:
            count = _add_few(a, queries, columns, dots, touched)
            size = _keep_few(a, total, dots, touched[:count], options, neighbours[a], keys[a])
        else:
            _add(a, queries, columns, dots)
            dots[a] = 0.0
            size = _keep(total, dots, options, neighbours[a], keys[a])
        _sort(neighbours[a], keys[a], size)
    return neighbours, keys


@numba.njit(cache=True)
def _add(a, queries, columns, dots):
    """Add the inner products of a row with all rows."""
    (indptr, indices, data), (starts, rows, values) = queries, columns
    for x in range(indptr[a], indptr[a + 1]):
        weight = np.float64(data[x])
        for y in range(starts[indices[x]], starts[indices[x] + 1]):
            # An index without a sign needs no look at whether it counts from the end.
            dots[np.uint64(rows[y])] += weight * values[y]


@numba.njit(cache=True)
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


@numba.njit(cache=True)
def _keep_few(a, total, dots, touched, options, heap, keys):
    """Make a heap of the best of some rows, without row a, and clear their products."""
    size = 0
    for b in touched:
        key = _key(dots[b], total, b, options)
        dots[b] = 0.0
        if b != a and (size < len(heap) or key >= keys[0]):
            size = _offer(heap, keys, size, b, key)
    return size


@numba.njit(cache=True)
def _keep(total, dots, options, heap, keys):
    """Make a heap of the best of the rows with a product, and clear the products."""
    size = 0
    for first in range(0, len(dots), FEW):
        part = dots[first : first + FEW]
        if size == len(heap) and not _promising(part, total, first, options, keys[0]):
            continue
        for at in range(len(part)):
            if part[at] == 0.0:
                continue
            key = _key(part[at], total, first + at, options)
            if size < len(heap) or key >= keys[0]:
                size = _offer(heap, keys, size, first + at, key)
    dots[:] = 0.0
    return size


@numba.njit(cache=True)
def _promising(part, total, first, options, worst):
    """Say whether a key may be no worse: the compiler compares several at a time, and divides none.

    A quotient is further below the worst key than rounding could bring it if it seems so here.
    """
    squares, offsets = options
    n = 0
    if len(squares):
        own, bound = squares[first : first + len(part)], worst * (1.0 - 1e-9)
        for at in range(len(part)):
            n += part[at] * part[at] >= bound * own[at]
    elif len(offsets):
        own = offsets[first : first + len(part)]
        for at in range(len(part)):
            n += part[at] + total * own[at] >= worst
    else:
        for at in range(len(part)):
            n += part[at] >= worst
    return n > 0


@numba.njit(cache=True)
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


@numba.njit(cache=True)
def _worse(b, key, c, other):
    """Say whether row b with this key comes after row c with the other key."""
    return key < other or (key == other and b > c)


@numba.njit(cache=True)
def _offer(heap, keys, size, b, key):
    """Offer row b to the heap of the best rows, its worst on top; return the heap's new size."""
    if size < len(heap):
        at = size
        while at > 0 and _worse(b, key, heap[(at - 1) // 2], keys[(at - 1) // 2]):
            heap[at], keys[at] = heap[(at - 1) // 2], keys[(at - 1) // 2]
            at = (at - 1) // 2
        heap[at], keys[at] = b, key
        return size + 1
    if _worse(heap[0], keys[0], b, key):
        _sink(heap, keys, size, b, key)
    return size


@numba.njit(cache=True)
def _sink(heap, keys, size, b, key):
    """Put row b on the heap's top, whose row is dropped, and let it sink to its place."""
    at = 0
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and _worse(heap[child + 1], keys[child + 1], heap[child], keys[child]):
            child += 1
        if not _worse(heap[child], keys[child], b, key):
            break
        heap[at], keys[at] = heap[child], keys[child]
        at = child
    heap[at], keys[at] = b, key


@numba.njit(cache=True)
def _sort(heap, keys, size):
    """Turn the heap into a list, best first, by moving its worst row to the end repeatedly."""
    for last in range(size - 1, 0, -1):
        worst, key = heap[0], keys[0]
        _sink(heap, keys, last, heap[last], keys[last])
        heap[last], keys[last] = worst, key
