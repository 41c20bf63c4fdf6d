"""Held-out users: models are not trained on them, and are given a part of their ratings."""

import numpy as np

from rankassay.artifacts.arrays import Ratings
from rankassay.data.splits import parts
from rankassay.data.splits.parts import HAIR, Parts
from rankassay.data.splits.random import drawn
from rankassay.data.splits.times import times
from rankassay.errors import RankassayError, number_of
from rankassay.seeds import generator


def hold_out_users(
    ratings: Ratings,
    users: float,
    test_fraction: float,
    rounding: str,
    last: int | None,
    seed: int,
) -> Parts:
    """Train on some users, and test some ratings of the others, whose other ratings are given.

    Those who are held out are floor(users * n) of the n users with enough ratings to test one and
    to give one, at random. Of their ratings, those of a random split are tested, or the `last` ones
    as in leave_last.
    """
    count = parts.counts_of(ratings)
    if last is None:
        n_test = parts.whole(test_fraction, count, rounding)
        test = drawn(count, n_test, seed)
    else:
        n_test = parts.at_most(last, count)
        test = parts.last(ratings, times(ratings, "the split hold_out_users with last"), n_test)
    able = np.flatnonzero(n_test)
    n_held = int(users * len(able) + HAIR)
    if not 0 < n_held < len(count):
        raise RankassayError(
            f"expected users to hold out and others to train on, found {n_held} to hold out: "
            f"{users:g} of the {len(able)} with enough ratings, of "
            f"{number_of(len(count), 'user')}; change split.users."
        )
    held_out = np.zeros(len(count), bool)
    held_out[generator(seed, "split", "users").choice(able, n_held, replace=False)] = True
    held = held_out[ratings.user]
    return Parts(train=~held, test=test & held, fold_in=~test & held)
