"""Judgements, runs and training ratings in every form that people have them in, for tests.

Rows are (user, item, number). A form makes them an object, or writes them to a file and returns its
path; what it cannot hold it lacks. All forms of the same rows mean the same.
"""

import csv
import gzip
import io
import json
import lzma
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import scipy.sparse as sp
from contents import Content, Rows, traits

try:
    import polars
except ModuleNotFoundError:  # .ci/run peers has it
    polars = None


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
SPLIT = UNTYPED | {"blanks", "comments"}
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
FILES["npz"] = Form(npz, NUMBERED, ".npz", {}, keeps=False)
FORMS = OBJECTS | FILES


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
