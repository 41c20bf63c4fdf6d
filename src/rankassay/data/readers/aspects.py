"""Aspects of items (for instance the genres of movies) from delimited text.

Two forms: one column of names with `|` or another text between them, or one column of 0 and 1 per
aspect.
"""

import logging
from collections.abc import Mapping
from typing import Any

from rankassay.artifacts.files import Pathlike
from rankassay.data.readers.delimited import opened
from rankassay.data.readers.lines import bad_line
from rankassay.errors import RankassayError, unknown

log = logging.getLogger(__name__)

BETWEEN = "|"  # labels by default
MANY = 100  # aspects: more of them may be labels that were not taken apart
Aspects = tuple[dict[str, set[str]], list[str]]


def read(path: Pathlike, options: Mapping[str, Any]) -> Aspects:
    """Read the aspects of items.

    Raises RankassayError for the first bad line, with its number; a second line of an item is one,
    since of two that differ nothing says which of them is wrong.

    Parameters
    ----------
    options
        The part `aspects` of a catalogue entry: `separator`, `header`, `encoding`, the column
        `item`, and either the column `labels` (with `label_separator`, what stands between two, and
        `none`, the label that stands for none) or `first_flag` (position of the first flag column)
        and `names` (what the flags stand for).

    Returns
    -------
    aspects : dict
        For each item id the set of its aspects.
    names : list of str
        All aspects: in the order of the flags, or sorted.
    """
    aspects: dict[str, set[str]] = {}
    seen: dict[str, int] = {}
    wanted = "the aspects of items, found an empty file; replace it."
    with opened(path, options, wanted) as ((_, fields), rows):
        header = fields if options.get("header", False) else None
        item = _position(path, options["item"], header)
        flags = "names" in options
        names = list(options.get("names", ()))
        first = options["first_flag"] if flags else _position(path, options["labels"], header)
        needed = max(item + 1, first + max(len(names), 1))
        for number, fields in rows([needed - 1]):
            if not fields[item].strip():
                raise bad_line(path, number, "an id of the item", "an empty field")
            if flags:
                found = _flagged(path, number, fields[first:needed], names)
            else:
                labels = fields[first].split(options.get("label_separator", BETWEEN))
                found = {label.strip() for label in labels} - {"", options.get("none", "")}
            if fields[item] in seen:
                found_again = f"{fields[item]!r} as in line {seen[fields[item]]}"
                raise bad_line(path, number, "each item once", found_again)
            seen[fields[item]] = number
            aspects[fields[item]] = found
    if not aspects:
        raise RankassayError(
            f"{path}: expected the aspects of items, found none; replace the file."
        )
    known = names or sorted(set().union(*aspects.values()))
    if len(known) > MANY:
        log.warning(
            "warning: %s: %d aspects, the longest is '%s'; if that is several, set "
            "'label_separator' of 'aspects' to what stands between them",
            *(path, len(known), max(known, key=len)[:80]),
        )
    return aspects, known


def _position(path: Pathlike, column: int | str, header: list[str] | None) -> int:
    """Return the position of a column that is given by position or name."""
    if isinstance(column, int):
        return column
    if header is None or column not in header:
        raise RankassayError(f"{path}: {unknown('column', column, header or ['(no header)'])}")
    return header.index(column)


def _flagged(path: Pathlike, number: int, flags: list[str], names: list[str]) -> set[str]:
    """Return the names whose flag is 1."""
    for flag in flags:
        if flag.strip() not in ("0", "1"):
            raise bad_line(path, number, "a flag 0 or 1", repr(flag))
    return {name for name, flag in zip(names, flags, strict=True) if flag.strip() == "1"}
