"""Ratings in delimited text: one rating per line, fields in columns (gzip is unpacked).

The file is parsed by pandas at full speed and checked as a whole. Only if something is wrong is it
read again line by line, to find the bad line.
"""

import contextlib
import csv
import logging
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import IO, Any

import numpy as np
import pandas as pd
from pandas.api.types import union_categoricals

from rankassay.artifacts.files import Pathlike
from rankassay.data import times
from rankassay.data.opening import MARK
from rankassay.data.readers import header
from rankassay.data.readers.lines import (
    ANONYMOUS,
    LONGEST,
    UNRATED,
    Collected,
    Rules,
    Tolerance,
    bad_line,
    open_text,
    undecoded,
)
from rankassay.errors import RankassayError, number_of

log = logging.getLogger(__name__)

Line = tuple[int, list[str]]  # its number, from 1, and its fields
WHITESPACE = "whitespace"
QUOTED = (",", ";")  # spreadsheets quote fields; in other formats a quote is only a character
# The fields of a line whose quotes do not stand around whole fields, or of one that is not closed.
UNQUOTED, UNCLOSED = ['"'], ['"']
UNIT_SEPARATOR = "\x1f"
BLOCK = 1 << 20
MORE = "more"  # what a line has after the last field of the first line
# Ratings are parsed from their few distinct texts: pandas would take TRUE for 1.
TYPES = {"user": "str", "item": "str", "rating": "str", "timestamp": "int64"}


def read(path: Pathlike, entry: Mapping[str, Any]) -> pd.DataFrame:
    """Read ratings from delimited text.

    Raises RankassayError for the first bad line that is not left out, with its number.

    Parameters
    ----------
    entry
        The catalogue entry: `separator`, `header`, `columns`, `encoding`,
        `timestamp_format`, `rating_divisor`, `scale`, `missing_user` and `bad_lines` are used, as
        `rankassay.config.datasets` explains.

    Returns
    -------
    DataFrame
        A row per line in file order: `user` and `item` (category of str), `rating` (float64) and,
        where the file has it, `timestamp` (int64, seconds since 1970). Blank lines do not count.
        `attrs` counts the lines without user (`without_user`) and those left out (`bad_lines`).
    """
    with _begun(path, entry) as begun:
        table = _checked(begun)
    if table.empty:
        raise RankassayError(
            f"{path}: expected ratings, found only lines without user; replace it."
        )
    return table


def lines(path: Pathlike, entry: Mapping[str, Any]) -> Iterator[int]:
    """Yield the number of the line of each row that `read` returns, which leaves out bad ones."""
    tolerant, rules = Tolerance(entry).allowed > 0, Rules.of(entry)
    with _begun(path, entry) as begun:
        for number, fields in begun.lines():
            if tolerant and _wrong(fields, begun.positions, begun.most, rules):
                continue
            if rules.missing_user != "skip" or fields[begun.positions["user"]].strip():
                yield number


@dataclass(frozen=True)
class _Begun:
    """An open file of ratings, with the number of fields of its first line, and where columns are.

    A line may have as many fields as the first; in words with blanks, any number.
    """

    path: Pathlike
    file: IO[str]
    entry: Mapping[str, Any]
    width: int
    positions: dict[str, int]

    @property
    def most(self) -> int:
        """How many fields a line may have."""
        return LONGEST if self.entry["separator"] == WHITESPACE else self.width

    def lines(self) -> Iterator[Line]:
        """Yield the lines from the first on, but for the header: see `split`."""
        self.file.seek(0)
        return islice(split(self.file, self.entry["separator"]), self.named, None)

    @property
    def named(self) -> bool:
        """Whether there is a header."""
        return self.entry.get("header", False)


@contextlib.contextmanager
def _begun(path: Pathlike, entry: Mapping[str, Any]) -> Iterator[_Begun]:
    """Open a file of ratings, and read its first line."""
    errors = "surrogateescape" if Tolerance(entry).allowed else "strict"
    with open_text(path, entry.get("encoding", "utf-8"), errors) as file:
        first = _first(file, entry)
        if first is None:
            raise RankassayError(f"{path}: expected ratings, found an empty file; replace it.")
        named, optional = entry.get("header", False), "meaning" not in entry
        positions = header.positions(path, first, entry["columns"], named, optional)
        yield _Begun(path, file, entry, len(first[1]), positions)


def split(file: IO[str], separator: str) -> Iterator[Line]:
    """Yield the number (from 1) and the fields of each line that is not blank."""
    if separator in QUOTED:
        # A quote that is never closed makes a field of all the rest: no reason to stop here.
        csv.field_size_limit(2**31 - 1)
        rows, line = csv.reader(file, delimiter=separator, strict=True), 1
        while True:
            try:
                fields = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                fields = UNCLOSED if "end of data" in str(error) else UNQUOTED
            if len(fields) > 1 or (fields and fields[0].strip()):
                yield line, fields
            line = rows.line_num + 1  # a quoted field may run over several lines
    for line, text in enumerate(file, 1):
        if separator not in text and not text.strip():
            continue
        if separator == WHITESPACE:
            yield line, re.split(r"[ \t]+", text.strip(" \t\n"))
        else:
            yield line, text.rstrip("\n").split(separator)


@contextlib.contextmanager
def opened(
    path: Pathlike, described: Mapping[str, Any], wanted: str
) -> Iterator[tuple[Line, Callable[[Iterable[int]], Iterator[Line]]]]:
    """Open a file of which `separator`, `header` and `encoding` are described.

    With it come the first line, and a function of the places of columns: it yields the number and
    the fields of each line, but for the header, and raises RankassayError for one that does not
    have these columns, or that its separators do not divide. That is one with more fields than the
    first: a separator within a field cuts it, and the rest would be lost. (Blanks may also stand in
    words, of which any number follows the columns that are read.) And one whose quotes do not
    enclose whole fields. For an empty file the error says what was `wanted`.
    """
    separator = described["separator"]
    with open_text(path, described.get("encoding", "utf-8")) as file:
        lines = split(file, separator)
        first = next(lines, None)
        if first is None:
            raise RankassayError(f"{path}: expected {wanted}")

        def rows(places: Iterable[int]) -> Iterator[Line]:
            needed, width = max(places) + 1, len(first[1])
            most = sys.maxsize if separator == WHITESPACE and needed < width else width
            for number, fields in lines if described.get("header") else chain([first], lines):
                if wrong := _misread(fields, most):
                    raise bad_line(path, number, *wrong)
                if len(fields) < needed:
                    expected = f"at least {number_of(needed, 'field')}"
                    raise bad_line(path, number, expected, f"{len(fields)}")
                yield number, fields

        yield first, rows


def _misread(fields: list[str], most: int) -> tuple[str, str] | None:
    """Return the expected and the found content if a line is not divided rightly."""
    if fields is UNCLOSED:
        return "a closing quote", "none up to the end of the file"
    if fields is UNQUOTED:
        return "quotes around whole fields, doubled within", "a field that goes on behind a quote"
    if any(fields[most:]):
        return f"at most {number_of(most, 'field')} as in the first line", f"{len(fields)}"
    return None


def _first(file: IO[str], entry: Mapping[str, Any]) -> Line | None:
    """Return the first line, or the first with all columns if bad lines may be left out."""
    lines = split(file, entry["separator"])
    first = next(lines, None)
    if first is None or entry.get("header", False) or not Tolerance(entry).allowed:
        return first
    columns = [column for column in entry["columns"].values() if isinstance(column, int)]
    return next((line for line in chain([first], lines) if len(line[1]) > max(columns)), first)


class _Blocks:
    """A file as pandas' parser needs it: under a line of names, with separators of one character.

    The names are of one column more than the first line has, so that a line with more fields shows.
    """

    def __init__(self, file: IO[str], names: list[str], separator: str) -> None:
        self.file, self.separator, self.quotes = file, separator, False
        self.parsed = (
            UNIT_SEPARATOR if len(separator) > 1 and separator != WHITESPACE else separator
        )
        self.head = (" " if separator == WHITESPACE else self.parsed).join(names) + "\n"

    def read(self, size: int = -1) -> str:
        """Return some whole lines, so that no separator is cut."""
        head, self.head = self.head, ""
        return head or self._plain(self.file.read(BLOCK) + self.file.readline())

    def __iter__(self) -> Iterator[str]:
        head, self.head = self.head, ""
        return chain([head], map(self._plain, self.file))

    def _plain(self, text: str) -> str:
        self.quotes = self.quotes or '"' in text
        if self.parsed == self.separator:
            return text
        if self.parsed in text:
            raise ValueError("a unit separator (0x1f), which stands for none there")
        return text.replace(self.separator, self.parsed)


def _checked(begun: _Begun) -> pd.DataFrame:
    """Parse a file; raises RankassayError for the first bad line that is not left out."""
    try:
        with np.errstate(invalid="ignore"):  # for times such as inf, which are errors below
            return _finish(_parsed(begun), Rules.of(begun.entry))
    except UnicodeDecodeError:
        raise  # `open_text` finds the line
    except (ValueError, OverflowError) as error:
        problem = str(error)
    # Behind a quote that is never closed any number of fields follows.
    most = LONGEST if "EOF inside string" in problem else begun.most
    return _by_line(begun, most, problem)


def _parsed(begun: _Begun) -> pd.DataFrame:
    """Parse a file, times by pandas where they are whole numbers; raises ValueError as `_parse`."""
    if "timestamp" in begun.positions and Rules.of(begun.entry).times in times.UNITS:
        with contextlib.suppress(ValueError, OverflowError), warnings.catch_warnings():
            warnings.simplefilter("ignore", pd.errors.DtypeWarning)  # of times of mixed types
            return _parse(begun)
    return _parse(begun, time="str")


def _parse(begun: _Begun, time: str | None = None) -> pd.DataFrame:
    """Parse a file; raises ValueError when some line cannot be right.

    Times are parsed by pandas, which have to be whole numbers (asked for these, it would round
    others), or with "str" from their texts.
    """
    file, positions, separator = begun.file, begun.positions, begun.entry["separator"]
    rules = Rules.of(begun.entry)
    names = [f"_{place}" for place in range(begun.width)] + [MORE]
    for role, place in positions.items():
        names[place] = role
    file.seek(0)
    if begun.named:
        next(split(file, separator))  # names may be quoted, and run over several lines
    lines = _Blocks(file, names, separator)
    roles = sorted(positions, key=positions.__getitem__)
    blocks = pd.read_csv(
        lines,
        sep=r"\s+" if lines.parsed == WHITESPACE else lines.parsed,
        usecols=[*roles, MORE],
        index_col=False,
        dtype={role: kind for role in roles if (kind := (TYPES | {"timestamp": time})[role])}
        | {MORE: "category"},
        na_filter=False,
        quoting=csv.QUOTE_MINIMAL if lines.parsed in QUOTED else csv.QUOTE_NONE,
        engine="c",
        chunksize=BLOCK,
    )
    parts = [_compact(block, rules, separator != WHITESPACE) for block in blocks if len(block)]
    if not parts:
        raise ValueError("no ratings")
    if lines.quotes and separator in QUOTED:  # pandas takes any: lines would be merged
        file.seek(0)
        if any(fields is UNQUOTED for _, fields in split(file, separator)):
            raise ValueError("quotes within a field")
    ids = {role: union_categoricals([part[role] for part in parts]) for role in ("user", "item")}
    rest = [role for role in parts[0] if role not in ids]
    return pd.concat([part[rest] for part in parts], ignore_index=True).assign(**ids)


def _compact(block: pd.DataFrame, rules: Rules, counted: bool) -> pd.DataFrame:
    """Turn the texts of a block into categories and numbers, to save memory; check them."""
    more = block.pop(MORE)
    if counted and (more != "").any():
        raise ValueError("more fields in some line than in the first one")
    columns = {}
    for role in ("user", "item"):
        codes, ids = pd.factorize(block[role])
        if (role == "item" or rules.missing_user == "error") and (ids.str.strip() == "").any():
            raise ValueError("an empty id")
        # Arrays of text would take ids that end in zero bytes for the same as without.
        strange = ids.str.contains(f"[\0{MARK}\r\n]", regex=True).any()
        if strange or ids.str.len().max() > LONGEST:
            raise ValueError("an id that cannot be one")
        columns[role] = pd.Categorical.from_codes(codes, ids)
    if "timestamp" in block and block["timestamp"].dtype != np.int64:
        if pd.api.types.infer_dtype(block["timestamp"], skipna=False) != "string":
            raise ValueError("a time that is no whole number")
        codes, texts = pd.factorize(block["timestamp"])
        found = [times.seconds(text, rules.times) for text in texts]
        block["timestamp"] = np.array(found, dtype=np.int64)[codes]
    elif "timestamp" in block:
        block["timestamp"] //= times.UNITS[rules.times]
        if not block["timestamp"].between(-times.LATEST, times.LATEST).all():
            raise ValueError("a time that is none")
    if "rating" not in block:
        return block.assign(**columns, rating=rules.rating(UNRATED))
    codes, texts = pd.factorize(block["rating"])
    columns["rating"] = np.array([rules.rating(text) for text in texts], dtype=np.float64)[codes]
    return block.assign(**columns)


def _by_line(begun: _Begun, most: int, problem: str) -> pd.DataFrame:
    """Parse a file line by line, leaving out as many bad lines as allowed.

    Raises RankassayError for the first one too many; `most` is how many fields a line may have, and
    `problem` what the fast parser said.
    """
    path, positions, rules = begun.path, begun.positions, Rules.of(begun.entry)
    tolerance, rows = Tolerance(begun.entry), Collected(rules)
    number = 0
    for number, fields in begun.lines():
        if fields is UNCLOSED:  # which takes in all lines that follow
            raise bad_line(path, number, *_misread(fields, most))
        if wrong := _wrong(fields, positions, most, rules):
            tolerance.leave_out(bad_line(path, number, *wrong))
        elif tolerance.allowed:
            rows.add({role: fields[place] for role, place in positions.items()})
    if number == 0:
        raise RankassayError(f"{path}: expected ratings, found only a header; replace the file.")
    if not tolerance.count:
        problem = " ".join(problem.split())
        raise RankassayError(
            f"{path}: expected what the dataset's entry describes, found {problem}; correct either."
        )
    if not (rows.ratings or rows.without_user):
        raise RankassayError(f"{path}: expected ratings, found only bad lines; replace the file.")
    return rows.table(tolerance.count)


def _wrong(
    fields: list[str], positions: Mapping[str, int], most: int, rules: Rules
) -> tuple[str, str] | None:
    """Return the expected and the found content if a line is not right."""
    needed = max(positions.values()) + 1
    if fields is UNQUOTED:
        return _misread(fields, most)
    for role in ("user", "item"):
        if len(fields) >= needed and re.search(r"[\r\n]", fields[positions[role]]):
            return f"an id of the {role}", "a line break in it, as of a quote that is not closed"
    if len(fields) < needed:
        return f"at least {number_of(needed, 'field')}", f"{len(fields)}"
    if wrong := _misread(fields, most):
        return wrong
    if any(map(undecoded, fields)):
        return "text in the encoding of the entry", "other bytes"
    return rules.check({role: fields[place] for role, place in positions.items()})


def _finish(table: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """Handle the lines without user and put the columns in order."""
    users = table["user"].cat.categories
    blank = table["user"].isin(users[users.str.strip() == ""])
    if rules.missing_user == "skip":
        table = table[~blank].reset_index(drop=True)
        table["user"] = table["user"].cat.remove_unused_categories()
    elif blank.any():
        names = table["user"].cat.add_categories([ANONYMOUS])
        table["user"] = names.where(~blank, ANONYMOUS).cat.remove_unused_categories()
    table = table[[role for role in TYPES if role in table]]
    table.attrs |= {"without_user": int(blank.sum()), "bad_lines": 0}
    return table
