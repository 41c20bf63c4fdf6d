"""Judgements, runs and training ratings in every form that people have them in, for tests.

Rows are (user, item, number). A form makes them an object, or writes them to a file and returns its
path; what it cannot hold it lacks. All forms of the same rows mean the same.
"""

import csv
import gzip
import io
import json
import lzma
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import scipy.sparse as sp

try:
    import polars
except ModuleNotFoundError:  # .ci/run peers has it
    polars = None

Rows = list[tuple[Any, Any, Any]]


@dataclass(frozen=True)
class Content:
    """What is in the inputs of a call: rows of judgements, of runs and of training ratings."""

    qrels: Rows
    runs: Mapping[str, Rows]
    train: Rows
    threshold: float = 4

    def inputs(self) -> dict[str, tuple[Rows, str]]:
        """Return the rows of each input with the name of their number."""
        found = {"qrels": (self.qrels, "rating"), "train": (self.train, "rating")}
        return found | {name: (rows, "score") for name, rows in self.runs.items()}

    def changed(self, user: Callable[[Any], Any], item: Callable[[Any], Any]) -> "Content":
        """Return the same with other ids."""

        def own(rows: Rows) -> Rows:
            return [(user(u), item(i), number) for u, i, number in rows]

        runs = {name: own(rows) for name, rows in self.runs.items()}
        return replace(self, qrels=own(self.qrels), runs=runs, train=own(self.train))


def drawn(
    rng: np.random.Generator,
    n_users: int = 12,
    n_items: int = 9,
    levels: tuple[float, ...] = (1, 2, 3, 4, 5),
    ties: bool = False,
    missing: float = 0,
    shift: float = 0,
    threshold: float = 4,
) -> Content:
    """Return a content of whole numbers as ids, from 0, whose judgements and training differ."""
    judged = rng.random((n_users, n_items)) < 0.5
    judged[:, rng.integers(n_items)] = True  # nobody is without judgements
    ratings = rng.choice(np.array(levels, dtype=float), (n_users, n_items))

    def rows(there, numbers) -> Rows:
        return [
            (int(u), int(i), float(numbers[u, i])) for u, i in zip(*np.nonzero(there), strict=True)
        ]

    runs = {}
    for name in ("a", "b"):
        scores = rng.permutation(n_users * n_items).reshape(n_users, n_items) / 8 + shift
        if ties:
            scores = np.floor(scores / 4)
        listed = rng.random((n_users, n_items)) < 0.7
        listed[rng.random(n_users) < missing] = False
        listed[0, :2] = True
        runs[name] = rows(listed, scores + 0.5)
    train = ~judged & (rng.random((n_users, n_items)) < 0.8)
    train[0, ~judged[0]] = True
    return Content(rows(judged, ratings), runs, rows(train, ratings), threshold)


def named(*names: str) -> Callable[[int], str]:
    """Return a function from whole numbers to ids: the names, and then such as x12."""
    return lambda number: names[number] if number < len(names) else f"x{number}"


def contents() -> dict[str, Content]:
    """Return contents that differ in their ids, ratings and scores."""
    rng = np.random.default_rng(67)
    blanks = named("Pale Ale", "bob lee"), named("La La Land", "5% off", "a  b")
    odd = named("NA", "007", "7", "7.0", "null"), named("nan", "1e3", "01", "1", "True", "#1")
    text = named("ünï", "日本", "é", "e\u0301", "ﬁ"), named("ß", "SS", "🎬", "Ω", "naïve")
    return {
        "whole numbers": drawn(rng),
        "text": drawn(rng).changed(*text),
        "blanks in ids": drawn(rng).changed(*blanks),
        "ids like numbers": drawn(rng).changed(*odd),
        "halves": drawn(rng, levels=(0.5, 1, 3.5, 4.5), threshold=3.5),
        "ties": drawn(rng, ties=True),
        "users without lists": drawn(rng, missing=0.4),
        "one user": drawn(rng, n_users=1),
        "negative scores": drawn(rng, shift=-20, levels=(-1, 0, 2, 4)),
        "large ids": drawn(rng).changed(lambda u: 2**53 + u, lambda i: 2**62 + i),
    }


# Changes of one row after which every form and door refuses: in which input, how, and what the
# message says of it besides the input's name and the row.
@dataclass(frozen=True)
class Fault:
    """A mistake in one input, and what a refusal of it names."""

    input: str
    change: Callable[[Rows], Rows]
    says: str  # a regular expression
    at: int | None = 4  # the row that is named, from 0

    def of(self, content: Content) -> Content:
        """Return a content with the mistake."""
        if self.input in content.runs:
            runs = {**content.runs, self.input: self.change(content.runs[self.input])}
            return replace(content, runs=runs)
        return replace(content, **{self.input: self.change(getattr(content, self.input))})


def _number(at: int, number: Any) -> Callable[[Rows], Rows]:
    return lambda rows: [*rows[:at], (*rows[at][:2], number), *rows[at + 1 :]]


def _id(at: int, place: int, name: Any) -> Callable[[Rows], Rows]:
    return lambda rows: [
        (*(name if n == place else own for n, own in enumerate(row)),) if i == at else row
        for i, row in enumerate(rows)
    ]


def _again(rows: Rows) -> Rows:
    return [*rows[:5], (*rows[3][:2], rows[3][2] + 1), *rows[5:]]


FAULTS = {
    "an item twice": Fault("qrels", _again, "twice|already|second one", 5),
    "an item twice in a run": Fault("b", _again, "twice|already|second one", 5),
    "a rating that is missing": Fault("qrels", _number(4, None), "rating|fields"),
    "a training rating that is missing": Fault("train", _number(4, None), "rating"),
    "a score that is NaN": Fault("b", _number(4, math.nan), "score"),
    "a rating that is text": Fault("qrels", _number(4, "good"), "good"),
    "a score that is text": Fault("b", _number(4, "high"), "high"),
    "an item that is empty": Fault("qrels", _id(4, 1, ""), "item|fields"),
    "a user who is empty": Fault("b", _id(4, 0, ""), "user"),
    "an infinite rating": Fault("qrels", _number(4, math.inf), "inf|3.40282e\\+38|rating"),
    "no common user": Fault(
        "b", lambda rows: [(f"other{u}", i, n) for u, i, n in rows], "other", None
    ),
    "ids of two types": Fault("b", _id(4, 1, 5), "type", None),
}


def traits(rows: Rows) -> set[str]:
    """Return what is in rows that not all forms can hold."""
    ids = [each for row in rows for each in row[:2]]
    numbers = [row[2] for row in rows]
    found = set()
    if not all(isinstance(each, int) and 0 <= each < 1000 for each in ids):
        found.add("names")
    if any(isinstance(each, str) and any(map(str.isspace, each)) for each in ids):
        found.add("blanks")
    if len({row[:2] for row in rows}) < len(rows):
        found.add("twice")
    if len({*map(type, (row[0] for row in rows))}) + len({type(row[1]) for row in rows}) > 2:
        found.add("types")
    if any(isinstance(number, int) and abs(number) >= 2**53 for number in numbers):
        found.add("beyond 2^53")
    if "" in ids:
        found.add("empty")
    if None in numbers:
        found.add("none")
    if any(isinstance(number, str) for number in numbers):
        found.add("words")
    elif any(number is not None and not math.isfinite(number) for number in numbers):
        found.add("not finite")
    if len({(row[0], row[2]) for row in rows}) < len(rows):
        found.add("ties")
    return found


@dataclass(frozen=True)
class Form:
    """A form: how rows become it, what it cannot hold, and how `kind: file` describes it."""

    make: Callable[[Rows, str, Path], Any]
    lacks: frozenset[str] = frozenset()
    ending: str | None = None  # of a file
    entry: Mapping[str, Any] | None = None
    values: tuple[str, ...] = ("rating", "score")  # else the rows come in the form `instead`
    keeps: bool = True  # whether ids keep their types; else they become text
    instead: str = "dict"
    # How a refusal names a row, of which `at` is the place from 0: a regular expression.
    place: str = r"row {at}\b|user '{user}', item '{item}'"

    def holds(self, rows: Rows, value: str) -> bool:
        """Whether it can hold rows of ratings or scores."""
        if value not in self.values:
            return FORMS[self.instead].holds(rows, value)
        return not self.lacks & traits(rows)

    def of(self, rows: Rows, value: str, folder: Path, name: str) -> Any:
        """Return rows in this form; a file gets a name with the form's ending."""
        if value not in self.values:
            return FORMS[self.instead].of(rows, value, folder, name)
        made = self.make(rows, value, folder / f"{name}{self.ending or ''}")
        return made if self.ending is None else str(folder / f"{name}{self.ending}")


# Objects.


def nested(rows: Rows) -> dict:
    found: dict = {}
    for user, item, number in rows:
        found.setdefault(user, {})[item] = number
    return found


def pairs(rows: Rows) -> dict:
    found: dict = {}
    for user, item, number in rows:
        found.setdefault(user, []).append((item, number))
    return found


def frame(rows: Rows, value: str) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "user": [row[0] for row in rows],
            "item": [row[1] for row in rows],
            value: [row[2] for row in rows],
        }
    )


def best_first(rows: Rows) -> dict:
    own = nested(rows)
    return {user: sorted(items, key=lambda i: -items[i]) for user, items in own.items()}


def an_array(rows: Rows) -> np.ndarray:
    own = best_first(rows)
    found = np.full((max(own) + 1, max(map(len, own.values()))), -1)
    for user, items in own.items():
        found[user, : len(items)] = items
    return found


def matrix(rows: Rows, kind: str = "csr_array") -> Any:
    users, items, numbers = zip(*rows, strict=True)
    # The arrays as they are: an entry of 0 is one.
    made = sp.coo_array((np.array(numbers, dtype=float), (np.array(users), np.array(items))))
    return getattr(sp, kind)(made)


class _Column:
    def __init__(self, values: list) -> None:
        self.values = values

    def to_list(self) -> list:
        return self.values


def a_polars(rows: Rows, value: str) -> Any:
    """Return a frame of Polars; where it is not installed, what is read of one."""
    columns = dict(zip(("user", "item", value), map(list, zip(*rows, strict=True)), strict=True))
    if polars is not None:
        return polars.DataFrame(columns, strict=False)
    its = {"columns": [*columns], "__module__": "polars.dataframe"}
    its["__getitem__"] = lambda self, name: _Column(columns[name])
    return type("DataFrame", (), its)()


# Files.


def _text(number: Any) -> str:
    return "" if number is None else str(number)


def trec(rows: Rows, value: str, path: Path | None = None) -> str:
    lines = []
    for (user, item, number), rank in zip(rows, _ranks(rows, value), strict=True):
        if value == "rating":
            lines.append(f"{user} 0 {item} {_text(number)}")
        else:
            lines.append(f"{user} Q0 {item} {rank} {_text(number)} tag")
    return "\n".join(lines) + "\n"


def _ranks(rows: Rows, value: str) -> list[int]:
    """Return the place of each row in its list, or 1 where scores give none."""
    if value == "rating" or traits(rows) & {"none", "words", "not finite"}:
        return [1] * len(rows)
    return [1 + sum(u == user and n > own for u, _, n in rows) for user, _, own in rows]


def delimited(
    rows: Rows,
    value: str,
    path: Path | None = None,
    separator: str = ",",
    header: tuple[str, ...] | None = ("user", "item", "{}"),
    quoting: int = csv.QUOTE_MINIMAL,
) -> str:
    lines = [] if header is None else [[name.format(value) for name in header]]
    lines += [[str(user), str(item), _text(number)] for user, item, number in rows]
    if separator not in (",", ";"):  # elsewhere a quote is a character like any other
        return "".join(f"{separator.join(line)}\n" for line in lines)
    file = io.StringIO()
    csv.writer(file, delimiter=separator, quoting=quoting, lineterminator="\n").writerows(lines)
    return file.getvalue()


def _json_text(thing: Any) -> str:
    return json.dumps(thing, ensure_ascii=False)


def nested_json(rows: Rows, value: str, path: Path | None = None, indent: bool = False) -> str:
    """Return JSON, in which a key may stand twice, as no dictionary has it."""
    users: dict = {}
    for user, item, number in rows:
        users.setdefault(str(user), []).append(f"{_json_text(str(item))}: {_json_text(number)}")
    own = (f"{_json_text(user)}: {{{', '.join(items)}}}" for user, items in users.items())
    return f"{{{(',' + chr(10)).join(own)}}}"


def pairs_json(rows: Rows, value: str, path: Path | None = None) -> str:
    own = {str(user): [[str(i), n] for i, n in each] for user, each in pairs(rows).items()}
    return _json_text(own)


def records(rows: Rows, value: str, path: Path | None = None, lines: bool = False) -> str:
    own = [_json_text({"user": u, "item": i, value: n}) for u, i, n in rows]
    return "\n".join(own) + "\n" if lines else f"[{', '.join(own)}]"


def listed_json(rows: Rows, value: str, path: Path | None = None) -> str:
    own = best_first(rows)
    return _json_text({str(user): [*map(str, items)] for user, items in own.items()})


def parquet(rows: Rows, value: str, path: Path, **how: Any) -> None:
    frame(rows, value).to_parquet(path, index=False, **how)


def npz(rows: Rows, value: str, path: Path) -> None:
    sp.save_npz(path, matrix(rows))


def npy(rows: Rows, value: str, path: Path) -> None:
    np.save(path, an_array(rows))


def zstd(content: bytes) -> bytes:
    """Return a content packed by zstd, whose length its head does not have to say."""
    out = pa.BufferOutputStream()
    with pa.CompressedOutputStream(out, "zstd") as file:
        file.write(content)
    return out.getvalue().to_pybytes()


PACKED = {
    ".gz": partial(gzip.compress, mtime=0),
    ".xz": lzma.compress,
    ".zst": zstd,
}


def _file(text: Callable[..., str], pack: Callable[[bytes], bytes] = bytes, mark: bytes = b""):
    def make(rows: Rows, value: str, path: Path) -> None:
        path.write_bytes(pack(mark + text(rows, value, path).encode()))

    return make


NO_NAMES = {"columns": {"user": 0, "item": 1, "rating": 2}}
NUMBERED = frozenset(
    {"names", "types", "twice", "none", "words", "empty", "beyond 2^53"}  # numbers are floats there
)
UNTYPED = frozenset({"types"})
SPLIT = UNTYPED | {"blanks"}
JSON_LIKE = UNTYPED  # keys are text
ONCE = frozenset({"twice"})
LISTED = frozenset({"ties", "twice", "none", "words", "not finite"})

OBJECTS = {
    "dict": Form(lambda rows, value, path: nested(rows), ONCE),
    "dict of pairs": Form(lambda rows, value, path: pairs(rows)),
    "frame": Form(lambda rows, value, path: frame(rows, value)),
    "frame of categories": Form(
        lambda rows, value, path: frame(rows, value).astype(
            {"user": "category", "item": "category"}
        )
    ),
    "frame of strings": Form(
        lambda rows, value, path: frame(rows, value).astype({"user": str, "item": str}),
        UNTYPED,
        keeps=False,
    ),
    "frame of Polars": Form(lambda rows, value, path: a_polars(rows, value), frozenset({"types"})),
    "series": Form(lambda rows, value, path: frame(rows, value).set_index(["user", "item"])[value]),
    "series of dicts": Form(lambda rows, value, path: pd.Series(nested(rows)), ONCE),
    "triples": Form(lambda rows, value, path: [*rows]),
    "generator": Form(lambda rows, value, path: (row for row in rows)),
    "lines": Form(
        lambda rows, value, path: trec(rows, value).splitlines(),
        SPLIT,
        keeps=False,
        place=r"line {first}\b",
    ),
    "matrix csr": Form(lambda rows, value, path: matrix(rows), NUMBERED),
    "matrix csc": Form(lambda rows, value, path: matrix(rows, "csc_matrix"), NUMBERED),
    "matrix dok": Form(lambda rows, value, path: matrix(rows, "dok_array"), NUMBERED),
    "array": Form(lambda rows, value, path: an_array(rows), LISTED | NUMBERED, values=("score",)),
    "dict of lists": Form(lambda rows, value, path: best_first(rows), LISTED, values=("score",)),
}
TEXTS = {
    "trec": (
        trec,
        ".txt",
        SPLIT,
        {"separator": "whitespace"} | {"columns": {"user": 0, "item": 2, "rating": 3}},
    ),
    "csv": (delimited, ".csv", UNTYPED, {}),
    "csv quoted": (partial(delimited, quoting=csv.QUOTE_ALL), ".csv", UNTYPED, {}),
    "csv without names": (partial(delimited, header=None), ".csv", UNTYPED, NO_NAMES),
    "csv of MovieLens": (
        partial(delimited, header=("userId", "movieId", "{}")),
        ".csv",
        UNTYPED,
        {"columns": {"user": "userId", "item": "movieId", "rating": "rating"}},
    ),
    "csv of semicolons": (partial(delimited, separator=";"), ".csv", UNTYPED, {"separator": ";"}),
    "tsv": (partial(delimited, separator="\t"), ".tsv", UNTYPED, {}),
    "tsv without names": (
        partial(delimited, separator="\t", header=None),
        ".tsv",
        UNTYPED,
        NO_NAMES | {"separator": "\t"},
    ),
    "dat": (
        partial(delimited, separator="::", header=None),
        ".dat",
        UNTYPED,
        NO_NAMES | {"separator": "::"},
    ),
    "bars": (partial(delimited, separator="|"), ".txt", UNTYPED, {"separator": "|"}),
    "blanks": (
        partial(delimited, separator=" "),
        ".txt",
        SPLIT,
        {"separator": "whitespace", "header": True},
    ),
    "json": (nested_json, ".json", JSON_LIKE, None),
    "json of pairs": (pairs_json, ".json", JSON_LIKE, None),
    "json of records": (records, ".json", UNTYPED, None),
    "jsonl": (partial(records, lines=True), ".jsonl", UNTYPED, {"format": "dicts"}),
}
FIRST, SECOND, PAIR = r"line {first}\b", r"line {second}\b", "user '{user}', item '{item}'"
PLACES = dict.fromkeys(("trec", "csv without names", "tsv without names", "dat", "jsonl"), FIRST)
PLACES |= {"json": PAIR, "json of pairs": PAIR, "json of records": r"object {first}\b"}
FILES = {
    name: Form(_file(text), lacks, ending, entry, keeps=False, place=PLACES.get(name, SECOND))
    for name, (text, ending, lacks, entry) in TEXTS.items()
}
FILES["json of lists"] = Form(
    _file(listed_json),
    LISTED | JSON_LIKE,
    ".json",
    values=("score",),
    keeps=False,
    instead="json",
    place=PAIR,
)
FILES["csv with a mark"] = replace(FILES["csv"], make=_file(delimited, mark=b"\xef\xbb\xbf"))
FILES["csv of CRLF"] = replace(
    FILES["csv"], make=_file(delimited, pack=lambda text: text.replace(b"\n", b"\r\n"))
)
FILES["parquet"] = Form(parquet, frozenset({"types", "words"}), ".parquet", {}, keeps=False)
FILES["parquet"] = replace(FILES["parquet"], place=r"row {first}\b")
FILES["parquet zstd"] = replace(FILES["parquet"], make=partial(parquet, compression="zstd"))
for _name in ("trec", "csv", "tsv without names", "json", "jsonl"):
    for _ending, _pack in PACKED.items():
        FILES[f"{_name}{_ending}"] = replace(
            FILES[_name],
            make=_file(TEXTS[_name][0], _pack),
            ending=f"{FILES[_name].ending}{_ending}",
        )
FILES["npz"] = Form(npz, NUMBERED, ".npz")
FILES["npy"] = Form(npy, LISTED | NUMBERED, ".npy", values=("score",), instead="npz")
FORMS = OBJECTS | FILES
# Which no door reads today; who adds one takes it out here.
UNREAD = {name for name in FILES if name.endswith((".xz", ".zst")) or name in ("npz", "npy")}


def holds(content: Content, form: str, **other: str) -> bool:
    """Whether a form can hold all inputs of a content."""
    inputs = content.inputs().items()
    return all(FORMS[other.get(name, form)].holds(*own) for name, own in inputs)


def given(content: Content, form: str, folder: Path, **other: str) -> dict[str, Any]:
    """Return each input in a form, or in one of its own."""
    return {
        name: FORMS[other.get(name, form)].of(rows, value, folder, name)
        for name, (rows, value) in content.inputs().items()
    }
