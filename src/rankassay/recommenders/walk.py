"""Steps of a random walk, taken for several starts at once, and how fast it forgets them."""

import contextlib
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numba
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from numpy.polynomial import Chebyshev, Polynomial

from rankassay.kernels import njit
from rankassay.recommenders.sparse import arrays
from rankassay.seeds import generator
from rankassay.types import Floats, Integers

WIDTH = 16  # starts per product: as many sums as the registers hold, and rows that fit the cache
LINE = 64  # bytes of a line of the cache
TILE = 32_768  # rows of the factor that a cache holds: 2 MB in float32
DENSE_ROW = 32  # entries of a row in a tile from which it pays to come back to the row
DENSE = 200  # users or items up to which a dense decomposition is as good


def columns(n: int, dtype: npt.DTypeLike) -> npt.NDArray[np.floating]:
    """Return zeros, (n, WIDTH), of which no row begins within a line of the cache."""
    size = np.dtype(dtype).itemsize
    space = np.zeros(n * WIDTH + LINE // size, dtype)
    first = -space.ctypes.data % LINE // size
    return space[first : first + n * WIDTH].reshape(n, WIDTH)


def tiles(matrix: sp.csr_matrix) -> tuple[sp.csr_matrix, ...]:
    """Return a matrix as `multiply` takes it: whole, or cut into matrices of `TILE` columns each.

    Cut into tiles, each entry finds its factor in the cache, but each row is visited once a tile.
    At the size of MovieLens 25M that saves a tenth of the time with the items' matrix in float32,
    and half in float64.
    """
    bounds = [*range(0, matrix.shape[1], TILE), matrix.shape[1]]
    if len(bounds) < 3 or matrix.nnz < DENSE_ROW * matrix.shape[0] * (len(bounds) - 1):
        return (matrix,)
    return tuple(matrix[:, first:last] for first, last in pairwise(bounds))


def multiply(matrices: Sequence[sp.csr_matrix], by: Floats, out: Floats) -> None:
    """Write the product of a sparse matrix, (m, n), and `by`, (n, WIDTH), into `out`, (m, WIDTH).

    The matrix is given as `tiles` of its columns. Each sum is taken in float64 and in the order of
    the row's entries, so that equal rows get equal sums, which do not depend on the tiles.
    """
    exact = len(matrices) == 1 or out.dtype == np.float64
    sums = out if exact else columns(len(out), np.float64)
    first = 0
    with _sums_in_one_register():
        for matrix in matrices:
            last = first + matrix.shape[1]
            _multiply(*arrays(matrix), by[first:last], sums, first > 0)
            first = last
    if sums is not out:
        out[:] = sums


@contextlib.contextmanager
def _sums_in_one_register() -> Iterator[None]:
    """Have numba vectorise adjacent sums, which by default it does not.

    It changes no bit of them, and makes `_multiply` two to three times as fast.
    """
    before = numba.config.SLP_VECTORIZE
    numba.config.SLP_VECTORIZE = 1
    try:
        yield
    finally:
        numba.config.SLP_VECTORIZE = before


@njit
def _multiply(starts, indices, values, by, out, more):
    for row in range(len(starts) - 1):
        if more and starts[row] == starts[row + 1]:
            continue
        # An index without a sign needs no look at whether it counts from the end.
        own = out[np.uint64(row)]
        sums = (0.0,) * 16
        if more:  # continue from the sums of the tiles before
            sums = _plus(sums, 1.0, own)
        for entry in range(starts[row], starts[row + 1]):
            sums = _plus(sums, values[entry], by[np.uint64(indices[entry])])
        for column in range(16):
            own[column] = sums[column]


# fmt: off
@njit
def _plus(a, w, x):
    """Return a + w x; written out, as only so the sums stay in registers."""
    return (
        a[0] + w * x[0], a[1] + w * x[1], a[2] + w * x[2], a[3] + w * x[3],
        a[4] + w * x[4], a[5] + w * x[5], a[6] + w * x[6], a[7] + w * x[7],
        a[8] + w * x[8], a[9] + w * x[9], a[10] + w * x[10], a[11] + w * x[11],
        a[12] + w * x[12], a[13] + w * x[13], a[14] + w * x[14], a[15] + w * x[15],
    )
# fmt: on


@njit
def two_steps(items, edges, starts, indices, values, weights, out):
    """Write how often two steps from each user lead to one of them, who has few items.

    That one has `edges` to `items`, whose steps to users are the rows of a sparse matrix; `weights`
    are the users' sums of edges.
    """
    reached = np.zeros(len(out))
    for k in range(len(items)):
        for entry in range(starts[items[k]], starts[items[k] + 1]):
            reached[np.uint64(indices[entry])] += edges[k] * values[entry]
    for user in range(len(out)):
        out[user] = reached[user] / weights[user] if weights[user] > 0.0 else 0.0


@njit
def spread(found, place, component, of_users, out):
    """Write the rows of `found` at the places of the items as columns of `out`, a row a user.

    An item of another connected component than the user's gets -inf. Items are taken few at a
    time, so that their rows are in the cache for all users.
    """
    for first in range(0, len(place), 64):
        last = min(first + 64, len(place))
        for user in range(len(out)):
            row = out[user]
            for item in range(first, last):
                connected = component[item] == of_users[user]
                row[item] = found[np.uint64(place[item]), user] if connected else -np.inf


def slow_modes(
    edges: sp.csr_matrix, weights: tuple[Floats, Floats], component: Integers, count: int
) -> tuple[Floats, Floats]:
    """Return the slowest modes of a walk from user to user by way of an item.

    With W and V the diagonals of the `weights`, the sums over the edges of users and items, the
    walk is similar to W^-1/2 edges V^-1 edges^T W^-1/2, whose eigenvalues lie between 0 and 1.
    Each connected component, which is given for users and then items, has the eigenvalue 1 once,
    for its stationary mode; it is excluded. The others are in descending order, (k,), with
    eigenvectors (n_users, k).
    """
    users, items = weights
    scaled = sp.diags_array(_root_inverse(users)) @ edges @ sp.diags_array(_root_inverse(items))
    scaled = scaled.tocsr()
    if edges.shape[0] <= edges.shape[1]:
        return _largest(scaled, users, component[: len(users)], count)
    values, vectors = _largest(scaled.T.tocsr(), items, component[len(users) :], count)
    return values, scaled @ vectors / np.sqrt(values)


def _root_inverse(weights: Floats) -> Floats:
    return np.divide(1.0, np.sqrt(weights), out=np.zeros(len(weights)), where=weights > 0)


def _largest(
    scaled: sp.csr_matrix, weights: Floats, component: Integers, count: int
) -> tuple[Floats, Floats]:
    """Return the largest positive eigenvalues of A A^T but the ones, and their vectors."""
    n = len(weights)
    total = np.bincount(component, weights)[component]
    fixed = np.sqrt(np.divide(weights, total, out=np.zeros(n), where=total > 0))
    # The vectors of the eigenvalue 1 have no entries in common, so one array holds them all.
    constant = sp.csr_matrix((fixed, (np.arange(n), component)))
    if n <= max(DENSE, count):
        values, vectors = np.linalg.eigh((scaled @ scaled.T - constant @ constant.T).toarray())
    else:
        transposed = scaled.T.tocsr()
        walk = sp.linalg.LinearOperator(
            (n, n),
            lambda x: scaled @ (transposed @ x) - constant @ (constant.T @ x),
            dtype=np.float64,
        )
        start = generator(0, "walk").standard_normal(n)
        values, vectors = sp.linalg.eigsh(walk, count, v0=start, tol=1e-4)
    kept = np.argsort(-values)[:count]
    kept = kept[values[kept] > 1e-9]
    return values[kept], vectors[:, kept]


def inverse(upto: float, error: float, most: int) -> Floats:
    """Return the coefficients of a polynomial that is a share `error` off 1 / (1 - x) on [0, upto].

    It is the nearest one, by the largest share, of the lowest degree that is so near, or of degree
    `most` if none up to there is. Coefficients are of both signs and grow fast with the degree, so
    that it is no higher than their sums hold to `error` in float64.

    Notes
    -----
    With b = `upto`, x = b (1 + t) / 2 and z = 2 / b - 1, 1 / (1 - x) = (2 / b) / (z - t). The
    polynomial of degree n that has its values at the zeros of T_n+1 is off by the share
    T_n+1(t) / T_n+1(z), which has its largest size, 1 / T_n+1(z), with alternating signs, at n + 2
    points: by Chebyshev's theorem no other one is nearer.
    """
    b = max(upto, 1e-9)
    found = np.ones(1)
    for degree in range(most + 1):
        near = Chebyshev.interpolate(lambda x: 1.0 / (1.0 - x), degree, [0.0, b])
        coefficients = near.convert(kind=Polynomial).coef
        if np.abs(coefficients).sum() * 2.0**-53 > error:
            break
        found = coefficients
        if 1.0 / np.cosh((degree + 1) * np.arccosh(2.0 / b - 1.0)) <= error:
            break
    return found
