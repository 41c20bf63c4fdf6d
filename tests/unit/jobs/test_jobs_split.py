"""The job that splits: its files, users who are held out, and filters after the split."""

import logging

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.artifacts.arrays import Ratings, read_held_out, read_matrix, write_matrix
from rankassay.artifacts.tables import read_table, write_table
from rankassay.cli.job import do
from rankassay.data.filters import filtered
from rankassay.errors import RankassayError

RANDOM = {"method": "random", "test_fraction": 0.25, "rounding": "floor"}
HELD = {"method": "hold_out_users", "users": 0.4, "last": None} | {
    key: RANDOM[key] for key in ("test_fraction", "rounding")
}


@pytest.fixture
def split(tmp_path):
    random = np.random.default_rng(1)
    user, item = np.nonzero(random.random((30, 20)) < 0.5)
    ratings = Ratings(
        *(user.astype(np.int32), item.astype(np.int32)),
        rating=random.integers(1, 6, len(user)).astype(np.float32),
        user_ids=np.arange(30).astype(str),
        item_ids=np.arange(20).astype(str),
        timestamp=10**9 + random.integers(10**6, size=len(user)),
    )

    def run(how, timestamp=ratings.timestamp, **more):
        own = {name: getattr(ratings, name) for name in ("user", "item", "rating")}
        ids = {name: getattr(ratings, name) for name in ("user_ids", "item_ids")}
        given = Ratings(**own, **ids, timestamp=timestamp)
        given.save(tmp_path / "ratings.npz")
        names = {"train": "npz", "test": "npz"} | dict.fromkeys(
            ("summary", "leakage", "removed"), "csv"
        )
        paths = {name: tmp_path / f"{name}.{end}" for name, end in names.items()}
        own = {"ratings": tmp_path / "ratings.npz", "split": how, "fold": 1, "seed": 1}
        do("split", own | paths | more)
        tables = (read_table(paths[name]) for name in ("summary", "leakage", "removed"))
        return given, paths["train"], read_matrix(paths["test"]), *tables

    return run


def test_nothing_is_said_of_filters_and_held_out_users_where_there_are_none(split):
    ratings, train, test, summary, leakage, removed = split(RANDOM)
    assert read_held_out(train) is None
    assert (read_matrix(train) + test != ratings.matrix).nnz == 0
    assert summary["ratings"].tolist() == [read_matrix(train).nnz, test.nnz]
    assert removed[["part", "step"]].to_numpy().tolist() == [["all", 0]]
    assert removed["ratings"].tolist() == [len(ratings.rating)]
    assert (removed.filter(like="_removed") == 0).all(axis=None)
    assert leakage["value"].notna().all()


def test_a_threshold_that_no_test_rating_reaches_is_told_before_anything_is_written(
    split, tmp_path
):
    _, _, test, *_ = split(RANDOM)
    highest = float(test.data.max())
    split(RANDOM, dataset="mine", threshold=highest)
    for path in tmp_path.glob("t*.npz"):
        path.unlink()
    said = "dataset_catalogue.mine.threshold: no test rating reaches the threshold 6"
    with pytest.raises(RankassayError, match=said):
        split(RANDOM, dataset="mine", threshold=highest + 1)
    assert not [*tmp_path.glob("t*.npz")]


def test_the_training_matrix_says_who_is_held_out(split):
    _, train, test, *_ = split(HELD)
    held_out = read_held_out(train)
    assert held_out.tolist() == (np.diff(test.indptr) > 0).tolist()
    assert held_out.sum() == 12
    assert (np.diff(read_matrix(train).indptr) > 0).all()


def test_what_is_filtered_after_the_split_is_counted_behind_what_was_before(split, tmp_path):
    ratings, *_ = split(RANDOM)
    _, before = filtered(ratings, [{"kind": "least_rating", "rating": 1}], 0)
    write_table(before, tmp_path / "before.csv")
    more = {"steps": [{"kind": "least_rating", "rating": 4}], "counts": tmp_path / "before.csv"}
    _, train, test, summary, _, removed = split(RANDOM, **more)
    assert read_matrix(train).data.min() == 4
    assert test.data.min() == 1
    assert removed["part"].tolist() == ["all", "all", "train", "train", "test"]
    assert removed["ratings"].tolist()[-2:] == summary["ratings"].tolist()


def test_times_that_cannot_be_compared_are_not_counted_by(split, caplog):
    mixed = np.full(len(split(RANDOM)[0].user), 10**9)
    mixed[:5] *= 1000
    with caplog.at_level(logging.WARNING):
        leakage = split(RANDOM, timestamp=mixed)[4]
    assert leakage["value"].isna().sum() == 5
    assert "needs timestamps of one unit" in caplog.text
    assert split(RANDOM, timestamp=None)[4]["value"].isna().sum() == 5


@pytest.mark.parametrize("held_out", [np.ones(3, bool), np.ones(2)])
def test_held_out_users_that_the_matrix_does_not_have_are_refused(tmp_path, held_out):
    path = tmp_path / "train.npz"
    write_matrix(sp.csr_matrix(np.eye(2, dtype=np.float32)), path, held_out)
    with pytest.raises(RankassayError, match="a sparse matrix"):
        read_held_out(path)
