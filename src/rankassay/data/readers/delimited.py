"""Columns in delimited text: a row on each line, fields in columns (gzip is unpacked).

The file is parsed by pandas at full speed. Only if something is wrong is it read again line by
line, to find the line.
"""

import contextlib
import csv
import re
import sys
import warnings
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from rankassay.artifacts.files import Pathlike
from rankassay.data import numerals
from rankassay.data.opening import ENTRY, Source, open_text, undecoded
from rankassay.data.readers.lines import (
    QUOTED,
    UNCLOSED,
    WHITESPACE,
    Line,
    Misread,
    positions,
    split,
)
from rankassay.data.stored import (
    BLANKS,
    KEEP,
    STRICT,
    Broken,
    Coded,
    Column,
    Stored,
    bad_line,
    joined,
    lines_at,
)
from rankassay.data.validation import are_floats
from rankassay.errors import RankassayError, number_of

UNIT_SEPARATOR = "\x1f"
BLOCK = 1 << 20
DIGITS = 15  # float64 tells decimal numbers of 15 digits from each other, except
TINY = 1e-290  # those near 0
MORE = "more"  # what a line has after the last field of the first line
COMMENT = "#"
COMMENTS = re.compile(r"(?m)^[ \t]*#.*(\n|$)")
ANY = sys.maxsize  # fields of a line, in whose last columns words stand between blanks


def read(path: Source, described: Mapping[str, Any]) -> Stored:
    """Read the columns of delimited text, as `rankassay.config.dataset_files` describes it.

    A table that nothing describes is `strict`: a row is a line, of at most as many fields as the
    first, with a `cure` for messages. Lines of TREC files have `exactly` some columns, text
    `behind` them where that is true, and comments between them.
    """
    errors = "surrogateescape" if described.get("bad_lines") else "strict"
    text = partial(open_text, path, described.get("encoding", "utf-8"), errors)
    with text() as file:
        first = _first(file, described)
        if first is None:
            wanted = described.get("wanted", "ratings")
            raise RankassayError(f"{path}: expected {wanted}, found an empty file; replace it.")
        at, strict = described["columns"], "strict" in described
        named = described.get("header", False)
        if named and isinstance(first[1], Misread):
            cure = described.get("cure", ENTRY)
            raise Stored(path, {}, str, cure=cure).refused(f"line {first[0]}", *first[1].wrong)
        if marked := named and first[1][0] == COMMENT and _is_mark(first, file, described):
            first = first[0], first[1][1:]
        if strict:
            at = {role: place - marked for role, place in at.items()}
        else:
            at = positions(path, first, at, named, "meaning" not in described)
        width = len(described.get("exactly", first[1]))
        words = described["separator"] == WHITESPACE and not strict
        begun = _Begun(path, file, described, width, ANY if words else width, at)
        try:
            columns = begun.parsed()
        except UnicodeDecodeError:
            raise  # `open_text` finds the line
        except (ValueError, OverflowError) as error:
            return begun.by_line(str(error))

    def again(rows: int | None) -> Stored:
        with text() as file:
            return replace(begun, file=file).by_line("", rows)

    def where(row: int) -> str:
        with text() as file:
            return f"line {next(islice(replace(begun, file=file).lines(), row, None))[0]}"

    return Stored(path, columns, where, again=again, cure=begun.cure)


def plain(path: Source, separator: str, at: Mapping[str, int], **described: object) -> Stored:
    """Read columns by their positions from a table that nothing describes."""
    return read(path, {"separator": separator, "columns": at, **STRICT, **described})


@dataclass(frozen=True)
class _Begun:
    """An open file: the fields of its first line and of any, and where columns are."""

    path: Source
    file: IO[str]
    described: Mapping[str, Any]
    width: int
    most: int
    positions: Mapping[str, int]

    @property
    def cure(self) -> str:
        return self.described.get("cure", ENTRY)

    @property
    def kept(self) -> bool:
        return self.described.get("blanks") == KEEP

    @property
    def commented(self) -> bool:
        """Whether there may be comments, as in TREC files."""
        return "exactly" in self.described and self.described["separator"] == WHITESPACE

    def lines(self) -> Iterator[Line]:
        """Yield the lines from the first on, but for the header: see `split`."""
        self.file.seek(0)
        strict = "strict" in self.described
        lines = split(self.file, self.described["separator"], strict, self.kept)
        if self.commented:
            lines = (line for line in lines if not line[1][0].startswith(COMMENT))
        return islice(lines, self.described.get("header", False), None)

    def parsed(self) -> dict[str, Any]:
        """Parse the file at once, scores and whole times by pandas where these say all."""
        if "score" in self.positions:
            with contextlib.suppress(ValueError, OverflowError):
                return self._parse(numbers=("score",))
        if "timestamp" in self.positions and (
            self.described.get("timestamp_format", "s") in numerals.UNITS
        ):
            with contextlib.suppress(ValueError, OverflowError), warnings.catch_warnings():
                warnings.simplefilter("ignore", pd.errors.DtypeWarning)  # of times of mixed types
                return self._parse(numbers=("timestamp",))
        return self._parse()

    def _parse(self, numbers: Iterable[str] = ()) -> dict[str, Any]:
        """Parse the file; raises ValueError when some line cannot be right.

        Texts of tables, most of which recur, are categories from the start, and a first row of
        texts lets pandas take none of them for numbers.
        """
        separator = self.described["separator"]
        names = [f"_{place}" for place in range(self.width)] + [MORE]
        for role, place in self.positions.items():
            names[place] = role
        self.file.seek(0)
        if self.described.get("header", False):
            next(split(self.file, separator))  # names may be quoted, and run over several lines
        lines = _Blocks(self.file, names, separator, self.commented)
        roles = sorted(self.positions, key=self.positions.__getitem__)
        recur = "strict" in self.described
        kinds = {role: "category" if recur else "str" for role in roles if role not in numbers}
        if recur:
            lines.head += lines.head.replace("score", "0" if "score" in numbers else "score")
        if "score" in self.positions:
            kinds["score"] = "float64" if "score" in numbers else "str"
            lines.longest = 0
        with warnings.catch_warnings():
            # As Python's, which later versions do unasked.
            warnings.filterwarnings("ignore", "The 'float_precision' argument")
            blocks = pd.read_csv(
                lines,
                sep=r"\s+" if lines.parsed == WHITESPACE else lines.parsed,
                usecols=[*roles, MORE],
                index_col=False,
                dtype={**kinds, MORE: "category"},
                na_filter=False,
                skipinitialspace=lines.parsed in QUOTED and not self.kept,
                quoting=csv.QUOTE_MINIMAL if lines.parsed in QUOTED else csv.QUOTE_NONE,
                engine="c",
                chunksize=sys.maxsize if recur else BLOCK,
                float_precision="round_trip",
            )
            parts = [
                self._compact(block[int(recur) :], numbers)
                for block in blocks
                if len(block) > recur
            ]
        if not parts:
            raise ValueError("no rows")
        if "score" in numbers and not self._told_apart(parts[0]["score"], lines.longest):
            raise ValueError("scores that may differ as texts alone")
        quoted = lines.quotes and separator in QUOTED  # pandas takes any: lines would be merged
        if quoted and any(isinstance(fields, Misread) for _, fields in self.lines()):
            raise ValueError("quotes within a field")
        return {
            role: (np.concatenate if role in numbers else joined)(
                [part.pop(role) for part in parts]
            )
            for role in self.positions
        }

    def _told_apart(self, scores: npt.NDArray, longest: int) -> bool:
        """Return whether scores say all that their texts, of at most `longest` characters, do.

        float64 merges numbers of more digits, as 2^53 and 2^53 + 1, and those near 0 and infinity;
        and pandas takes true for 1.
        """
        size = np.abs(scores)
        if np.isin(size, (0, 1)).any():
            self.file.seek(0)
            blocks = iter(lambda: (self.file.read(BLOCK) + self.file.readline()).lower(), "")
            if any(word in text for text in blocks for word in ("true", "false", "e-")):
                return False
        few = longest <= DIGITS and size[size > 0].min(initial=1) > TINY and size.max() < np.inf
        return few or pd.Series(scores).is_unique

    def _compact(self, block: pd.DataFrame, numbers: Iterable[str]) -> dict[str, Any]:
        """Turn the texts of a block into categories, to save memory."""
        more = block.pop(MORE)
        if self.most == self.width and (more != "").any():
            raise ValueError("more fields in some line than in the first one")
        exactly = self.described.get("exactly", ("",))
        if exactly[-1] in block and (block[exactly[-1]] == "").any():
            raise ValueError("fewer fields in some line")
        columns: dict[str, Any] = {}
        for role in block:
            if role in numbers:
                if role == "timestamp" and block[role].dtype != np.int64:
                    raise ValueError("a time that is no whole number")
                columns[role] = block[role].to_numpy()
            elif isinstance(block[role].dtype, pd.CategoricalDtype):
                codes, order = pd.factorize(block[role].cat.codes.to_numpy())
                columns[role] = _small(codes, block[role].cat.categories[order])
            else:
                columns[role] = _small(*pd.factorize(block[role]))
        return columns

    def by_line(self, problem: str, most_rows: int | None = None) -> Stored:
        """Read the file line by line, up to a number of sound rows, or too many that are broken."""
        allowed = self.described.get("bad_lines", 0)
        columns = {role: Coded() for role in self.positions}
        lines, broken = array("q"), []
        number = 0
        for number, fields in self.lines():
            if wrong := self.wrong(fields, "EOF inside string" in problem):
                final = fields is UNCLOSED  # which takes in all lines that follow
                broken.append(Broken(len(lines), f"line {number}", *wrong, final))
                if len(broken) > allowed or final:
                    break
                continue
            for role, place in self.positions.items():
                columns[role].add(fields[place] if place < len(fields) else "")
            lines.append(number)
            if len(lines) == most_rows:
                break
        if number == 0 and (self.commented or "strict" not in self.described):
            only = "comments" if self.commented else "a header"
            raise RankassayError(
                f"{self.path}: expected {self.described.get('wanted', 'ratings')}, found only "
                f"{only}; replace the file."
            )
        if "strict" in self.described:
            problem = ""  # what is sound line by line is a table, a header one without rows
        found = {role: own.column() for role, own in columns.items()}
        return Stored(self.path, found, lines_at(lines), broken, problem=problem, cure=self.cure)

    def wrong(self, fields: list[str], unclosed: bool = False) -> tuple[str, str] | None:
        """Return the expected and the found content if a line has not its fields."""
        if isinstance(fields, Misread):
            return fields.wrong
        needed = 1 + max(own for role, own in self.positions.items() if role != "error")
        if len(fields) >= needed:
            at = [self.positions[role] for role in ("user", "item") if role in self.positions]
            if any(re.search(r"[\r\n]", fields[place]) for place in at):
                return None  # a quote that is not closed took in the lines that follow
        # Behind a quote that is never closed any number of fields follows.
        if wrong := self._width(fields, needed, ANY if unclosed else self.most):
            return wrong
        if any(map(undecoded, fields)):
            return "text in the encoding of the entry", "other bytes"
        return None

    def _width(self, fields: list[str], needed: int, most: int) -> tuple[str, str] | None:
        if names := self.described.get("exactly"):
            expected = f"{number_of(len(names), 'column')} ({' '.join(names)})"
            if self.described["separator"] == WHITESPACE:
                expected += " between blanks, which no id holds"
            behind = len(fields) > len(names) and self.described.get("behind")
            fits = behind(fields) if behind else len(fields) == len(names)
            return None if fits else (expected, f"{len(fields)}")
        if len(fields) < needed:
            return f"at least {number_of(needed, 'field')}", f"{len(fields)}"
        if any(fields[most:]):
            return f"at most {number_of(most, 'field')} as in the first line", f"{len(fields)}"
        return None


def by_id(
    path: Pathlike,
    described: Mapping[str, Any],
    columns: Mapping[str, int | str],
    kind: str,
    what: str,
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line and the fields, by role, of each `kind`, whose column is `id`."""
    separator, named = described["separator"], described.get("header", False)
    with open_text(path, described.get("encoding", "utf-8")) as file:
        first = next(split(file, separator), None)
        if first is None:
            raise RankassayError(f"{path}: expected {what}, found an empty file; replace it.")
        at, width = positions(path, first, columns, named), len(first[1])
        # A separator within a field cuts it; blanks may stand in words behind the columns.
        words = separator == WHITESPACE and max(at.values()) + 1 < width
        begun = _Begun(path, file, described, width, ANY if words else width, at)
        given = (fields[at["id"]] for _, fields in begun.lines() if len(fields) > at["id"])
        floats = are_floats([*map(str.strip, given)])
        seen: dict[str, int] = {}
        for number, fields in begun.lines():
            if wrong := begun.wrong(fields):
                raise bad_line(path, number, *wrong)
            own = {role: fields[place] for role, place in at.items()}
            own["id"] = own["id"] if begun.kept else own["id"].strip(BLANKS)
            own["id"] = own["id"].removesuffix(".0") if floats else own["id"]
            if not own["id"].strip():
                raise bad_line(path, number, f"an id of the {kind}", "an empty field")
            if (before := seen.setdefault(own["id"], number)) != number:
                found = f"{own['id']!r} as in line {before}"
                raise bad_line(path, number, f"each {kind} once", found)
            yield number, own
        if not seen:
            raise RankassayError(f"{path}: expected {what}, found none; replace the file.")


def _first(file: IO[str], described: Mapping[str, Any]) -> Line | None:
    """Return the first line, or the first with all columns if bad lines may be left out."""
    lines = split(file, described["separator"])
    first = next(lines, None)
    if first is None or described.get("header", False) or not described.get("bad_lines"):
        return first
    columns = [column for column in described["columns"].values() if isinstance(column, int)]
    return next((line for line in chain([first], lines) if len(line[1]) > max(columns)), first)


def _is_mark(first: Line, file: IO[str], described: Mapping[str, Any]) -> bool:
    """Whether the # before names of columns is none, as numpy writes it: rows tell."""
    file.seek(0)
    _, row = next(islice(split(file, described["separator"]), 1, None), first)
    return len(row) == len(first[1]) - 1


def _small(codes: npt.NDArray, texts: pd.Index) -> Column:
    return Column(codes.astype(np.min_scalar_type(-len(texts))), texts)


class _Blocks:
    """A file as pandas' parser needs it: under names of one column more than the first line."""

    def __init__(self, file: IO[str], names: list[str], separator: str, commented: bool) -> None:
        self.file, self.separator, self.quotes, self.commented = file, separator, False, commented
        self.longest: int | None = None  # characters between blanks or commas, if it is to be known
        self.parsed = (
            UNIT_SEPARATOR if len(separator) > 1 and separator != WHITESPACE else separator
        )
        self.head = (" " if separator == WHITESPACE else self.parsed).join(names) + "\n"

    def read(self, size: int = -1) -> str:
        """Return some whole lines, so that no separator is cut."""
        head, self.head = self.head, ""
        while not head and (text := self.file.read(BLOCK) + self.file.readline()):
            head = self._plain(text)  # nothing, of a block of comments, would be the end
        return head

    def __iter__(self) -> Iterator[str]:
        head, self.head = self.head, ""
        return chain([head], map(self._plain, self.file))

    def _plain(self, text: str) -> str:
        self.quotes = self.quotes or '"' in text
        if self.commented and COMMENT in text:
            text = COMMENTS.sub("", text)
        if self.longest is not None:
            ends = np.flatnonzero(np.frombuffer(text.encode(), dtype=np.uint8) <= ord(","))
            self.longest = max(self.longest, int(np.diff(ends, prepend=-1, append=len(text)).max()))
        if self.parsed == self.separator:
            return text
        if self.parsed in text:
            raise ValueError("a unit separator (0x1f), which stands for none there")
        return text.replace(self.separator, self.parsed)
