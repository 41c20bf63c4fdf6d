"""Opening files that others made, packed by gzip or not, which may be made to fill the memory.

What is no regular file (standard input, a FIFO, what a shell writes for `<(zcat qrels.gz)`) can be
read once only: `once` takes such a stream into memory, from where all readers have it.
"""

import codecs
import contextlib
import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator
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
ENTRY = "correct the file, or the dataset's entry if it describes another format"
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


@contextlib.contextmanager
def open_text(
    path: Source, encoding: str | None = None, errors: str = "strict"
) -> Iterator[IO[str]]:
    """Open a text file, in UTF-8 or in the encoding of a dataset's entry, unpacking it.

    With `errors` other than strict, bytes that the encoding does not allow are no error: see
    `undecoded`. Raises RankassayError when the file is missing or the encoding unknown, or while
    reading it when it is damaged or holds bytes that the encoding does not allow.
    """
    if encoding is not None and not _is_text_encoding(encoding):
        raise RankassayError(
            f"{path}: expected the name of a text encoding in the dataset's entry, found "
            f"'{encoding}'; write for instance utf-8 or latin-1."
        )
    # A byte order mark at the beginning would otherwise become part of the first field.
    utf8 = encoding is None or codecs.lookup(encoding).name == "utf-8"
    try:
        with io.TextIOWrapper(
            open_bytes(path), encoding="utf-8-sig" if utf8 else encoding, errors=errors
        ) as file:
            yield file
    except UnicodeError as error:
        raise _undecodable(path, encoding) from error


def undecoded(text: str) -> bool:
    """Return whether a text holds bytes that are invalid in its encoding (surrogateescape)."""
    return any("\udc80" <= character <= "\udcff" for character in text)


def _undecodable(path: Source, encoding: str | None) -> RankassayError:
    """Return the error for the first byte that is not of an encoding; None is UTF-8."""
    expected = f"text in the encoding {encoding}" if encoding else "text in UTF-8"
    cure = ENTRY if encoding else "save the file in UTF-8"
    with open_bytes(path) as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode(encoding or "utf-8")
            except UnicodeDecodeError as error:
                return RankassayError(
                    f"{path}, line {number}: expected {expected}, found the byte "
                    f"0x{line[error.start]:02x} at position {error.start + 1}; {cure}."
                )
    return RankassayError(f"{path}: expected {expected}, found other bytes; {cure}.")


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
