"""Change bytes of files, led by coverage: `.../fuzz_readers.py SECONDS [SEED]`.

Each reader starts from small sound files and from the corpus, the files of faults of the past. A
changed file that makes it run from one line to another as no file before is kept and changed
further. Every file is either taken, and then right, or refused by a RankassayError of one line.
Another end is a fault: the file is cut, put into `corpus/<target>` and named, and the run fails.

`fuzz_readers.py FILE...` reads files of the corpus again. A test does so with all of them, and
expects what their folder is called: `taken` or `refused`. Move a new file there with its fix.
"""

import argparse
import contextlib
import gzip
import hashlib
import io
import logging
import os
import random
import re
import resource
import signal
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import fuzz
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import yaml

import rankassay
from rankassay.artifacts import manifest, yaml_files
from rankassay.artifacts.arrays import Ratings
from rankassay.artifacts.files import write_json
from rankassay.artifacts.manifest import describe
from rankassay.artifacts.tables import read_table, write_table
from rankassay.claims import lists
from rankassay.cli import verify
from rankassay.config.check import validate
from rankassay.data import companions, tables
from rankassay.data.entries import PROPENSITY_COLUMNS
from rankassay.data.reading import lines_of, place_in
from rankassay.data.tables import read_qrels, read_run
from rankassay.data.trec import write_qrels, write_run
from rankassay.data.truth import truth
from rankassay.data.truth_source import outcome_rows, truth_rows
from rankassay.errors import RankassayError

CORPUS = Path(__file__).parent / "corpus"
PACKAGE = str(Path(rankassay.__file__).parent)
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # for files that are soon gone
LONGEST = 10  # seconds that a file may take
LARGEST = 100_000  # bytes of a file
GROWTH = 500_000  # kB by which the memory may grow
ADDRESSES = 16 << 30  # bytes of the process, so that a fault cannot take the machine with it
CUTS = 400  # attempts to make the file of a fault shorter

PIECES = [
    *(value.encode("utf-8", "surrogatepass") for value in fuzz.CELLS),
    *(str(value).encode("utf-8", "surrogatepass") for value in fuzz.VALUES),
    *(b"\n", b"\r\n", b"\r", b"\t", b"\x1f", b"\x0b", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xc2\x85"),
    *(b"4,5", b"3.9999999999", b"1_0", "٣".encode(), b"+5", b" 3 ", b".", b"1e", b"1:59", b"0777"),
    *(b"TRUE", b"False", b"3.99999999999999999999", b"0.30000000000000004", b"1e-9999"),
    *(b"\xef\xbb\xbf", b"01", b"1e0"),
    *(b"0x" + b"f" * 5000, b"1:" * 3000 + b"1", b"1:" * 300 + b"1.5", b"9" * 6000, b"[" * 2000),
    *(
        b"&a ",
        b"*a",
        b"<<: ",
        b"? ",
        b": ",
        b"- ",
        b"{",
        b"}",
        b"]",
        b"|\n",
        b"---\n",
        b"%YAML 9\n",
    ),
    *(b"!!int ", b"!!float ", b"!!bool ", b"!!timestamp ", b"!!binary ", b"!!set ", b"!!omap "),
    *(b"!!str ", b"!!null ", b"2001-99-99", b"yes", b"true", b"null", b"~", b"''", b'""'),
    *(b"\\ud800", b"\\", b"\\1", b"1j", b"{1, 2}", b"b'x'", b"1e400", b"NaN", b"Infinity", b"[1]"),
]


# ---- Readers, each with what holds for the files that it takes -----------------------------------


@dataclass(frozen=True)
class Target:
    """What reads a file, and the sound files that all others are made of."""

    read: Callable[[Path], object]
    seeds: tuple[bytes, ...]
    ending: str = ".txt"


def ratings(form, entry, path):
    """Read ratings: they are those that the entry describes, and a dataset can be made of them."""
    entry = entry | {"format": form}
    table = lines_of(path, entry)
    fuzz._check_table(table, most=LARGEST)
    whole = "timestamp" in table  # else a tolerant reader looks for the first line that has all
    if form == "delimited" and whole and not entry.get("bad_lines") and path.suffix == ".txt":
        # The parser that goes line by line, because of one bad line, must find the same.
        path.write_bytes(path.read_bytes() + b"\nbad\n")
        try:
            slowly = lines_of(path, entry | {"bad_lines": 1})
        except RankassayError as error:
            raise AssertionError("taken at once, but not line by line") from error
        assert _rows(slowly) == _rows(table)


def _rows(table):
    return table.astype({"user": "str", "item": "str"}).to_numpy(object).tolist()


def a_matrix(entry, path):
    """Read a matrix: its numbers, and on which lines they are, are those that numpy reads."""
    table = lines_of(path, entry)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cells = np.loadtxt(path, ndmin=2, encoding="utf-8-sig")
    user, item = np.nonzero(cells)
    where = {"user": user + 1, "item": item + 1}
    assert all(table[name].astype(int).tolist() == own.tolist() for name, own in where.items())
    assert table["rating"].tolist() == cells[user, item].tolist()
    place = place_in(path, entry)
    places = [str(place(row, "this", "that")) for row in range(len(table))]
    assert all(f", line {line}: " in said for line, said in zip(user + 1, places, strict=True))


def some_attributes(entry, path):
    """Read attributes: each id has a value of all, none of them with blanks around it."""
    found = companions.attributes(path, entry, "user")
    assert {*found} == {*entry["attributes"]}
    ids = [[*values] for values in found.values()]
    assert ids[0]
    assert all(own == ids[0] for own in ids)
    groups = {value for values in found.values() for value in values.values()}
    assert all(value == value.strip() and "\0" not in value for value in groups)
    assert {*found["age"].values()} <= {"", "below 18", "18 to below 50.5", "from 50.5"}
    assert all(re.fullmatch("(19[0-9][0-9])?", year) for year in found["year"].values())


# Whose observed ratings the propensities are of, and the judgements with them.
OBSERVED = Ratings(
    user=np.array([0, 0, 1], np.int32),
    item=np.array([0, 1, 1], np.int32),
    rating=np.array([3, 4, 5], np.float32),
    user_ids=np.array(["1", "2"]),
    item_ids=np.array(["1", "2"]),
)


def some_propensities(described, path):
    """Read propensities: each rating has one, which is a probability."""
    found = companions.propensities(path, described, OBSERVED)
    assert found.shape == OBSERVED.rating.shape
    assert ((found > 0) & (found <= 1)).all()


def judgements(entry, path):
    """Read judgements of random items: each is one of the lines, of a user and an item known."""
    lines = lines_of(path, entry)
    found = truth(lines, OBSERVED, "error", "skip", place_in(path, entry)).matrix.tocoo()
    users, items = OBSERVED.user_ids[found.row], OBSERVED.item_ids[found.col]
    rows = zip(users.tolist(), items.tolist(), found.data.tolist(), strict=True)
    there = {(user, item, float(np.float32(rating))) for user, item, rating in _rows(lines)}
    assert {*rows} == {row for row in there if {*row[:2]} <= {"1", "2"}}


def trec(read, path):
    """Read a TREC file: fields are where blanks have them, and what is written is read back."""
    frame = read(path)
    value = frame.columns[2]
    text = path.read_bytes().decode().removeprefix("\ufeff")
    lines = [line.strip(" \t") for line in re.split("\r\n|\r|\n", text)]
    place = 3 if read is read_qrels else 4
    fields = [re.split("[ \t]+", line) for line in lines if line]
    item = 2
    if value == "rating" and {f[1].strip("0") for f in fields} - {"", "Q"}:
        assert {float(f[3]) >= 1e8 for f in fields} != {True, False}, "times among relevances"
        item, place = (1, 2) if float(fields[0][3]) >= 1e8 else (2, 3)
    assert frame.to_numpy(object).tolist() == [[f[0], f[item], float(f[place])] for f in fields]
    assert not frame.duplicated(["user", "item"]).any()
    with contextlib.suppress(RankassayError):  # infinite scores, blanks beyond ASCII
        if read is read_qrels:
            write_qrels(frame, path)
        else:
            write_run(frame.assign(rank=1), path, "tag")
        pd.testing.assert_frame_equal(read(path), frame, check_exact=True)
    assert value in ("rating", "score")


def table_of(value, path):
    """Read a file of any form: the same from a FIFO, and no table without names upside down."""
    found = _found(path, value)
    pipe = path.with_name("pipe")
    os.mkfifo(pipe)
    writer = threading.Thread(target=_into, args=(pipe, path.read_bytes()), daemon=True)
    writer.start()
    streamed = _found(pipe, value)
    writer.join()
    if isinstance(found, RankassayError):
        assert isinstance(streamed, RankassayError), "refused, but taken from a FIFO"
        raise found
    assert not isinstance(streamed, RankassayError), "taken, but refused from a FIFO"
    pd.testing.assert_frame_equal(streamed, found, check_exact=True)
    for role in ("user", "item"):
        ids = found[role].tolist()
        assert all(isinstance(each, str) and each and "\0" not in each for each in ids)
    first = next(
        filter(str.strip, path.read_bytes().decode("utf-8-sig", "replace").split("\n")), ""
    )
    if value in found and value not in first.lower() and not first.lstrip().startswith(("{", "[")):
        _not_doubtful(found, value)


def a_truth(path):
    """Read judgements that are a truth: each has its flag and its probability, or none has."""
    found = truth_rows(path)
    n = len(found.rows.value)
    assert n > 0
    assert found.known is None or (found.known.dtype == bool and len(found.known) == n)
    assert found.inclusion is None or ((found.inclusion > 0) & (found.inclusion <= 1)).all()
    pairs = {*zip(found.rows.user.tolist(), found.rows.item.tolist(), strict=True)}
    assert len(pairs) == n


def outcomes(path):
    """Read outcomes of systems: one each, with an error that is none or not negative."""
    found = outcome_rows(path)
    assert found.index.is_unique
    assert np.isfinite(found["value"]).all()
    assert (found["error"].isna() | (found["error"] >= 0)).all()
    assert all(isinstance(name, str) and name for name in found.index)


def _found(path, value):
    try:
        return tables.read(path, value)
    except RankassayError as error:
        return error


def _into(pipe, content):
    with contextlib.suppress(OSError), pipe.open("wb") as file:
        file.write(content)


def _not_doubtful(table, value):
    """Check that no ranks are read as scores, and no times as ratings, of a table without names."""
    numbers = table[value].tolist()
    if value == "rating":
        many = table["item"].nunique() * 2 > len(table) > 4
        assert not (many and min(numbers) >= 1e8), "times as ratings"
        return
    places = {}
    for user, number in zip(table["user"], numbers, strict=True):
        places.setdefault(user, []).append(number)
    counted = all(own == [*range(1, len(own) + 1)] for own in places.values())
    assert not (counted and max(map(len, places.values())) > 1), "ranks as scores"


class _Strict(yaml.SafeLoader):
    """A second reader of YAML, in Python, in which no key may replace another."""

    def compose_mapping_node(self, anchor):
        node = super().compose_mapping_node(anchor)
        own = [key for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        keys = [self.construct_object(key) for key in own if isinstance(key, yaml.ScalarNode)]
        assert len(set(map(repr, keys))) == len(keys), "one key replaces another"
        return node


def any_yaml(path):
    """Read YAML as any reader would."""
    content = yaml_files.read(path)
    # libyaml reads some blanks that PyYAML refuses, a lone ! as text where PyYAML reads null, and
    # skips a byte order mark in the middle.
    if b"\xef\xbb\xbf" in path.read_bytes():
        return
    with contextlib.suppress(yaml.YAMLError):
        same = repr(yaml.load(path.read_bytes(), _Strict)).replace("None", "''")
        assert repr(content).replace("None", "''") == same


def configuration(path):
    """Read YAML and put it into a configuration that is checked."""
    content = yaml_files.read(path)
    if not isinstance(content, dict):
        raise RankassayError("Snakemake refuses it.")
    validate(fuzz.shipped("test") | content)


def claims(path):
    """Read claims: each has what a row of the table of verdicts begins with."""
    found = lists.read(path)
    lists.not_rows(path)
    assert all(lists.head(claim, dataset) for claim in found for dataset in claim["datasets"])


def a_manifest(path):
    """Read a manifest, and compare it with a sound one in both directions."""
    manifest.read(path)
    sound = path.with_name("sound.json")
    write_json(describe({"seed": 1}, {"a.py": "0"}, {"tiny/train": "0"}, {"a.csv": "0"}), sound)
    for old, new in ((path, sound), (sound, path)):
        with (
            contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")),
            contextlib.suppress(RankassayError),  # says that they differ
        ):
            verify.run(argparse.Namespace(old=old, new=new))


def table(path):
    """Read a table without a record: what is written of it is read back."""
    found = read_table(path)
    again = path.with_name("again.csv")
    write_table(found, again)
    pd.testing.assert_frame_equal(read_table(again), found, check_exact=True)


def _lines(separator, *head):
    rows = [*head, "u1,i1,3,1000", "u2,i1,4.5,1001", "u1,i2,0,1002", "u3,i3,5,-7"]
    return "".join(row.replace(",", separator) + "\n" for row in rows).encode()


def _tables():
    """Yield parquet files, packed and encoded in several ways."""
    times = pa.array([1000, 1001, -7] * 5, pa.timestamp("ms", "UTC"))
    content = {"user": ["u1", None, "u3"] * 5, "item": [*range(15)], "rating": [3, 4.5, 0] * 5}
    for own in ({}, {"compression": "zstd", "data_page_version": "2.0"}, {"use_dictionary": False}):
        buffer = io.BytesIO()
        pq.write_table(pa.table(content | {"time": times}), buffer, **own)
        yield buffer.getvalue()


def _targets():
    """Return the targets by name: those of ratings are formats of `fuzz`, and some more."""
    columns = {"user": 0, "item": 1, "rating": 2, "timestamp": 3}
    entries = {name: own | {"columns": columns} for name, own in fuzz.FORMATS.items()}
    named = {"user": "user", "item": "item", "rating": "rating", "timestamp": "time"}
    entries["header"] = entries["header"] | {"columns": named}
    entries["tolerant"] = entries["comma"] | {"bad_lines": 5, "missing_user": "skip"}
    found = {}
    for name, entry in entries.items():
        separator = " " if name == "blanks" else entry["separator"]
        seed = _lines(separator, *(["user,item,rating,time"] if name == "header" else []))
        read = _bound(ratings, "delimited", entry | {"scale": [0, 5]})
        found[f"ratings-{name}"] = Target(read, (seed, seed.replace(b"\n", b"\r\n")))
    packed = gzip.compress(_lines(","), mtime=0)
    read = _bound(ratings, "delimited", entries["comma"] | {"scale": [0, 5]})
    found["ratings-packed"] = Target(read, (packed,), ".gz")
    entry = {"columns": dict(zip(columns, "uirt", strict=True)), "scale": [0, 5]}
    records = [{"u": "a", "i": i, "r": i % 5, "t": i} for i in range(3)]
    found["dicts"] = Target(
        _bound(ratings, "dicts", entry),
        ("\n".join(map(repr, records)).encode(), b'{"u": "a", "i": "b", "r": 4.5}\n'),
    )
    dated = {"separator": ",", "columns": columns, "scale": [0, 5], "timestamp_format": "iso"}
    times = (b"2020-07-04", b"2020-07-04T16:08:23.438Z", b"1969-12-31 23:59+01:00")
    found["ratings-iso"] = Target(
        _bound(ratings, "delimited", dated),
        (b"".join(b"u,i%d,3,%s\n" % (len(t), t) for t in times),),
    )
    found["lists"] = Target(
        _bound(ratings, "lists", {"separator": "whitespace", "lead": "count"}),
        (b"3 a b c\n0\n1 d\n",),
    )
    found["parquet"] = Target(
        _bound(ratings, "parquet", {"columns": named, "scale": [0, 5], "missing_user": "skip"}),
        tuple(_tables()),
        ".parquet",
    )
    cells = b"0 3 0 5\n4.5 0 1 0\n0 0 2e0 0.0\n"
    weights = b"0.5 1 .25\n1e-3 0.125 1.0\n"
    described = {"separator": ",", "header": True, "id": "who"}
    described["attributes"] = {
        "age": {"column": "age", "boundaries": [18, 50.5], "none": "-"},
        "year": {"column": "film", "pattern": r"\((19[0-9][0-9])\)"},
    }
    blanks = {"format": "matrix", "separator": "whitespace"}
    entry = {"separator": ",", "columns": {"user": 0, "item": 1, "rating": 2}, "scale": [0, 5]}
    listed = {"separator": ",", "header": True, "columns": PROPENSITY_COLUMNS}
    found |= {
        "matrix": Target(_bound(a_matrix, blanks | {"scale": [1, 5]}), (cells,)),
        "propensities-matrix": Target(_bound(some_propensities, blanks), (weights,)),
        "propensities": Target(
            _bound(some_propensities, listed | {"format": "delimited"}),
            (b"user,item,propensity\n2,2,1\n1,2,.5\n3,1,0.25\n1,1,1e-3\n",),
        ),
        "attributes": Target(
            _bound(some_attributes, described),
            (b"who,age,film\n1,17,A (1990)\n2,50.5,B\n3,-,C (1999)\n",),
        ),
        "judgements": Target(
            _bound(judgements, entry | {"format": "delimited"}),
            (b"1,2,3\n2,1,4.5\n3,1,0\n1,2,3\n1,1,0\n",),
        ),
    }
    log = b"1\t50\t5\t881250949\n1\t172\t3\t881250950\n2\t50\t1\t881250951\n"
    judged = (
        *(log, log.replace(b"\t", b"::"), b"userId;movieId;rating\n" + log.replace(b"\t", b";")),
        b'{"u1": {"i1": 3, "i2": 0.5}, "u2": {"i1": 4.5}}\n',
        b'{"query-id": 1, "corpus-id": "i1", "score": 2}\n\n'
        b'{"query-id": 2, "corpus-id": "i2", "score": 0}\n',
        b"u1|i1|3\nu1|i2|0\n",
    )
    listed = (
        b"q1\ti1\t1\nq2\ti9\t1\nq1\ti2\t2\nq1\ti3\t3\n",
        b'user,item,score,rank\nu1,"i,1",0.5,1\nu1,i2,-1e3,2\nu2,i2,7,x\n',
        b'[{"qid": "u1", "docno": "i1", "score": 0.5},\n {"qid": "u1", "docno": "i2", "score": 9}]',
        b'{"u1": ["i2", "i1"], "u2": []}',
    )
    found |= {
        "tables-judged": Target(_bound(table_of, "rating"), judged),
        "tables-listed": Target(_bound(table_of, "score"), listed),
        "tables-packed": Target(_bound(table_of, "score"), (gzip.compress(listed[1], mtime=0),)),
        "truths": Target(
            a_truth,
            (
                b"user,item,rating,known,inclusion\nu1,i1,3,1,.5\nu1,i2,0.5,0,1\nu2,i1,5,1,1e-3\n",
                b"user\titem\tlabel\tknown_before\na\tb\t1\tTrue\na\tc\t0\tfalse\n",
                b'{"user": 1, "item": "i1", "rating": 2, "known": true}\n'
                b'{"user": 2, "item": "i1", "rating": 0, "known": false}\n',
                judged[3],
            ),
        ),
        "outcomes": Target(
            outcomes,
            (
                b"system,value,error\na,1,.1\nb,-2e1,\nc,3.5,0\n",
                b"run;mean;std_error\n'a';1;0.5\nb b;2;1e-3\n",
                b'[{"system": "a", "value": 1}, {"system": "b", "value": -2.5}]',
            ),
        ),
    }
    qrels = b"u1 0 i1 3\nu1 0 i2 0\nu2\t0\ti1 4.5\n"
    run = b"u1 Q0 i1 1 0.9 tag\nu1 Q0 i2 2 0.5 tag\nu2 Q0 i1 1 -1e3 tag\n"
    return found | {
        "qrels": Target(_bound(trec, read_qrels), (qrels, qrels.replace(b"\n", b"\r\n"))),
        "run": Target(_bound(trec, read_run), (run, run.replace(b" ", b"\t"))),
        "yaml": Target(
            any_yaml,
            (
                b"base: &base {x: 1, y: !!str 2}\nother:\n  <<: *base\n  y: |\n    text\n",
                b"- 0x1f\n- [1:59, 1e3, .inf, yes, ~, 2001-12-14]\n- {'a': \"b\", ? c : d}\n",
            ),
            ".yaml",
        ),
        "configuration": Target(
            configuration,
            (
                b"seed: 2\ndatasets: [tiny]\nmetrics: {cutoffs: [5, 10, 20]}\ndepth: 30\n",
                b"recommenders: [popularity, random]\nsplit: {test_fraction: 0.2}\n",
                b"robustness:\n  cutoff: 10\n  analyses:\n"
                b"    sparsity: {levels: [100, 50], samples: 3}\n",
            ),
            ".yaml",
        ),
        "claims": Target(
            claims,
            (
                b"bounds: {order: above nothing}\nnot_rows: [{said: x, because: y}]\n"
                b"sentences: {s: {where: w, says: x, decided_by: least}}\nclaims:\n"
                b"- {id: 'a-{metric}', where: here, claim: '{metric} wins', datasets: [tiny],\n"
                b"   value: {table: t}, holds: {above: 0, margin: 0.1}, why: order, sentence: s,\n"
                b"   for: {metric: [P, RR]}}\n",
                b"- {id: a, where: w, claim: c, datasets: {tiny: 0.5}, value: {table: t},\n"
                b"   holds: {near: 0.1, relative: true}, kind: fact}\n"
                b"- {id: b, where: w, claim: c, datasets: {tiny: 1}, value: {table: t},\n"
                b"   holds: {at_most: 2}, source: paper, paper: p}\n",
            ),
            ".yaml",
        ),
        "manifest": Target(
            a_manifest,
            (
                b'{"rankassay": "1", "python": "3", "platform": "x", "packages": {"numpy": "2"},\n'
                b' "config": {"seed": 2, "split": {"x": [1]}}, "code": {"a.py": "1"},\n'
                b' "splits": {"tiny/train": "1"}, "artifacts": {"a.csv": "1", "b.png": "2"}}\n',
            ),
            ".json",
        ),
        "table": Target(table, (b"metric,cutoff,tau\nP,10,0.25\nRR,5,\n'a,1,-1e-7\n",), ".csv"),
    }


def _bound(function, *first):
    return lambda path: function(*first, path)


TARGETS = _targets()


# ---- Coverage ------------------------------------------------------------------------------------


class Coverage:
    """The steps from line to line that the package made, and the lines of what it entered."""

    def __init__(self) -> None:
        self.steps: set[tuple[int, int, int]] = set()
        self.codes = {}

    def __enter__(self):
        self.before = sys.gettrace()
        sys.settrace(self._entered)

    def __exit__(self, *_):
        sys.settrace(self.before)

    def _entered(self, frame, event, argument):
        code = frame.f_code
        if not code.co_filename.startswith(PACKAGE):
            return None
        self.codes[id(code)] = code
        key, last, steps = id(code), 0, self.steps

        def step(frame, event, argument):
            nonlocal last
            if event == "line":
                steps.add((key, last, frame.f_lineno))
                last = frame.f_lineno
            return step

        return step

    def share(self) -> float:
        """Return the share of the lines of all functions entered that were run."""
        reached = {(key, line) for key, _, line in self.steps}
        lines = {
            (key, line)
            for key, code in self.codes.items()
            for *_, line in code.co_lines()
            if line and line != code.co_firstlineno
        }
        return len(reached & lines) / max(1, len(lines))


# ---- One file ------------------------------------------------------------------------------------


class Hang(BaseException):
    """A reader that takes too long; nothing in it may catch this."""


def outcome(name: str, data: bytes) -> str:
    """Return whether a file is taken or refused; raises any other error of its reader."""

    def stop(*_):
        raise Hang

    before = signal.signal(signal.SIGALRM, stop)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in (SyntaxWarning, DeprecationWarning):  # of escapes in dicts
            warnings.simplefilter("ignore", kind)
        path = Path(folder, f"file{TARGETS[name].ending}")
        path.write_bytes(data)
        said = "taken"
        signal.alarm(LONGEST)
        try:
            TARGETS[name].read(path)
            found = "taken"
        except RankassayError as error:
            found = "refused"
            said = str(error)
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)
    assert len(said.splitlines()) == 1, said
    assert len(said) < 20_000, f"a message of {len(said)} characters"
    growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
    assert growth < GROWTH, f"{growth} kB for {len(data)} bytes"
    return found


def fault(name: str, data: bytes) -> str | None:
    """Return what goes wrong with a file, and where, or None."""
    try:
        outcome(name, data)
    except (Exception, Hang) as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [f for f in frames if f.filename.startswith((PACKAGE, str(Path(__file__).parent)))]
        return f"{type(error).__name__} in {Path(own[-1].filename).name}, line {own[-1].lineno}"
    return None


def cut(name: str, data: bytes, wrong: str) -> bytes:
    """Return a shorter file with the same fault."""
    tries, size = CUTS * (not wrong.startswith("Hang")), len(data)
    while size and tries > 0:
        start = 0
        while start < len(data) and tries > 0:
            shorter = data[:start] + data[start + size :]
            tries -= 1
            if fault(name, shorter) == wrong:
                data = shorter
            else:
                start += size
        size //= 2
    return data


# ---- Many files ----------------------------------------------------------------------------------


def changed(data: bytes, other: bytes, words: list[bytes], rng: random.Random) -> bytes:
    """Return a file after one to four changes, some of which take from another file."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        start = rng.randrange(len(data) + 1)
        stop = min(len(data), start + rng.choice((1, 1, 2, 4, 20, 200)))
        kind = rng.randrange(8)
        if kind == 0 and data[start:stop]:
            byte = data[start] ^ (1 << rng.randrange(8))
            data = data[:start] + bytes([byte]) + data[start + 1 :]
        elif kind == 1:
            data = data[:start] + data[stop:]
        elif kind == 2:
            data = data[:stop] + data[start:stop] * rng.choice((1, 1, 30)) + data[stop:]
        elif kind == 3:
            data = data[:start] + other[rng.randrange(len(other) + 1) :]
        elif kind == 4:
            data = data[:start] + bytes([rng.randrange(256)]) + data[start:]
        elif kind == 5:
            data = data[:start] + rng.choice(PIECES) + data[start:]
        else:  # a piece or a word of some file in place of a word
            found = [*re.finditer(rb"[\w.+-]+", data)]
            at = rng.choice(found).span() if found else (start, stop)
            data = data[: at[0]] + rng.choice(rng.choice((PIECES, words))) + data[at[1] :]
    return data[:LARGEST]


@dataclass
class Found:
    """What became of a target's files."""

    files: int = 0
    taken: int = 0
    kept: int = 0
    steps: tuple[int, int] = (0, 0)  # of the files at the beginning, and of all
    share: float = 0
    wrong: tuple[str, bytes] | None = field(default=None, repr=False)


def explore(name: str, first: list[bytes], rng: random.Random, more: Callable[[int], bool]):
    """Change files while there may be `more` of them; stop at the first fault."""
    found, coverage, pool = Found(), Coverage(), []
    words = sorted({word for data in first for word in re.findall(rb"[\w.+-]+", data)})

    def tried(data, sound=False):
        before = len(coverage.steps)
        try:
            with coverage:
                taken = outcome(name, data) == "taken"
        except (Exception, Hang):
            # Without the tracer, as it will be read again. One that only it disturbs is none.
            if wrong := fault(name, data):
                found.wrong = wrong, cut(name, data, wrong)
            return
        found.files, found.taken = found.files + 1, found.taken + taken
        if sound or len(coverage.steps) > before:
            pool.append([0, data])

    for data in first:
        tried(data, sound=True)
    start = len(coverage.steps)
    while not found.wrong and more(found.files):
        chosen = min(rng.sample(pool, min(3, len(pool))), key=lambda entry: entry[0])
        chosen[0] += 1
        tried(changed(chosen[1], rng.choice(pool)[1], words, rng))
    found.kept, found.steps = len(pool), (start, len(coverage.steps))
    found.share = coverage.share()
    return found


def corpus(name: str) -> list[Path]:
    """Return the files of a target's faults."""
    return sorted(path for path in (CORPUS / name).rglob("*") if path.is_file())


def kept(name: str, data: bytes, folder: Path = CORPUS) -> Path:
    """Put the file of a fault into the corpus."""
    path = folder / name / hashlib.sha256(data).hexdigest()[:8]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def again(path: Path) -> str:
    """Read a file of the corpus once more; return what became of it."""
    name = next(part for part in path.resolve().parts if part in TARGETS)
    return fault(name, path.read_bytes()) or outcome(name, path.read_bytes())


def main(arguments: list[str]) -> int:
    """Fuzz for some seconds, or read files again; return the exit status."""
    logging.disable()
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, resource.RLIM_INFINITY))
    if not arguments[0].isdecimal():
        ends = {path: again(Path(path)) for path in arguments}
        print(*(f"{path}: {end}" for path, end in ends.items()), sep="\n")
        return int(any(end not in ("taken", "refused") for end in ends.values()))
    seconds, seed = int(arguments[0]) / len(TARGETS), int([*arguments, 0][1])
    status = 0
    for name, target in TARGETS.items():
        first = [*target.seeds, *(path.read_bytes() for path in corpus(name))]
        end = time.monotonic() + seconds
        rng = random.Random(f"{seed} {name}")
        found = explore(name, first, rng, lambda _, end=end: time.monotonic() < end)
        print(
            f"{name}: {found.files} files ({found.files / seconds:.0f}/s), {found.taken} taken, "
            f"{found.kept} kept, steps {found.steps[0]} -> {found.steps[1]}, "
            f"{found.share:.0%} of the lines entered",
            flush=True,
        )
        if found.wrong:
            path = kept(name, found.wrong[1])
            print(f"{name}: {found.wrong[0]}; again: ./run python {Path(sys.argv[0])} {path}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
