"""Opening files that others made, packed (.gz) or not, which may be made to fill the memory."""

import gzip
import io
import zlib
from dataclasses import dataclass
from typing import IO

from assayer.artifacts.files import Pathlike
from assayer.data import inputs
from assayer.errors import AssayerError

MARK = "\ufeff"  # the byte order mark, which stands only at the beginning of a file
LONGEST_LINE = 10_000_000  # bytes; a review is shorter
LARGEST = 64_000_000_000  # bytes of one unpacked file
BUFFER = 1 << 18
BLOCK = 1 << 20  # bytes at a time


@dataclass(frozen=True)
class Lines:
    """The content of a file that is in memory, which readers take in place of its path."""

    what: str
    content: bytes

    def __str__(self) -> str:
        return self.what


Source = Pathlike | Lines


def open_bytes(path: Source) -> IO[bytes]:
    """Open a file for reading, unpacking it if its name ends in .gz.

    While it is read, it raises AssayerError where it is damaged, and for a line or a file that is
    too long: a few kilobytes can unpack to one line of gigabytes.
    """
    if isinstance(path, Lines):
        return io.BytesIO(path.content)
    path = inputs.path("path", path)
    try:
        packed = path.endswith(".gz")
        file = gzip.open(path, "rb") if packed else open(path, "rb", buffering=0)  # noqa: SIM115
    except OSError as error:
        raise AssayerError(
            f"{path}: expected a file ({error.strerror}); correct the path."
        ) from None
    return io.BufferedReader(_Bounded(file, path), BUFFER)


def holds(path: Source, byte: bytes) -> bool:
    """Say whether a byte stands anywhere in a file, which is read in pieces."""
    with open_bytes(path) as file:
        return any(byte in block for block in iter(lambda: file.read(BLOCK), b""))


def foreign_byte(path: Source, codec: str) -> tuple[int, str] | None:
    """Return the line, from 1, and words for the first byte of a file that is not of an encoding.

    None is returned where lines by themselves can be decoded.
    """
    with open_bytes(path) as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode(codec)
            except UnicodeDecodeError as error:
                return number, f"the byte 0x{line[error.start]:02x} at position {error.start + 1}"
    return None


def not_utf8(path: Source) -> AssayerError:
    """Return the error for a file that is no text in UTF-8."""
    line, found = foreign_byte(path, "utf-8") or (1, "other bytes")
    return AssayerError(
        f"{path}, line {line}: expected text in UTF-8, found {found}; save the file in UTF-8."
    )


def runs_on(path: Source, line: int) -> AssayerError:
    """Return the error for a row that does not end with its line: its quotes took in others."""
    return AssayerError(
        f"{path}, line {line}: expected a row on each line, found one that runs over several; "
        "close its quotes, or take the line break out of them."
    )


class _Bounded(io.RawIOBase):
    """The bytes of a file, up to the first line that is too long."""

    def __init__(self, file: IO[bytes], path: Pathlike) -> None:
        self.file, self.path = file, path
        self.lines, self.line, self.total = 0, 0, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self.lines = self.line = self.total = 0
        return self.file.seek(offset, whence)

    def readinto(self, buffer) -> int:
        try:
            count = self.file.readinto(buffer) or 0
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise AssayerError(
                f"{self.path}: expected a whole gzip file, found a truncated or damaged one "
                f"({error}); put a whole copy there; if it was downloaded, delete it and run again."
            ) from error
        content = bytes(buffer[:count])
        end = max(content.rfind(b"\n"), content.rfind(b"\r"))
        self.line = self.line + count if end < 0 else count - end - 1
        self.lines += content.count(b"\n")
        self.total += count
        if self.line > LONGEST_LINE or self.total > LARGEST:
            what = f"a line of at most {LONGEST_LINE / 1e6:g} MB"
            what = what if self.line > LONGEST_LINE else f"at most {LARGEST / 1e9:g} GB unpacked"
            raise AssayerError(
                f"{self.path}, line {self.lines + 1}: expected {what}, found a longer one; replace "
                "the file."
            )
        return count

    def close(self) -> None:
        self.file.close()
        super().close()
