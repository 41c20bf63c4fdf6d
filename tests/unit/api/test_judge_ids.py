"""The items of a judge are numbered by their ids, as in the workflow, for any order of lines."""

import numpy as np
import pandas as pd
import pytest
from made_up import study

from rankassay.advice.given import Settings, values
from rankassay.advice.of_split import given_of
from rankassay.api import judge_inputs
from rankassay.statistics.incomplete import popularity

WEIGHED = ["IPS(gain='DCG', power=0.5)@10", "IPS(centred=True, gain='DCG', power=0.5)@10"]
HOW = (4, "trec", None, 1)


def frame(matrix, names):
    """Return the entries of a matrix as rows, items by their names."""
    own = matrix.tocoo()
    return pd.DataFrame({"user": own.row, "item": names[own.col], "rating": own.data})


@pytest.fixture(scope="module")
def made():
    """Return a study with many equally popular items, as the workflow and as files have it."""
    train, test, rankings = study(n_users=30, n_systems=6, trained=0.1)
    names = np.array([str(7 + 3 * item) for item in range(test.shape[1])])  # 10 comes after 7
    runs = {
        name: pd.DataFrame(
            [
                (user, names[item], -place)
                for user, items in enumerate(own.items)
                for place, item in enumerate(items)
                if item >= 0
            ],
            columns=["user", "item", "score"],
        )
        for name, own in rankings.items()
    }
    return (train, test, rankings), (frame(test, names), runs, frame(train, names)), names


def judged(qrels, runs, train):
    return judge_inputs.given(judge_inputs.read(qrels, runs, train, None, None, *HOW), False, 1)


def test_items_are_as_popular_as_their_ids_are(made):
    (train, _, _), (qrels, runs, rated), names = made
    given = judged(qrels, runs, rated)
    number = dict(zip(names, popularity(train), strict=True))
    assert given.popularity[given.item].tolist() == [number[name] for name in qrels["item"]]
    ordered = [number[name] for name in sorted({*qrels["item"], *rated["item"]}, key=int)]
    assert given.popularity.tolist() == ordered


def test_hits_weigh_as_in_the_workflow(made):
    (train, test, rankings), (qrels, runs, rated), _ = made
    wanted = values(given_of(test, rankings, 4, train)[0], WEIGHED, Settings(), rankings)
    lines = np.random.default_rng(2).permutation(len(qrels))
    for rows in (qrels, qrels.iloc[lines]):
        found = values(judged(rows, runs, rated.iloc[::-1]), WEIGHED, Settings(), rankings)
        np.testing.assert_allclose(np.nanmean(found, axis=0), np.nanmean(wanted, axis=0))
