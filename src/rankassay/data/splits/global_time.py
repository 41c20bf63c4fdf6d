"""Ratings before a point in time are for training, and those from it on for testing."""

import numpy as np

from rankassay.artifacts.arrays import Ratings
from rankassay.data.splits.parts import HAIR, Parts
from rankassay.data.splits.times import date, times
from rankassay.errors import RankassayError, one_of
from rankassay.types import Integers

TARGETS = ("all", "first", "last")


def global_time(
    ratings: Ratings, point: int | None, share: float | None, targets: str, cold_users: str
) -> Parts:
    """Train on all ratings before a point in time, and test ratings from it on.

    The point is in seconds since 1970, and a rating at this very time is no training rating; or it
    is the time of the rating at place floor(share * n), from 0, of the n ratings in the order of
    time. Ratings of one time are not torn apart, so fewer than that share may be for training. Of a
    user's ratings from the point on, `targets` (all, first, last) are tested, and the others are in
    neither part; of ratings of one time, that of the later item, by the order of ids, is the later.
    `cold_users` says whether users without training ratings are tested (keep, drop).
    """
    one_of("choice of targets", targets, TARGETS)
    time = times(ratings, "the split global_time")
    if point is None:
        point = int(np.sort(time)[min(int(share * len(time) + HAIR), len(time) - 1)])
    train = time < point
    test = ~train if targets == "all" else _one_each(ratings, time, point, targets)
    if cold_users == "drop":
        trained = np.zeros(len(ratings.user_ids), bool)
        trained[ratings.user[train]] = True
        test &= trained[ratings.user]
    if not (train.any() and test.any()):
        among = " of users with training ratings" if cold_users == "drop" else ""
        raise RankassayError(
            f"expected ratings before and after the point in time {date(point)}, found "
            f"{train.sum()} before it and {test.sum()} to test{among}; the ratings' times go from "
            f"{date(time.min())} to {date(time.max())}: choose another split.point or split.share."
        )
    return Parts(train, test)


def _one_each(ratings: Ratings, time: Integers, point: int, which: str) -> np.ndarray:
    """Return the first or last rating from a point in time on of each user who has one."""
    after = np.flatnonzero(time >= point)
    order = after[np.lexsort((time[after], ratings.user[after]))]
    turns = np.diff(ratings.user[order]) != 0
    edge = np.append(True, turns) if which == "first" else np.append(turns, True)
    test = np.zeros(len(time), bool)
    test[order[edge[: len(order)]]] = True
    return test
