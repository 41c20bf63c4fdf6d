"""What catalogue entries may leave out, and test sets that come as judgements."""

import gzip

import numpy as np
import pytest
from pydantic import ValidationError

from assayer.config.datasets import FileDataset
from assayer.data.entries import completed
from assayer.data.prepare import prepare, split_by
from assayer.data.readers import judgements
from assayer.data.splits.given import split_as_given
from assayer.errors import AssayerError

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
    test = judgements.read(tmp_path / "qrels.txt")
    table = judgements.together(test, judgements.read(tmp_path / "train.csv.gz"))
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
        ("q.csv", "user,item\n1,2\n", "unknown column 'rating'"),
        (
            "q.csv",
            "user,item,rating\n1,2,3\n1,2,4\n",
            "q.csv, line 3: .* a second one of item '2' by",
        ),
        ("q.csv", "user,item,rating\n1,2,x\n", "q.csv, line 2: expected a number"),
        ("q.txt", "1 0 2 5\n1 0 2 4\n", "q.txt, line 2: user '1' has item '2' already"),
        ("q.txt", "user,item,rating\n", "q.txt, line 1: expected 4 columns"),
    ],
)
def test_mistakes_in_judgements_are_named(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(AssayerError, match=message):
        judgements.read(tmp_path / name)


def test_a_rating_cannot_be_in_both_parts(tmp_path):
    (tmp_path / "a.txt").write_text("1 0 2 5\n1 0 3 5\n")
    table = judgements.read(tmp_path / "a.txt")
    with pytest.raises(AssayerError, match="found that of item '2' by user '1' in both"):
        judgements.together(table, table)
