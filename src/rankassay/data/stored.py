"""Columns as a source stores them, and where its rows stand: what all readers return.

A reader knows its form alone. What ids, numbers and times are is `rankassay.data.validation`'s.
"""

import logging
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from rankassay.data.opening import ENTRY, Source
from rankassay.errors import RankassayError

BLANKS = " \t"  # around fields; a no-break space is no blank
TEXTS = ("user", "item", "system", "iter", "tag")
KEEP = "keep"  # what an entry says of them
LINE = "correct the line"
# Says what was assumed of a source, and what is odd of it.
SOURCES = logging.getLogger("rankassay.data")
# How tables are read that nothing describes.
STRICT = {"strict": True, "encoding": None, "cure": LINE}


class Column(NamedTuple):
    """The values of a column: of each row the code, -1 for none, of one of the distinct values."""

    codes: npt.NDArray
    values: Any  # a sequence, or an Index of text


def joined(parts: Sequence[Column]) -> Column:
    """Return the parts of a column, whose values are each an Index, as one."""
    if len(parts) == 1:
        return parts[0]
    first, *others = (part.values for part in parts)
    places, values = pd.factorize(first.append(others))
    places = places.astype(np.min_scalar_type(-len(values)))
    ends = np.cumsum([len(part.values) for part in parts])[:-1]
    own = zip(np.split(places, ends), parts, strict=True)
    return Column(np.concatenate([new[part.codes] for new, part in own]), values)


class Broken(NamedTuple):
    """A row that the form itself breaks, with how many sound rows stand before it."""

    before: int
    place: str
    expected: str
    found: str
    final: bool = False  # it takes in all that follows, and cannot be left out


@dataclass(frozen=True)
class Stored:
    """The columns of a source by their roles; validates nothing."""

    what: Source
    # By role a `Column`, or an array of numbers or times.
    columns: Mapping[str, Column | npt.NDArray]
    where: Callable[[int], str]  # the place of a row in the source, such as "line 3"
    broken: Sequence[Broken] = ()
    # Of a source that was parsed at once: reads up to a number of rows line by line.
    again: "Callable[[int | None], Stored] | None" = None
    problem: str = ""  # what was wrong where it could not be parsed at once
    optional: Set[str] = frozenset()  # roles that rows may lack
    # What the expectation of a role in a row ends with, such as the name of the column.
    says: Callable[[str, int], str] = lambda role, row: ""
    cure: str = ENTRY  # what to do about a wrong row
    note: str = ""  # what was assumed, for the log

    def error(self, row: int, expected: str, found: str) -> RankassayError:
        """Return the error for a row."""
        return self.refused(self.where(row), expected, found)

    def refused(self, place: str, expected: str, found: str) -> RankassayError:
        """Return the error for a place."""
        return RankassayError(
            f"{self.what}, {place}: expected {expected}, found {found}; {self.cure}."
        )


class Coded:
    """A column of texts that come one by one; None is a value that is not there."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self.codes = array("i")

    def add(self, value: str | None) -> None:
        """Add the value of the next row."""
        code = -1 if value is None else self.known.setdefault(value, len(self.known))
        self.codes.append(code)

    def column(self) -> Column:
        """Return the column."""
        return Column(np.array(self.codes, dtype=np.int32), [*self.known])


def noted_blanks(ids: Iterable[str]) -> str:
    """Return what the log says of blanks around ids, where there are any."""
    shown = next((own for own in ids if own != own.strip(BLANKS) != ""), "")
    return f"blanks around ids, as in {shown[:60]!r}, were left out" if shown else ""


def stripped(stored: Stored) -> Stored:
    """Return columns without the blanks around ids, and the note that says so."""
    found, note = dict(stored.columns), stored.note
    for role in TEXTS:
        if role not in found:
            continue
        codes, values = found[role]
        given = values.tolist() if isinstance(values, pd.Index) else list(values)
        texts = [own.strip(BLANKS) if isinstance(own, str) else own for own in given]
        if texts != given:
            note = note or noted_blanks(own for own in given if isinstance(own, str))
            places, distinct = pd.factorize(pd.Index(texts, dtype=getattr(values, "dtype", object)))
            indexed = isinstance(values, pd.Index)
            codes = np.append(places, -1)[codes]
            found[role] = Column(codes, distinct if indexed else distinct.tolist())
    return replace(stored, columns=found, note=note)


def lines_at(lines: Sequence[int]) -> Callable[[int], str]:
    """Return a function to the place of a row from the line of each."""
    return lambda row: f"line {lines[row]}"


def bad_line(path: Source, line: int, expected: str, found: str) -> RankassayError:
    """Return the error for line `line`, counted from 1, of a file that an entry describes."""
    return Stored(path, {}, str).refused(f"line {line}", expected, found)
