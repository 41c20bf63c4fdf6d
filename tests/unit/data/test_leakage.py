"""The counts of leakage against loops over all pairs of ratings."""

import numpy as np
import pytest

from rankassay.data.splits import leakage


def counted(user, item, time, train, test):
    """Return the counts, from their definitions."""
    rows = [*zip(user.tolist(), item.tolist(), time.tolist(), strict=True)]
    trained = [row for row, keep in zip(rows, train, strict=True) if keep]
    tested = [row for row, keep in zip(rows, test, strict=True) if keep]
    users = {u for u, _, _ in tested}
    first = {u: min(t for v, _, t in tested if v == u) for u in users}
    earliest = min(first.values())
    times = {i: [t for _, j, t in trained if j == i] for _, i, _ in rows}
    known = {u for u, _, _ in trained}
    return {
        "test_users_with_later": len({u for u, _, t in trained if u in users and t > first[u]}),
        "train_ratings_after_own_test": sum(u in users and t > first[u] for u, _, t in trained),
        "train_ratings_after_first_test": sum(t > earliest for _, _, t in trained),
        "test_users_after_whom_trained": sum(
            any(t > first[u] for _, _, t in trained) for u in users
        ),
        "test_ratings_of_later_items": sum(
            bool(times[i]) and not any(s < t for s in times[i]) for _, i, t in tested
        ),
        "test_ratings_of_new_items": sum(not times[i] for _, i, _ in tested),
        "new_test_items": len({i for _, i, _ in tested if not times[i]}),
        "test_users_without_training": len(users - known),
        "test_ratings_without_training": sum(u not in known for u, _, _ in tested),
    }


@pytest.mark.parametrize("seed", range(30))
def test_the_counts_are_those_of_the_definitions(seed):
    random = np.random.default_rng(seed)
    n_users, n_items = 8, 14
    chosen = np.sort(random.choice(n_users * n_items, 45, replace=False))
    user, item = (x.astype(np.int32) for x in np.divmod(chosen, n_items))
    time = random.integers(0, 9, 45)
    part = random.choice(3, 45, p=[0.2, 0.5, 0.3])  # neither, training, test
    train, test = part == 1, part == 2
    found = leakage(user, item, time, train, test, n_users, n_items).set_index("count")
    assert found["value"].to_dict() == counted(user, item, time, train, test)
    of = found["of"].to_dict()
    assert of["test_users_with_later"] == len(set(user[test]))
    assert of["train_ratings_after_own_test"] == train.sum()
    assert of["new_test_items"] == len(set(item[test]))
    assert of["test_ratings_of_new_items"] == test.sum()


def test_without_times_nothing_is_said_of_the_future():
    user, item = np.array([0, 0, 1], np.int32), np.array([0, 1, 2], np.int32)
    train = np.array([True, False, False])
    found = leakage(user, item, None, train, ~train, 2, 3).set_index("count")["value"]
    assert found.isna().sum() == 5
    assert found["new_test_items"] == 2
    assert found["test_users_without_training"] == 1


def test_nothing_to_train_on_leaks_nothing():
    user, item = np.zeros(2, np.int32), np.arange(2, dtype=np.int32)
    test = np.array([True, True])
    found = leakage(user, item, np.array([5, 6]), ~test, test, 1, 2)
    assert found["value"].tolist() == [0, 0, 0, 0, 0, 2, 2, 1, 2]
