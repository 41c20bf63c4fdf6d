"""Attributes of users or items from delimited text: a line for each user or item."""

import math
import re
from bisect import bisect
from collections.abc import Mapping, Sequence
from typing import Any

from rankassay.artifacts.files import Pathlike
from rankassay.data.readers.delimited import by_id
from rankassay.data.stored import bad_line
from rankassay.data.validation import LONGEST

Values = dict[str, dict[str, str]]
UNKNOWN = ""


def read(path: Pathlike, options: Mapping[str, Any], kind: str) -> Values:
    """Read the attributes of users or items (`kind`): of each the value of each id, empty for none.

    The options are the part `user_attributes` or `item_attributes` of a catalogue entry: how
    columns are read, the column `id`, and `attributes`, each with its `column` and perhaps a
    `pattern`, `none` and `boundaries` (`rankassay.config.datasets.Attribute`).
    """
    attributes = options["attributes"]
    found: Values = {name: {} for name in attributes}
    # No attribute can take the role of a column that a file of ratings may lack.
    roles = {name: f"attribute {name}" for name in attributes}
    columns = {"id": options["id"]}
    columns |= {roles[name]: own["column"] for name, own in attributes.items()}
    for number, fields in by_id(path, options, columns, kind, f"the attributes of {kind}s"):
        for name, own in attributes.items():
            try:
                found[name][fields["id"]] = _value(fields[roles[name]], own)
            except ValueError as error:
                expected, _, value = str(error).partition("|")
                raise bad_line(path, number, f"{expected} ({name})", value) from None
    return found


def _value(field: str, own: Mapping[str, Any]) -> str:
    """Return the value of a field; raises ValueError with "expected|found"."""
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
