"""Values of metrics that others computed, by user and system: tables, and files of trec_eval.

Each reader returns values float64 (n_users, n_systems, n_measures), NaN where undefined, and the
names of the systems. A mistake ends in one line with the file, the line and the column.
"""

import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Scores
from rankassay.data import decimals, doubts
from rankassay.data.entries import SEPARATORS, ending
from rankassay.data.opening import open_text
from rankassay.data.readers.delimited import Line, Misread, split
from rankassay.data.reading import Record, fetched
from rankassay.data.score_entries import measure_of, measures_of
from rankassay.data.validation import are_floats, tell_whole, without_zeros
from rankassay.errors import RankassayError, number_of, unknown
from rankassay.metrics.catalogue import is_share
from rankassay.types import Floats

COLUMNS = ("user", "system", "metric", "value")  # of a table of all metrics
NO_VALUE = ("", "na", "nan")  # in small letters
ALL = "all"  # what trec_eval writes in place of a topic, before means
ROUNDED = 1e-6  # how far a share may be below 0 or above 1
MOST_NAMED = 5  # users or systems in one message

Long = dict[tuple[str, str, int], float]  # values by user, system and number of the measure


def read(record: Record, source: Mapping[str, Any]) -> Scores:
    """Return the values of a dataset of the kind `scores`; see `rankassay.config.datasets`.

    Users are numbered in the order of the first file. Where of a user's own metric the lower value
    is the better one, values are negated, so that of all measures the higher is.
    """
    measures = measures_of(source)
    if "tables" in source:
        values, systems = _of_tables(record, source, measures)
    else:
        values, systems = _of_lines(record, source, measures)
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
    return Scores(values, users, np.array(systems), names)


def _paths(record: Record) -> str:
    """Return the first file of a dataset, and that there are others."""
    first, *others = (file["path"] for file in record.values())
    return f"{first}{' and others' if others else ''}"


def _of_tables(
    record: Record, source: Mapping[str, Any], measures: Mapping[str, str]
) -> tuple[Floats, list[str]]:
    """Read a table for each metric, all of the same users and systems."""
    found: list[Floats] = []
    first: tuple[str, list[str], list[str]] = ("", [], [])
    for name in measures:
        path = fetched(record, name)
        separator = source.get("separator") or SEPARATORS[ending(path)]
        share = is_share(measures[name])
        users, systems, values = wide(path, separator, source.get("users"), share)
        if not found:
            first = (path, users, systems)
        _check_same("users", (path, users), first[:2])
        _check_same("systems", (path, systems), (first[0], first[2]))
        rows = {user: i for i, user in enumerate(users)}
        columns = {system: i for i, system in enumerate(systems)}
        places = [rows[user] for user in first[1]], [columns[system] for system in first[2]]
        found.append(values[np.ix_(*places)])
    return np.stack(found, axis=2), first[2]


def wide(
    path: str, separator: str, users: str | None = None, share: bool = False
) -> tuple[list[str], list[str], Floats]:
    """Read a table with a row for each user and a column for each system, which may be packed.

    Without a column of the `users`' names, they are named by their number from 1. A `share` is a
    metric whose values lie between 0 and 1. Returns the users, the systems, and the values, float64
    (n_users, n_systems).
    """
    lines = _fields(path, separator)
    number, header = next(lines, (1, []))
    if not any(header):
        raise RankassayError(f"{path}: expected a header with the systems' names, found none.")
    _check_separated(f"{path}, line {number}", header, separator)
    named = None
    if users is not None:
        if users not in header:
            raise RankassayError(f"{path}, line {number}: {unknown('column', users, header)}")
        named = header.index(users)
    elif header[0].lower() in doubts.USERS:
        raise RankassayError(
            f"{path}, line {number}: expected the name of a system, found '{header[0]}'; if that "
            f"column names the users, write users: {header[0]}, else rename it."
        )
    systems = [name for i, name in enumerate(header) if i != named]
    _check_once(f"{path}, line {number}", "system", systems)
    if "" in systems:
        column = 1 + header.index("")
        raise RankassayError(
            f"{path}, line {number}, column {column}: expected the name of a system, found none; "
            "if it names the users, give the column a name and set 'users' to it."
        )
    known: dict[str, int] = {}
    rows = []
    for number, fields in _as_wide(path, lines, len(header)):
        user = str(len(rows) + 1) if named is None else fields.pop(named)
        _check_user(f"{path}, line {number}", user)
        if user in known:
            raise RankassayError(
                f"{path}, line {number}: expected each user once, found '{user}' again (first in "
                f"line {known[user]}); keep one of the lines."
            )
        known[user] = number
        place = f"{path}, line {number}, column"
        cells = zip(systems, fields, strict=True)
        rows.append([_value(text, f"{place} {name}", share) for name, text in cells])
    values = np.array(rows, dtype=np.float64).reshape(len(rows), len(systems))
    for name, column in zip(systems, values.T, strict=True):
        if len(rows) and np.isnan(column).all():
            raise RankassayError(f"{path}, column {name}: expected values, found none; remove it.")
    doubts.check_systems(path, systems, values, cure="write users: {}, else rename it")
    return [*_whole(path, [*known]).values()], systems, values


def _whole(path: str, users: Sequence[str]) -> dict[str, str]:
    """Return the names of users by how they are written: where all are such as 7.0, without .0."""
    if not are_floats(users):
        return dict(zip(users, users, strict=True))
    tell_whole(path, ("user",), users)
    return dict(zip(users, without_zeros(users), strict=True))


def _by_whole(path: str, found: Long) -> Long:
    """Return values by the names that `_whole` gives users."""
    names = _whole(path, [*dict.fromkeys(user for user, _, _ in found)])
    return {(names[user], system, m): value for (user, system, m), value in found.items()}


def _fields(path: str, separator: str) -> Iterator[Line]:
    """Yield the number and the fields of each line that is not empty."""
    with open_text(path) as file:
        for number, fields in split(file, separator, strict=True):
            if isinstance(fields, Misread):
                expected, found = fields.wrong
                raise RankassayError(
                    f"{path}, line {number}: expected {expected}, found {found}; correct the line, "
                    "or the separator."
                )
            if any(fields := [field.strip() for field in fields]):
                yield number, fields


def _as_wide(path: str, lines: Iterable[Line], width: int) -> Iterator[Line]:
    """Yield the lines; raises RankassayError for one with other fields than the header."""
    for number, fields in lines:
        if len(fields) != width:
            raise RankassayError(
                f"{path}, line {number}: expected {number_of(width, 'field')} as in the header, "
                f"found {len(fields)}; correct the line, or the separator."
            )
        yield number, fields


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
    doubts.check_user(place, user)


def _value(text: str, place: str, share: bool) -> float:
    """Return the number in a cell, NaN for none; a `share` lies between 0 and 1."""
    if text.lower() in NO_VALUE:
        return math.nan
    try:
        found = decimals.number(text)
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
) -> tuple[Floats, list[str]]:
    """Read a table of all metrics, or the files of trec_eval, a system each."""
    wanted = {measure: m for m, measure in enumerate(measures.values())}
    if "table" in source:
        path = fetched(record, "table")
        separator = source.get("separator") or SEPARATORS[ending(path)]
        found = long(path, separator, wanted, source["own"])
    else:
        found = {}
        for system in record:
            own = trec_eval(fetched(record, system), system, wanted, source["own"])
            if not own:
                path, names = record[system]["path"], ", ".join(measures)
                raise RankassayError(f"{path}: expected values of {names}, found none.")
            found |= own
    users = [*dict.fromkeys(user for user, _, _ in found)]
    systems = [*dict.fromkeys(system for _, system, _ in found)]
    _check_whole(record, found, (users, systems, [*wanted]), source["absent"])
    row = {user: i for i, user in enumerate(users)}
    column = {system: i for i, system in enumerate(systems)}
    values = np.full(
        (len(users), len(systems), len(wanted)), 0.0 if source["absent"] == "zero" else np.nan
    )
    for (user, system, m), value in found.items():
        values[row[user], column[system], m] = value
    return values, systems


def long(path: str, separator: str, wanted: Mapping[str, int], own: Mapping[str, str]) -> Long:
    """Read a table with the columns user, system, metric and value, the wanted metrics alone."""
    lines = _fields(path, separator)
    number, header = next(lines, (1, []))
    _check_separated(f"{path}, line {number}", header, separator)
    for name in COLUMNS:
        if name not in header:
            raise RankassayError(f"{path}, line {number}: {unknown('column', name, header)}")
    places = [header.index(name) for name in COLUMNS]
    known = _Known(wanted, own)
    found: Long = {}
    for number, fields in _as_wide(path, lines, len(header)):
        user, system, metric, text = (fields[place] for place in places)
        if (m := known[metric]) is None:
            continue
        place = f"{path}, line {number}"
        _check_user(place, user)
        if not system:
            raise RankassayError(f"{place}: expected a system, found none.")
        _put(found, (user, system, m), text, place, metric, known.shares)
    return _by_whole(path, found)


def trec_eval(path: str, system: str, wanted: Mapping[str, int], own: Mapping[str, str]) -> Long:
    """Read the values of one system as `trec_eval -q` writes them: metric, topic, value.

    Lines of all topics together are passed over, as are those of other metrics.
    """
    known = _Known(wanted, own)
    found: Long = {}
    topics, number = False, 0
    for number, fields in _fields(path, "whitespace"):
        if fields[1:2] == [ALL]:  # means, and texts such as the name of the run
            continue
        if len(fields) != 3:
            raise RankassayError(
                f"{path}, line {number}: expected a metric, a topic and a value, as trec_eval -q "
                f"writes them, found {number_of(len(fields), 'field')}; correct the line."
            )
        metric, topic, text = fields
        topics = True
        if (m := known[metric]) is None:
            continue
        _put(found, (topic, system, m), text, f"{path}, line {number}", metric, known.shares)
    if not number:
        raise RankassayError(f"{path}: expected what trec_eval -q writes, found an empty file.")
    if not topics:
        raise RankassayError(
            f"{path}: expected values of single topics, found those of all alone; call trec_eval "
            "with -q."
        )
    return _by_whole(path, found)


class _Known(dict[str, int | None]):
    """The numbers of measures by the names that files have for them; None for others."""

    def __init__(self, wanted: Mapping[str, int], own: Mapping[str, str]) -> None:
        self.wanted, self.own = wanted, own
        self.shares = {m for measure, m in wanted.items() if is_share(measure)}

    def __missing__(self, name: str) -> int | None:
        try:
            self[name] = self.wanted.get(measure_of(name, self.own))
        except RankassayError:  # a metric that was not asked for
            self[name] = None
        return self[name]


def _put(
    found: Long,
    key: tuple[str, str, int],
    text: str,
    place: str,
    metric: str,
    shares: Collection[int],
) -> None:
    """Add a value; raises RankassayError for a second one of the same."""
    if key in found:
        user, system, _ = key
        raise RankassayError(
            f"{place}: expected each value once, found a second one of {metric} for user '{user}' "
            f"and system '{system}'; keep one of the lines."
        )
    found[key] = _value(text, place, key[2] in shares)


def _check_whole(
    record: Record, found: Long, axes: tuple[list[str], list[str], list[str]], absent: str
) -> None:
    """Raise RankassayError for a metric without values, and where systems have different users."""
    users, systems, measures = axes
    counts = pd.Series([(system, m) for _, system, m in found], dtype=object).value_counts()
    for m, measure in enumerate(measures):
        if not any((system, m) in counts.index for system in systems):
            raise RankassayError(f"{_paths(record)}: expected values of {measure}, found none.")
    if absent != "error":
        return
    for system in systems:
        for m, measure in enumerate(measures):
            if counts.get((system, m), 0) < len(users):
                lacking = [user for user in users if (user, system, m) not in found]
                raise RankassayError(
                    f"{_paths(record)}: systems with different users: expected a value of "
                    f"{measure} for every user by every system, found none for '{system}' and "
                    f"{_named('user', lacking)}; add them, or set 'absent' to none or zero."
                )


def _check_once(place: str, kind: str, names: Sequence[str]) -> None:
    """Raise RankassayError for a repeated name."""
    for i, name in enumerate(names):
        if name in names[:i]:
            raise RankassayError(
                f"{place}: expected each {kind} once, found '{name}' twice; rename or remove one."
            )


def _check_same(
    kind: str, given: tuple[str, Sequence[str]], first: tuple[str, Sequence[str]]
) -> None:
    """Raise RankassayError unless two tables have the same users, or the same systems."""
    (path, names), (other, expected) = given, first
    lacking = [name for name in expected if name not in {*names}]
    more = [name for name in names if name not in {*expected}]
    if not (lacking or more):
        return
    found = []
    for those, where in ((lacking, f"missing from {path}"), (more, f"only in {path}")):
        if those:
            found.append(f"{_named(kind[:-1], those)} {'is' if len(those) == 1 else 'are'} {where}")
    raise RankassayError(
        f"{path}: expected the same {kind} as in {other}, found that {' and '.join(found)}; all "
        f"tables must have the same {kind}."
    )


def _named(kind: str, names: Sequence[str]) -> str:
    """Return names as a message has them, the first of many."""
    shown = ", ".join(f"'{name}'" for name in names[:MOST_NAMED])
    return f"{kind}{'s' * (len(names) > 1)} {shown}{', ...' * (len(names) > MOST_NAMED)}"
