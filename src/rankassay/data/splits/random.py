"""A random part of each user's ratings is put aside for testing."""

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Ratings
from rankassay.data.splits.given import split_as_given
from rankassay.data.splits.parts import Parts, counts_of, places, whole
from rankassay.seeds import generator
from rankassay.types import Booleans, Integers


def random(ratings: Ratings, test_fraction: float, rounding: str, seed: int) -> Parts:
    """Put a random part of each user's ratings aside for testing; see `split`."""
    count = counts_of(ratings)
    tested = drawn(count, whole(test_fraction, count, rounding), seed)
    return Parts(~tested, tested)


def split(
    matrix: sp.csr_matrix, test_fraction: float, rounding: str, seed: int
) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """Put a random part of each user's ratings, CSR with sorted indices, aside for testing.

    A user with n ratings keeps n - t of them for training, where t is `test_fraction * n` rounded
    down ("floor") or to the nearest whole number with halves up ("nearest"), but never all n; a
    fraction of 0.2 and "floor" are those of Valcarce et al., RecSys 2018, section 5: users with
    fewer than five ratings then have no test ratings. Training and test are disjoint, and together
    they hold every rating. Raises RankassayError when no user has enough ratings to put one aside.
    """
    count = np.diff(matrix.indptr)
    return split_as_given(matrix, drawn(count, whole(test_fraction, count, rounding), seed))


def drawn(count: Integers, n: Integers, seed: int) -> Booleans:
    """Draw n of the `count` ratings of each user, bool (n_ratings,), sorted by user."""
    row = np.repeat(np.arange(len(count)), count)
    return places(row, generator(seed, "split").random(len(row))) < n[row]
