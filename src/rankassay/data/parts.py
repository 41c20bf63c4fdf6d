"""Which ratings are for training and which for testing: what splits return, and share."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Ratings
from rankassay.errors import RankassayError, number_of, one_of
from rankassay.seeds import generator
from rankassay.types import Booleans, Integers

ROUNDINGS = ("floor", "nearest", "ceil")
# A hair is added so that 0.2 * 5, which is not exactly 1 in binary, still counts as 1.
HAIR = 1e-9


@dataclass(frozen=True)
class Parts:
    """Which ratings are for training and which for testing."""

    train: Booleans  # bool (n_ratings,)
    test: Booleans  # never true where `train` is; both are false for ratings that are left out
    # The ratings of held-out users that are known when lists are made for them, none of which is in
    # `train`; None where no user is held out.
    fold_in: Booleans | None = None

    @property
    def known(self) -> Booleans:
        """All that is known when lists are made: training ratings, and those of held-out users."""
        return self.train if self.fold_in is None else self.train | self.fold_in


def selected(matrix: sp.csr_matrix, keep: Booleans) -> sp.csr_matrix:
    """Return a matrix, CSR with sorted indices, with the ratings of `keep`, bool (n_ratings,)."""
    row = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    return sp.csr_matrix((matrix.data[keep], (row[keep], matrix.indices[keep])), matrix.shape)


def split_as_given(matrix: sp.csr_matrix, tested: Booleans) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """Return training and test ratings: `tested`, bool (n_ratings,), in the order of the matrix."""
    return selected(matrix, ~tested), selected(matrix, tested)


def split(
    matrix: sp.csr_matrix, test_fraction: float, rounding: str, seed: int
) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """Put a random part of each user's ratings aside for testing: see `drawn` and `whole`.

    A fraction of 0.2, rounded down, is that of Valcarce et al., RecSys 2018, section 5.
    """
    count = np.diff(matrix.indptr)
    return split_as_given(matrix, drawn(count, whole(test_fraction, count, rounding), seed))


def counts_of(ratings: Ratings) -> Integers:
    """Return each user's number of ratings, int64 (n_users,)."""
    return np.bincount(ratings.user, minlength=len(ratings.user_ids))


def places(user: Integers, key: np.ndarray) -> Integers:
    """Return the place of each rating among its user's, by `key` and then by item, from 0."""
    count = np.bincount(user)
    order = np.lexsort((key, user))
    place = np.arange(len(order)) - (np.cumsum(count) - count)[user]
    found = np.empty_like(place)
    found[order] = place
    return found


def drawn(count: Integers, n: Integers, seed: int) -> Booleans:
    """Draw n of the `count` ratings of each user, bool (n_ratings,), sorted by user."""
    row = np.repeat(np.arange(len(count)), count)
    return places(row, generator(seed, "split").random(len(row))) < n[row]


def latest(ratings: Ratings, time: Integers, n: Integers) -> Booleans:
    """Return which ratings are among the last n of their user, n int64 (n_users,).

    Of ratings of one time, that of the later item, by the order of ids, is the later one.
    """
    return places(ratings.user, time) >= (counts_of(ratings) - n)[ratings.user]


def whole(share: float, count: Integers, rounding: str) -> Integers:
    """Return how many of each user's ratings are a share of them, but never all of them.

    n ratings give `share * n`, rounded (halves up), and at most n - 1.
    """
    one_of("rounding of the split", rounding, ROUNDINGS)
    wanted = share * count + (0.5 if rounding == "nearest" else 0.0)
    wanted = np.ceil(wanted - HAIR) if rounding == "ceil" else np.floor(wanted + HAIR)
    found = np.minimum(wanted.astype(np.int64), np.maximum(count - 1, 0))
    if not found.any():
        raise RankassayError(
            f"expected a user with enough ratings to put {share:g} of them aside, found at most "
            f"{number_of(count.max(initial=0), 'rating')} of one user; raise split.test_fraction "
            "or take other data."
        )
    return found


def at_most(n: int, count: Integers) -> Integers:
    """Return how many of each user's ratings are n of them, but never all of them."""
    found = np.minimum(n, np.maximum(count - 1, 0))
    if not found.any():
        raise RankassayError(
            "expected a user with 2 ratings or more, of which the last can be tested, found at "
            f"most {number_of(count.max(initial=0), 'rating')} of one user; take another split or "
            "other data."
        )
    return found
