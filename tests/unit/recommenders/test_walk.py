import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from rankassay.recommenders import walk
from rankassay.recommenders.sparse import shares
from rankassay.recommenders.walk import WIDTH, columns, inverse, multiply, slow_modes, tiles


def edges_of(n_users, n_items, density=0.2, seed=0):
    rng = np.random.default_rng(seed)
    shape = (n_users, n_items)
    return sp.csr_matrix(rng.integers(1, 6, shape) * (rng.random(shape) < density) * 1.0)


def components(edges):
    return connected_components(sp.bmat([[None, edges], [edges.T, None]], "csr"))[1]


def modes_of(edges, count):
    weights = (np.asarray(edges.sum(axis=axis)).ravel() for axis in (1, 0))
    return slow_modes(edges, tuple(weights), components(edges), count)


def walk_of(edges):
    """The dense matrix of the steps from user to user, rows without ratings left at zero."""
    dense = edges.toarray()
    forth = dense / np.maximum(dense.sum(axis=1, keepdims=True), 1e-300)
    return forth @ (dense / np.maximum(dense.sum(axis=0), 1e-300)).T


@pytest.mark.slow
@pytest.mark.parametrize("kept", [np.float32, np.float64])
def test_products_are_those_of_scipy(kept):
    matrix = edges_of(57, 31)
    by, out = columns(31, kept), columns(57, np.float64)
    by[:] = np.random.default_rng(1).standard_normal(by.shape)
    multiply((matrix,), by, out)
    np.testing.assert_array_equal(out, matrix @ by.astype(np.float64))
    rounded = columns(57, np.float32)
    multiply((matrix,), by, rounded)
    np.testing.assert_array_equal(rounded, out.astype(np.float32))
    np.testing.assert_array_equal(columns(5, kept), np.zeros((5, WIDTH)))
    assert columns(5, kept).dtype == kept
    assert columns(5, kept).ctypes.data % walk.LINE == 0


@pytest.mark.parametrize("tile", [1, 4, 30])
def test_tiles_change_no_bit_of_a_product(monkeypatch, tile):
    monkeypatch.setattr(walk, "TILE", tile)
    matrix = shares(edges_of(57, 31))
    assert len(tiles(matrix)) == 1  # too few entries
    monkeypatch.setattr(walk, "DENSE_ROW", 0)
    several = tiles(matrix)
    assert len(several) == -(-31 // tile)
    by, out, whole = (columns(n, np.float64) for n in (31, 57, 57))
    by[:] = np.random.default_rng(1).standard_normal(by.shape)
    out[:] = np.nan  # anything that was there before
    multiply(several, by, out)
    multiply((matrix,), by, whole)
    np.testing.assert_array_equal(out, whole)


@pytest.mark.parametrize("dense", [0, 200], ids=["lanczos", "dense"])
@pytest.mark.parametrize("shape", [(60, 90), (90, 60)], ids=["more items", "more users"])
def test_slow_modes_are_the_eigenvalues_of_the_walk(shape, dense, monkeypatch):
    monkeypatch.setattr(walk, "DENSE", dense)
    parts = edges_of(*shape), sp.csr_matrix((1, 1)), edges_of(9, 8)
    edges = sp.csr_matrix(sp.block_diag([*map(sp.csr_array, parts)]))
    found, vectors = modes_of(edges, 7)
    everything = np.sort(np.linalg.eigvals(walk_of(edges)).real)[::-1]
    # Each component with an edge has the eigenvalue 1 once.
    ones = len(np.unique(components(edges)[: edges.shape[0]][np.diff(edges.indptr) > 0]))
    np.testing.assert_allclose(everything[:ones], 1.0)
    np.testing.assert_allclose(found, everything[ones : ones + 7], rtol=1e-6)
    root = np.sqrt(np.asarray(edges.sum(axis=1)).ravel())
    inside = root > 0
    right = vectors[inside] / root[inside, None]
    np.testing.assert_allclose(
        walk_of(edges)[np.ix_(inside, inside)] @ right, right * found, atol=1e-4
    )
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(7), atol=1e-3)


def test_there_are_no_more_modes_than_the_rank():
    edges = edges_of(30, 4, density=1.0)
    found, vectors = modes_of(edges, 12)
    assert len(found) == 3
    assert vectors.shape == (30, 3)


@pytest.mark.parametrize("upto", [0.0, 0.03, 0.4, 0.9, 0.999])
@pytest.mark.parametrize("most", [0, 1, 4, 50])
def test_inverses_are_the_nearest_polynomials_and_no_longer_than_needed(upto, most):
    x = upto * (1 - np.cos(np.linspace(0, np.pi, 20_001))) / 2  # dense at the ends
    found = np.polynomial.Polynomial(inverse(upto, 1e-4, most))
    off = found(x) * (1 - x) - 1  # as a share of 1 / (1 - x)
    largest = np.abs(off).max()
    if (upto, most) == (0.999, 50):  # float64 does not bear what it would take
        assert 1e-4 < largest < 1
        assert 1e-4 / 6 < np.abs(found.coef).sum() * 2.0**-53 <= 1e-4
    else:
        assert largest <= 1e-4 * 1.001 or found.degree() == most
    if found.degree():
        shorter = np.polynomial.Polynomial(inverse(upto, 1e-4, found.degree() - 1))
        assert np.abs(shorter(x) * (1 - x) - 1).max() > 1e-4
    # Chebyshev: nearest is what is off by the same, with signs in turn, at degree + 2 points.
    if largest > 1e-8:
        signs = np.sign(off[np.abs(off) >= 0.999 * largest])
        assert 1 + np.count_nonzero(np.diff(signs)) == found.degree() + 2
