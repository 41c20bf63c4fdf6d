"""Interactions as lists: a line per user with the ids of the items, each a rating of 1."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from rankassay.artifacts.files import Pathlike
from rankassay.data.readers.delimited import split
from rankassay.data.readers.lines import Collected, Rules, bad_line, open_text
from rankassay.errors import RankassayError, number_of


def read(path: Pathlike, entry: Mapping[str, Any]) -> pd.DataFrame:
    """Read interactions from lists of items.

    Raises RankassayError for the first bad line, with its number.

    Parameters
    ----------
    entry
        The catalogue entry: `separator`, `encoding` and `lead` are used, as
        `rankassay.config.datasets` explains.

    Returns
    -------
    DataFrame
        As `rankassay.data.readers.delimited.read` returns it, without timestamps, line by line.
        Without `lead: user`, users have the numbers of their lines as ids, from 1.
    """
    rows = Collected(Rules.of(entry))
    for line, user, items in _lists(path, entry):
        for item in items:
            fields = {"user": user, "item": item}
            if problem := rows.rules.check(fields):
                raise bad_line(path, line, *problem)
            rows.add(fields)
    if not rows.ratings:
        raise RankassayError(f"{path}: expected items of users, found none; replace the file.")
    return rows.table(0)


def lines(path: Pathlike, entry: Mapping[str, Any]) -> Iterator[int]:
    """Yield the number of the line of each row that `read` returns."""
    for line, _, items in _lists(path, entry):
        yield from [line] * len(items)


def _lists(path: Pathlike, entry: Mapping[str, Any]) -> Iterator[tuple[int, str, list[str]]]:
    """Yield number, user and items of each line that is not blank."""
    with open_text(path, entry.get("encoding", "utf-8")) as file:
        for line, fields in split(file, entry["separator"]):
            if "lead" not in entry:
                yield line, str(line), fields
                continue
            first, *items = fields
            if entry["lead"] == "user":
                yield line, first, items
                continue
            if first.strip() != str(len(items)):
                found = f"'{first[:60]}' before {number_of(len(items), 'item')}"
                raise bad_line(path, line, "first the number of items in the line", found)
            yield line, str(line), items
