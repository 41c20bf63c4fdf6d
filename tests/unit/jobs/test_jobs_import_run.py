"""The job that takes a run file over: files of all forms make the same rankings."""

import json

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings, Ratings, write_matrix
from rankassay.cli.job import do
from rankassay.data.trec import as_escaped
from rankassay.errors import RankassayError

ROWS = [("ann", "Pale Ale", 0.9), ("ann", "5%", 0.5), ("bob lee", "Stout", 0.25)]
ESCAPED = [("ann", "Pale%20Ale", 0.9), ("ann", "5%25", 0.5), ("bob%20lee", "Stout", 0.25)]


@pytest.fixture
def imported(tmp_path):
    """Return a function that imports a run, and returns the rankings."""
    ids = np.array(["ann", "bob lee"]), np.array(["5%", "Pale Ale", "Stout"])
    user, item = np.array([0, 0, 1], np.int32), np.array([0, 1, 2], np.int32)
    Ratings(user, item, np.array([5, 4, 3], np.float32), *ids).save(tmp_path / "ratings.npz")
    test = sp.csr_matrix((np.array([5.0, 4, 3]), (user, item)), shape=(2, 3))
    write_matrix(test, tmp_path / "test.npz")
    write_matrix(sp.csr_matrix((2, 3)), tmp_path / "train.npz")

    def call(name):
        files = {each: tmp_path / f"{each}.npz" for each in ("ratings", "train", "test")}
        how = {"depth": 5, "ties": "trec", "not_candidates": "error", "candidates": "all_items"}
        output = tmp_path / "out.npz"
        do("import_run", {"run": str(tmp_path / name), "output": output} | files | how)
        return Rankings.load(output)

    return call


def as_lines(rows, separator, header=()):
    return "".join(f"{separator.join(map(str, row))}\n" for row in [*header, *rows])


def nested(rows):
    found = {}
    for user, item, score in rows:
        found.setdefault(user, {})[item] = score
    return json.dumps(found)


RUNS = {
    "a.csv": as_lines(ROWS, ",", [("user", "item", "score")]),
    "b.csv": as_lines(ESCAPED, ",", [("user", "item", "score")]),
    "c.tsv": as_lines(ROWS, "\t"),
    "d.json": nested(ROWS),
    "e.csv": as_lines([("ann", "Pale Ale", 1), ("ann", "5%", 2), ("bob lee", "Stout", 1)], ","),
    "f.run": "".join(f"{u} Q0 {i} 1 {score} t\n" for u, i, score in ESCAPED),
}


@pytest.mark.parametrize("name", [*RUNS, "g.parquet"])
def test_files_of_all_forms_make_the_same_rankings(tmp_path, imported, name):
    if name in RUNS:
        (tmp_path / name).write_text(RUNS[name])
    else:
        pd.DataFrame(ROWS, columns=["user_id", "item_id", "score"]).to_parquet(tmp_path / name)
    found = imported(name)
    assert found.items.tolist() == [[1, 0, -1, -1, -1], [2, -1, -1, -1, -1]]


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.csv", "user,item,score\nann,5%,1\n\nann,x,2\n", "a.csv, line 4"),
        ("a.tsv", "ann\t5%\t3\nann\tx\t2\n", "a.tsv, line 2"),
        ("a.run", "\nann Q0 5%25 1 2 t\n \nann Q0 x 2 1 t\n", "a.run, line 4"),
        ("a.json", '{"ann": {"5%": 2, "x": 1}}', "a.json, user 'ann', item 'x'"),
    ],
)
def test_a_line_that_no_recommender_made_is_named(tmp_path, imported, name, text, place):
    (tmp_path / name).write_text(text)
    with pytest.raises(RankassayError, match=f"{place}: the dataset has no item 'x'"):
        imported(name)


def test_an_id_that_is_escaped_stays_so():
    names = ["a b", "a%20b", "5%"]
    found = as_escaped(pd.Series(["a b", "a%20b", "a%2520b", "5%", "5%25", "x"]), names)
    assert found.tolist() == ["a%20b", "a%20b", "a%2520b", "5%25", "5%25", "x"]
