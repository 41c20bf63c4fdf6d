"""Aspects of items (for instance the genres of movies) from delimited text.

Two forms: one column of names with `|` or another text between them, or one column of 0 and 1 per
aspect.
"""

import logging
from collections.abc import Mapping
from typing import Any

from rankassay.artifacts.files import Pathlike
from rankassay.data.readers.delimited import by_id
from rankassay.data.stored import bad_line

log = logging.getLogger(__name__)

BETWEEN = "|"  # labels by default
MANY = 100  # aspects: more of them may be labels that were not taken apart
Aspects = tuple[dict[str, set[str]], list[str]]


def read(path: Pathlike, options: Mapping[str, Any]) -> Aspects:
    """Read the aspects of items by an entry's `aspects`: of each id a set, and all names.

    Either the column `labels` has the names, or columns from `first_flag` on have flags for
    `names`.
    """
    aspects: dict[str, set[str]] = {}
    names = list(options.get("names", ()))
    columns = {"id": options["item"], "labels": options.get("labels", 0)}
    if names:
        flags = {name: options["first_flag"] + place for place, name in enumerate(names)}
        columns = {"id": options["item"], **flags}
    for number, fields in by_id(path, options, columns, "item", "the aspects of items"):
        item = fields.pop("id")
        if names:
            aspects[item] = _flagged(path, number, fields)
        else:
            labels = fields["labels"].split(options.get("label_separator", BETWEEN))
            aspects[item] = {label.strip() for label in labels} - {"", options.get("none", "")}
    known = names or sorted(set().union(*aspects.values()))
    if len(known) > MANY:
        log.warning(
            "warning: %s: %d aspects, the longest is '%s'; if that is several, set "
            "'label_separator' of 'aspects' to what stands between them",
            *(path, len(known), max(known, key=len)[:80]),
        )
    return aspects, known


def _flagged(path: Pathlike, number: int, flags: Mapping[str, str]) -> set[str]:
    """Return the names whose flag is 1."""
    for flag in flags.values():
        if flag.strip() not in ("0", "1"):
            raise bad_line(path, number, "a flag 0 or 1", repr(flag))
    return {name for name, flag in flags.items() if flag.strip() == "1"}
