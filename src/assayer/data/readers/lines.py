"""What the readers share: opening text, checking one rating, and the message of a bad line."""

import contextlib
import gzip
import math
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from assayer.artifacts import Pathlike
from assayer.errors import AssayerError

ANONYMOUS = "(anonymous)"


def bad_line(path: Pathlike, line: int, expected: str, found: str) -> AssayerError:
    """Return the error for line `line`, counted from 1, of a file."""
    return AssayerError(
        f"{path}, line {line}: expected {expected}, found {found}; correct the file, or the "
        "dataset's entry if it describes another format."
    )


@dataclass(frozen=True)
class Rules:
    """What a rating of a dataset must be.

    Attributes
    ----------
    divisor
        By what the numbers of the file are divided.
    low, high
        The least and the greatest rating after that.
    missing_user
        A line without user is an `error`, or left out (`skip`), or the lines without user are
        taken as those of one more user (`one-user`).
    """

    divisor: float
    low: float
    high: float
    missing_user: str

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> "Rules":
        """Return the rules of a catalogue entry."""
        low, high = entry.get("scale", (-math.inf, math.inf))
        divisor = entry.get("rating_divisor", 1)
        return cls(divisor, low, high, entry.get("missing_user", "error"))

    def rating(self, value: str) -> float:
        """Return a rating; raises ValueError saying what was expected."""
        try:
            number = float(value) / self.divisor
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise ValueError("a number as rating")
        if not self.low <= number <= self.high:
            divided = "" if self.divisor == 1 else f" once divided by {self.divisor:g}"
            raise ValueError(f"a rating from {self.low:g} to {self.high:g}{divided}")
        return number

    def check(self, fields: Mapping[str, str]) -> tuple[str, str] | None:
        """Return what was expected and what was found if the fields of a line are not right."""
        for role in ("user", "item"):
            allowed = role == "user" and self.missing_user != "error"
            if not fields[role].strip() and not allowed:
                return f"an id of the {role}", "an empty field"
        try:
            self.rating(fields["rating"])
        except ValueError as error:
            return str(error), repr(fields["rating"])
        try:
            int(fields.get("timestamp", "0"))
        except ValueError:
            return "a timestamp in whole seconds", repr(fields["timestamp"])
        return None


@contextlib.contextmanager
def open_text(path: Pathlike, encoding: str = "utf-8") -> Iterator[IO[str]]:
    """Open a text file, unpacking it if its name ends in .gz.

    Raises
    ------
    AssayerError
        When the file is missing, or while reading it when it is damaged or holds bytes that the
        encoding does not allow.
    """
    path = Path(path)
    # A byte order mark at the beginning would otherwise become part of the first field.
    codec = "utf-8-sig" if encoding.lower() in ("utf-8", "utf8") else encoding
    try:
        with _opener(path)(path, "rt", encoding=codec) as file:
            yield file
    except UnicodeDecodeError as error:
        raise _undecodable(path, codec, encoding) from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise AssayerError(
            f"{path}: expected a whole gzip file, found a truncated or damaged one ({error}); "
            "delete it and run again to download it anew, or put a whole copy there."
        ) from error
    except FileNotFoundError as error:
        raise AssayerError(f"{path}: expected a file, found none; correct the path.") from error


def _opener(path: Path):
    """Return the function that opens a file of this name."""
    return gzip.open if path.suffix == ".gz" else open


def _undecodable(path: Path, codec: str, encoding: str) -> AssayerError:
    """Return the error for the first line that cannot be decoded."""
    with _opener(path)(path, "rb") as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode(codec)
            except UnicodeDecodeError as error:
                found = f"the byte 0x{line[error.start]:02x} at position {error.start + 1}"
                return bad_line(path, number, f"text in the encoding {encoding}", found)
    return AssayerError(f"{path}: expected text in the encoding {encoding}, found other bytes.")
