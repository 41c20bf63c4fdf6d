"""Lines of delimited text in their fields, and which fields are the columns that are wanted."""

import csv
import logging
import re
from collections.abc import Iterator, Mapping
from typing import IO

from rankassay.artifacts.files import Pathlike
from rankassay.data.stored import bad_line
from rankassay.errors import RankassayError, number_of, unknown

log = logging.getLogger(__name__)

Line = tuple[int, list[str]]  # its number, from 1, and its fields
WHITESPACE = "whitespace"
BLANK = " \t\n"  # to pandas' parser; a no-break space is a field
QUOTED = (",", ";")  # spreadsheets quote fields; in other formats a quote is only a character
LIKES = "lays and clicks have none: then an entry of the kind file says columns: {rating: null}"


class Misread(list[str]):
    """In place of the fields of a line that its quotes do not divide."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(['"'])
        self.wrong = expected, found


UNQUOTED = Misread(
    "quotes around whole fields, doubled within", "a field that goes on behind a quote"
)
UNCLOSED = Misread("a closing quote", "none up to the end of the file")
SEVERAL = Misread("a row on each line", "one that runs over several; close its quotes")


def split(
    file: IO[str], separator: str, strict: bool = False, kept: bool = False
) -> Iterator[Line]:
    """Yield the number (from 1) and the fields of each line; quotes may stand behind blanks."""
    if separator in QUOTED:
        # A quote that is never closed makes a field of all the rest: no reason to stop here.
        csv.field_size_limit(2**31 - 1)
        rows, line = (
            csv.reader(file, delimiter=separator, skipinitialspace=not kept, strict=True),
            1,
        )
        while True:
            try:
                fields = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                fields = UNCLOSED if "end of data" in str(error) else UNQUOTED
            if strict and rows.line_num > line:
                fields = SEVERAL
            if len(fields) > 1 or (fields and fields[0].strip(BLANK)):
                yield line, fields
            line = rows.line_num + 1  # a quoted field may run over several lines
    for line, text in enumerate(file, 1):
        if separator not in text and not text.strip(BLANK):
            continue
        if separator == WHITESPACE:
            yield line, re.split(r"[ \t]+", text.strip(BLANK))
        else:
            yield line, text.rstrip("\n").split(separator)


def positions(
    path: Pathlike,
    first: tuple[int, list[str]],
    columns: Mapping[str, int | str | None],
    named: bool,
    optional: bool = True,
) -> dict[str, int]:
    """Return the position of each column, by the number and fields of the first line."""
    line, fields = first
    found = {}
    for role, column in columns.items():
        if column is None:  # of feedback without ratings
            continue
        if isinstance(column, str):
            names = [name.strip() for name in fields]
            if not named:
                raise RankassayError(
                    f"{path}: the column '{column}' is given by name, but the file has no header; "
                    "give its position from 0, or set 'header: true'."
                )
            if column not in names:
                raise _no_column(path, column, names, columns, role if optional else "")
            if names.count(column) > 1:
                raise RankassayError(
                    f"{path}, line {line}: expected one column '{column}', found "
                    f"{names.count(column)}; give its position from 0 in place of its name."
                )
            column = names.index(column)
        if column < len(fields):
            found[role] = column
        elif role == "timestamp":
            log.info("%s: no timestamps (the file has %s)", path, number_of(len(fields), "column"))
        else:
            given = [c for r, c in columns.items() if isinstance(c, int) and r != "timestamp"]
            hint = " (is it another separator?)" if len(fields) == 1 else ""
            if role == "rating" and optional and len(fields) > 1:
                hint = f" (p{LIKES})"
            raise bad_line(
                path, line, f"at least {number_of(max(given) + 1, 'field')}", f"{len(fields)}{hint}"
            )
    return found


def _no_column(
    path: Pathlike,
    column: str,
    names: list[str],
    columns: Mapping[str, int | str | None],
    role: str,
) -> RankassayError:
    """Return the error for a column that the header does not have, with what may be the reason."""
    if len(names) == 1:
        return RankassayError(
            f"{path}: expected several columns, found one, '{names[0][:80]}'; set 'separator' to "
            "what stands between columns."
        )
    if role == "rating":  # the columns before it were found
        return RankassayError(f"{path}: {unknown('column', column, names)} P{LIKES}.")
    hint = (
        ""
        if {*names} & {*columns.values()}
        else (
            " If that is no header, give positions, as in columns: {user: 0, item: 1, rating: 2}."
        )
    )
    return RankassayError(f"{path}: {unknown('column', column, names)}{hint}")
