"""What files look like that may mean two things, at every door: what is to happen with each.

A doubt changes the texts of plain files. It gives the values of the plain ones, or is refused in
one line that says what settles it. What fails today is marked, with its doors: whoever mends it
takes the mark away. trec_eval decides for its own files (its sources, version 10).
"""

import functools
import gzip
import lzma
import pickle
import re
import sqlite3
import tempfile
import zipfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import doors
import forms
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import rankassay
from rankassay.cli.printing import named_runs
from rankassay.config import systems
from rankassay.data.download import fetch
from rankassay.data.entries import completed
from rankassay.data.scores import read
from rankassay.errors import RankassayError

QRELS = [("u1", "i1", 5), ("u1", "i2", 2), ("u2", "i1", 4), ("u2", "i3", 1)]
RUNS = {
    "a": [("u1", "i1", 3.5), ("u1", "i2", 2.5), ("u2", "i3", 3.5), ("u2", "i1", 1.5)],
    "b": [("u1", "i2", 3.5), ("u1", "i1", 2.5), ("u2", "i1", 3.5), ("u2", "i3", 1.5)],
}
TRAIN = [("u1", "i3", 3), ("u2", "i2", 4), ("u3", "i1", 2), ("u3", "i3", 2), ("u4", "i3", 1)]
PLAIN = forms.Content(QRELS, RUNS, TRAIN)
INPUTS = PLAIN.inputs()
CSV, TREC = (
    {name: make(*own) for name, own in INPUTS.items()} for make in (forms.delimited, forms.trec)
)
BARE = {name: text.partition("\n")[2] for name, text in CSV.items()}
NUMBERED = {name: re.sub(r"\b[ui](?=\d)", "", text) for name, text in CSV.items()}
FILE, WORKFLOW, TRAINED = "kind: file", "kind: qrels, systems.runs", "rankassay evaluate --train"
DOORS = ("evaluate", WORKFLOW)
TRECS = (*DOORS, "read_qrels, read_run")
SAME = "the values of the plain files"


@dataclass(frozen=True)
class Doubt:
    """Texts that differ from plain files, and what is to happen at some doors.

    Attributes
    ----------
    texts : mapping from inputs to texts or bytes
        Of the others, `plain` has them.
    doors : tuple of str
    settled : str or None
        A regular expression of a refusal that is right, too; None where there is to be none.
    why : str
        How it fails today.
    plain : mapping or None
        The plain texts; those of a CSV file with names if not given.
    entry : mapping or None
        What `kind: file` says of the texts.
    """

    texts: dict
    doors: tuple[str, ...]
    settled: str | None = None
    why: str = "refused"
    plain: dict | None = None
    entry: dict | None = None


def every_other(text, change):
    lines = text.splitlines()
    return "".join(f"{change(line) if n % 2 else line}\n" for n, line in enumerate(lines))


def behind(line):
    return line.replace(",", ", ")


def items(line):
    """Return a line with a blank before the item alone."""
    user, comma, rest = line.partition(",")
    return f"{user}{comma} {rest}"


def with_tag(text, tag):
    return text.replace(" tag\n", f" {tag}\n")


def fourth(text, numbers, separator):
    """Return rows with a fourth part behind their rating."""
    rows = [line.split(",") for line in text.splitlines()]
    return "".join(
        f"{separator.join([*row, str(number)])}\n"
        for row, number in zip(rows, numbers, strict=True)
    )


DOUBTS = {}
for _input in ("qrels", "a", "train"):
    _doors = {"qrels": (*DOORS, FILE), "a": DOORS, "train": (TRAINED, "sensitivity")}
    for _name, _text in {
        "behind all commas": behind(CSV[_input]),
        "before all commas": CSV[_input].replace(",", " ,"),
        "behind commas, without names": behind(BARE[_input]),
        "on every other line": every_other(CSV[_input], behind),
        "before every other item": every_other(CSV[_input], items),
        "before every other user": every_other(CSV[_input], lambda line: f" {line}"),
        "behind tabs": CSV[_input].replace(",", "\t "),
    }.items():
        _entry = {"separator": "\t"} if "tabs" in _name else {}
        _entry = forms.NO_NAMES if "without names" in _name else _entry
        DOUBTS[f"blanks {_name} of {_input}"] = Doubt(
            {_input: _text}, _doors[_input], entry=_entry, why="ids keep their blanks"
        )
    DOUBTS[f"quoted blanks of {_input}"] = Doubt(
        {_input: re.sub(r"(?m)^(\w+),(i\d)", r'\1," \2"', CSV[_input])},
        _doors[_input],
        settled="blank",
        why="ids keep their blanks",
    )
    DOUBTS[f"quotes behind blanks of {_input}"] = Doubt(
        {_input: re.sub(r"(?m)^(\w+),(i\d)", r'\1, "\2"', CSV[_input])},
        _doors[_input],
        why="ids keep their quotes",
    )
for _separator, _name in ((",", "commas"), ("\t", "tabs"), (" ", "blanks"), ("::", "colons")):
    for _numbers, _kind in (
        ((881250949, 881250950, 881250951, 881250952), "times"),
        ((1, 2, 3, 4), "small numbers"),
        ((1, 1, 1, 1), "one number"),
    ):
        DOUBTS[f"four parts with {_kind} and {_name}"] = Doubt(
            {"qrels": fourth(BARE["qrels"], _numbers, _separator)},
            DOORS,
            settled="user item rating timestamp",
            why="taken for TREC qrels",
        )
FEW_ITEMS = CSV | {"qrels": "user,item,rating\nu1,i1,5\nu1,i2,2\nu2,i1,4\n"}
for _separator, _name in ((",", "commas"), ("\t", "tabs"), (" ", "blanks")):
    DOUBTS[f"four parts of two items and {_name}"] = Doubt(
        {"qrels": fourth(FEW_ITEMS["qrels"].partition("\n")[2], (1, 2, 3), _separator)},
        DOORS,
        settled="user item rating timestamp",
        why="taken for TREC qrels",
        plain=FEW_ITEMS,
    )
for _user in ("all", "Avg", "mean"):
    DOUBTS[f"a row of {_user} in judgements"] = Doubt(
        {"qrels": f"{CSV['qrels']}{_user},i1,5\n"}, DOORS, settled=f"{_user}.*mean", why="a user"
    )
    DOUBTS[f"a line of {_user} in qrels"] = Doubt(
        {"qrels": f"{TREC['qrels']}{_user} 0 i1 5\n"},
        TRECS,
        settled=f"{_user}.*mean",
        why="a user",
        plain=TREC,
    )
DOUBTS |= {
    "ids like 7.0 in judgements": Doubt(
        {"qrels": re.sub(r"(?m)^(\d+),(\d+)", r"\1,\2.0", NUMBERED["qrels"])},
        DOORS,
        settled=r"\.0",
        plain=NUMBERED,
        why="7.0 and 7 are two items",
    ),
    "ids like 7.0 in training": Doubt(
        {"train": re.sub(r"(?m)^(\d+),(\d+)", r"\1,\2.0", NUMBERED["train"])},
        (TRAINED, "sensitivity"),
        settled=r"\.0",
        plain=NUMBERED,
        why="7.0 and 7 are two items",
    ),
    "a comment in qrels": Doubt({"qrels": f"# by me\n{TREC['qrels']}"}, TRECS, plain=TREC),
    "a comment of one word in qrels": Doubt(
        {"qrels": f"#qrels\n{TREC['qrels']}"}, TRECS, plain=TREC
    ),
    "a comment of six words in a run": Doubt(
        {"a": f"# made by BM25 on Monday\n{TREC['a']}"}, TRECS, plain=TREC
    ),
    "a comment within a run": Doubt(
        {"a": TREC["a"].replace("u2", "# here is\nu2", 1)}, TRECS, plain=TREC
    ),
    "several blanks in qrels": Doubt(
        {"qrels": TREC["qrels"].replace(" ", "   ")}, TRECS, plain=TREC
    ),
    "blanks around the lines of a run": Doubt(
        {"a": "".join(f"  {line} \n" for line in TREC["a"].splitlines())}, TRECS, plain=TREC
    ),
    "several blanks under names": Doubt({"qrels": CSV["qrels"].replace(",", "   ")}, DOORS),
    "blanks on every other line of a run that is compared": Doubt(
        {"a": every_other(CSV["a"], behind)},
        ("compare", "rankassay compare", "bounds", "rankassay plan", "rankassay judge"),
        why="ids keep their blanks",
    ),
    "three parts between blanks in judgements": Doubt(
        {"qrels": BARE["qrels"].replace(",", " ")}, DOORS
    ),
    "three parts between blanks in a run": Doubt({"a": BARE["a"].replace(",", "  ")}, DOORS),
    "text behind the tag": Doubt({"a": with_tag(TREC["a"], "tag of my run")}, TRECS, plain=TREC),
    "text behind some tags": Doubt(
        {"a": every_other(TREC["a"], lambda line: f"{line} old")}, TRECS, plain=TREC
    ),
    "several tags": Doubt(
        {"a": re.sub(r"(?m)^(u2.*) tag$", r"\1 other", TREC["a"])},
        TRECS,
        settled="--",
        plain=TREC,
        why="refused, and no option settles it",
    ),
}


def written(doubt, texts, folder):
    """Return the paths of all inputs."""
    texts = (CSV if doubt.plain is None else doubt.plain) | texts
    for name, text in texts.items():
        path = folder / f"{name}.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return {name: str(folder / f"{name}.txt") for name in texts}


def given(door, doubt, texts, folder):
    """Return what a door makes of texts."""
    own = doors.DOORS[door]
    inputs = written(doubt, texts, folder)
    more = {}
    if door == FILE:
        more["entry"] = {"separator": ","} | ((doubt.entry if texts else None) or {})
    return own.call({name: inputs[name] for name in own.inputs}, 4, folder, **more)


# What is right today already.
SOUND = {
    "blanks before every other user of train": (TRAINED, "sensitivity"),
    "blanks on every other line of train": ("sensitivity",),
    "blanks before every other item of train": ("sensitivity",),
    "ids like 7.0 in training": (TRAINED,),
    "several blanks in qrels": TRECS,
    "blanks around the lines of a run": TRECS,
    "several blanks under names": DOORS,
}
SOUND |= {name: DOORS for name in DOUBTS if name.startswith("four parts with")}


def cases():
    """Yield each doubt at each of its doors, with the mark of what fails today."""
    for name, doubt in DOUBTS.items():
        for door in doubt.doors:
            mark = pytest.mark.xfail(reason=doubt.why, strict=True)
            marks = [] if door in SOUND.get(name, ()) else [mark]
            yield pytest.param(door, name, marks=marks, id=f"{name}-{door}")


def outcome(call):
    """Return what a call returns, and how it refuses."""
    try:
        return call(), ""
    except RankassayError as error:
        return None, str(error)


PLAINS = {"csv": CSV, "trec": TREC, "numbered": NUMBERED, "few items": FEW_ITEMS}


@functools.cache
def plain_values(door, name):
    with tempfile.TemporaryDirectory() as folder:
        return given(door, Doubt({}, (), plain=PLAINS[name]), {}, Path(folder))


@pytest.mark.parametrize(("door", "name"), [*cases()])
def test_a_doubt_gives_the_values_of_plain_files_or_says_what_settles_it(
    door, name, tmp_path, caplog
):
    doubt = DOUBTS[name]
    texts = CSV if doubt.plain is None else doubt.plain
    expected = plain_values(door, next(name for name, own in PLAINS.items() if own is texts))
    caplog.clear()
    found, said = outcome(lambda: given(door, doubt, doubt.texts, tmp_path))
    if said and doubt.settled is not None:
        assert re.search(doubt.settled, said)
        assert "\n" not in said
    else:
        assert (said, found) == ("", expected)
    warned = {one.getMessage() for one in caplog.records if one.levelname == "WARNING"}
    assert sum(f"{tmp_path}/" in message for message in warned) <= 1


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
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"
# How a file begins that no reader reads, what a refusal calls it, and its cure.
FOREIGN = {
    "lz4": (lz4(CSV["qrels"].encode()), "lz4", "unpack"),
    "feather": (buffered(FRAME.to_feather), "feather|Arrow", "parquet|csv"),
    "npy": (buffered(np.save, np.eye(3)), "npy|NumPy", "csv|load"),
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
NAMED = ("zip", "7z", "gzip twice", "xz in gzip")
OPENING = ("evaluate", "rankassay evaluate", WORKFLOW, FILE, "read_qrels, read_run")


@pytest.mark.parametrize("door", OPENING)
@pytest.mark.parametrize(
    "name",
    [
        name
        if name in NAMED
        else pytest.param(name, marks=pytest.mark.xfail(reason="not named", strict=True))
        for name in FOREIGN
    ],
)
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


@pytest.mark.xfail(reason="lines of nothing are unpacked to any length", strict=True)
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


@pytest.mark.parametrize("door", ["evaluate", "rankassay evaluate", WORKFLOW])
@pytest.mark.parametrize("name", LIKES)
@pytest.mark.xfail(reason="the cure is to rename what is there", strict=True)
def test_likes_are_refused_with_what_is_missing(door, name, tmp_path):
    doubt = Doubt({"qrels": LIKES[name]}, ())
    with pytest.raises(RankassayError, match=r"(add|give|write).*rating.*\b1\b"):
        given(door, doubt, doubt.texts, tmp_path)


@pytest.mark.parametrize(
    "name",
    ["user", pytest.param("user_id", marks=pytest.mark.xfail(reason="all but one", strict=True))],
)
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
    "a row of all": lambda values: pd.concat(
        [values.set_axis([*"abcdef"]), values.mean().to_frame("all").T]
    ),
    "a row of Avg": lambda values: pd.concat(
        [values.set_axis([*"abcdef"]), values.mean().to_frame("Avg").T]
    ),
}


UNLIKE = pytest.mark.xfail(reason="the column is a system, the row a user", strict=True)


@pytest.mark.parametrize(
    ("function", "name"),
    [
        # The median of pairs is the same, by luck.
        pytest.param(
            each, name, marks=[] if each[:8] == "required" and "column" in name else UNLIKE
        )
        for each in OF_VALUES
        for name in TABLES
    ],
)
def test_tables_of_values_hold_systems_and_users_alone(function, name):
    found, said = outcome(lambda: OF_VALUES[function](TABLES[name](VALUES)))
    if said:
        assert re.search("user|mean", said)
    else:
        assert str(found) == str(OF_VALUES[function](VALUES))


@pytest.mark.parametrize(
    "text",
    [
        "user,x,y\n1,.5,.25\n2,1,0\n",
        "user_id,x,y\n1,.5,.25\n2,1,0\n",
        "topic,x,y\n1,.5,.25\nall,1,0\n",
        "topic,x,y\n1,.5,.25\nMean,1,0\n",
        pytest.param(
            "topic,x,y\n1,.5,.25\nAvg,1,0\n",
            marks=pytest.mark.xfail(reason="a user of that name", strict=True),
        ),
        pytest.param(
            "topic,x,y\n1,.5,.25\nAvg.,1,0\n",
            marks=pytest.mark.xfail(reason="a user of that name", strict=True),
        ),
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
    [
        "csv",
        "json",
        pytest.param(
            "parquet", marks=pytest.mark.xfail(reason="refused as no number", strict=True)
        ),
    ],
)
def test_scores_beyond_float64_keep_their_order_in_files_of_all_forms(name, tmp_path):
    rows = [*BEYOND.itertuples(index=False, name=None)]
    run = forms.FORMS[name].of(rows, "score", tmp_path, "a")
    assert rankassay.evaluate({"u1": {"i2": 5}}, run, "RR", threshold=4)["RR"] == 1


TAKES_IN = pytest.mark.xfail(reason="the quote takes in the columns behind it", strict=True)


@pytest.mark.parametrize(
    ("separator", "header"),
    [
        *((separator, "user,item,rating\n") for separator in ("\t", "::", "|")),
        ("::", ""),
        pytest.param("\t", "", marks=TAKES_IN),
        pytest.param("|", "", marks=TAKES_IN),
    ],
)
def test_a_quote_is_a_character_where_columns_are_not_quoted(separator, header, tmp_path):
    """Also in a first line, by which the columns are counted."""
    (tmp_path / "qrels").write_text(f'{header}u1,"x,5\nu1,y,1\n'.replace(",", separator))
    run = {"u1": {'"x': 2, "y": 1}}
    found, said = outcome(lambda: rankassay.evaluate(tmp_path / "qrels", run, "RR", threshold=4))
    assert (said, found["RR"]) == ("", 1)


@pytest.mark.xfail(reason="users are resampled in the order of the rows", strict=True)
def test_the_order_of_rows_changes_no_interval():
    rng = np.random.default_rng(1)
    own = forms.drawn(rng, n_users=25)
    runs = {name: forms.nested(rows) for name, rows in own.runs.items()}
    one, other = (
        rankassay.compare(forms.nested(rows), runs, "P@3", n_permutations=50).means
        for rows in (own.qrels, own.qrels[::-1])
    )
    assert one.to_dict("records") == other.to_dict("records")


@pytest.mark.parametrize("user", ["{}", "[]", "[{"])
@pytest.mark.xfail(reason="taken for JSON by its first characters", strict=True)
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


@pytest.mark.xfail(reason="called input by what is before the dot, or by their paths", strict=True)
def test_runs_that_are_named_behind_the_dot_keep_their_names(tmp_path):
    paths = [str(tmp_path / name) for name in TOPICS]
    assert all(len(name) < 12 for name in named_runs(paths))
    assert "bm25" in next(iter(named_runs(paths[:1])))


@pytest.mark.xfail(reason="two systems of the name input", strict=True)
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
