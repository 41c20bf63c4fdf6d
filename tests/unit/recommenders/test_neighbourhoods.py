import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.recommenders.neighbourhoods import cosine_neighbours, product_neighbours


def ratings(n_rows, n_columns, density, seed):
    rng = np.random.default_rng(seed)
    dense = rng.integers(1, 6, (n_rows, n_columns)) * (rng.random((n_rows, n_columns)) < density)
    return sp.csr_matrix(dense.astype(np.float32))


def brute_force(similarities, keys, k):
    """Sort each row of a full similarity matrix by decreasing key, then by index."""
    n = len(similarities)
    neighbours, values = np.full((n, k), -1), np.zeros((n, k))
    for a in range(n):
        order = sorted(
            (b for b in range(n) if b != a and keys[a, b] > 0), key=lambda b: -keys[a, b]
        )
        for place, b in enumerate(order[:k]):
            neighbours[a, place], values[a, place] = b, similarities[a, b]
    return neighbours, values


def cosines(matrix):
    dense = matrix.toarray().astype(np.float64)
    squares = (dense**2).sum(axis=1)
    safe = np.where(squares > 0, squares, 1)
    dots = dense @ dense.T
    return dots / np.sqrt(np.outer(safe, safe)), dots**2 / safe


@pytest.mark.parametrize("k", [1, 3, 10, 39, 60])
@pytest.mark.parametrize("density", [0.03, 0.2, 0.9])
def test_rows_and_columns_equal_brute_force(k, density):
    matrix = ratings(40, 25, density, seed=k)
    for oriented in (matrix, matrix.T.tocsr()):
        neighbours, similarities = cosine_neighbours(oriented, k)
        expected, values = brute_force(*cosines(oriented), k)
        assert neighbours.dtype == np.int32
        assert similarities.dtype == np.float64
        np.testing.assert_array_equal(neighbours, expected)
        np.testing.assert_allclose(similarities, values, rtol=1e-14, atol=0)


@pytest.mark.slow
@pytest.mark.parametrize("density", [0.002, 0.02, 0.3])
def test_many_rows_equal_brute_force_whether_few_of_them_or_most_share_a_column(density):
    matrix = ratings(900, 30, density, seed=4)
    most = (matrix > 0) @ np.diff(matrix.tocsc().indptr)
    assert (most.max() < 900 // 8) == (most.min() < 900 // 8) == (density < 0.1)
    neighbours, _ = cosine_neighbours(matrix, 20)
    np.testing.assert_array_equal(neighbours, brute_force(*cosines(matrix), 20)[0])
    products = (matrix @ matrix.T).toarray().astype(np.float64)
    found = product_neighbours(matrix, matrix, 20)
    for own, expected in zip(found, brute_force(products, products, 20), strict=True):
        np.testing.assert_array_equal(own, expected)
    # Offsets from 1 to 3 keep all keys above 0 where there is a product.
    offsets = 1.0 + np.arange(900) % 3
    totals = np.asarray(matrix.sum(axis=1, dtype=np.float64))
    keys = np.where(products > 0, products + totals * offsets, 0.0)
    found = product_neighbours(matrix, matrix, 20, offsets)
    for own, expected in zip(found, brute_force(keys, keys, 20), strict=True):
        np.testing.assert_array_equal(own, expected)


def test_ties_are_by_index_even_between_rows_of_different_length():
    # Rows 1 to 4 are parallel: their cosine with row 0 is the same for any length.
    rows = [[1, 2, 0], [3, 0, 0], [1, 0, 0], [5, 0, 0], [4, 0, 0], [0, 0, 1]]
    neighbours, similarities = cosine_neighbours(sp.csr_matrix(np.float32(rows)), 3)
    assert neighbours[0].tolist() == [1, 2, 3]
    np.testing.assert_allclose(similarities[0], 1 / np.sqrt(5), rtol=1e-15)
    assert neighbours[5].tolist() == [-1, -1, -1]


def test_products_are_of_queries_with_documents():
    queries, documents = ratings(30, 20, 0.3, seed=1), ratings(30, 20, 0.3, seed=2)
    products = (queries @ documents.T).toarray().astype(np.float64)
    neighbours, similarities = product_neighbours(queries, documents, 5)
    expected, values = brute_force(products, products, 5)
    np.testing.assert_array_equal(neighbours, expected)
    np.testing.assert_array_equal(similarities, values)


def test_what_the_kernel_cannot_take_is_refused():
    matrix = ratings(5, 4, 0.9, seed=0)
    with pytest.raises(RankassayError, match="at least 1 neighbour, found 0"):
        cosine_neighbours(matrix, 0)
    with pytest.raises(RankassayError, match="one shape"):
        product_neighbours(matrix, matrix[:3], 2)
    with pytest.raises(RankassayError, match="positive entries, found -"):
        cosine_neighbours(-matrix, 2)
