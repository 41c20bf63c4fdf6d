"""Attributes of users or items from delimited text: a line for each user or item."""

import math
import re
from bisect import bisect
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from assayer.artifacts.files import Pathlike
from assayer.data.readers import header
from assayer.data.readers.delimited import most_fields, sound, split
from assayer.data.readers.lines import LONGEST, bad_line, open_text
from assayer.errors import AssayerError, number_of

Values = dict[str, dict[str, str]]
UNKNOWN = ""


def read(path: Pathlike, options: Mapping[str, Any], kind: str) -> Values:
    """Read the attributes of users or items.

    Raises AssayerError for the first bad line, with its number, for a file without lines, and for a
    column that is not there.

    Parameters
    ----------
    options
        The part `user_attributes` or `item_attributes` of a catalogue entry: `separator`, `header`,
        `encoding`, the column `id`, and `attributes`, each with its `column` and perhaps a
        `pattern`, `none` and `boundaries`, as `assayer.config.datasets.Attribute` explains.
    kind : {"user", "item"}
        Whose ids they are, for messages.

    Returns
    -------
    dict
        For each attribute the value of each id; empty where it is not known.
    """
    attributes = options["attributes"]
    found: Values = {name: {} for name in attributes}
    # No attribute can take the role of a column that a file of ratings may lack.
    roles = {name: f"attribute {name}" for name in attributes}
    columns = {"id": options["id"]}
    columns |= {roles[name]: own["column"] for name, own in attributes.items()}
    named = options.get("header", False)
    with open_text(path, options.get("encoding", "utf-8")) as file:
        lines = split(file, options["separator"])
        first = next(lines, None)
        if first is None:
            raise _none(path, kind)
        places = header.positions(path, first, columns, named)
        needed, seen = max(places.values()) + 1, {}
        most = most_fields(first[1], options["separator"], places.values())
        for number, fields in sound(path, lines if named else chain([first], lines), most):
            if len(fields) < needed:
                raise bad_line(
                    path, number, f"at least {number_of(needed, 'field')}", f"{len(fields)}"
                )
            key = fields[places["id"]]
            if not key.strip():
                raise bad_line(path, number, f"an id of the {kind}", "an empty field")
            if key in seen:
                raise bad_line(path, number, f"each {kind} once", f"{key!r} as in line {seen[key]}")
            seen[key] = number
            for name, own in attributes.items():
                try:
                    found[name][key] = _value(fields[places[roles[name]]], own)
                except ValueError as error:
                    expected, _, value = str(error).partition("|")
                    raise bad_line(path, number, f"{expected} ({name})", value) from None
    if not seen:
        raise _none(path, kind)
    return found


def _none(path: Pathlike, kind: str) -> AssayerError:
    return AssayerError(
        f"{path}: expected the attributes of {kind}s, found none; replace the file."
    )


def _value(field: str, own: Mapping[str, Any]) -> str:
    """Return the value that a field stands for; raises ValueError with "expected|found"."""
    if own.get("pattern"):
        fits = re.search(own["pattern"], field)
        field = (fits and fits[1]) or UNKNOWN
    field = field.strip()
    if field in (UNKNOWN, own.get("none")):
        return UNKNOWN
    if len(field) > LONGEST:
        raise ValueError(f"at most {LONGEST} characters|{len(field)}")
    if "\0" in field:
        raise ValueError("a value|a zero byte in it")
    if own.get("boundaries"):
        return _between(field, own["boundaries"])
    return field


def _between(field: str, boundaries: Sequence[float]) -> str:
    """Return the group of a number, in words."""
    try:
        number = float(field)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"a number|{field[:60]!r}")
    place = bisect(boundaries, number)
    if place == 0:
        return f"below {boundaries[0]:.12g}"
    if place == len(boundaries):
        return f"from {boundaries[-1]:.12g}"
    return f"{boundaries[place - 1]:.12g} to below {boundaries[place]:.12g}"
