"""Each split against its definition, rating by rating; and data that cannot be split so."""

import itertools
import math

import numpy as np
import pytest

from rankassay.artifacts.arrays import Ratings
from rankassay.data.splits import METHODS, cut, fold_numbers
from rankassay.errors import RankassayError

FOLDS = {"method": "folds", "folds": 5, "unit": "user", "too_few": "error"}
SHARE = {"method": "temporal_share", "test_fraction": 0.3, "rounding": "nearest"}
POINT = {"method": "global_time", "point": None, "share": 0.6, "targets": "all"}
POINT |= {"cold_users": "keep"}
HELD = {"method": "hold_out_users", "users": 0.5, "test_fraction": 0.4, "rounding": "floor"}
HELD |= {"last": None}


def ratings_of(seed, sizes=(1, 2, 5, 6, 9, 12, 20, 3), n_items=25, n_times=12):
    """Return ratings of users with a given number each, at few times, so that many are tied."""
    random = np.random.default_rng(seed)
    user = np.repeat(np.arange(len(sizes)), sizes)
    item = np.concatenate([np.sort(random.permutation(n_items)[:n]) for n in sizes])
    return Ratings(
        user=user.astype(np.int32),
        item=item.astype(np.int32),
        rating=random.integers(1, 6, len(user)).astype(np.float32),
        user_ids=np.array([f"u{k}" for k in range(len(sizes))]),
        item_ids=np.array([f"i{k}" for k in range(n_items)]),
        timestamp=10**9 + random.integers(n_times, size=len(user)),
    )


def without_times(ratings):
    return at(ratings, None)


def at(ratings, timestamp):
    names = ("user", "item", "rating", "user_ids", "item_ids")
    return Ratings(**{name: getattr(ratings, name) for name in names}, timestamp=timestamp)


def pairs(ratings, mask):
    return {(int(u), int(i)) for u, i in zip(ratings.user[mask], ratings.item[mask], strict=True)}


def profiles(ratings):
    """Yield each user with the (time, item) of all ratings, in that order."""
    rows = sorted(zip(ratings.user, ratings.timestamp, ratings.item, strict=True))
    for user, own in itertools.groupby(rows, key=lambda row: row[0]):
        yield int(user), [(int(time), int(item)) for _, time, item in own]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [1, 3])
def test_the_last_of_each_user(seed, n):
    ratings = ratings_of(seed)
    parts = cut(ratings, {"method": "leave_last", "n": n}, seed=1)
    tested = {
        (user, item) for user, own in profiles(ratings) for _, item in own[max(1, len(own) - n) :]
    }
    assert pairs(ratings, parts.test) == tested
    assert (parts.train == ~parts.test).all()


@pytest.mark.parametrize("seed", range(5))
def test_the_last_share_of_each_user(seed):
    ratings = ratings_of(seed)
    parts = cut(ratings, SHARE, seed=1)
    tested = {
        (user, item)
        for user, own in profiles(ratings)
        for _, item in own[len(own) - min(math.floor(0.3 * len(own) + 0.5), len(own) - 1) :]
    }
    assert pairs(ratings, parts.test) == tested
    assert (parts.train == ~parts.test).all()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("targets", ["all", "first", "last"])
@pytest.mark.parametrize("cold_users", ["keep", "drop"])
@pytest.mark.parametrize("by", ["point", "share"])
def test_one_point_for_all_users(seed, targets, cold_users, by):
    ratings = ratings_of(seed)
    times = sorted(ratings.timestamp.tolist())
    point = times[math.floor(0.6 * len(times))] if by == "share" else 10**9 + 8
    own = {"point": point, "share": None} if by == "point" else {}
    split = POINT | own | {"targets": targets, "cold_users": cold_users}
    parts = cut(ratings, split, seed=1)
    train, test = set(), set()
    for user, rated in profiles(ratings):
        before = [item for time, item in rated if time < point]
        after = [item for time, item in rated if time >= point]
        chosen = {"all": after, "first": after[:1], "last": after[-1:]}[targets]
        train |= {(user, item) for item in before}
        test |= {(user, item) for item in chosen if before or cold_users == "keep"}
    assert pairs(ratings, parts.train) == train
    assert pairs(ratings, parts.test) == test
    assert parts.train.sum() <= 0.6 * len(times) or by == "point"


@pytest.mark.parametrize("unit", ["user", "ratings"])
def test_folds_are_disjoint_whole_and_even(unit):
    ratings = ratings_of(0, sizes=(5, 7, 11, 23))
    split = FOLDS | {"unit": unit}
    tests = [cut(ratings, split, seed=3, fold=fold).test for fold in range(1, 6)]
    assert (np.sum(tests, axis=0) == 1).all()
    counts = [np.bincount(ratings.user[test], minlength=4) for test in tests]
    for user, size in enumerate((5, 7, 11, 23)):
        own = {int(count[user]) for count in counts}
        assert own <= {size // 5, -(-size // 5)} or unit == "ratings"
    assert max(t.sum() for t in tests) - min(t.sum() for t in tests) <= 1 or unit == "user"
    again = cut(ratings, split, seed=3, fold=2).test
    other = cut(ratings, split, seed=4, fold=2).test
    assert (again == tests[1]).all()
    assert (other != tests[1]).any()


def test_every_fold_is_as_likely():
    ratings = ratings_of(0, sizes=(3,) * 2000)
    for unit in ("user", "ratings"):
        share = np.bincount(fold_numbers(ratings, 5, unit, "spread", 1)) / 6000
        assert abs(share - 0.2).max() < 0.03


def test_a_user_with_fewer_ratings_than_folds_is_told_of_or_spread():
    ratings = ratings_of(0, sizes=(9, 4, 2))
    said = r"at least 5 ratings of every user.* found 2 of 3 users with fewer \(user 'u2' has 2\)"
    with pytest.raises(RankassayError, match=said):
        cut(ratings, FOLDS, seed=1)
    number = fold_numbers(ratings, 5, "user", "spread", 1)
    assert [len(set(number[ratings.user == user])) for user in range(3)] == [5, 4, 2]


@pytest.mark.parametrize("last", [None, 2])
def test_of_held_out_users_nothing_is_for_training(last):
    ratings = ratings_of(2)
    parts = cut(ratings, HELD | {"last": last}, seed=1)
    held = set(ratings.user[~parts.train].tolist())
    sizes = np.bincount(ratings.user)
    n_test = [min(last, n - 1) if last else min(int(0.4 * n), n - 1) for n in sizes]
    assert len(held) == sum(n > 0 for n in n_test) // 2
    for user, own in profiles(ratings):
        mine = ratings.user == user
        tested = pairs(ratings, parts.test & mine)
        if user not in held:
            assert parts.train[mine].all()
            continue
        assert len(tested) == n_test[user] > 0
        assert (parts.fold_in[mine] == ~parts.test[mine]).all()
        if last:
            assert tested == {(user, item) for _, item in own[-n_test[user] :]}
    assert (parts.known == ~parts.test).all()
    assert held != set(ratings.user[~cut(ratings, HELD | {"last": last}, seed=2).train].tolist())


def test_a_split_that_the_source_brings_stays():
    ratings = ratings_of(0)
    tested = np.arange(len(ratings.user)) % 3 == 0
    own = {name: getattr(ratings, name) for name in ("user", "item", "rating")}
    ratings = Ratings(**own, user_ids=ratings.user_ids, item_ids=ratings.item_ids, tested=tested)
    parts = cut(ratings, {"method": "leave_last", "n": 1}, seed=1)
    assert (parts.test == tested).all()
    assert (parts.train == ~tested).all()


IN_TIME = [{"method": "leave_last", "n": 1}, SHARE, POINT, HELD | {"last": 1}]


@pytest.mark.parametrize("split", IN_TIME, ids=lambda split: split["method"])
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda time: None, "needs timestamps, which the ratings are without"),
        (lambda time: time * 0 + 7, "different times, found one: that of 58 ratings is 7"),
        (
            lambda time: np.where(np.arange(58) < 3, 0, time),
            r"found 3 of 58 timestamps that are 0 or less \(the others are 10000000",
        ),
        (lambda time: np.where(np.arange(58) < 3, -1, time), "found 3 of 58 timestamps"),
        (
            lambda time: np.where(np.arange(58) < 3, time * 1000, time),
            "one unit, found 55 from 1000000000 to 10000000.. and 3 from 10000000",
        ),
        (lambda time: time * 1000, r"seconds since 1970, found 10000000\d+, as of milliseconds or"),
        (lambda time: time * 10**9, "write timestamp_format: ms"),
    ],
)
def test_times_that_cannot_be_compared_are_told_of(split, wrong, said):
    ratings = ratings_of(0)
    with pytest.raises(RankassayError, match=said) as error:
        cut(at(ratings, wrong(ratings.timestamp)), split, seed=1)
    assert len(str(error.value).splitlines()) == 1


def test_times_since_a_start_of_their_own_and_of_many_years_are_compared():
    ratings = ratings_of(0)
    split = {"method": "leave_last", "n": 1}
    for time in (ratings.timestamp - 10**9, np.linspace(1.1e8, 4.2e9, 58).astype(np.int64)):
        assert cut(at(ratings, time), split, seed=1).test.any()


@pytest.mark.parametrize(
    ("split", "said"),
    [
        (POINT | {"point": 1, "share": None}, r"1 \(1970-01-01 00:00\), found 0 before it and 58"),
        (POINT | {"point": 2 * 10**9, "share": None}, "found 58 before it and 0 to test; the rat"),
        (POINT | {"point": 10**18, "share": None}, "point in time 1000000000000000000, found 58"),
        (POINT | {"share": 0.01}, "found 0 before it"),
        (HELD | {"users": 0.01}, "found 0 to hold out: 0.01 of the 6 with enough ratings"),
        (SHARE | {"test_fraction": 0.01}, "found at most 20 ratings of one user"),
        (SHARE | {"rounding": "flor"}, "did you mean 'floor'"),
        (POINT | {"targets": "frist"}, "did you mean 'first'"),
        (FOLDS | {"unit": "users"}, "did you mean 'user'"),
        (FOLDS | {"folds": 99, "unit": "ratings"}, "found 0 of 58 in fold 60"),
        (FOLDS | {"folds": 2, "unit": "ratings"}, "expected a fold from 1 to 2, found 60"),
        ({"method": "leave_lest", "n": 1}, "did you mean 'leave_last'"),
    ],
)
def test_a_split_without_anything_to_test_or_train_on_is_told_of(split, said):
    with pytest.raises(RankassayError, match=said) as error:
        cut(ratings_of(0), split, seed=1, fold=60)
    assert len(str(error.value).splitlines()) == 1


def test_of_users_with_one_rating_each_none_is_the_last():
    with pytest.raises(RankassayError, match="found at most 1 rating of one user"):
        cut(ratings_of(0, sizes=(1,) * 9), {"method": "leave_last", "n": 1}, seed=1)


def test_ratings_without_times_can_be_split_at_random():
    ratings = without_times(ratings_of(0))
    for split in (FOLDS | {"too_few": "spread"}, HELD):
        assert cut(ratings, split, seed=1).test.any()


def test_every_method_of_the_configuration_is_there_and_takes_its_settings():
    from typing import get_args

    from rankassay.config.protocols import Split

    models = [get_args(choice)[0] for choice in get_args(get_args(Split)[0])]
    known = {get_args(model.model_fields["method"].annotation)[0] for model in models}
    assert known == set(METHODS)
    ratings = ratings_of(0, sizes=(6, 7, 20, 30, 9), n_items=40)
    for model in models:
        (method,) = get_args(model.model_fields["method"].annotation)
        given = {"method": method} | ({"share": 0.8} if method == "global_time" else {})
        assert cut(ratings, model(**given).model_dump(), seed=1).test.any()


def test_the_plan_knows_what_draws_at_random():
    from rankassay.data.filters import FILTERS
    from rankassay.lookup import names_of_parameters
    from rankassay.plan.protocols import DRAWN

    steps = METHODS | FILTERS
    assert {name for name in steps if "seed" in names_of_parameters(steps[name])} == set(DRAWN)
