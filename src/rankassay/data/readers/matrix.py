"""Ratings as a matrix in text: a line per user, a column per item, 0 where there is no rating."""

from collections.abc import Iterator, Mapping
from typing import Any

from rankassay.artifacts.files import Pathlike
from rankassay.data import numerals
from rankassay.data.opening import open_text
from rankassay.data.readers.lines import split
from rankassay.data.stored import Coded, Stored, bad_line
from rankassay.errors import number_of


def read(path: Pathlike, entry: Mapping[str, Any], zeros: bool = False) -> Stored:
    """Read a row for each number, line by line, but for 0, unless `zeros` are numbers.

    Users have the numbers of their lines as ids, items those of their columns, both from 1.
    """
    columns = {"user": Coded(), "item": Coded(), "rating": Coded()}
    none: dict[str, bool] = {}  # by text, of which there are few
    for line, fields in cells(path, entry):
        for column, text in enumerate(fields, 1):
            if text not in none:
                none[text] = not zeros and numerals.field(text, "score") == 0
            if not none[text]:
                for own, value in zip(columns.values(), (line, column, text), strict=True):
                    own.add(str(value))
    found = {role: own.column() for role, own in columns.items()}

    def cell(role: str, row: int) -> str:
        codes, names = found["item"]
        return f"{'' if zeros else ', or 0 for none,'} in column {names[codes[row]]}"

    def where(row: int) -> str:
        codes, names = found["user"]
        return f"line {names[codes[row]]}"

    return Stored(path, found, where, says=cell)


def cells(path: Pathlike, entry: Mapping[str, Any]) -> Iterator[tuple[int, list[str]]]:
    """Yield the number, from 1, and the fields of each line of a matrix."""
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
