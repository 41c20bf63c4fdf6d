"""Interactions as lists: a line per user with the ids of the items, each a rating of 1."""

import re
from array import array
from collections.abc import Mapping
from typing import Any

from rankassay.artifacts.files import Pathlike
from rankassay.data.opening import open_text
from rankassay.data.readers.lines import split
from rankassay.data.stored import KEEP, Coded, Stored, bad_line, lines_at
from rankassay.errors import RankassayError, number_of

MARKS = re.compile(r"[,;|\t]")  # that may separate items, of an entry that says another one


def read(path: Pathlike, entry: Mapping[str, Any]) -> Stored:
    """Read a row for each item of each list; users have a `lead`, or the numbers of lines."""
    users, items, lines = Coded(), Coded(), array("q")
    width, whole = 0, ""
    with open_text(path, entry.get("encoding", "utf-8")) as file:
        for line, own in split(file, entry["separator"], kept=entry.get("blanks") == KEEP):
            width = max(width, len(own))
            whole = whole or (own[0] if MARKS.search(own[0]) else "")
            user = str(line)
            if "lead" in entry:
                first, *own = own
                if entry["lead"] == "user":
                    user = first
                elif first.strip() != str(len(own)):
                    found = f"'{first[:60]}' before {number_of(len(own), 'item')}"
                    raise bad_line(path, line, "first the number of items in the line", found)
            for item in own:
                users.add(user)
                items.add(item)
                lines.append(line)
    if width == 1 and (other := MARKS.search(whole)):
        raise RankassayError(
            f"{path}: expected items separated by {entry['separator']!r}, found one in each line, "
            f"such as '{whole[:80]}'; set 'separator' to {other[0]!r}."
        )
    return Stored(path, {"user": users.column(), "item": items.column()}, lines_at(lines))
