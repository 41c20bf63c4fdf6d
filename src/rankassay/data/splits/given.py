"""The split that the source of the ratings brings."""

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Ratings
from rankassay.data.splits.parts import Parts
from rankassay.types import Booleans


def given(ratings: Ratings) -> Parts:
    """Return the parts of ratings whose source says which are to be tested."""
    return Parts(~ratings.tested, ratings.tested)


def split_as_given(matrix: sp.csr_matrix, tested: Booleans) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """Return training and test of ratings whose source says which are to be tested.

    `tested`, bool (n_ratings,), is in the order of the matrix, CSR with sorted indices.
    """
    return selected(matrix, ~tested), selected(matrix, tested)


def selected(matrix: sp.csr_matrix, keep: Booleans) -> sp.csr_matrix:
    """Return a matrix with some of its ratings: `keep`, bool (n_ratings,), in the matrix's order.

    The matrix is CSR with sorted indices; so is what is returned, of the same shape.
    """
    row = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    return sp.csr_matrix((matrix.data[keep], (row[keep], matrix.indices[keep])), matrix.shape)
