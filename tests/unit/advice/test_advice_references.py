"""Reference systems: recommenders fitted to training ratings, in terms of the judgements."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from rankassay.advice.references import MOST_ITEMS, Ratings, fitted, recommenders
from rankassay.advice.words_names import PREFIX
from rankassay.api.reading import judged
from rankassay.data.sources import rows_of
from rankassay.errors import RankassayError


@pytest.fixture(scope="module")
def ratings():
    """Return training ratings and judgements of two kinds of users, who like two kinds of items."""
    rng = np.random.default_rng(0)
    user, item = (grid.ravel() for grid in np.meshgrid(range(30), range(24), indexing="ij"))
    rating = np.where(user % 2 == item % 2, 5, 2) - (rng.random(user.size) < 0.2)
    rows = pd.DataFrame({"user": [f"u{u}" for u in user], "item": [f"i{i}" for i in item]})
    rows = rows.assign(rating=rating).sample(frac=0.6, random_state=1)
    train, test = rows[:300], rows[300:]
    return train.reset_index(drop=True), test.reset_index(drop=True)


def of(train, test, depth=10, seed=0):
    return fitted(rows_of(train, "train", "rating"), judged(test, 4), depth, seed)


def test_ranks_are_those_of_a_recommender_by_hand(ratings):
    """Sort the scores of EASE without the items of the user's training ratings."""
    train, test = ratings
    depth, qrels = 10, judged(test, 4)
    lists = of(train, test, depth)[f"{PREFIX}EASE, 100"]
    users, items = sorted({*train["user"], *test["user"]}), sorted({*train["item"], *test["item"]})
    matrix = np.zeros((len(users), len(items)))
    for u, i, r in train.itertuples(index=False):
        matrix[users.index(u), items.index(i)] = r
    gram = (matrix > 0).T.astype(float) @ (matrix > 0) + 100 * np.eye(len(items))
    inverse = np.linalg.inv(gram)
    weights = -inverse / np.diag(inverse)
    np.fill_diagonal(weights, 0)
    scores = (matrix > 0) @ weights
    scores[matrix > 0] = -np.inf
    found = 0
    for j, (row, item) in enumerate(zip(qrels.judgements.row, qrels.item, strict=True)):
        u, i = users.index(qrels.users[row]), items.index(qrels.items[item])
        rank = 1 + (scores[u] > scores[u, i]).sum()
        assert lists.ranks[j] == (rank if rank <= depth else 0)
        found += lists.ranks[j] > 0
    assert found > 20
    assert (lists.length <= depth).all()
    assert lists.length.max() == depth


@pytest.mark.slow
def test_all_families_are_there_and_the_same_seed_gives_the_same(ratings):
    first, again, other = of(*ratings), of(*ratings), of(*ratings, seed=1)
    assert [name.removeprefix(PREFIX) for name in first] == [
        "Random",
        "Popularity",
        "Popularity, liked",
        "Item kNN, 20",
        "Item kNN, 100",
        "EASE, 100",
        "EASE, 1000",
    ]
    for name, lists in first.items():
        np.testing.assert_array_equal(lists.ranks, again[name].ranks)
        np.testing.assert_array_equal(lists.length, again[name].length)
    changed = [name for name in first if (first[name].ranks != other[name].ranks).any()]
    assert changed == [f"{PREFIX}Random"]


@pytest.mark.slow
def test_lists_do_not_depend_on_the_order_of_rows(ratings):
    train, test = ratings
    lists = of(train, test)[f"{PREFIX}EASE, 100"]
    shuffled = of(train.sample(frac=1, random_state=2), test)[f"{PREFIX}EASE, 100"]
    np.testing.assert_array_equal(lists.ranks, shuffled.ranks)


def test_items_rated_in_training_are_not_listed(ratings):
    train, test = ratings
    both = pd.concat([test, train[:20]], ignore_index=True)
    qrels = judged(both, 4)
    known = {*zip(train["user"], train["item"], strict=True)}
    ids = zip(qrels.users[qrels.judgements.row], qrels.items[qrels.item], strict=True)
    trained = np.array([pair in known for pair in ids])
    assert trained.sum() == 20
    for lists in of(train, both).values():
        assert (lists.ranks[trained] == 0).all()


def test_users_unknown_to_training_have_popular_items_and_no_others(ratings):
    train, test = ratings
    kept = train[train["user"] != "u3"]
    found, qrels = of(kept, test), judged(test, 4)
    row = qrels.users.get_loc("u3")
    assert found[f"{PREFIX}Popularity"].length[row] == 10
    assert found[f"{PREFIX}EASE, 100"].length[row] == 0
    strangers = train.assign(user="x" + train["user"])
    assert {*of(strangers, test)} == {
        f"{PREFIX}{name}" for name in ("Random", "Popularity", "Popularity, liked")
    }


def test_other_ids_are_one_line(ratings):
    train, test = ratings
    with pytest.raises(RankassayError, match="no judged item has a training rating"):
        of(train.assign(item="x" + train["item"]), test)


def test_ratings_of_one_value_have_one_popularity(ratings):
    train, test = ratings
    found = of(train.assign(rating=1.0), test)
    assert f"{PREFIX}Popularity, liked" not in found
    assert len(found) == 6


def test_ratings_of_zero_are_seen_items(ratings):
    train, test = ratings
    rows = rows_of(
        train.assign(rating=train["rating"].where(train["rating"] > 3, 0)), "t", "rating"
    )
    matrix = Ratings.of(rows, judged(test, 4)).train
    assert matrix.nnz == len(train)
    assert (matrix.data > 0).all()


def test_many_items_take_factors_in_place_of_a_matrix_of_items(ratings):
    few, many = (sp.csr_matrix((80, n), dtype=np.float32) for n in (MOST_ITEMS, MOST_ITEMS + 1))
    methods = [[method for _, method, _ in recommenders(train, 4)] for train in (few, many)]
    assert methods[0][-2:] == ["ease", "ease"]
    assert methods[1][-2:] == ["puresvd", "puresvd"]
    small = [settings for _, _, settings in recommenders(many[:20], 4)][-1]
    assert small == {"factors": 19}


def test_one_user_and_one_item_are_enough():
    train = pd.DataFrame({"user": ["a"], "item": ["x"], "rating": [5.0]})
    test = pd.DataFrame({"user": ["b"], "item": ["x"], "rating": [5.0]})
    found = of(train, test)
    assert all((lists.ranks <= 1).all() for lists in found.values())
    assert found[f"{PREFIX}Popularity"].ranks.tolist() == [1]
