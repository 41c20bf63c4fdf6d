"""Ratings in lines of Python dict literals or JSON objects, one per line (gzip is unpacked)."""

import ast
import json
from array import array
from collections.abc import Mapping
from typing import Any

from rankassay.artifacts.files import Pathlike
from rankassay.data.opening import open_text, undecoded
from rankassay.data.stored import Broken, Coded, Stored, lines_at

LONGEST = 1000  # characters of a message's names


class _Refused(Exception):
    """What was expected of a line, and what was found."""


def read(path: Pathlike, entry: Mapping[str, Any]) -> Stored:
    """Read the values of some keys of each line; a user may be missing (empty), and a time."""
    keys = {role: key for role, key in entry["columns"].items() if key is not None}
    columns, lines, broken = {role: Coded() for role in keys}, array("q"), []
    allowed = entry.get("bad_lines", 0)
    errors = "surrogateescape" if allowed else "strict"
    with open_text(path, entry.get("encoding", "utf-8"), errors) as file:
        for number, text in enumerate(file, 1):
            if not text.strip():
                continue
            try:
                fields = _fields(text, keys)
            except _Refused as refused:
                broken.append(Broken(len(lines), f"line {number}", *refused.args))
                if len(broken) > allowed:
                    break
                continue
            for role, own in columns.items():
                own.add(fields[role])
            lines.append(number)
    found = {role: own.column() for role, own in columns.items()}
    return Stored(path, found, lines_at(lines), broken, optional={"timestamp"})


def _fields(text: str, keys: Mapping[str, str]) -> dict[str, str | None]:
    """Return the fields of one line as text; None for a time that is not there."""
    if undecoded(text):
        raise _Refused("text in the encoding of the entry", "other bytes")
    record = _parse(text)
    if not isinstance(record, dict):
        raise _Refused("a Python dict or a JSON object", repr(text.strip()[:60]))
    try:
        for role in ("user", "item"):
            if not _may_be_id(found := record.get(keys[role])):
                raise _Refused(f"text or a whole number as id of the {role}", repr(found)[:60])
        fields: dict[str, str | None] = {}
        for role, key in keys.items():
            if role == "timestamp" and record.get(key) is None:
                fields[role] = None
            elif key in record or role == "user":
                fields[role] = _text(record.get(key))
            else:
                found = "the keys " + ", ".join(map(str, record))
                found = found if len(found) <= LONGEST else f"{found[:LONGEST]}..."
                raise _Refused(f"a key '{key}'", found)
    except ValueError:  # Python writes no number of more than 4300 digits
        raise _Refused("numbers of fewer digits", "a longer one") from None
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
