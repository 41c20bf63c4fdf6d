"""Files that are refused with what they are, and tables that hold more than they seem to.

What fails today is marked: whoever mends it takes the mark away.
"""

import gzip
import lzma
import pickle
import re
import sqlite3
import zipfile
from io import BytesIO
from pathlib import Path

import contents
import forms
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse as sp
from test_doubts import CSV, FILE, QRELS, RUNS, TREC, WORKFLOW, Doubt, given, outcome

import rankassay
from rankassay.config import systems
from rankassay.data.download import fetch
from rankassay.data.entries import completed, named_runs
from rankassay.data.scores import read
from rankassay.errors import RankassayError


def buffered(write, *content):
    """Return the bytes of a file that a function writes."""
    file = BytesIO()
    write(file, *content)
    return file.getvalue()


def a_zip(name):
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, CSV["qrels"])
    return file.getvalue()


def a_database():
    base = sqlite3.connect(":memory:")
    base.execute("create table qrels (user, item, rating)")
    return base.serialize()


def lz4(content):
    out = pa.BufferOutputStream()
    with pa.CompressedOutputStream(out, "lz4") as file:
        file.write(content)
    return out.getvalue().to_pybytes()


FRAME = forms.frame(QRELS, "rating")
NUMBERS = [(0, 1, 5), (1, 0, 2)]
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"
# How a file begins that no reader reads, what a refusal calls it, and its cure.
FOREIGN = {
    "lz4": (lz4(CSV["qrels"].encode()), "lz4", "unpack"),
    "feather": (buffered(FRAME.to_feather), "feather|Arrow", "parquet|csv"),
    "npy": (buffered(np.save, np.eye(3)), "npy|NumPy", "csv|load"),
    "npz of arrays": (buffered(np.savez, np.eye(3)), "NumPy arrays|sparse matrix", "write"),
    "npz that is cut": (
        buffered(sp.save_npz, forms.matrix(NUMBERS))[:300],
        "NumPy|sparse matrix",
        "write",
    ),
    "pickle": (pickle.dumps({"u1": {"i1": 5}}), "pickle", "parquet|csv|json"),
    "pickle of protocol 0": (pickle.dumps({"u1": {"i1": 5}}, 0), "pickle", "parquet|csv|json"),
    "SQLite": (a_database(), "SQLite", "export|csv"),
    "UTF-16": (CSV["qrels"].encode("utf-16"), "UTF-16", "UTF-8"),
    "UTF-16 without a mark": (CSV["qrels"].encode("utf-16-le"), "UTF-16", "UTF-8"),
    "UTF-32": (CSV["qrels"].encode("utf-32"), "UTF-32", "UTF-8"),
    "xlsx": (a_zip("xl/workbook.xml"), "xlsx|Excel|spreadsheet", "csv"),
    "xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "xls|Excel|spreadsheet", "csv"),
    "Git LFS": (POINTER.encode(), "LFS", "git lfs pull"),
    "HTML": (b"<!DOCTYPE html>\n<html><body>404</body></html>\n", "HTML", "download"),
    "ORC": (b"ORC\x08\x03\x10\x00" + bytes(90), "ORC", "parquet|csv"),
    "HDF5": (b"\x89HDF\r\n\x1a\n" + bytes(90), "HDF5", "parquet|csv"),
    "zip": (a_zip("qrels.csv"), "zip", "unpack"),
    "7z": (b"7z\xbc\xaf\x27\x1c" + bytes(90), "7z", "unpack"),
    "gzip twice": (gzip.compress(gzip.compress(CSV["qrels"].encode())), "gzip twice", "unpack"),
    "xz in gzip": (gzip.compress(lzma.compress(CSV["qrels"].encode())), "xz", "unpack"),
}
OPENING = ("evaluate", "rankassay evaluate", WORKFLOW, FILE, "read_qrels, read_run")


@pytest.mark.parametrize("door", OPENING)
@pytest.mark.parametrize("name", FOREIGN)
def test_what_is_no_text_is_named_with_its_cure(door, name, tmp_path):
    content, called, cure = FOREIGN[name]
    doubt = Doubt({"qrels": content}, OPENING)
    with pytest.raises(RankassayError) as error:
        given(door, doubt, doubt.texts, tmp_path)
    said = str(error.value)
    assert "qrels.txt" in said
    assert said.isprintable()
    assert re.search(called, said)
    assert re.search(cure, said, re.IGNORECASE)


def test_a_file_that_unpacks_a_thousandfold_is_bounded(tmp_path):
    """Of 20 kB come 20 MB, which are lines as they should be."""
    content = gzip.compress(CSV["qrels"].encode() + b"\n" * 20_000_000)
    doubt = Doubt({"qrels": content}, ())
    with pytest.raises(RankassayError, match=r"qrels\.txt.*unpack"):
        given("evaluate", doubt, doubt.texts, tmp_path)


LIKES = {
    "with names": "user,item\nu1,i1\nu2,i1\n",
    "without names": "u1,i1\nu2,i1\n",
    "of tabs": "u1\ti1\nu2\ti1\n",
    "of blanks": "u1 i1\nu2 i1\n",
}


@pytest.mark.parametrize("name", ["Git LFS", "xlsx", "HTML", "feather", "lz4"])
def test_what_is_no_parquet_is_named_with_its_cure(name, tmp_path):
    content, called, cure = FOREIGN[name]
    doubt = Doubt({"qrels": content}, (FILE,), entry={"format": "parquet", "separator": None})
    with pytest.raises(
        RankassayError, match=rf"qrels\.txt: expected a parquet .*({called})"
    ) as error:
        given(FILE, doubt, doubt.texts, tmp_path)
    assert re.search(cure, str(error.value), re.IGNORECASE)


def test_a_matrix_that_unpacks_a_thousandfold_is_bounded(tmp_path):
    file = BytesIO()
    np.savez_compressed(file, format="csr", data=np.zeros(20_000_000, dtype=np.int8))
    with pytest.raises(RankassayError, match=r"20 MB unpacked, more than 1,000-fold"):
        given("evaluate", Doubt({}, ()), {"qrels": file.getvalue()}, tmp_path)


@pytest.mark.parametrize("door", ["evaluate", "rankassay evaluate", WORKFLOW])
@pytest.mark.parametrize("name", LIKES)
def test_likes_are_refused_with_what_is_missing(door, name, tmp_path):
    doubt = Doubt({"qrels": LIKES[name]}, ())
    with pytest.raises(RankassayError, match=r"(add|give|write).*rating.*\b1\b"):
        given(door, doubt, doubt.texts, tmp_path)


@pytest.mark.parametrize("name", ["user", "user_id"])
def test_a_refused_frame_names_all_its_columns(name):
    frame = pd.DataFrame({name: ["u1"], "film": ["i1"], "stars": [5]})
    with pytest.raises(RankassayError, match=f"found {name}, film, stars"):
        rankassay.evaluate(frame, RUNS["a"], "P@1")


VALUES = pd.DataFrame({"x": [0.25, 0.5, 1, 0, 0.75, 1], "y": [0.5, 0.25, 1, 0.25, 0, 0.5]})
OF_VALUES = {
    "permutation_test": lambda values: rankassay.permutation_test(values).p_values,
    "reliability": rankassay.reliability,
    "required_users": lambda values: rankassay.required_users(values, percent=20),
    "discriminative_power": lambda values: rankassay.discriminative_power(
        values, n_permutations=50
    ),
    "across_datasets": lambda values: rankassay.across_datasets(values).pairs,
}
TABLES = {
    "a column of users": lambda values: values.assign(user=[*range(6)])[["user", "x", "y"]],
    "a column of user_id": lambda values: values.assign(user_id=[*range(6)]),
    "a column of users' names": lambda values: values.assign(topic=[*"abcdef"]),
    "users' ids without a name": lambda values: values.assign(z=[3, 17, 8, 21, 40, 2]),
    "a row of all": lambda values: pd.concat(
        [values.set_axis([*"abcdef"]), values.mean().to_frame("all").T]
    ),
    "a row of Avg": lambda values: pd.concat(
        [values.set_axis([*"abcdef"]), values.mean().to_frame("Avg").T]
    ),
}


@pytest.mark.parametrize("function", OF_VALUES)
@pytest.mark.parametrize("name", TABLES)
def test_tables_of_values_hold_systems_and_users_alone(function, name):
    found, said = outcome(lambda: OF_VALUES[function](TABLES[name](VALUES)))
    if said:
        assert re.search("user|mean|the datasets in", said)
    else:
        assert str(found) == str(OF_VALUES[function](VALUES))


@pytest.mark.parametrize("function", ["permutation_test", "reliability", "across_datasets"])
@pytest.mark.parametrize(
    "values",
    [
        pd.DataFrame({"user": [0.5, 0.25, 1], "item": [0.25, 0.5, 0]}),
        pd.DataFrame({"x": [3, 5, 2], "y": [0, 1, 0]}),
        pd.DataFrame({"x": [3, 5, 5], "y": [0, 0.5, 0]}),
        pd.DataFrame({"x": [3, 5, 2.5], "y": [0, 0.5, 0]}),
    ],
)
def test_systems_may_be_called_user_and_have_counts(function, values):
    OF_VALUES[function](values)


@pytest.mark.parametrize(
    "text",
    [
        "user,x,y\n1,.5,.25\n2,1,0\n",
        "user_id,x,y\n1,.5,.25\n2,1,0\n",
        "topic,x,y\n1,.5,.25\nall,1,0\n",
        "topic,x,y\n1,.5,.25\nMean,1,0\n",
        "topic,x,y\n1,.5,.25\nAvg,1,0\n",
        "topic,x,y\n1,.5,.25\nAvg.,1,0\n",
    ],
)
def test_files_of_values_hold_systems_and_users_alone(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rr.csv").write_text(text)
    entry = {"kind": "scores", "tables": {"RR": "rr.csv"}}
    entry |= {"users": "topic"} if text.startswith("topic") else {}
    with pytest.raises(RankassayError, match=r"name of a system|names the means"):
        read(fetch("mine", completed("mine", entry), "raw"), completed("mine", entry))


BEYOND = pd.DataFrame({"user": ["u1", "u1"], "item": ["i1", "i2"], "score": [2**60, 2**60 + 1]})


@pytest.mark.parametrize(
    "name",
    ["csv", "json", "parquet"],
)
def test_scores_beyond_float64_keep_their_order_in_files_of_all_forms(name, tmp_path):
    rows = [*BEYOND.itertuples(index=False, name=None)]
    run = forms.FORMS[name].of(rows, "score", tmp_path, "a")
    assert rankassay.evaluate({"u1": {"i2": 5}}, run, "RR", threshold=4)["RR"] == 1


@pytest.mark.parametrize(
    ("separator", "header"),
    [
        *((separator, "user,item,rating\n") for separator in ("\t", "::", "|")),
        *((separator, "") for separator in ("\t", "::", "|")),
    ],
)
def test_a_quote_is_a_character_where_columns_are_not_quoted(separator, header, tmp_path):
    """Also in a first line, by which the columns are counted."""
    (tmp_path / "qrels").write_text(f'{header}u1,"x,5\nu1,y,1\n'.replace(",", separator))
    run = {"u1": {'"x': 2, "y": 1}}
    found, said = outcome(lambda: rankassay.evaluate(tmp_path / "qrels", run, "RR", threshold=4))
    assert (said, found["RR"]) == ("", 1)


@pytest.mark.parametrize("function", [rankassay.compare, rankassay.bounds])
@pytest.mark.xfail(reason="users are summed and resampled in the order of the rows", strict=True)
def test_the_order_of_rows_changes_no_number(function):
    own = contents.drawn(np.random.default_rng(1), n_users=25)
    runs = {name: forms.nested(rows) for name, rows in own.runs.items()}
    one, other = (
        function(forms.nested(rows), runs, ["P@3", "nDCG@5"], threshold=4)
        for rows in (own.qrels, own.qrels[::-1])
    )
    if function is rankassay.compare:
        one, other = one.means, other.means
    assert one.to_dict("records") == other.to_dict("records")


@pytest.mark.parametrize("user", ["{}", "[]", "[{"])
def test_ids_may_begin_as_json_does(user, tmp_path):
    (tmp_path / "qrels").write_text(f"{user},x,5\n{user},y,1\n")
    run = {user: {"x": 2, "y": 1}}
    assert rankassay.evaluate(tmp_path / "qrels", run, "RR", threshold=4)["RR"] == 1


@pytest.mark.xfail(reason="ratings of the workflow are of single precision", strict=True)
def test_ratings_are_the_same_in_the_workflow_and_in_python(tmp_path):
    rating = {"i1": 3.3, "i2": 1.1, "i3": 2.2}
    text = "".join(f"u1,{item},{number}\n" for item, number in rating.items())
    doubt = Doubt({"qrels": f"user,item,rating\n{text}u2,i1,4.4\n"}, ())
    found = [given(door, doubt, doubt.texts, tmp_path) for door in ("evaluate", WORKFLOW)]
    assert found[0] == found[1]


TOPICS = ["input.bm25", "input.lm.gz"]  # as TREC keeps what was submitted


def test_runs_that_are_named_behind_the_dot_keep_their_names(tmp_path):
    paths = [str(tmp_path / name) for name in TOPICS]
    assert all(len(name) < 12 for name in named_runs(paths))
    assert "bm25" in next(iter(named_runs(paths[:1])))


def test_runs_that_are_named_behind_the_dot_are_systems_of_a_dataset(tmp_path):
    for name in TOPICS:
        (tmp_path / name).write_text(TREC["a"])
    assert len(systems.run_files(str(tmp_path / "input.*"), "mine")) == 2


def test_json_of_columns_is_no_users(tmp_path):
    """As `to_json` of pandas writes a frame, in which "user" and "item" would be users."""
    text = FRAME.to_json()
    doubt = Doubt({"qrels": text}, ())
    with pytest.raises(RankassayError, match="found the columns user, item, rating"):
        given("evaluate", doubt, doubt.texts, tmp_path)


def test_what_is_odd_of_several_runs_is_said_once(tmp_path, caplog):
    """With the first run, and the names of the others; also where the next one is refused."""
    text = "".join(f"u1 Q0 i{rank} 0 {9 - rank} me\n" for rank in range(3))
    paths = [str(tmp_path / f"{name}.run") for name in "abc"]
    for path in paths:
        Path(path).write_text(text)
    one = {"x": {"u1": {"i1": 1}}, "z": paths[0]}
    for runs, end in ((paths, "so in 2 other runs: b, c"), (one, "as in trec_eval")):
        caplog.clear()
        rankassay.evaluate({"u1": {"i1": 5}}, runs, threshold=4)
        (said,) = (own for own in caplog.messages if "not in the order of the scores" in own)
        assert said.endswith(end)
    caplog.clear()
    Path(paths[1]).write_text(f"{text}u1\n")
    with pytest.raises(RankassayError, match="expected 6 columns"):
        rankassay.evaluate({"u1": {"i1": 5}}, paths, threshold=4)
    assert "a.run, line 2: the ranks are not" in caplog.text
