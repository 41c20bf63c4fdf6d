"""Interactions as lists: a line per user with the ids of the items, each a rating of 1."""

from array import array
from collections.abc import Mapping
from typing import Any

from rankassay.artifacts.files import Pathlike
from rankassay.data.opening import open_text
from rankassay.data.readers.delimited import split
from rankassay.data.stored import KEEP, Coded, Stored, bad_line, lines_at
from rankassay.errors import number_of


def read(path: Pathlike, entry: Mapping[str, Any]) -> Stored:
    """Read a row for each item of each list.

    Of the entry, `separator`, `encoding` and `lead` are used, as `rankassay.config.datasets`
    explains. Without `lead: user`, users have the numbers of their lines as ids, from 1.
    """
    users, items, lines = Coded(), Coded(), array("q")
    with open_text(path, entry.get("encoding", "utf-8")) as file:
        for line, own in split(file, entry["separator"], kept=entry.get("blanks") == KEEP):
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
    return Stored(path, {"user": users.column(), "item": items.column()}, lines_at(lines))
