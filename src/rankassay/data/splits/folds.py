"""Ratings are dealt into folds at random, each of which is tested once."""

import numpy as np

from rankassay.artifacts.arrays import Ratings
from rankassay.data.splits.parts import Parts, counts_of, places
from rankassay.errors import RankassayError, number_of, one_of
from rankassay.seeds import generator
from rankassay.types import Integers

UNITS = ("user", "ratings")


def folds(ratings: Ratings, folds: int, unit: str, too_few: str, fold: int, seed: int) -> Parts:
    """Test one of k folds, and train on the others; the folds of one seed are disjoint and whole.

    With the unit "user", each user's n ratings are dealt into the folds in turn, in an order and
    from a fold on that are drawn: every fold has floor(n / k) or ceil(n / k) of them. With
    "ratings", those of all users together are. A user with fewer than k ratings is an error with
    the unit "user", or, where `too_few` is "spread", without test ratings in some folds, and
    without training ratings where there is only one rating. Folds are counted from 1.
    """
    number = fold_numbers(ratings, folds, unit, too_few, seed)
    if not 1 <= fold <= folds:
        raise RankassayError(
            f"expected a fold from 1 to {folds}, found {fold}; choose one of them."
        )
    test = number == fold - 1
    if not test.any() or test.all():
        raise RankassayError(
            f"expected ratings to test and to train on in each of {folds} folds, found {test.sum()}"
            f" of {len(test)} in fold {fold}; take fewer folds or other data."
        )
    return Parts(~test, test)


def fold_numbers(ratings: Ratings, folds: int, unit: str, too_few: str, seed: int) -> Integers:
    """Return the fold of each rating, from 0, int64 (n_ratings,)."""
    one_of("unit of the folds", unit, UNITS)
    random = generator(seed, "folds")
    n = len(ratings.user)
    if unit == "ratings":
        return np.argsort(random.random(n), kind="stable").argsort() % folds
    count = counts_of(ratings)
    few = count < folds
    if few.any() and too_few == "error":
        least = int(count.argmin())
        raise RankassayError(
            f"expected at least {folds} ratings of every user, to deal them into {folds} folds, "
            f"found {few.sum()} of {number_of(len(count), 'user')} with fewer (user "
            f"'{ratings.user_ids[least]}' has {count[least]}); take fewer folds, leave such users "
            "out by the filter k_core, or set split.too_few to spread."
        )
    first = random.integers(folds, size=len(count))
    return (places(ratings.user, random.random(n)) + first[ratings.user]) % folds
