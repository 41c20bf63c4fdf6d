"""Ratings in lines of Python dict literals or JSON objects, one per line (gzip is unpacked)."""

import ast
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pandas as pd

from rankassay.artifacts.files import Pathlike
from rankassay.data.readers.lines import (
    LONGEST,
    Collected,
    Rules,
    Tolerance,
    bad_line,
    open_text,
    undecoded,
)
from rankassay.errors import RankassayError

log = logging.getLogger(__name__)


def read(path: Pathlike, entry: Mapping[str, Any]) -> pd.DataFrame:
    """Read ratings from lines of dicts.

    Raises RankassayError for the first bad line that is not left out, with its number.

    Parameters
    ----------
    entry
        The catalogue entry: `columns` (the keys of the dicts), `encoding`,
        `timestamp_format`, `rating_divisor`, `scale`, `missing_user` and `bad_lines` are used, as
        `rankassay.config.datasets` explains.

    Returns
    -------
    DataFrame
        As `rankassay.data.readers.delimited.read` returns it. A user's key that is missing counts
        as an empty user; timestamps are kept only if every line has one.
    """
    rows, tolerance = Collected(Rules.of(entry)), Tolerance(entry)
    for _, fields in _rows(path, entry, tolerance.leave_out):
        rows.add(fields)
    if not rows.ratings:
        raise RankassayError(f"{path}: expected ratings, found an empty file; delete or replace.")
    table = rows.table(tolerance.count)
    if "timestamp" in entry["columns"] and "timestamp" not in table:
        log.info("%s: no timestamps (not every line has one)", path)
    return table


def lines(path: Pathlike, entry: Mapping[str, Any]) -> Iterator[int]:
    """Yield the number of the line of each row that `read` returns, which leaves out bad ones."""
    skipped = entry.get("missing_user") == "skip"
    for number, fields in _rows(path, entry, lambda error: None):
        if not skipped or fields["user"].strip():
            yield number


def _rows(
    path: Pathlike, entry: Mapping[str, Any], bad: Callable[[RankassayError], None]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number and the fields of each line; the errors of others are given to `bad`."""
    rules, columns = Rules.of(entry), dict(entry["columns"])
    errors = "surrogateescape" if Tolerance(entry).allowed else "strict"
    with open_text(path, entry.get("encoding", "utf-8"), errors) as file:
        for number, text in enumerate(file, 1):
            if text.strip():
                try:
                    fields = _checked(path, number, text, columns, rules)
                except RankassayError as error:
                    bad(error)
                else:
                    yield number, fields


def _checked(
    path: Pathlike, number: int, text: str, columns: dict[str, str | None], rules: Rules
) -> dict[str, str]:
    """Return the fields of one line as text; raises RankassayError if they are not right."""
    if undecoded(text):
        raise bad_line(path, number, "text in the encoding of the entry", "other bytes")
    try:
        fields = _fields(path, number, text, columns)
    except ValueError:  # Python writes no number of more than 4300 digits
        raise bad_line(path, number, "numbers of fewer digits", "a longer one") from None
    if problem := rules.check(fields):
        raise bad_line(path, number, *problem)
    return fields


def _fields(
    path: Pathlike, number: int, text: str, columns: dict[str, str | None]
) -> dict[str, str]:
    """Return the fields of one line as text."""
    record = _parse(text)
    if not isinstance(record, dict):
        raise bad_line(path, number, "a Python dict or a JSON object", repr(text.strip()[:60]))
    for role in ("user", "item"):
        if not _may_be_id(found := record.get(columns[role])):
            expected = f"text or a whole number as id of the {role}"
            raise bad_line(path, number, expected, repr(found)[:60])
    fields = {"user": _text(record.get(columns["user"]))}
    for role, key in columns.items():
        if role == "user" or key is None or (role == "timestamp" and record.get(key) is None):
            continue
        if key not in record:
            found = "the keys " + ", ".join(map(str, record))
            found = found if len(found) <= LONGEST else f"{found[:LONGEST]}..."
            raise bad_line(path, number, f"a key '{key}'", found)
        fields[role] = _text(record[key])
    return fields


def _parse(text: str) -> Any:
    """Return the object of a line, or None."""
    text = text.strip()
    # JSON always has double quotes; a dict of Python has them only around an apostrophe.
    parsers = [json.loads, ast.literal_eval]
    for parse in parsers if text.startswith('{"') else reversed(parsers):
        try:
            return parse(text)
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
    return None


def _may_be_id(value: Any) -> bool:
    """Return whether a value is text, a whole number or None: others have more than one text."""
    whole = isinstance(value, float) and value.is_integer()
    return value is None or whole or (isinstance(value, str | int) and not isinstance(value, bool))


def _text(value: Any) -> str:
    """Return a field as text; whole numbers without a decimal point, nothing as empty."""
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
