"""The splits of ratings into training and test, and their leakage: counts, no verdicts.

A model that is trained on ratings later than those it is tested on knows the future (Ji et al., A
Critical Study on Data Leakage in Recommender System Offline Evaluation, TOIS 2023; Meng et al.,
Exploring Data Splitting Strategies for the Evaluation of Recommendation Models, RecSys 2020). Users
and items without training ratings are no leakage but its price: they are excluded where a split is
clean.
"""

import datetime
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Ratings
from rankassay.data.parts import HAIR, Parts, at_most, counts_of, drawn, latest, places, whole
from rankassay.errors import RankassayError, number_of, one_of
from rankassay.lookup import names_of_parameters
from rankassay.seeds import generator
from rankassay.types import Booleans, Integers, Integers32

UNITS = ("user", "ratings")
TARGETS = ("all", "first", "last")
# March 1973 in seconds: a later time is one since 1970, and no count from another start.
SINCE_1970 = 10**8
# From then to 2286, seconds grow by less than this; milliseconds are 1000 times as many.
FACTOR = 100
LATEST = 10**11  # the year 5138 in seconds, and 1973 in milliseconds
NEVER = np.iinfo(np.int64).max


def cut(ratings: Ratings, split: Mapping[str, Any], seed: int, fold: int = 1) -> Parts:
    """Split ratings by a method, and of folds one; those that come split stay as given."""
    if ratings.tested is not None:
        return Parts(~ratings.tested, ratings.tested)
    method = split["method"]
    one_of("method of the split", method, METHODS)
    own = {key: value for key, value in split.items() if key != "method"}
    wanted = names_of_parameters(METHODS[method])
    own |= {key: value for key, value in (("seed", seed), ("fold", fold)) if key in wanted}
    return METHODS[method](ratings, **own)


def random(ratings: Ratings, test_fraction: float, rounding: str, seed: int) -> Parts:
    """Put a random part of each user's ratings aside for testing."""
    count = counts_of(ratings)
    test = drawn(count, whole(test_fraction, count, rounding), seed)
    return Parts(~test, test)


def leave_last(ratings: Ratings, n: int) -> Parts:
    """Test the last n ratings of each user; one with n or fewer keeps the first for training."""
    time = times(ratings, "the split leave_last")
    test = latest(ratings, time, at_most(n, counts_of(ratings)))
    return Parts(~test, test)


def temporal_share(ratings: Ratings, test_fraction: float, rounding: str) -> Parts:
    """Test the last t of each user's n ratings, where a random split would test t of them."""
    time = times(ratings, "the split temporal_share")
    test = latest(ratings, time, whole(test_fraction, counts_of(ratings), rounding))
    return Parts(~test, test)


def folds(ratings: Ratings, folds: int, unit: str, too_few: str, fold: int, seed: int) -> Parts:
    """Test one of k folds, from 1, and train on the others; the folds of one seed are disjoint.

    By "user", every fold has floor(n / k) or ceil(n / k) of each user's n ratings; by "ratings",
    those of all users together are dealt. A user with fewer than k is an error, or "spread".
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


def global_time(
    ratings: Ratings, point: int | None, share: float | None, targets: str, cold_users: str
) -> Parts:
    """Train on all ratings before a point in time, and test ratings from it on.

    The point is in seconds since 1970, or the time of the rating at place floor(share * n). Ratings
    of one time are not torn apart. Of a user's ratings from the point on, `targets` are tested, and
    the others are in neither part. `cold_users` are those without training ratings.
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


def hold_out_users(
    ratings: Ratings,
    users: float,
    test_fraction: float,
    rounding: str,
    last: int | None,
    seed: int,
) -> Parts:
    """Train on some users, and test some ratings of the others, whose other ratings are given.

    floor(users * n) of the n users with two ratings or more are held out. Of theirs, those of a
    random split are tested, or the `last` ones.
    """
    count = counts_of(ratings)
    if last is None:
        n_test = whole(test_fraction, count, rounding)
        test = drawn(count, n_test, seed)
    else:
        n_test = at_most(last, count)
        test = latest(ratings, times(ratings, "the split hold_out_users with last"), n_test)
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


def times(ratings: Ratings, needed_by: str) -> Integers:
    """Return the ratings' timestamps, int64 (n_ratings,)."""
    time = ratings.timestamp
    if time is None:
        raise RankassayError(
            f"{needed_by} needs timestamps, which the ratings are without; give "
            "columns.timestamp in the dataset's entry, or take another split."
        )
    ordered = np.sort(time)
    if not len(ordered) or ordered[0] == ordered[-1]:
        found = "none"
        if len(ordered):
            found = f"that of {number_of(len(ordered), 'rating')} is {ordered[0]}"
        raise RankassayError(
            f"{needed_by} needs ratings of different times, found one: {found}; take another split."
        )
    none = int(np.searchsorted(ordered, 0, side="right"))
    if 0 < none < len(ordered) and ordered[none] >= SINCE_1970:
        raise RankassayError(
            f"{needed_by} needs the time of every rating, found {none} of {len(ordered)} "
            f"timestamps that are 0 or less (the others are {ordered[none]} to {ordered[-1]}); "
            "leave these ratings out of the file, or take another split."
        )
    ordered = ordered[np.searchsorted(ordered, SINCE_1970) :]
    leaps = np.flatnonzero(ordered[1:] // FACTOR > ordered[:-1])
    if len(leaps):
        place = int(leaps[0])
        raise RankassayError(
            f"{needed_by} needs timestamps of one unit, found {place + 1} from {ordered[0]} to "
            f"{ordered[place]} and {len(ordered) - place - 1} from {ordered[place + 1]} to "
            f"{ordered[-1]}, as of seconds and milliseconds; write all of them in seconds."
        )
    if time.max() > LATEST:
        raise RankassayError(
            f"{needed_by} needs times in seconds since 1970, found {time.max()}, as of "
            "milliseconds or less; write timestamp_format: ms (or us, ns) in the dataset's entry."
        )
    return time


def date(seconds: int) -> str:
    """Return a time with its date, for readers; without one where no calendar has it."""
    try:
        day = datetime.datetime.fromtimestamp(int(seconds), datetime.UTC)
    except (OverflowError, ValueError, OSError):
        return str(seconds)
    return f"{seconds} ({day:%Y-%m-%d %H:%M})"


def leakage(
    user: Integers32,
    item: Integers32,
    time: Integers | None,
    train: Booleans,
    test: Booleans,
    n_users: int,
    n_items: int,
) -> pd.DataFrame:
    """Count training ratings from the future, and users and items of the test that are new.

    With t(r) the time of a rating r, and "later" strictly later:

    - test_users_with_later: max t(u's training) > min t(u's test).
    - train_ratings_after_own_test: training ratings of users after their own first test rating.
    - train_ratings_after_first_test: training ratings after the first test rating of all.
    - test_users_after_whom_trained: test users with training of anybody after their first one.
    - test_ratings_of_later_items: test ratings whose item has only training ratings that are not
      earlier: by training, the item did not exist yet.
    - test_ratings_of_new_items, new_test_items: those of items without training ratings.
    - test_users_without_training, test_ratings_without_training: those of users without any.

    All arrays are (n_ratings,); given ratings of held-out users count as training. The columns are
    count, value (none where it needs times and there are none) and of (of how many).
    """
    trained_users = np.bincount(user[train], minlength=n_users) > 0
    tested_users = np.bincount(user[test], minlength=n_users) > 0
    trained_items = np.bincount(item[train], minlength=n_items) > 0
    tested_items = np.bincount(item[test], minlength=n_items) > 0
    n_train, n_test = int(train.sum()), int(test.sum())
    n_tested = int(tested_users.sum())
    later: list[int | None] = [None] * 5
    if time is not None:
        first_test = _first(user[test], time[test], n_users)
        after_own = time[train] > first_test[user[train]]
        by_user = np.bincount(user[train][after_own], minlength=n_users) > 0
        last_train = time[train].max(initial=-NEVER)
        first_train = _first(item[train], time[train], n_items)
        unborn = trained_items[item[test]] & (first_train[item[test]] >= time[test])
        later = [
            int(by_user.sum()),
            int(after_own.sum()),
            int((time[train] > first_test.min(initial=NEVER)).sum()),
            int((last_train > first_test[tested_users]).sum()),
            int(unborn.sum()),
        ]
    names = (
        ("test_users_with_later", n_tested),
        ("train_ratings_after_own_test", n_train),
        ("train_ratings_after_first_test", n_train),
        ("test_users_after_whom_trained", n_tested),
        ("test_ratings_of_later_items", n_test),
    )
    rows = [(name, value, of) for (name, of), value in zip(names, later, strict=True)]
    rows += [
        ("test_ratings_of_new_items", (~trained_items[item[test]]).sum(), n_test),
        ("new_test_items", (tested_items & ~trained_items).sum(), tested_items.sum()),
        ("test_users_without_training", (tested_users & ~trained_users).sum(), n_tested),
        ("test_ratings_without_training", (~trained_users[user[test]]).sum(), n_test),
    ]
    frame = pd.DataFrame(rows, columns=["count", "value", "of"])
    return frame.astype({"value": "Int64", "of": "int64"})


def _first(of: Integers32, time: Integers, n: int) -> Integers:
    """Return the first time of each of n users or items, and the latest of all for the others."""
    found = np.full(n, NEVER)
    np.minimum.at(found, of, time)
    return found


METHODS = {
    "random": random,
    "folds": folds,
    "leave_last": leave_last,
    "temporal_share": temporal_share,
    "global_time": global_time,
    "hold_out_users": hold_out_users,
}
