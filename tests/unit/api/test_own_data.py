"""What catalogue entries may leave out, and test sets that come as judgements."""

import gzip

import numpy as np
import pytest
import yaml
from pydantic import ValidationError

from rankassay.config.datasets import FileDataset, QrelsDataset
from rankassay.data import judgements
from rankassay.data.entries import completed
from rankassay.data.parts import split_as_given
from rankassay.data.prepare import prepare, split_by
from rankassay.errors import RankassayError

SHORT = {"kind": "file", "path": "mine.csv.gz", "threshold": 4}


def test_an_entry_is_completed():
    entry = completed("mine", SHORT)
    assert entry | {"columns": 0} == SHORT | {
        "label": "mine",
        "format": "delimited",
        "separator": ",",
        "header": True,
        "columns": 0,
        "duplicates": "error",
    }
    assert completed("mine", SHORT | {"path": "mine.tsv"})["separator"] == "\t"
    assert "header" not in completed("mine", SHORT | {"columns": {"user": 0}})
    assert completed("mine", SHORT | {"header": False})["header"] is False
    assert "separator" not in completed("mine", SHORT | {"format": "dicts"})
    assert completed("mine", {"kind": "qrels"}) == {"label": "mine", "kind": "qrels"}


def test_how_aspects_are_read_is_completed_as_for_ratings():
    entry = SHORT | {"aspects_path": "items.tsv.gz", "aspects": {"item": "id", "labels": 2}}
    found = completed("mine", entry)["aspects"]
    assert found == {"item": "id", "labels": 2, "separator": "\t", "header": True}
    assert entry["aspects"] == {"item": "id", "labels": 2}  # as it was
    plain = {"item": 0, "labels": 1, "separator": ";"}
    assert completed("mine", entry | {"aspects": plain})["aspects"] == plain
    with pytest.raises(ValidationError, match=r"'separator' is missing.*of 'items\.txt'"):
        FileDataset(**entry | {"aspects_path": "items.txt"})
    assert FileDataset(**entry).aspects.separator is None


def test_a_split_that_is_given_is_kept_with_its_ratings_of_zero(tmp_path):
    (tmp_path / "qrels.txt").write_text("10 0 b 0\n9 0 a 1\n")
    (tmp_path / "train.csv.gz").write_bytes(gzip.compress(b"rating,user,item\n2.5,9,b\n1,7,c\n"))
    test = judgements.read(tmp_path / "qrels.txt", {})
    table = judgements.together(test, judgements.read(tmp_path / "train.csv.gz", {}))
    ratings = split_by(prepare(table), test)
    assert ratings.user_ids.tolist() == ["7", "9", "10"]
    train, test = split_as_given(ratings.matrix, ratings.tested)
    assert train.toarray().tolist() == [[0, 0, 1], [0, 2.5, 0], [0, 0, 0]]
    assert test.nnz == 2
    assert np.diff(test.indptr).tolist() == [0, 1, 1]
    assert test[1, 0] == 1


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("q.csv", "user,item\n1,2\n", r"expected the names of the columns .*\(user, item\)"),
        (
            "q.csv",
            "user,item,rating\n1,2,3\n1,2,4\n",
            "q.csv, line 3: user '1' has item '2' already",
        ),
        ("q.csv", "user,item,rating\n1,2,x\n", "q.csv, line 2: expected a number"),
        ("q.txt", "1 0 2 5\n1 0 2 4\n", "q.txt, line 2: user '1' has item '2' already"),
        ("q.txt", "user,item,rating\n", "q.txt: expected ratings, found none"),
        (
            "q.txt",
            "\nuser item rating\n\n1 2 5\n1 3 5\n1 2 5\n",
            "q.txt, line 6: user '1' has item '2' already",
        ),
        ("q.json", '{"1": {"2": "x"}}', "q.json, user '1', item '2': expected a number as rating"),
        (
            "q.csv",
            "user,item,rating\n1,a\0,3\n",
            "q.csv, line 2: expected an id of the item, found a zero",
        ),
    ],
)
def test_mistakes_in_judgements_are_named(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(RankassayError, match=message):
        judgements.read(tmp_path / name, {})


DESCRIBED = {
    "separator: '\\t'": "1\t2\t5\t9\n3\t4\t1\t9\n",
    "{separator: '::', columns: {user: 0, item: 1, rating: 2}}": "1::2::5::9\n3::4::1::9\n",
    "{columns: {user: who, item: what, rating: stars}}": "stars,what,who\n5,2,1\n1,4,3\n",
    "{format: dicts, columns: {user: u, item: i, rating: r}}": (
        '{"u": 1, "i": 2, "r": 5}\n{"u": 3, "i": 4, "r": 1}\n'
    ),
    "{format: matrix, separator: whitespace}": "0 5\n0 0\n1 0\n",
    "{encoding: latin-1, columns: {user: u, item: i, rating: r}}": "u,i,r,é\n1,2,5,\n3,4,1,\n",
    "{}": "userId,movieId,rating,timestamp\n1,2,5,9\n3,4,1,9\n",
}


@pytest.mark.parametrize(("described", "text"), DESCRIBED.items())
def test_judgements_are_described_as_ratings_are(tmp_path, described, text):
    """The readers of the kind `file` read those of the kind `qrels`, too."""
    path = tmp_path / "test.csv"
    path.write_text(text, encoding="latin-1")
    own = yaml.safe_load(described)
    if own.get("separator") == "\\t":
        own["columns"] = {"user": 0, "item": 1, "rating": 2}
    entry = {"kind": "qrels", "path": str(path), "threshold": 4, **own}
    assert QrelsDataset(**entry)
    found = judgements.read(path, completed("mine", entry))
    rows = found[["user", "item", "rating"]].astype({"user": int, "item": int})
    expected = [(1, 2, 5), (3, 1, 1)] if own.get("format") == "matrix" else [(1, 2, 5), (3, 4, 1)]
    assert rows.to_numpy().tolist() == [[*map(float, row)] for row in expected]


def test_times_of_judgements_count_where_the_training_ratings_have_them(tmp_path):
    (tmp_path / "test.tsv").write_text("1\t2\t5\t2000\n")
    (tmp_path / "train.csv").write_text("1,3,5,1000\n")
    columns = {"user": 0, "item": 1, "rating": 2, "timestamp": 3}
    entry = completed("x", {"kind": "qrels", "columns": columns, "timestamp_format": "ms"})
    test, train = (judgements.read(tmp_path / name, entry) for name in ("test.tsv", "train.csv"))
    assert judgements.together(test, train)["timestamp"].tolist() == [2, 1]
    del train["timestamp"]
    assert "timestamp" not in judgements.together(test, train)


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ({"path": "q.txt", "columns": {"user": 0, "item": 1, "rating": 2}}, "'separator' is miss"),
        ({"path": "q.csv", "train": "t", "header": True}, "'separator' is missing"),
        ({"path": "q.parquet", "separator": ","}, "'separator' has no place with the format parq"),
        ({"path": "q.csv", "lead": "user"}, "'lead' has no place with the format delimited"),
        ({"path": "q.csv", "timestamp_format": "ms"}, "no column of times is named"),
    ],
)
def test_how_judgements_are_read_is_checked_as_for_ratings(own, said):
    with pytest.raises(ValidationError, match=said):
        QrelsDataset(kind="qrels", threshold=4, **own)


@pytest.mark.parametrize("part", ["aspects", "item_attributes"])
def test_separators_between_single_quotes_are_understood(part):
    entry = {"kind": "file", "path": "x.dat", "separator": "\\t", part: {"separator": "\\s+"}}
    entry[part] |= {"item": 0} if part == "aspects" else {"id": 0, "attributes": {}}
    found = completed("mine", entry)
    assert (found["separator"], found[part]["separator"]) == ("\t", "whitespace")
    scores = completed("mine", {"kind": "scores", "table": "x", "separator": "\\t"})
    assert scores["separator"] == "\t"


def test_a_rating_cannot_be_in_both_parts(tmp_path):
    (tmp_path / "a.txt").write_text("1 0 2 5\n1 0 3 5\n")
    table = judgements.read(tmp_path / "a.txt", {})
    with pytest.raises(RankassayError, match="found that of item '2' by user '1' in both"):
        judgements.together(table, table)
