"""TREC files are read as trec_eval reads them, and mistakes are named with their line."""

import gzip
import os
import socket
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from rankassay.data.readers import delimited
from rankassay.data.tables import read_qrels, read_run
from rankassay.data.trec import escaped, write_qrels, write_run
from rankassay.errors import RankassayError


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a text to a file and returns its path."""

    def write(text):
        path = tmp_path / "lists.txt"
        path.write_bytes(text.encode())
        return path

    return write


def test_blanks_of_any_number_separate(file):
    run = read_run(file('\n u1\tQ0  a"b 1 0.5 me\r\n\nNA Q0 #7 9 -1e3 me  \n'))
    assert run.columns.tolist() == ["user", "item", "score"]
    assert run.user.tolist() == ["u1", "NA"]
    assert run.item.tolist() == ['a"b', "#7"]
    assert run.score.tolist() == [0.5, -1000.0]
    qrels = read_qrels(file("007 0 07 -1\n7 0 7 2.5"))
    assert qrels.user.tolist() == ["007", "7"]
    assert qrels.rating.tolist() == [-1.0, 2.5]


def test_quotes_are_part_of_an_id_wherever_they_stand(file):
    run = read_run(file('u Q0 "a 1 0.5 t\nu Q0 "b" 2 0.4 t\nu Q0 b 3 0.3 t\n'))
    assert run.item.tolist() == ['"a', '"b"', "b"]
    assert read_qrels(file('"u 0 a 5\nu" 0 a 4\n')).user.tolist() == ['"u', 'u"']


def test_compressed_files_are_read(tmp_path):
    path = tmp_path / "qrels.gz"
    path.write_bytes(gzip.compress(b"u 0 i 5\n"))
    assert read_qrels(path).rating.tolist() == [5.0]
    path.write_bytes(gzip.compress(b"u 0 i 5\nu 0 i\n"))
    with pytest.raises(RankassayError, match=r"qrels.gz, line 2: expected 4 columns"):
        read_qrels(path)


GOOD = "u Q0 a 1 0.5 t\n\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "u Q0 b 2 0.4",
            r"line 3: expected 6 columns \(user Q0 item rank score tag\) .*, found 5",
        ),
        (
            "u Q0 b c 2 0.4 t",
            "line 3: expected 6 columns .* between blanks, which no id holds, found 7",
        ),
        ("u v Q0 b 2 0.4 t", "line 3: expected 6 columns .*, found 7"),
        ("u Q0 b 2 2 0.4 t", "line 3: expected 6 columns .*, found 7"),
        ("# as below\nu Q0 b 2 high t", "line 4: expected a number as score, found 'high'"),
        ("u Q0 b 2 high t", "line 3: expected a number as score, found 'high'"),
        ("u Q0 b 2 nan t", "line 3: expected a number as score, found 'nan'"),
        ("u Q0 a 2 0.4 t", "line 3: user 'u' has item 'a' already"),
    ],
)
def test_mistakes_in_a_run_are_named_with_their_line(file, line, message):
    with pytest.raises(RankassayError, match=rf"lists.txt, {message}"):
        read_run(file(GOOD + line))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("u 0 a 5\nu 0 b", "line 2: expected 4 columns"),
        ("# u 0\n\nu 0 a 5\nu 0 b 5 5", "line 4: expected 4 columns .* found 5"),
        ("# u 0 a 5\n # b", r"expected lines 'user iter item rating', found only comments; repl"),
        ("u 0 a five", "line 1: expected a number as rating, found 'five'"),
        ("u 0 a 5\nu 0 a 4", "line 2: user 'u' has item 'a' already"),
        ("u Q0 a 1 0.5 t", "line 1: expected 4 columns .* found 6"),
    ],
)
def test_mistakes_in_qrels_are_named_with_their_line(file, text, message):
    with pytest.raises(RankassayError, match=message):
        read_qrels(file(text))


def test_comments_and_what_stands_behind_the_tag_are_not_read(file, monkeypatch):
    monkeypatch.setattr(delimited, "BLOCK", 8)  # some are of comments alone
    text = "# one\n  # two of\nu Q0 #7 1 0.5 t my run\n# Q0 b 2 0.4 t\nu Q0 b 2 0.4 t#\n# end"
    run = read_run(file(text))
    assert run.to_dict("list") == {"user": ["u", "u"], "item": ["#7", "b"], "score": [0.5, 0.4]}
    qrels = read_qrels(file("# 0 a 5\n#\nu 0 a# 5\n#0 0 a 5"))
    assert qrels.to_dict("list") == {"user": ["u"], "item": ["a#"], "rating": [5.0]}


def test_tags_do_not_count_and_it_is_said_once(file, caplog):
    run = read_run(file("u Q0 a 1 0.5 t\nu Q0 b 2 0.4 other\nu Q0 c 3 0.3 t\n"))
    assert run.item.tolist() == ["a", "b", "c"]
    (said,) = [record.getMessage() for record in caplog.records]
    assert "lists.txt, line 2: the tag is 'other', above 't'; tags do not count" in said


@pytest.mark.parametrize("rating", ["inf", "-inf", "1e999"])
def test_ratings_are_finite(file, rating):
    with pytest.raises(RankassayError, match="line 2: expected a finite rating"):
        read_qrels(file(f"u 0 a 5\nu 0 b {rating}"))


@pytest.mark.parametrize(
    ("ranks", "line"), [("1 2 3 1", None), ("0 1 2 0", None), ("1 3 2 1", 4), ("2 1 3 1", 3)]
)
def test_ranks_that_contradict_the_scores_are_said_and_not_used(file, caplog, ranks, line):
    rows = zip("uuuv", "abca", ranks.split(), (3, 2, 1, 9), strict=True)
    text = "\n" + "".join(f"{u} Q0 {i} {rank} {score} t\n" for u, i, rank, score in rows)
    run = read_run(file(text))
    assert run.score.tolist() == [3, 2, 1, 9]
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == (line is not None)
    assert all(f"line {line}: the ranks are not in the order of the scores" in s for s in said)


def test_ranks_that_are_no_numbers_are_said(file, caplog):
    read_run(file("u Q0 a first 2 t\nu Q0 b second 1 t\n"))
    assert "line 2: the ranks are not in the order" in caplog.text


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_file_is_refused(file, text):
    with pytest.raises(RankassayError, match="found an empty file"):
        read_qrels(file(text))


def test_scores_are_read_exactly(file):
    scores = np.random.default_rng(0).random(600) * 10.0 ** np.arange(-300, 300)
    scores = np.concatenate([scores, [0.1, 1 / 3, 1e-300, 123456789.123456789]])
    text = "".join(f"u Q0 i{n} 1 {score!r} t\n" for n, score in enumerate(scores.tolist()))
    assert read_run(file(text)).score.tolist() == scores.tolist()


def test_what_is_written_is_read_back(tmp_path):
    qrels = pd.DataFrame({"user": ["u", "v"], "item": [7, 8], "rating": [0.5, 4.0]})
    write_qrels(qrels, tmp_path / "q")
    assert (tmp_path / "q").read_text() == "u 0 7 0.5\nv 0 8 4.0\n"
    assert read_qrels(tmp_path / "q").rating.tolist() == [0.5, 4.0]
    write_qrels(qrels.assign(rating=[1.0, 4.0]), tmp_path / "q")
    assert (tmp_path / "q").read_text() == "u 0 7 1\nv 0 8 4\n"
    run = pd.DataFrame({"user": ["u", "u"], "item": [7, 8], "rank": [1, 2], "score": [1, 0]})
    write_run(run, tmp_path / "r", "me")
    assert (tmp_path / "r").read_text() == "u Q0 7 1 1 me\nu Q0 8 2 0 me\n"
    assert read_run(tmp_path / "r").item.tolist() == ["7", "8"]


@pytest.mark.parametrize("name", ["a b", "", " a", "a\u00a0b", "a\n"])
def test_ids_with_blanks_are_refused(tmp_path, name):
    frame = pd.DataFrame({"user": ["u"], "item": [name], "rating": [1]})
    with pytest.raises(RankassayError, match=r"cannot write the item|expected an id of the item"):
        write_qrels(frame, tmp_path / "q")
    assert not (tmp_path / "q").exists()


def test_a_user_that_would_be_a_comment_is_refused(tmp_path):
    frame = pd.DataFrame({"user": ["u", "#1"], "item": ["#7", "#7"], "rating": [1, 2]})
    with pytest.raises(RankassayError, match="cannot write the user '#1' to a TREC file"):
        write_qrels(frame, tmp_path / "q")
    write_qrels(frame.replace({"user": {"#1": escaped("#1")}}), tmp_path / "q")
    assert read_qrels(tmp_path / "q").user.tolist() == ["u", "%231"]


def test_escaped_ids_differ_and_have_no_blanks():
    names = ["a b", "a%20b", "a\tb", "ab", "a\u2003b"]
    written = [escaped(name) for name in names]
    assert len(set(written)) == len(names)
    assert all(len(name.split()) == 1 for name in written)


@pytest.mark.parametrize(
    ("rating", "message"),
    [
        ("3.99999999999999999999", "expected a rating that float32 can tell from 4"),
        ("3.9999999999", "expected a rating that float32 can tell from 4"),
        ("4.00000000000000000001", "expected a rating that float32 can tell from 4"),
        ("1e-9999", "expected a rating that float32 can tell from 0"),
        ("TRUE", "expected a number as rating"),
        ("False", "expected a number as rating"),
        ("1_0", "expected a number as rating"),
    ],
)
def test_ratings_that_would_be_taken_for_others_are_refused(file, rating, message):
    for text in (f"u 0 a {rating}", f"u 0 b 1\nu 0 a {rating}"):
        with pytest.raises(RankassayError, match=rf"line {text.count('0 ')}: {message}, found"):
            read_qrels(file(text))


def test_ratings_may_be_short_or_any_float64(file):
    texts = ["4", "4.000", "+4", "4e0", "0.30000000000000004", "3.2999999999999998", "3.1415926535"]
    lines = "".join(f"u{n} 0 a {text}\n" for n, text in enumerate(texts))
    assert read_qrels(file(lines)).rating.tolist() == [float(text) for text in texts]


@pytest.mark.parametrize("score", ["True", "FALSE", "true", "1_0", "nan"])
def test_scores_are_numbers(file, score):
    with pytest.raises(
        RankassayError, match=f"line 1: expected a number as score, found '{score}'"
    ):
        read_run(file(f"u Q0 a 1 {score} t\n"))


def test_a_byte_order_mark_stands_only_at_the_beginning(file, tmp_path):
    assert read_qrels(file("\ufeffu 0 a 1\n")).user.tolist() == ["u"]
    for text in ("u 0 a 1\n\ufeffu 0 b 1", "u 0 a 1\nu 0 \ufeffb 1"):
        with pytest.raises(
            RankassayError, match=r"line 2: expected an id of the .*, found a byte order mark"
        ):
            read_qrels(file(text))
    frame = pd.DataFrame({"user": ["\ufeffu"], "item": ["a"], "rating": [1]})
    with pytest.raises(RankassayError, match="expected an id of the user, found a byte order mark"):
        write_qrels(frame, tmp_path / "q")


def a_run(**columns):
    own = {"user": ["u", "u"], "item": ["a", "b"], "rank": [1, 2], "score": [2.0, 1.0]}
    return pd.DataFrame({name: pd.Series(own[name]) for name in own} | columns)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"user": pd.Series(["u", None])}, "column user: expected an id in each row"),
        ({"user": pd.Series([1.0, np.nan])}, "column user: expected an id in each row"),
        ({"user": pd.Series([1, "1"], dtype=object)}, "user ids of one type"),
        ({"item": pd.Series(["a", "a"])}, "found 'a' of user 'u' twice"),
        ({"score": pd.Series([1.0, np.nan])}, "column score: expected numbers, found none"),
        ({"score": pd.Series([1.0, np.inf])}, "column score: expected finite numbers"),
        ({"score": pd.Series([1, Fraction(1, 3)])}, "column score: expected numbers that float64"),
        ({"score": pd.Series([1, 2**53 + 1])}, "column score: expected numbers that float64"),
        ({"score": pd.Series([True, False])}, "column score: expected an array of numbers"),
        ({"rank": pd.Series([[1], [2]])}, "column rank: expected an array of numbers"),
        ({"rank": pd.Series(["1", "2 3"])}, "column rank: expected an array of numbers"),
        ({"rank": pd.Series([1.5, 2])}, "column rank: expected whole numbers"),
    ],
)
def test_what_would_not_be_read_back_is_not_written(tmp_path, columns, message):
    with pytest.raises(RankassayError, match=message) as error:
        write_run(a_run(**columns), tmp_path / "r", "me")
    assert len(str(error.value).splitlines()) == 1
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("rating", [3.9999999999, np.nan, np.inf])
def test_ratings_that_would_be_refused_are_not_written(tmp_path, rating):
    frame = pd.DataFrame({"user": ["u", "v"], "item": ["a", "a"], "rating": [1.0, rating]})
    with pytest.raises(RankassayError, match="qrels, column rating: expected"):
        write_qrels(frame, tmp_path / "q")
    with pytest.raises(RankassayError, match="qrels: expected rows, found none"):
        write_qrels(frame.iloc[:0], tmp_path / "q")


def test_numbers_of_any_type_and_any_tag_are_written(tmp_path):
    for score in (np.array([0.5, 0.25], dtype=object), np.array([0.5, 0.25], dtype=np.longdouble)):
        for tag in ("item", "user"):
            write_run(
                a_run(score=pd.Series(score), rank=pd.Series([1.0, 2.0])), tmp_path / "r", tag
            )
            assert (tmp_path / "r").read_text() == f"u Q0 a 1 0.5 {tag}\nu Q0 b 2 0.25 {tag}\n"


@pytest.mark.parametrize("ending", ["gz", "xz"])
def test_a_file_that_is_called_packed_is_so(ending, tmp_path):
    write_run(a_run(), tmp_path / f"x.run.{ending}", "me")
    assert read_run(tmp_path / f"x.run.{ending}").score.tolist() == [2.0, 1.0]
    first = (tmp_path / f"x.run.{ending}").read_bytes()
    assert b"u Q0" not in first
    write_run(a_run(), tmp_path / f"y.run.{ending}", "me")
    assert (tmp_path / f"y.run.{ending}").read_bytes() == first
    with pytest.raises(RankassayError, match=r"or in .gz or .xz to pack it, found .zst"):
        write_run(a_run(), tmp_path / "x.run.zst", "me")


def test_a_private_file_stays_private_and_a_pipe_a_pipe(tmp_path):
    path = tmp_path / "mine.run"
    path.touch(0o600)
    write_run(a_run(), path, "me")
    assert path.stat().st_mode & 0o777 == 0o600
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)
    write_run(a_run(), pipe, "me")
    assert os.read(reader, 1000) == path.read_bytes()
    os.close(reader)
    assert pipe.is_fifo()


def test_a_socket_cannot_be_written_to(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the names of sockets are short
    with socket.socket(socket.AF_UNIX) as own:
        own.bind("own")
        with pytest.raises(RankassayError, match="own: cannot be written"):
            write_run(a_run(), tmp_path / "own", "me")
        assert (tmp_path / "own").is_socket()
