"""The split of each user's ratings into training and test."""

import numpy as np
import scipy.sparse as sp

from assayer.errors import AssayerError, one_of
from assayer.seeds import generator
from assayer.types import Booleans

ROUNDINGS = ("floor", "nearest")


def split(
    matrix: sp.csr_matrix, test_fraction: float, rounding: str, seed: int
) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """Put a random part of each user's ratings aside for testing.

    A user with n ratings keeps n - t of them for training, where t is `test_fraction * n` rounded
    down ("floor") or to the nearest whole number with halves up ("nearest"), but never all n.
    With 80/20 and "floor" users with fewer than five ratings have no test ratings.

    Raises AssayerError when no user has enough ratings to put one aside.

    Parameters
    ----------
    matrix : CSR (n_users, n_items)
        Ratings, indices sorted.
    test_fraction : float
        Between 0 and 1; 0.2 in Valcarce et al., RecSys 2018, section 5.
    rounding : {"floor", "nearest"}

    Returns
    -------
    train, test : float32 (n_users, n_items)
        Disjoint, indices sorted; together they hold every rating.
    """
    one_of("rounding of the split", rounding, ROUNDINGS)
    count = np.diff(matrix.indptr)
    # A hair is added so that 0.2 * 5, which is not exactly 1 in binary, still counts as 1.
    wanted = test_fraction * count + (0.5 if rounding == "nearest" else 0.0) + 1e-9
    n_test = np.minimum(np.floor(wanted).astype(np.int64), np.maximum(count - 1, 0))
    if not n_test.any():
        raise AssayerError(
            f"expected a user with enough ratings to put {test_fraction:g} of them aside, found at "
            f"most {count.max(initial=0)} ratings of one user; raise split.test_fraction or take "
            "other data."
        )

    row = np.repeat(np.arange(matrix.shape[0]), count)
    order = np.lexsort((generator(seed, "split").random(matrix.nnz), row))
    place = np.arange(matrix.nnz) - matrix.indptr[row]
    tested = np.empty(matrix.nnz, dtype=bool)
    tested[order] = place < n_test[row]
    return split_as_given(matrix, tested)


def split_as_given(matrix: sp.csr_matrix, tested: Booleans) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """Return training and test of ratings whose source says which are to be tested.

    `tested`, bool (n_ratings,), is in the order of the matrix, CSR with sorted indices.
    """
    row = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    train, test = (
        sp.csr_matrix((matrix.data[keep], (row[keep], matrix.indices[keep])), matrix.shape)
        for keep in (~tested, tested)
    )
    return train, test
