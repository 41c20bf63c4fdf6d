"""Leakage: counts of what a split lets models know before its time; no verdicts.

A model that is trained on ratings later than those it is tested on knows the future (Ji et al., A
Critical Study on Data Leakage in Recommender System Offline Evaluation, TOIS 2023; Meng et al.,
Exploring Data Splitting Strategies for the Evaluation of Recommendation Models, RecSys 2020). Users
and items without training ratings are no leakage but its price: they are excluded where a split is
clean.
"""

import numpy as np
import pandas as pd

from rankassay.types import Booleans, Integers, Integers32

LATEST = np.iinfo(np.int64).max


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
        last_train = time[train].max(initial=-LATEST)
        first_train = _first(item[train], time[train], n_items)
        unborn = trained_items[item[test]] & (first_train[item[test]] >= time[test])
        later = [
            int(by_user.sum()),
            int(after_own.sum()),
            int((time[train] > first_test.min(initial=LATEST)).sum()),
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
    found = np.full(n, LATEST)
    np.minimum.at(found, of, time)
    return found
