"""What clicks and plays say of relevance."""

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.data.entries import completed, is_implicit
from rankassay.data.feedback import binary, check_reached
from rankassay.data.reading import lines_of
from rankassay.errors import RankassayError

PLAYS = {"kind": "file", "path": "plays.csv", "feedback": "implicit"}
CLICKS = {"kind": "file", "path": "clicks.csv", "columns": {"user": 0, "item": 1, "rating": None}}


@pytest.mark.parametrize(
    ("entry", "implicit"),
    [
        (CLICKS, True),
        (PLAYS, True),
        ({"kind": "file", "path": "plays.csv", "duplicates": "sum"}, True),
        ({"kind": "file", "path": "plays.csv", "duplicates": "count"}, True),
        ({"kind": "file", "path": "baskets.txt", "format": "lists"}, True),
        ({"kind": "file", "path": "stars.csv", "duplicates": "mean"}, False),
        ({"kind": "file", "path": "p.csv", "duplicates": "sum", "feedback": "explicit"}, False),
        ({"kind": "file", "path": "s.csv", "columns": {"user": 0, "item": 1, "rating": 2}}, False),
        ({"kind": "qrels", "path": "q.txt", "feedback": "implicit"}, True),
        ({"kind": "qrels", "path": "q.txt"}, False),
        ({"kind": "synthetic"}, False),
    ],
)
def test_feedback_is_known_by_how_lines_are_read(entry, implicit):
    assert is_implicit(entry) is implicit


def test_one_is_relevant_unless_more_is_asked_for():
    assert completed("clicks", CLICKS)["threshold"] == 1
    assert completed("plays", PLAYS | {"threshold": 5})["threshold"] == 5
    stars = completed("stars", {"kind": "file", "path": "stars.csv", "threshold": 4})
    assert "feedback" not in stars


def test_counts_are_relevant_or_not():
    test = sp.csr_matrix(np.float32([[0, 1, 500], [3, 0, 2]]))
    found = binary(test, 2)
    assert found.data.tolist() == [0, 1, 1, 1]  # what is judged stays so
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found.indices, test.indices)
    assert test.data.max() == 500
    message = "no test interaction reaches the threshold 501, the highest count is 500"
    with pytest.raises(RankassayError, match=message):
        binary(test, 501)


def test_a_threshold_that_no_test_rating_reaches_is_named_with_the_highest_rating():
    test = sp.csr_matrix(np.float32([[0, 1, 3.6], [-2, 0, 2]]))
    check_reached(test, 3.6, "mine")  # which single precision rounds, as it does the ratings
    check_reached(test, None, None)
    message = r"dataset_catalogue\.mine\.threshold: .* threshold 3\.7, the highest is 3\.6: "
    with pytest.raises(RankassayError, match=message):
        check_reached(test, 3.7, "mine")
    with pytest.raises(RankassayError, match="the highest is -1: "):
        check_reached(-abs(test), -0.5, "mine")


@pytest.mark.parametrize("count", ["0", "-3"])
def test_a_count_is_above_0(tmp_path, count):
    (tmp_path / "plays.csv").write_text(f"user,item,rating\na,x,7\nb,x,{count}\n")
    message = f"line 3: expected a count above 0, found '{count}'"
    with pytest.raises(RankassayError, match=message):
        lines_of(tmp_path / "plays.csv", completed("plays", PLAYS))
