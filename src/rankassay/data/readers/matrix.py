"""Ratings as a matrix in text: a line per user, a column per item, 0 where there is no rating."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from rankassay.artifacts.files import Pathlike
from rankassay.data import decimals
from rankassay.data.readers.delimited import split
from rankassay.data.readers.lines import Rules, bad_line, open_text
from rankassay.errors import RankassayError, number_of


def read(path: Pathlike, entry: Mapping[str, Any]) -> pd.DataFrame:
    """Read ratings from a matrix.

    Raises RankassayError for the first bad line, with its number and column.

    Parameters
    ----------
    entry
        The catalogue entry: `separator`, `encoding`, `rating_divisor`, `decimals` and `scale` are
        used, as `rankassay.config.datasets` explains.

    Returns
    -------
    DataFrame
        As `rankassay.data.readers.delimited.read` returns it, without timestamps: a row per number
        that is not 0, line by line. Users have the numbers of their lines as ids, items those of
        their columns, both from 1.
    """
    rules = Rules.of(entry)
    ratings: dict[str, float | None] = {}  # by text, of which there are few; None for 0
    users: list[int] = []
    items: list[int] = []
    found: list[float] = []
    for line, fields in cells(path, entry):
        for column, text in enumerate(fields, 1):
            if text not in ratings:
                ratings[text] = _rating(path, line, column, text, rules)
            if (rating := ratings[text]) is not None:
                users.append(line)
                items.append(column)
                found.append(rating)
    if not found:
        raise RankassayError(f"{path}: expected ratings, found none; replace the file.")
    table = pd.DataFrame({"user": _ids(users), "item": _ids(items), "rating": np.array(found)})
    table.attrs |= {"without_user": 0, "bad_lines": 0}
    return table


def lines(path: Pathlike, entry: Mapping[str, Any]) -> Iterator[int]:
    """Yield the number of the line of each row that `read` returns."""
    for line, fields in cells(path, entry):
        for text in fields:
            if decimals.number(text) != 0:
                yield line


def cells(path: Pathlike, entry: Mapping[str, Any]) -> Iterator[tuple[int, list[str]]]:
    """Yield the number, from 1, and the fields of each line of a matrix.

    Raises RankassayError for a line that has not as many fields as the first.
    """
    with open_text(path, entry.get("encoding", "utf-8")) as file:
        width, last = 0, 0
        for line, fields in split(file, entry["separator"]):
            if line != last + 1:
                raise bad_line(path, last + 1, "a line for each user", "a blank one")
            width, last = width or len(fields), line
            if len(fields) != width:
                expected = f"{number_of(width, 'field')}, one per item as in the first line"
                raise bad_line(path, line, expected, f"{len(fields)}")
            yield line, [field.strip() for field in fields]


def check_width(
    path: Pathlike, entry: Mapping[str, Any], other: Pathlike, other_entry: Mapping[str, Any]
) -> None:
    """Raise RankassayError if a matrix has not as many columns as another, of the same items."""
    wanted = len(next(cells(other, other_entry), (0, []))[1])
    for line, fields in cells(path, entry):
        if len(fields) != wanted:
            expected = f"{number_of(wanted, 'field')}, one per item as in {other}"
            raise bad_line(path, line, expected, f"{len(fields)}")
        return


def _rating(path: Pathlike, line: int, column: int, text: str, rules: Rules) -> float | None:
    """Return the rating of a cell, or None; raises RankassayError for anything else."""
    try:
        return None if _is_zero(text) else rules.rating(text)
    except ValueError as error:
        expected = f"{error}, or 0 for none, in column {column}"
        raise bad_line(path, line, expected, repr(text[:60])) from None


def _is_zero(text: str) -> bool:
    try:
        return decimals.number(text) == 0
    except ValueError:
        return False


def _ids(numbers: list[int]) -> pd.Categorical:
    """Return numbers as ids."""
    codes, known = pd.factorize(np.array(numbers))
    return pd.Categorical.from_codes(codes, pd.Index([str(number) for number in known]))
