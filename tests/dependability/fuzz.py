"""Mutate what people and programs hand in: `python tests/dependability/fuzz.py [CASES] [SEED]`.

Every case is either taken, and then right, or refused by a RankassayError of one line. Anything
else ends the run with the number of the case, which with the seed makes it again.
"""

import copy
import functools
import gzip
import io
import logging
import math
import random
import sys
import tempfile
import warnings
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np

from rankassay.artifacts.yaml_files import read_settings
from rankassay.config import layers
from rankassay.config.check import validate
from rankassay.data.download import extract
from rankassay.data.prepare import prepare
from rankassay.data.reading import lines_of
from rankassay.data.tables import read_qrels, read_run
from rankassay.errors import RankassayError

ROOT = Path(__file__).parents[2]
ADDED = ("demo", "test", "check", "as-run", "sensitivity")

VALUES = [
    *(None, True, False, 0, 1, -1, 7, 10**30, 0.5, -0.1, 1e308, math.nan, math.inf),
    *(
        "",
        " ",
        "x",
        "nDGC",
        "ml-1n",
        "../../x",
        "a" * 5000,
        "ä\u202e\0",
        "1e5",
        "P@10",
        "nDCG(",
        "(",
    ),
    *(
        "json:loads",
        "json:nothing",
        "nowhere:Mine",
        "json",
        ":",
        "math:pi",
        "builtins:int",
        "a:b:c",
    ),
    *([], [None], [[]], [1, "a", None], {}, {"a": 1}, {1: 2}, {None: None}, {"x": {"y": [{}]}}),
]


# ---- Configurations ------------------------------------------------------------------------------


@functools.cache
def shipped(name):
    """Return a shipped configuration, merged with those that are always read."""
    return layers.whole(layers.shipped(ROOT), read_settings(ROOT / f"config/{name}.yaml"))


def nodes(tree, path=()):
    """Yield the path of every value of a configuration."""
    children = tree.items() if isinstance(tree, dict) else ()
    children = enumerate(tree) if isinstance(tree, list) else children
    for key, child in children:
        yield (*path, key)
        yield from nodes(child, (*path, key))


def mutated(config, rng):
    """Return a copy of a configuration with one to three mistakes."""
    config = copy.deepcopy(config)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        paths = list(nodes(config))
        # As many mistakes near the root as in the long lists and catalogues below it.
        depth = rng.randint(1, max(map(len, paths)))
        path = rng.choice([path for path in paths if len(path) <= depth])
        parent = functools.reduce(lambda node, key: node[key], path[:-1], config)
        _mutate(parent, path[-1], rng)
    return config


def _mutate(parent, key, rng):
    """Change one value, or what it is called."""
    kind = rng.choice(("value", "value", "value", "delete", "rename", "add", "type", "other"))
    if kind == "delete":
        del parent[key]
    elif kind == "rename" and isinstance(parent, dict):
        parent[misspelt(str(key), rng)] = parent.pop(key)
    elif kind == "add":
        extra = copy.deepcopy(rng.choice(VALUES))
        if isinstance(parent, dict):
            parent[rng.choice(("unknown", 1, None, "", "seed"))] = extra
        else:
            parent.append(extra)
    elif kind == "type":
        parent[key] = rng.choice((str, repr, lambda v: [v], lambda v: {"a": v}))(parent[key])
    elif kind == "other" and isinstance(parent[key], str):
        parent[key] = misspelt(parent[key], rng)
    elif kind == "other" and isinstance(parent[key], (int, float)):
        parent[key] = rng.choice((-1, 2, 10**6, 0.1)) * parent[key]
    else:
        parent[key] = copy.deepcopy(rng.choice(VALUES))


def misspelt(text, rng):
    """Return a text with one letter left out, doubled or changed."""
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(("", "e", "-", "Z", text[at : at + 1])) + text[at + 1 :]


def a_config(rng, folder):
    """Validate one mutated configuration."""
    validate(mutated(shipped(rng.choice(("config", *ADDED))), rng))


# ---- Files of ratings ----------------------------------------------------------------------------

CELLS = [
    *(
        "",
        " ",
        "0",
        "-1",
        "3",
        "3.5",
        "5.0001",
        "nan",
        "inf",
        "-inf",
        "1e400",
        "1_0",
        "TRUE",
        "0x1",
    ),
    *(
        '"',
        '"a',
        'b"c',
        "a\0",
        "é",
        "\ufeff",
        "\u2028",
        "9" * 30,
        "x" * 2000,
        "'",
        "\\",
        "1,2",
        "\r",
    ),
]
FORMATS = {
    "comma": {"separator": ",", "header": False},
    "header": {"separator": ",", "header": True},
    "colons": {"separator": "::", "header": False},
    "tab": {"separator": "\t", "header": False},
    "blanks": {"separator": "whitespace", "header": False},
}


def a_ratings_file(rng, folder):
    """Read one mutated file of ratings; what is read is checked against the lines themselves."""
    entry = dict(FORMATS[rng.choice(list(FORMATS))]) | {"scale": [0, 5]}
    entry["columns"] = {"user": 0, "item": 1, "rating": 2}
    if rng.random() < 0.5:
        entry["columns"]["timestamp"] = 3
    if rng.random() < 0.3:
        entry["bad_lines"] = rng.choice((1, 5))
    separator = " " if entry["separator"] == "whitespace" else entry["separator"]
    rows = [[f"u{i % 7}", f"i{i}", str(i % 5 + 1), str(1000 + i)] for i in range(20)]
    rows = [["user", "item", "rating", "time"], *rows] if entry["header"] else rows
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        row = rng.choice(rows)
        change = rng.choice(("cell", "cell", "cell", "drop", "more", "empty"))
        if change == "cell" and row:
            row[rng.randrange(len(row))] = rng.choice(CELLS)
        elif change == "drop" and row:
            row.pop()
        elif change == "more":
            row.append(rng.choice(CELLS))
        elif change == "empty":
            row.clear()
    ends = rng.choice(("\n", "\n", "\r\n"))
    data = ends.join(separator.join(row) for row in rows).encode()
    _check_table(_read("delimited", damaged(data, rng), entry, rng, folder), 20)


def a_file_of_dicts(rng, folder):
    """Read one mutated file of dicts."""
    entry = {"columns": {"user": "u", "item": "i", "rating": "r"}, "scale": [0, 5]}
    if rng.random() < 0.3:
        entry["bad_lines"] = rng.choice((1, 5))
    fields = [{"u": f"u{i % 7}", "i": i, "r": i % 5 + 1, "t": i} for i in range(20)]
    for _ in range(rng.choice((0, 1, 2, 4))):
        record = rng.choice(fields)
        record[rng.choice(("u", "i", "r", "t"))] = rng.choice((*VALUES, *CELLS))
    data = "\n".join(map(repr, fields)).encode("utf-8", "surrogatepass")
    _check_table(_read("dicts", damaged(data, rng), entry, rng, folder), 20)


def damaged(data, rng):
    """Return some bytes, in one case of four with some of them changed, cut or doubled."""
    if rng.random() < 0.75:
        return data
    start = rng.randrange(len(data))
    stop = min(len(data), start + rng.choice((1, 1, 2, 30)))
    return data[:start] + rng.choice((b"", b"\xff", b"\0", data[start:stop] * 2)) + data[stop:]


def _read(reader, data, entry, rng, folder):
    path = folder / "ratings.txt"
    if rng.random() < 0.1:
        path, data = folder / "ratings.gz", damaged(gzip.compress(data), rng)
    path.write_bytes(data)
    return lines_of(path, {"format": reader} | entry)


def _check_table(table, most):
    """Check that what was read is as the entry says, and that a dataset can be made of it."""
    assert 0 < len(table) <= 2 * most
    assert table["rating"].between(0, 5).all()
    for role in ("user", "item"):
        assert (table[role].astype(object).str.strip() != "").all()
    ratings = prepare(table, duplicates="last")
    assert len(set(ratings.item_ids)) == len(ratings.item_ids)


# ---- Archives ------------------------------------------------------------------------------------


def an_archive(rng, folder):
    """Take a member out of a damaged archive: it is whole, or refused."""
    content = b"".join(b"%d::%d::3\n" % (i, i * i) for i in range(200))
    buffer = io.BytesIO()
    kind = rng.choice(
        (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    )
    with zipfile.ZipFile(buffer, "w", kind) as file:
        file.writestr(rng.choice(("set/r.dat", "../r.dat", "/r.dat", "r.dat")), content)
        file.writestr("set/m.dat", b"2::A::B\n")
    data = bytearray(buffer.getvalue())
    for _ in range(rng.choice((1, 1, 3, 10))):
        data[rng.randrange(len(data))] = rng.randrange(256)
    path, target = folder / "set.zip", folder / "raw" / "r.dat"
    path.write_bytes(
        bytes(data[: rng.choice((len(data), len(data), rng.randrange(len(data)))) or None])
    )
    try:
        extract(path, {"r.dat": target}, largest=10**6)
        assert target.read_bytes() == content
    except OSError as error:  # bzip2 says so; `fetch` turns it into a line
        raise RankassayError(str(error)) from error
    finally:
        target.unlink(missing_ok=True)
        left = {p.relative_to(folder).as_posix() for p in folder.rglob("*")}
        assert left <= {"set.zip", "raw", "ratings.txt", "ratings.gz", "lists"}, left


# ---- TREC files ----------------------------------------------------------------------------------


def a_trec_file(rng, folder):
    """Read one mutated file of judgements or lists."""
    run = rng.random() < 0.7
    rows = [
        [f"u{i % 4}", "Q0", f"i{i}", str(i // 4 + 1), str(1 - i / 100), "tag"]
        if run
        else [f"u{i % 4}", "0", f"i{i}", str(i % 6)]
        for i in range(20)
    ]
    for _ in range(rng.choice((0, 1, 1, 3))):
        row = rng.choice(rows)
        change = rng.choice(("cell", "cell", "drop", "more", "twice"))
        if change == "cell" and row:
            row[rng.randrange(len(row))] = rng.choice(CELLS)
        elif change == "drop" and row:
            row.pop()
        elif change == "more":
            row.append("more")
        else:
            rows.append(list(row))
    path = folder / "lists"
    path.write_bytes(damaged("\n".join(map(" ".join, rows)).encode(), rng))
    frame = read_run(path) if run else read_qrels(path)
    assert len(frame)
    assert not np.isnan(frame["score" if run else "rating"]).any()
    assert not frame.duplicated(["user", "item"]).any()


FUZZERS = {
    "configurations": a_config,
    "files of ratings": a_ratings_file,
    "files of dicts": a_file_of_dicts,
    "archives": an_archive,
    "TREC files": a_trec_file,
}


def fuzz(name, cases, seed=0):
    """Run some cases of one fuzzer; return how many were taken and how many refused."""
    found = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for case in range(cases):
            rng = random.Random(f"{seed} {name} {case}")
            try:
                FUZZERS[name](rng, Path(folder))
                found["taken"] += 1
            except RankassayError as error:
                text = str(error)
                assert len(text.splitlines()) == 1, f"{name}, case {case}: {text!r}"
                assert len(text) < 20_000, f"{name}, case {case}: {len(text)} characters"
                found["refused"] += 1
            except Exception as error:
                error.add_note(f"fuzz: {name}, case {case}, seed {seed}")
                raise
    return found


def main(cases=200, seed=0):
    """Run all fuzzers and say what they found."""
    logging.disable()
    warnings.simplefilter("error")
    for name in FUZZERS:
        found = fuzz(name, cases, seed)
        print(f"{name}: {cases} cases, {found['taken']} taken, {found['refused']} refused")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
