"""Values of metrics that others computed, by user and system: tables, and files of trec_eval.

Each reader returns values float64 (n_users, n_systems, n_measures), NaN where undefined, and the
names of the systems. A mistake ends in one line with the file, the line and the column.
"""

import contextlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Scores
from rankassay.data import numerals
from rankassay.data.columns import MEANS, USERS, check_systems, check_user
from rankassay.data.entries import SEPARATORS, ending, measure_of, measures_of
from rankassay.data.opening import open_text
from rankassay.data.readers.lines import Misread, split
from rankassay.data.reading import Record, fetched
from rankassay.data.validation import are_floats, tell_whole, without_zeros
from rankassay.errors import RankassayError, number_of, unknown
from rankassay.metrics.catalogue import entry
from rankassay.metrics.metric import SHARE
from rankassay.types import Floats

COLUMNS = ("user", "system", "metric", "value")  # of a table of all metrics
NO_VALUE = ("", "na", "nan")  # in small letters
ROUNDED = 1e-6  # how far a share may be below 0 or above 1
MOST_NAMED = 5  # users or systems in one message

Values = dict[tuple[str, str, str], float]  # by user, system and measure


def read(record: Record, source: Mapping[str, Any]) -> Scores:
    """Return the values of a dataset of the kind `scores`, users in the order of the first file.

    Where of a user's own metric the lower value is the better one, values are negated.
    """
    measures = measures_of(source)
    read_all = _of_tables if "tables" in source else _of_lines
    values, systems = read_all(record, source, measures)
    for kind, count in zip(("users", "systems"), values.shape, strict=False):
        if count < 2:
            raise RankassayError(
                f"{_paths(record)}: expected at least 2 {kind} to compare, found {count}."
            )
    lower = [f"own:{name}" for name, better in source["own"].items() if better == "lower"]
    names = np.array([*measures.values()])
    negated = np.array([name.partition("@")[0] in lower for name in names])
    # Not -0.0 for 0.
    values[:, :, negated] = 0.0 - values[:, :, negated]
    users = np.arange(len(values), dtype=np.int32)
    return Scores(values, users, np.array([*systems]), names)


def _paths(record: Record) -> str:
    """Return the first file of a dataset, and that there are others."""
    first, *others = (file["path"] for file in record.values())
    return f"{first}{' and others' if others else ''}"


def _separator(path: str, source: Mapping[str, Any]) -> str:
    return source.get("separator") or SEPARATORS[ending(path)]


def _of_tables(
    record: Record, source: Mapping[str, Any], measures: Mapping[str, str]
) -> tuple[Floats, pd.Index]:
    """Read a table for each metric, all of the same users and systems."""
    found: list[tuple[str, pd.DataFrame]] = []
    for name, measure in measures.items():
        path = fetched(record, name)
        share = entry(measure).bounds == SHARE
        found.append((path, wide(path, _separator(path, source), source.get("users"), share)))
    path, first = found[0]
    for other, own in found:
        _check_same("users", other, own.index, path, first.index)
        _check_same("systems", other, own.columns, path, first.columns)
    tables = [own.loc[first.index, first.columns].to_numpy() for _, own in found]
    return np.stack(tables, axis=2), first.columns


def wide(path: str, separator: str, users: str | None = None, share: bool = False) -> pd.DataFrame:
    """Read a table with a row for each user and a column for each system.

    Without a column of the `users`' names, they are numbered. A `share` lies between 0 and 1.
    """
    lines = _lines(path, separator)
    place, header = next(lines, (path, []))
    if not any(header):
        raise RankassayError(f"{path}: expected a header with the systems' names, found none.")
    named = None
    if users is not None:
        if users not in header:
            raise RankassayError(f"{place}: {unknown('column', users, header)}")
        named = header.index(users)
    elif header[0].lower() in USERS:
        raise RankassayError(
            f"{place}: expected the name of a system, found '{header[0]}'; if that column names "
            f"the users, write users: {header[0]}, else rename it."
        )
    systems = [name for i, name in enumerate(header) if i != named]
    if again := [name for i, name in enumerate(systems) if name in systems[:i]]:
        raise RankassayError(
            f"{place}: expected each system once, found '{again[0]}' twice; rename or remove one."
        )
    if "" in systems:
        raise RankassayError(
            f"{place}, column {1 + header.index('')}: expected the name of a system, found none; "
            "if it names the users, give the column a name and set 'users' to it."
        )
    known: dict[str, str] = {}
    rows = []
    for place, fields in lines:
        user = str(len(rows) + 1) if named is None else fields.pop(named)
        _check_user(place, user)
        if user in known:
            raise RankassayError(
                f"{place}: expected each user once, found '{user}' again (first in "
                f"{known[user]}); keep one of the lines."
            )
        known[user] = place.removeprefix(f"{path}, ")
        cells = zip(systems, fields, strict=True)
        rows.append([_value(text, f"{place}, column {name}", share) for name, text in cells])
    values = np.array(rows, dtype=np.float64).reshape(len(rows), len(systems))
    for name, column in zip(systems, values.T, strict=True):
        if len(rows) and np.isnan(column).all():
            raise RankassayError(f"{path}, column {name}: expected values, found none; remove it.")
    check_systems(path, systems, values, cure="write users: {}, else rename it")
    return pd.DataFrame(values, [*_whole(path, [*known]).values()], systems)


def _whole(path: str, users: Sequence[str]) -> dict[str, str]:
    """Return the names of users by how they are written: where all are such as 7.0, without .0."""
    if not are_floats(users):
        return dict(zip(users, users, strict=True))
    tell_whole(path, ("user",), users)
    return dict(zip(users, without_zeros(users), strict=True))


def _lines(path: str, separator: str, table: bool = True) -> Iterator[tuple[str, list[str]]]:
    """Yield the place and the fields of each line that is not empty, those of a table alike."""
    with open_text(path) as file:
        width = 0
        for number, fields in split(file, separator, strict=True):
            place, cure = f"{path}, line {number}", "correct the line, or the separator"
            if isinstance(fields, Misread):
                expected, found = fields.wrong
                raise RankassayError(f"{place}: expected {expected}, found {found}; {cure}.")
            if not any(fields := [field.strip() for field in fields]):
                continue
            if table and not width:
                _check_separated(place, fields, separator)
            elif table and len(fields) != width:
                raise RankassayError(
                    f"{place}: expected {number_of(width, 'field')} as in the header, found "
                    f"{len(fields)}; {cure}."
                )
            width = width or len(fields)
            yield place, fields


def _check_separated(place: str, header: list[str], separator: str) -> None:
    """Raise RankassayError for a header that other separators divide."""
    if len(header) == 1 and (other := next((s for s in ";,|\t " if s in header[0]), None)):
        written = "whitespace" if other == " " else json.dumps(other)
        raise RankassayError(
            f"{place}: expected columns separated by {separator!r}, found one, "
            f"'{header[0][:80]}'; write separator: {written} in the dataset's entry."
        )


def _check_user(place: str, user: str) -> None:
    """Raise RankassayError for a user without a name, and for means in the place of a user."""
    if not user:
        raise RankassayError(f"{place}: expected a user, found none.")
    check_user(place, user)


def _value(text: str, place: str, share: bool) -> float:
    """Return the number in a cell, NaN for none; a `share` lies between 0 and 1."""
    if text.lower() in NO_VALUE:
        return math.nan
    try:
        found = numerals.number(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise RankassayError(
            f"{place}: expected a finite number, or an empty cell for no value, found "
            f"'{text[:80]}'; correct the cell."
        )
    if share and not -ROUNDED <= found <= 1 + ROUNDED:
        raise RankassayError(
            f"{place}: expected a value from 0 to 1, as this metric has them, found {text}; if it "
            "is a percentage, divide it by 100, and if the column names users, set 'users' to it."
        )
    return found


def _of_lines(
    record: Record, source: Mapping[str, Any], measures: Mapping[str, str]
) -> tuple[Floats, pd.Index]:
    """Read a table of all metrics, or the files of trec_eval, a system each."""
    wanted, found = [*measures.values()], {}
    for name in record:
        path, own = fetched(record, name), _Wanted(wanted, source["own"])
        if "table" in source:
            long(path, _separator(path, source), own)
        else:
            trec_eval(path, name, own)
            if not own.found:
                names = ", ".join(measures)
                raise RankassayError(f"{path}: expected values of {names}, found none.")
        names = _whole(path, [*dict.fromkeys(user for user, _, _ in own.found)])
        found |= {(names[user], *rest): value for (user, *rest), value in own.found.items()}
    user, users = pd.factorize(np.array([key[0] for key in found], dtype=object))
    system, systems = pd.factorize(np.array([key[1] for key in found], dtype=object))
    place = user, system, [wanted.index(measure) for _, _, measure in found]
    absent = 0.0 if source["absent"] == "zero" else np.nan
    values = np.full((len(users), len(systems), len(wanted)), absent)
    there = np.zeros(values.shape, dtype=bool)
    values[place], there[place] = [*found.values()], True
    for m, measure in enumerate(wanted):
        if not there[:, :, m].any():
            raise RankassayError(f"{_paths(record)}: expected values of {measure}, found none.")
    if source["absent"] == "error" and not there.all():
        s, m = np.argwhere(~there.all(axis=0))[0]
        raise RankassayError(
            f"{_paths(record)}: systems with different users: expected a value of {wanted[m]} for "
            f"every user by every system, found none for '{systems[s]}' and "
            f"{_named('user', users[~there[:, s, m]])}; add them, or set 'absent' to none or zero."
        )
    return values, systems


def long(path: str, separator: str, wanted: "_Wanted") -> None:
    """Read a table with the columns user, system, metric and value, the wanted metrics alone."""
    lines = _lines(path, separator)
    place, header = next(lines, (f"{path}, line 1", []))
    for name in COLUMNS:
        if name not in header:
            raise RankassayError(f"{place}: {unknown('column', name, header)}")
    places = [header.index(name) for name in COLUMNS]
    for place, fields in lines:
        wanted.put(place, *(fields[at] for at in places))


def trec_eval(path: str, system: str, wanted: "_Wanted") -> None:
    """Read the values of one system, of single topics, as `trec_eval -q` writes them."""
    topics, place = False, ""
    for place, fields in _lines(path, "whitespace", table=False):
        if MEANS.intersection(fields[1:2]):  # and texts such as the name of the run
            continue
        if len(fields) != 3:
            raise RankassayError(
                f"{place}: expected a metric, a topic and a value, as trec_eval -q writes them, "
                f"found {number_of(len(fields), 'field')}; correct the line."
            )
        metric, topic, text = fields
        topics = True
        wanted.put(place, topic, system, metric, text)
    if not place:
        raise RankassayError(f"{path}: expected what trec_eval -q writes, found an empty file.")
    if not topics:
        raise RankassayError(
            f"{path}: expected values of single topics, found those of all alone; call trec_eval "
            "with -q."
        )


class _Wanted:
    """The values of some measures that a file has, by the names that it has for them."""

    def __init__(self, measures: Sequence[str], own: Mapping[str, str]) -> None:
        self.measures, self.own = measures, own
        self.known: dict[str, str | None] = {}
        self.found: Values = {}

    def put(self, place: str, user: str, system: str, metric: str, text: str) -> None:
        """Add a value, unless it is of another metric."""
        if metric not in self.known:
            self.known[metric] = None
            with contextlib.suppress(RankassayError):  # a metric that was not asked for
                measure = measure_of(metric, self.own)
                self.known[metric] = measure if measure in self.measures else None
        if (measure := self.known[metric]) is None:
            return
        _check_user(place, user)
        if not system:
            raise RankassayError(f"{place}: expected a system, found none.")
        if (user, system, measure) in self.found:
            raise RankassayError(
                f"{place}: expected each value once, found a second one of {metric} for user "
                f"'{user}' and system '{system}'; keep one of the lines."
            )
        self.found[user, system, measure] = _value(text, place, entry(measure).bounds == SHARE)


def _check_same(kind: str, path: str, names: pd.Index, other: str, expected: pd.Index) -> None:
    """Raise RankassayError unless two tables have the same users, or the same systems."""
    found = []
    lacking, more = expected.difference(names, False), names.difference(expected, False)
    for those, where in ((lacking, f"missing from {path}"), (more, f"only in {path}")):
        if len(those):
            found.append(f"{_named(kind[:-1], those)} {'is' if len(those) == 1 else 'are'} {where}")
    if found:
        raise RankassayError(
            f"{path}: expected the same {kind} as in {other}, found that {' and '.join(found)}; "
            f"all tables must have the same {kind}."
        )


def _named(kind: str, names: Sequence[str]) -> str:
    """Return names as a message has them, the first of many."""
    shown = ", ".join(f"'{name}'" for name in names[:MOST_NAMED])
    return f"{kind}{'s' * (len(names) > 1)} {shown}{', ...' * (len(names) > MOST_NAMED)}"
