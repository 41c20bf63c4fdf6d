"""Ratings in lines of Python dict literals or JSON objects, one a line (.gz is unpacked)."""

import ast
import json
import logging
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from assayer.artifacts import Pathlike
from assayer.data.readers.lines import ANONYMOUS, Rules, bad_line, open_text
from assayer.errors import AssayerError

log = logging.getLogger(__name__)


def read(path: Pathlike, entry: Mapping[str, Any]) -> pd.DataFrame:
    """Read ratings from lines of dicts.

    Parameters
    ----------
    path
        The file.
    entry
        The catalogue entry: `columns` (the keys of the dicts), `encoding`, `rating_divisor`,
        `scale` and `missing_user` are used, as workflow/schemas/dataset.schema.yaml explains.

    Returns
    -------
    DataFrame
        As `assayer.data.readers.delimited.read` returns it. A user's key that is missing counts
        as an empty user; timestamps are kept only if every line has one.

    Raises
    ------
    AssayerError
        For the first bad line, with its number.
    """
    rules, columns = Rules.of(entry), dict(entry["columns"])
    ids: dict[str, dict[str, int]] = {"user": {}, "item": {}}
    codes: dict[str, list[int]] = {"user": [], "item": []}
    ratings: list[float] = []
    timestamps: list[int] = []
    without_user = 0
    with open_text(path, entry.get("encoding", "utf-8")) as file:
        for number, text in enumerate(file, 1):
            if not text.strip():
                continue
            fields = _fields(path, number, text, columns)
            problem = rules.check(fields)
            if problem:
                raise bad_line(path, number, *problem)
            if not fields["user"].strip():
                without_user += 1
                if rules.missing_user == "skip":
                    continue
                fields["user"] = ANONYMOUS
            for role in ids:
                codes[role].append(ids[role].setdefault(fields[role], len(ids[role])))
            ratings.append(rules.rating(fields["rating"]))
            if "timestamp" in fields:
                timestamps.append(int(fields["timestamp"]))
    if not ratings:
        raise AssayerError(f"{path}: expected ratings, found an empty file; delete or replace.")
    table = pd.DataFrame({role: _categorical(codes[role], ids[role]) for role in ids})
    table["rating"] = np.array(ratings, dtype=np.float64)
    if len(timestamps) == len(ratings):
        table["timestamp"] = np.array(timestamps, dtype=np.int64)
    elif "timestamp" in columns:
        log.info("%s: no timestamps (not every line has one)", path)
    table.attrs["without_user"] = without_user
    return table


def _categorical(codes: list[int], ids: dict[str, int]) -> pd.Categorical:
    """Return a column of ids, from their codes and the ids in the order of the codes."""
    return pd.Categorical.from_codes(codes, pd.Index(list(ids), dtype="str"))


def _fields(path: Pathlike, number: int, text: str, columns: dict[str, str]) -> dict[str, str]:
    """Return the fields of one line as text."""
    record = _parse(text)
    if not isinstance(record, dict):
        raise bad_line(path, number, "a Python dict or a JSON object", repr(text.strip()[:60]))
    fields = {"user": _text(record.get(columns["user"]))}
    for role, key in columns.items():
        if role == "user" or (role == "timestamp" and record.get(key) is None):
            continue
        if key not in record:
            found = "the keys " + ", ".join(map(str, record))
            raise bad_line(path, number, f"a key '{key}'", found)
        fields[role] = _text(record[key])
    return fields


def _parse(text: str) -> Any:
    """Return the object that a line stands for, or None."""
    text = text.strip()
    # JSON always has double quotes; a dict of Python has them only around an apostrophe.
    parsers = [json.loads, ast.literal_eval]
    for parse in parsers if text.startswith('{"') else reversed(parsers):
        try:
            return parse(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def _text(value: Any) -> str:
    """Return a field as text; whole numbers without a decimal point, nothing as empty."""
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
