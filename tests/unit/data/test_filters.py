"""The filters against their definitions, interaction by interaction."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from rankassay.artifacts.arrays import Ratings
from rankassay.data.filters import filtered, filtered_training, k_core
from rankassay.data.parts import Parts
from rankassay.errors import RankassayError


def made(seed=0, n_users=60, n_items=50, share=0.1, **more):
    """Return random ratings, some users and items with many and some with few."""
    rng = np.random.default_rng(seed)
    taste = rng.random((n_users, 1)) * rng.random(n_items)
    user, item = np.nonzero(rng.random((n_users, n_items)) < 4 * share * taste)
    users, user = np.unique(user, return_inverse=True)
    items, item = np.unique(item, return_inverse=True)
    n = len(user)
    values = {
        "rating": rng.integers(1, 11, n).astype(np.float32) / 2,
        "timestamp": rng.integers(0, 300, n),
        "tested": rng.random(n) < 0.3,
        "aspects": rng.random((len(items), 2)) < 0.5,
        "aspect_names": np.array(["a", "b"]),
    }
    ids = (np.array([f"{kind}{k}" for k in index]) for kind, index in (("u", users), ("i", items)))
    return Ratings(
        user.astype(np.int32),
        item.astype(np.int32),
        user_ids=(next_ := [*ids])[0],
        item_ids=next_[1],
        **values | more,
    )


def pairs(ratings, kept=slice(None)):
    """Return the pairs of ids of user and item."""
    users, items = ratings.user_ids[ratings.user[kept]], ratings.item_ids[ratings.item[kept]]
    return [*zip(users.tolist(), items.tolist(), strict=True)]


def core_one_by_one(edges, users, items):
    """Return the core of a graph: while a node has too few edges, it is removed, one at a time."""
    edges = set(edges)
    while True:
        n_users, n_items = (Counter(edge[side] for edge in edges) for side in (0, 1))
        few = [("u", u) for u, n in n_users.items() if n < users]
        few += [("i", i) for i, n in n_items.items() if n < items]
        if not few:
            return edges
        side, name = min(few)
        edges = {edge for edge in edges if edge["ui".index(side)] != name}


@pytest.mark.parametrize(("users", "items"), [(3, 3), (5, 2), (1, 6), (4, 1)])
def test_the_core_is_what_is_left_when_nodes_go_one_by_one(users, items):
    ratings = made()
    steps = [{"kind": "k_core", "users": users, "items": items, "iterate": True}]
    smaller, table = filtered(ratings, steps, 0)
    expected = core_one_by_one(pairs(ratings), users, items)
    assert 0 < len(expected) < len(ratings.rating)
    assert set(pairs(smaller)) == expected
    assert table["ratings"].tolist() == [len(ratings.rating), len(expected)]


@pytest.mark.parametrize("side", ["users", "items"])
def test_a_side_alone_needs_one_round(side):
    ratings = made()
    index = 0 if side == "users" else 1
    counts = Counter(pair[index] for pair in pairs(ratings))
    smaller, table = filtered(ratings, [{"kind": "k_core", side: 4}], 0)
    assert pairs(smaller) == [pair for pair in pairs(ratings) if counts[pair[index]] >= 4]
    assert table["rounds"].tolist() == [0, 1]
    assert table["what"][1] == f"{side} with at least 4 interactions"


def test_done_once_users_go_first_and_items_are_counted_on_the_rest():
    ratings = made()
    users = Counter(user for user, _ in pairs(ratings))
    rest = [pair for pair in pairs(ratings) if users[pair[0]] >= 5]
    items = Counter(item for _, item in rest)
    once = {"kind": "k_core", "users": 5, "items": 5, "iterate": False}
    smaller, table = filtered(ratings, [once], 0)
    assert pairs(smaller) == [pair for pair in rest if items[pair[1]] >= 5]
    assert len(pairs(smaller)) > len(core_one_by_one(pairs(ratings), 5, 5))
    assert table["rounds"][1] == 1


def test_a_chain_takes_a_round_for_each_user_that_falls():
    # User k has items k and k + 1; item 0 has one user, so all fall, one round after the other.
    user = np.repeat(np.arange(6, dtype=np.int32), 2)
    item = (user + np.tile([0, 1], 6)).astype(np.int32)
    ids = np.arange(7).astype(str)
    ratings = Ratings(user, item, np.ones(12, dtype=np.float32), ids[:6], ids)
    outcome = k_core(ratings, np.ones(12, dtype=bool), 2, 2)
    assert not outcome.kept.any()
    assert outcome.rounds == 4  # from both ends: the first round removes the outer items
    with pytest.raises(RankassayError, match="found none among 12 of 6 users with 7 items"):
        filtered(ratings, [{"kind": "k_core", "users": 2, "items": 2}], 0)


def test_ratings_are_compared_as_they_are_stored():
    rating = np.float32([0.1, 4.1, 4.1, 5]).repeat(500)
    ratings = made(share=0.3)
    ratings = made(share=0.3, rating=rating[: len(ratings.rating)])
    smaller, _ = filtered(ratings, [{"kind": "least_rating", "rating": 4.1}], 0)
    assert pairs(smaller) == [
        pair for pair, value in zip(pairs(ratings), ratings.rating, strict=True) if value > 4
    ]


def test_a_window_holds_its_first_second_and_not_its_last():
    ratings = made()
    ratings = made(timestamp=ratings.timestamp % 30 + 86_395)
    smaller, table = filtered(ratings, [{"kind": "window", "from": 86400, "to": 86420}], 0)
    inside = [86_400 <= time < 86_420 for time in ratings.timestamp.tolist()]
    assert {86_400, 86_419} <= set(ratings.timestamp[inside].tolist())
    assert 86_420 in ratings.timestamp
    assert pairs(smaller) == [p for p, here in zip(pairs(ratings), inside, strict=True) if here]
    assert table["what"][1] == "interactions from 1970-01-02 before 1970-01-02 00:00:20"


def test_a_window_open_at_one_end():
    ratings = made()
    for key, expected in (("from", ratings.timestamp >= 100), ("to", ratings.timestamp < 100)):
        smaller, _ = filtered(ratings, [{"kind": "window", key: 100}], 0)
        assert pairs(smaller) == pairs(ratings, expected)


def test_a_window_without_timestamps_is_refused():
    ratings = made(timestamp=None)
    with pytest.raises(RankassayError, match=rf"found {len(ratings.rating)} without; name the"):
        filtered(ratings, [{"kind": "window", "from": 100}], 0)


def test_users_are_drawn_with_all_that_they_have():
    ratings = made()
    drawn, _ = filtered(ratings, [{"kind": "sample_users", "users": 10}], 7)
    assert len(drawn.user_ids) == 10
    assert pairs(drawn) == [pair for pair in pairs(ratings) if pair[0] in drawn.user_ids]
    again, other = (
        filtered(ratings, [{"kind": "sample_users", "users": 10}], seed)[0] for seed in (7, 8)
    )
    assert pairs(again) == pairs(drawn)
    assert pairs(other) != pairs(drawn)
    larger, _ = filtered(ratings, [{"kind": "sample_users", "users": 20}], 7)
    assert set(drawn.user_ids) < set(larger.user_ids)


def test_a_share_of_the_users_is_of_those_that_are_left():
    ratings = made()
    steps = [{"kind": "k_core", "users": 3}, {"kind": "sample_users", "share": 0.29}]
    smaller, table = filtered(ratings, steps, 7)
    assert len(smaller.user_ids) == int(0.29 * table["users"][1])
    assert table["what"][2] == "29% of the users, drawn at random"


def test_every_user_is_as_likely_to_be_drawn():
    ratings = made()
    n_users = len(ratings.user_ids)
    drawn = Counter()
    for seed in range(300):
        sample, _ = filtered(ratings, [{"kind": "sample_users", "share": 0.5}], seed)
        drawn.update(sample.user_ids.tolist())
    shares = np.array([drawn[user] / 300 for user in ratings.user_ids.tolist()])
    # The standard deviation of a share is 0.029: five of them.
    assert abs(shares - (n_users // 2) / n_users).max() < 0.145


def test_more_users_than_there_are_is_all_of_them():
    ratings = made()
    drawn, _ = filtered(ratings, [{"kind": "sample_users", "users": 10_000}], 7)
    assert pairs(drawn) == pairs(ratings)


def test_what_belongs_to_an_interaction_or_an_item_stays_with_it():
    ratings = made()
    smaller, _ = filtered(ratings, [{"kind": "least_rating", "rating": 4}], 0)
    of = {pair: k for k, pair in enumerate(pairs(ratings))}
    rows = [of[pair] for pair in pairs(smaller)]
    assert rows == sorted(rows)
    for name in ("rating", "timestamp", "tested"):
        assert getattr(smaller, name).tolist() == getattr(ratings, name)[rows].tolist()
    items = [ratings.item_ids.tolist().index(item) for item in smaller.item_ids.tolist()]
    assert (smaller.aspects == ratings.aspects[items]).all()


def test_steps_come_one_after_the_other_and_are_counted():
    ratings = made()
    steps = [{"kind": "least_rating", "rating": 2}, {"kind": "k_core", "users": 3, "items": 3}]
    smaller, table = filtered(ratings, steps, 0)
    kept = {p for p, r in zip(pairs(ratings), ratings.rating, strict=True) if r >= 2}
    assert set(pairs(smaller)) == core_one_by_one(kept, 3, 3)
    assert table["what"].tolist() == [
        "before any step",
        "ratings of at least 2",
        "3-core of users and items, iterated",
    ]
    for name, side in (("users", 0), ("items", 1)):
        left = [{p[side] for p in each} for each in (pairs(ratings), kept, pairs(smaller))]
        assert table[name].tolist() == [*map(len, left)]
        removed = [0, len(left[0] - left[1]), len(left[1] - left[2])]
        assert table[f"{name}_removed"].tolist() == removed
    assert table["ratings_removed"].sum() == len(ratings.rating) - len(smaller.rating)
    turned, _ = filtered(ratings, steps[::-1], 0)
    assert pairs(turned) != pairs(smaller)


def test_no_steps_change_nothing():
    ratings = made()
    same, table = filtered(ratings, [], 0)
    assert pairs(same) == pairs(ratings)
    assert table[["step", "users_removed", "ratings_removed"]].to_numpy().tolist() == [[0, 0, 0]]


def test_an_unknown_filter_names_the_nearest():
    with pytest.raises(RankassayError, match="did you mean 'k_core'"):
        filtered(made(), [{"kind": "kcore"}], 0)


def test_training_is_filtered_and_tests_of_what_it_lost_leave():
    ratings = made(share=0.2)
    rng = np.random.default_rng(3)
    train = rng.random(len(ratings.rating)) < 0.7
    test = ~train & (rng.random(len(ratings.rating)) < 0.6)
    train[ratings.user == 0] = False  # a user without training before is left to the split
    test[ratings.user == 0] = True
    steps = [{"kind": "k_core", "users": 4, "items": 4, "when": "after"}]
    held_out = (ratings.user > 0) & (ratings.user < 10)
    train, told = train & ~held_out, ~test & held_out
    parts, table = filtered_training(ratings, Parts(train, test, told), steps, 0)
    kept, tested = parts.train, parts.test
    learnt = core_one_by_one(pairs(ratings, train), 4, 4)
    assert set(pairs(ratings, kept)) == learnt
    lost = [
        {pair[side] for pair in pairs(ratings, train)} - {pair[side] for pair in learnt}
        for side in (0, 1)
    ]
    assert lost[0]
    assert lost[1]
    expected_told = [p for p in pairs(ratings, told) if p[1] not in lost[1]]
    assert pairs(ratings, parts.fold_in) == expected_told != pairs(ratings, told)
    lost[0] |= {p[0] for p in pairs(ratings, told)} - {p[0] for p in expected_told}
    expected = [p for p in pairs(ratings, test) if p[0] not in lost[0] and p[1] not in lost[1]]
    assert pairs(ratings, tested) == expected
    assert any(user == ratings.user_ids[0] for user, _ in expected)
    assert table["part"].tolist() == ["train", "train", "told", "test"]
    assert table["ratings"].tolist()[1:] == [len(learnt), len(expected_told), len(expected)]
    removed = [told.sum() - len(expected_told), test.sum() - len(expected)]
    assert table["ratings_removed"].tolist()[2:] == removed


def test_a_held_out_user_of_whom_nothing_is_told_any_more_is_not_tested():
    ratings = Ratings(
        user=np.array([0, 0, 1, 1, 2, 2, 2], dtype=np.int32),
        item=np.array([0, 1, 0, 1, 2, 0, 3], dtype=np.int32),
        rating=np.ones(7, dtype=np.float32),
        user_ids=np.array(["a", "b", "out"]),
        item_ids=np.array(["1", "2", "rare", "new"]),
    )
    # The held-out user is told of the rare item alone, which user a had, too.
    train = np.array([1, 1, 1, 1, 0, 0, 0], dtype=bool)
    one_more = replace(
        ratings,
        user=np.insert(ratings.user, 2, 0).astype(np.int32),
        item=np.insert(ratings.item, 2, 2).astype(np.int32),
        rating=np.ones(8, dtype=np.float32),
    )
    train = np.insert(train, 2, True)
    told, test = np.zeros(8, dtype=bool), np.zeros(8, dtype=bool)
    told[5], test[6], test[7] = True, True, True
    steps = [{"kind": "k_core", "items": 2}]
    with pytest.raises(RankassayError, match="found none of 2"):
        filtered_training(one_more, Parts(train, test, told), steps, 0)


def test_a_test_set_of_nobody_is_refused():
    ratings = made(share=0.2)
    counts = np.bincount(ratings.user)
    few = np.flatnonzero(counts > 2)[0]
    test = ratings.user == few
    first = np.flatnonzero(test)[0]
    train = ~test
    train[first], test[first] = True, False
    steps = [{"kind": "k_core", "users": 2}]
    with pytest.raises(RankassayError, match=f"found none of {test.sum()}; ask for less"):
        filtered_training(ratings, Parts(train, test), steps, 0)
