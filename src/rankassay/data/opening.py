"""Opening files that others made, packed by gzip or not, which may be made to fill the memory.

What is no regular file (standard input, a FIFO, what a shell writes for `<(zcat qrels.gz)`) can be
read once only: `once` takes such a stream into memory, from where all readers have it.
"""

import gzip
import io
import os
import sys
import zlib
from dataclasses import dataclass
from typing import IO

from rankassay.artifacts.files import Pathlike
from rankassay.data import inputs
from rankassay.errors import RankassayError

MARK = "\ufeff"  # the byte order mark, which stands only at the beginning of a file
LONGEST_LINE = 10_000_000  # bytes; a review is shorter
LARGEST = 64_000_000_000  # bytes of one unpacked file
BUFFER = 1 << 18
BLOCK = 1 << 20  # bytes at a time
GZIP = b"\x1f\x8b"
STANDARD_INPUT = "-"
# How files begin that are no text, by what they are; no text of a user begins so.
PACKED = {
    GZIP: "gzip",
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf\x27\x1c": "7z",
}
BZIP2 = b"1AY&SY"  # the bytes after the first four, which could begin a text


@dataclass(frozen=True)
class Lines:
    """The content of a file that is in memory, which readers take in place of its path."""

    what: str
    content: bytes

    def __str__(self) -> str:
        return self.what


Source = Pathlike | Lines


def once(path: Source) -> Source:
    """Return something that can be opened twice: a file as it is, or a stream's content.

    Raises RankassayError for a stream that holds nothing, as when it was read before.
    """
    if isinstance(path, Lines):
        return path
    path = inputs.path("path", path)
    if path != STANDARD_INPUT and (os.path.isfile(path) or not os.path.exists(path)):
        return path
    with open_bytes(path) as file:
        content = file.read()
    if not content:
        raise RankassayError(
            f"{path}: expected lines, found none; a stream can be read once, so name it once, and "
            "write to it what is to be read."
        )
    return Lines(path, content)


def open_bytes(path: Source) -> IO[bytes]:
    """Open a file for reading, unpacking it if it is packed by gzip; - is standard input.

    While it is read, it raises RankassayError where it is damaged, and for a line or a file that is
    too long: a few kilobytes can unpack to one line of gigabytes. And for one that is packed in
    another way, or twice: in an encoding in which each byte is a letter, its bytes could pass for
    text.
    """
    if isinstance(path, Lines):
        return io.BytesIO(path.content)
    path = inputs.path("path", path)
    try:
        file = io.BufferedReader(_opened(path), BUFFER)
        packed = file.peek(len(GZIP)).startswith(GZIP)
    except OSError as error:
        raise RankassayError(
            f"{path}: expected a file ({error.strerror}); correct the path."
        ) from None
    return io.BufferedReader(_Bounded(file, packed, path), BUFFER)


def _opened(path: str) -> io.FileIO:
    """Return a file as it lies there."""
    if path != STANDARD_INPUT:
        return io.FileIO(path)
    if sys.stdin is None:
        raise RankassayError(f"{path}: expected an open standard input, found it closed.")
    return io.FileIO(sys.stdin.fileno(), closefd=False)


def holds(path: Source, byte: bytes) -> bool:
    """Return whether a byte is anywhere in a file, which is read in pieces."""
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


def not_utf8(path: Source) -> RankassayError:
    """Return the error for a file that is no text in UTF-8."""
    line, found = foreign_byte(path, "utf-8") or (1, "other bytes")
    return RankassayError(
        f"{path}, line {line}: expected text in UTF-8, found {found}; save the file in UTF-8."
    )


def runs_on(path: Source, line: int) -> RankassayError:
    """Return the error for a row that does not end with its line: its quotes took in others."""
    return RankassayError(
        f"{path}, line {line}: expected a row on each line, found one that runs over several; "
        "close its quotes, or take the line break out of them."
    )


def _packed(content: bytes) -> str | None:
    """Return how a file is packed, by its first bytes; None if it is not."""
    form = next((form for mark, form in PACKED.items() if content.startswith(mark)), None)
    return None if form == "bzip2" and content[4:10] != BZIP2 else form


def _not_unpacked(path: Pathlike, form: str) -> RankassayError:
    """Return the error for a file that is packed, in which there should be text."""
    found, remedy = (form, "unpack it") if form != "gzip" else ("gzip twice", "unpack it once")
    return RankassayError(f"{path}: expected text, found a file packed by {found}; {remedy}.")


class _Bounded(io.RawIOBase):
    """The bytes of a file, up to the first line that is too long."""

    def __init__(self, file: IO[bytes], packed: bool, path: Pathlike) -> None:
        self.lying, self.path = file, path
        self.file: IO[bytes] = gzip.GzipFile(fileobj=file) if packed else file
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
            raise RankassayError(
                f"{self.path}: expected a whole gzip file, found a truncated or damaged one "
                f"({error}); put a whole copy there; if it was downloaded, delete it and run again."
            ) from error
        content = bytes(buffer[:count])
        if self.total == 0 and (form := _packed(content)):
            raise _not_unpacked(self.path, form)
        end = max(content.rfind(b"\n"), content.rfind(b"\r"))
        self.line = self.line + count if end < 0 else count - end - 1
        self.lines += content.count(b"\n")
        self.total += count
        if self.line > LONGEST_LINE or self.total > LARGEST:
            what = f"a line of at most {LONGEST_LINE / 1e6:g} MB"
            what = what if self.line > LONGEST_LINE else f"at most {LARGEST / 1e9:g} GB unpacked"
            raise RankassayError(
                f"{self.path}, line {self.lines + 1}: expected {what}, found a longer one; replace "
                "the file."
            )
        return count

    def close(self) -> None:
        self.file.close()
        self.lying.close()
        super().close()
