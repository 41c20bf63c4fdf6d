"""Code that the readers share: opening text, checking ratings and handling bad lines."""

import codecs
import contextlib
import io
import logging
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd

from rankassay.artifacts.files import Pathlike
from rankassay.data import decimals, times
from rankassay.data.entries import IMPLICIT
from rankassay.data.opening import MARK, foreign_byte, open_bytes
from rankassay.errors import RankassayError

log = logging.getLogger(__name__)

ANONYMOUS = "(anonymous)"
ABOVE_0 = math.ulp(0.0)  # the least count
# With pyarrow, pandas keeps texts as UTF-8, which has no half of a pair that JSON's escapes can be.
TEXT = pd.StringDtype("python", na_value=np.nan)
UNRATED = "1"  # the rating of each line where there are none
LONGEST = 1000  # characters of an id; the ids of a dataset all take the space of the longest


def bad_line(path: Pathlike, line: int, expected: str, found: str) -> RankassayError:
    """Return the error for line `line`, counted from 1, of a file."""
    return RankassayError(
        f"{path}, line {line}: expected {expected}, found {found}; correct the file, or the "
        "dataset's entry if it describes another format."
    )


@dataclass(frozen=True)
class Rules:
    """The rules for the ratings of a dataset.

    Attributes
    ----------
    divisor
        The divisor of the numbers in the file.
    low, high
        The least and the greatest rating after that.
    missing_user
        A line without a user is an `error` or is left out (`skip`), or all such lines belong to one
        more user (`one-user`).
    decimals
        To how many decimals ratings are rounded, if they are.
    times
        How times are written: see `rankassay.data.times.seconds`.
    meaning
        What the numbers are if they are not ratings but another column: flags, say. They are taken
        as they are.
    """

    divisor: float
    low: float
    high: float
    missing_user: str
    decimals: int | None = None
    times: str = "s"
    meaning: str | None = None

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> "Rules":
        """Return the rules of a catalogue entry."""
        low, high = entry.get("scale", (-math.inf, math.inf))
        if entry.get("feedback") == IMPLICIT:
            low = ABOVE_0
        divisor = entry.get("rating_divisor", 1)
        missing = entry.get("missing_user", "error")
        form = entry.get("timestamp_format", "s")
        meaning = entry.get("meaning")
        return cls(divisor, low, high, missing, entry.get("decimals"), form, meaning)

    def rating(self, value: str) -> float:
        """Return a rating; raises ValueError saying what was expected."""
        if self.meaning:
            try:
                return decimals.number(value)
            except ValueError:
                raise ValueError(self.meaning) from None
        number = decimals.rating(value, self.divisor, self.decimals)
        if not self.low <= number <= self.high:
            if self.low == ABOVE_0:
                raise ValueError("a count above 0")
            divided = "" if self.divisor == 1 else f" once divided by {self.divisor:g}"
            raise ValueError(f"a rating from {self.low:g} to {self.high:g}{divided}")
        return number

    def check(self, fields: Mapping[str, str]) -> tuple[str, str] | None:
        """Return the expected and the found content if the fields of a line are not right."""
        for role in ("user", "item"):
            allowed = role == "user" and self.missing_user != "error"
            if not fields[role].strip() and not allowed:
                return f"an id of the {role}", "an empty field"
            if "\0" in fields[role]:
                return f"an id of the {role}", "a zero byte in it"
            if MARK in fields[role]:
                return f"an id of the {role}", "a byte order mark in it"
            if len(fields[role]) > LONGEST:
                return f"at most {LONGEST} characters as id of the {role}", f"{len(fields[role])}"
        try:
            self.rating(fields.get("rating", UNRATED))
        except ValueError as error:
            return str(error), _shown(fields.get("rating", UNRATED))
        try:
            if "timestamp" in fields:
                times.seconds(fields["timestamp"], self.times)
        except ValueError:
            return times.words(self.times), _shown(fields["timestamp"])
        return None


def _shown(text: str) -> str:
    """Return a field, which may be very long, as a message shows it."""
    return repr(text if len(text) <= 60 else text[:60] + "...")


class Tolerance:
    """Counts the bad lines that are left out, and raises the error of the first too many.

    Attributes
    ----------
    allowed
        How many may be left out: `bad_lines` of the catalogue entry, 0 if not given.
    count
        How many were.
    """

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.allowed: int = entry.get("bad_lines", 0)
        self.count = 0

    def leave_out(self, error: RankassayError) -> None:
        """Leave out the line that an error is about, or raise the error."""
        self.count += 1
        if self.count > self.allowed:
            if self.allowed:
                error = RankassayError(f"{error} It is one bad line more than bad_lines allows.")
            raise error
        log.warning("left out: %s", error)


class Collected:
    """Ratings that are collected line by line, as readers return them."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.ids: dict[str, dict[str, int]] = {"user": {}, "item": {}}
        self.codes: dict[str, list[int]] = {"user": [], "item": []}
        self.ratings: list[float] = []
        self.timestamps: list[int] = []
        self.without_user = 0

    def add(self, fields: Mapping[str, str]) -> None:
        """Take the fields of one line, which have been checked."""
        user = fields["user"]
        if not user.strip():
            self.without_user += 1
            if self.rules.missing_user == "skip":
                return
            user = ANONYMOUS
        for role, name in (("user", user), ("item", fields["item"])):
            self.codes[role].append(self.ids[role].setdefault(name, len(self.ids[role])))
        self.ratings.append(self.rules.rating(fields.get("rating", UNRATED)))
        if "timestamp" in fields:
            self.timestamps.append(times.seconds(fields["timestamp"], self.rules.times))

    def table(self, bad_lines: int) -> pd.DataFrame:
        """Return the ratings; timestamps only if every line has one."""
        table = pd.DataFrame(
            {
                role: pd.Categorical.from_codes(self.codes[role], pd.Index([*ids], dtype=TEXT))
                for role, ids in self.ids.items()
            }
        )
        table["rating"] = np.array(self.ratings, dtype=np.float64)
        if self.timestamps and len(self.timestamps) == len(self.ratings):
            table["timestamp"] = np.array(self.timestamps, dtype=np.int64)
        table.attrs |= {"without_user": self.without_user, "bad_lines": bad_lines}
        return table


@contextlib.contextmanager
def open_text(path: Pathlike, encoding: str = "utf-8", errors: str = "strict") -> Iterator[IO[str]]:
    """Open a text file, unpacking it if it is packed by gzip.

    With `errors` other than strict, bytes that the encoding does not allow are no error: see
    `undecoded`.

    Raises RankassayError when the file is missing or the encoding unknown, or while reading it when
    it is damaged or holds bytes that the encoding does not allow.
    """
    path = Path(path)
    if not _is_text_encoding(encoding):
        raise RankassayError(
            f"{path}: expected the name of a text encoding in the dataset's entry, found "
            f"'{encoding}'; write for instance utf-8 or latin-1."
        )
    # A byte order mark at the beginning would otherwise become part of the first field.
    codec = "utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding
    try:
        with io.TextIOWrapper(open_bytes(path), encoding=codec, errors=errors) as file:
            yield file
    except UnicodeError as error:
        raise _undecodable(path, codec, encoding) from error


def _is_text_encoding(encoding: str) -> bool:
    """Return whether any part of a text's bytes can be decoded in an encoding."""
    sample = "u1,i2,3\n"
    try:
        name = codecs.lookup(encoding).name
        decoder = codecs.getincrementaldecoder(encoding)()
        parts = [decoder.decode(bytes([byte])) for byte in sample.encode(encoding)]
        io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    except (LookupError, ValueError, TypeError):  # unknown, or of other things than text
        return False
    return "".join(parts) == sample and name != "idna"  # names of hosts, in small letters


def undecoded(text: str) -> bool:
    """Return whether a text holds bytes that are invalid in its encoding (surrogateescape)."""
    return any("\udc80" <= character <= "\udcff" for character in text)


def _undecodable(path: Path, codec: str, encoding: str) -> RankassayError:
    """Return the error for the first line that cannot be decoded."""
    expected = f"text in the encoding {encoding}"
    if found := foreign_byte(path, codec):
        return bad_line(path, found[0], expected, found[1])
    return RankassayError(f"{path}: expected {expected}, found other bytes.")
