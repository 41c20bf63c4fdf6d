"""The job of propensities, and the jobs that read what it writes."""

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings, Scores, read_matrix, write_matrix
from rankassay.artifacts.tables import read_table
from rankassay.cli.job import do
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.seeds import generator
from rankassay.statistics.propensities import by_popularity, fitted

MEASURES = ["P@5", "SNIPS@5", "IPS(clip=20)@5"]
EVALUATION = {"threshold": 4, "profile": "paper", "without_relevant": None, "measures": MEASURES}


@pytest.fixture
def files(tmp_path):
    """Write a split and the lists of two systems; return the paths as text, by name."""
    rng = generator(7, "jobs")
    chance = np.linspace(0.8, 0.1, 30)
    draw = rng.random((40, 30))
    stars = rng.integers(1, 6, (40, 30)).astype(np.float32)
    train = sp.csr_matrix(np.where(draw < chance / 2, stars, 0))
    test = sp.csr_matrix(np.where((draw >= chance / 2) & (draw < chance), stars, 0))
    write_matrix(train, tmp_path / "train.npz")
    write_matrix(test, tmp_path / "test.npz")
    whole = np.full(40, 30, dtype=np.int32)
    for name in "ab":
        order = np.argsort(rng.random((40, 30)), axis=1).astype(np.int32)
        ranks = (np.argsort(order, axis=1) + 1)[test.nonzero()].astype(np.int32)
        Rankings(order[:, :10].copy(), ranks, whole, whole).save(tmp_path / f"{name}.npz")
    names = ["train", "test", "a", "b", "propensities", "known", "scores"]
    return {name: str(tmp_path / f"{name}.npz") for name in names}


def estimate(files, **how):
    given = {"train": files["train"], "test": files["test"], "output": files["propensities"]}
    do("estimate_propensities", given | how)


def test_they_are_estimated_or_looked_up(files):
    train, test = read_matrix(files["train"]), read_matrix(files["test"])
    every = sp.csr_matrix(np.linspace(0.01, 1, 1200).reshape(40, 30))
    write_matrix(every, files["known"])
    for how, expected in (
        ({"estimate": "popularity", "gamma": 2}, by_popularity(train, test, 2.0).data),
        ({"estimate": "fitted"}, fitted(train, test).data),
        ({"estimate": "known", "known": files["known"]}, every.toarray()[test.nonzero()]),
    ):
        estimate(files, **how)
        found = read_matrix(files["propensities"])
        np.testing.assert_array_equal(found.data, expected)
        np.testing.assert_array_equal(found.indices, test.indices)


def test_they_reach_the_scores_and_the_analyses(files, tmp_path):
    estimate(files, estimate="popularity", gamma=1.5)
    rankings = {name: files[name] for name in "ab"}
    given = {"test": files["test"], "rankings": rankings, "evaluation": EVALUATION}
    do("score", given | {"propensities": files["propensities"], "output": files["scores"]})
    found = Scores.load(files["scores"])
    test = read_matrix(files["test"])
    judgements = Judgements.of(test, 4, read_matrix(files["propensities"]))
    lists = [Lists.of(Rankings.load(files[name]), judgements) for name in "ab"]
    np.testing.assert_array_equal(found.values, evaluate(judgements, lists, MEASURES, depth=10))

    settings = {"levels": [100, 50], "samples": 2, "resamples": 0}
    evaluation = EVALUATION | {"aggregate": "mean"}
    table = str(tmp_path / "sparsity.csv")
    inputs = {"test": files["test"], "test_propensities": files["propensities"]}
    given = {"name": "robustness/sparsity", "dataset": "mine", "inputs": inputs}
    given |= {"rankings": rankings, "evaluation": evaluation, "settings": settings}
    do("analyse", given | {"seed": 1, "output": [table]})
    rows = read_table(table)
    assert {*rows["metric"]} == {"P", "SNIPS", "IPS(clip=20)"}
    assert (rows.loc[rows["level"] == 100, "tau"] == 1).all()


def test_metrics_without_them_are_told_in_one_line(files):
    given = {"test": files["test"], "rankings": {"a": files["a"]}, "evaluation": EVALUATION}
    with pytest.raises(RankassayError, match="the metric SNIPS needs the probabilities that rat"):
        do("score", given | {"output": files["scores"]})
