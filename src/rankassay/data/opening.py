"""Opening files that others made, packed or not, which may be made to fill the memory.

What is no regular file (standard input, a FIFO, what a shell writes for `<(zcat qrels.gz)`) can be
read once only: `once` takes such a stream into memory, from where all readers have it.
"""

import codecs
import contextlib
import gzip
import io
import lzma
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import SimpleNamespace
from typing import IO, NamedTuple

from rankassay.artifacts.files import Pathlike
from rankassay.data import inputs
from rankassay.errors import RankassayError

MARK = "\ufeff"  # the byte order mark, which stands only at the beginning of a file
LONGEST_LINE = 10_000_000  # bytes; a review is shorter
LARGEST = 64_000_000_000  # bytes of one unpacked file
BUFFER = 1 << 18
BLOCK = 1 << 20  # bytes at a time
# Ratings pack some 20-fold, the same list of all users 54-fold (xz), a matrix of one entry in 2,000
# some 750-fold; gzip packs nothing more than 1,032-fold. Up to the floor, all is small.
MOST_PACKED, FLOOR = 1_000, 10_000_000
STANDARD_INPUT = "-"
ENTRY = "correct the file, or the dataset's entry if it describes another format"


class _Xz(io.RawIOBase):
    """The content of an xz file; lzma's own class passes over what is no part of one at the end."""

    def __init__(self, file: IO[bytes]) -> None:
        self.lying, self.part = file, lzma.LZMADecompressor()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        while True:
            content = b""
            if self.part.eof:
                content = self.part.unused_data or self.lying.read(BUFFER)
                if not content:
                    return 0
                self.part, content = lzma.LZMADecompressor(), content.lstrip(b"\0")  # padding
            elif self.part.needs_input and not (content := self.lying.read(BUFFER)):
                raise EOFError("it ends within a part")
            found = self.part.decompress(content, len(buffer))
            buffer[: len(found)] = found
            if found:
                return len(found)


def _zstd(file: IO[bytes]) -> IO[bytes]:
    for module in ("compression.zstd", "backports.zstd"):
        with contextlib.suppress(ModuleNotFoundError):
            return import_module(module).ZstdFile(file)
    arrow = import_module("pyarrow")
    lying = SimpleNamespace(read=file.read, closed=False, close=bool)  # else it closes the file
    return arrow.CompressedInputStream(arrow.PythonFile(lying, "r"), "zstd")


# What is unpacked while reading, by how it begins; the ends of names are PACKED's of the readers.
UNPACKED: dict[bytes, tuple[str, Callable[[IO[bytes]], IO[bytes]]]] = {
    b"\x1f\x8b": ("gzip", lambda file: gzip.GzipFile(fileobj=file)),
    b"\xfd7zXZ\0": ("xz", _Xz),
    b"\x28\xb5\x2f\xfd": ("zstd", _zstd),
}


class Foreign(NamedTuple):
    """How files begin that hold no text, what they are, and the cure."""

    begins: bytes  # a regular expression
    called: str
    cure: str


CSV, PARQUET = "save it as CSV", "save it as CSV or parquet"
AS_PARQUET = f"read it where it was made, and {PARQUET}"
UTF_8 = "save the file in UTF-8, or name its encoding in the dataset's entry"
UNPACK = "unpack it"
# The first that fits counts. No text of a user begins so.
FOREIGN = (
    *(
        Foreign(re.escape(mark), f"a file packed by {name}", "unpack it once")
        for mark, (name, _) in UNPACKED.items()
    ),
    Foreign(
        rb"PK\x03\x04.{26}(\[Content_Types\]|_rels/|docProps/|xl/)", "an Excel file (xlsx)", CSV
    ),
    Foreign(rb"PK\x03\x04.{26}mimetype.*?spreadsheet", "a spreadsheet (ods)", CSV),
    Foreign(rb"PK\x03\x04.{26}[\w.]+\.npy", "NumPy arrays (npz)", "write a sparse matrix, or CSV"),
    Foreign(rb"PK\x03\x04", "a file packed by zip", UNPACK),
    Foreign(rb"BZh[1-9]1AY&SY", "a file packed by bzip2", UNPACK),
    Foreign(rb"7z\xbc\xaf\x27\x1c", "a file packed by 7z", UNPACK),
    Foreign(rb"Rar!\x1a\x07", "a file packed by rar", UNPACK),
    Foreign(rb"\x04\x22\x4d\x18", "a file packed by lz4", UNPACK),
    Foreign(rb"\xff\x06\0\0sNaPpY", "a file packed by snappy", UNPACK),
    Foreign(rb"[^\n]{257}ustar", "a tar archive", UNPACK),
    Foreign(rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel file (xls)", CSV),
    Foreign(rb"ARROW1\0|FEA1\0|\xff{4}.{3}\0\x10\0\0\0", "an Arrow file (feather)", PARQUET),
    Foreign(rb"ORC[\0-\x08\x0e-\x1f]", "an ORC file", PARQUET),
    Foreign(rb"\x89HDF", "an HDF5 file", PARQUET),
    Foreign(rb"\x93NUMPY", "a NumPy array (npy)", "load it, and give the array, or " + CSV),
    Foreign(
        rb"\x80[\x02-\x05]|\([dl]p\d+\n|c[\w.]+\n\w+\np\d+\n|[}\]]q\0",
        "a pickle of Python",
        AS_PARQUET,
    ),
    Foreign(rb"SQLite format 3\0", "an SQLite database", "export the table as CSV"),
    Foreign(rb"MATLAB [57]\.\d MAT", "a MATLAB file", AS_PARQUET),
    Foreign(rb"RD[ABX][23]\n|X\n\0\0\0", "a file of R", AS_PARQUET),
    Foreign(rb"version https://git-lfs", "a Git LFS pointer", "git lfs pull fetches the file"),
    Foreign(
        rb"(?i)(\xef\xbb\xbf)?\s*<(!doctype html|html[\s>])",
        "an HTML page, as a download that failed",
        "download the file again",
    ),
    Foreign(rb"%PDF-\d", "a PDF file", CSV),
)
WIDE = (
    Foreign(rb"\xff\xfe\0\0|\0\0\xfe\xff", "text in UTF-32", UTF_8),
    Foreign(rb"\xff\xfe|\xfe\xff|([^\0]\0){4}|(\0[^\0]){4}", "text in UTF-16", UTF_8),
)


@dataclass(frozen=True)
class Lines:
    """The content of a file that is in memory, which readers take in place of its path."""

    what: str
    content: bytes

    def __str__(self) -> str:
        return self.what


Source = Pathlike | Lines


def once(path: Source) -> Source:
    """Return something that can be opened twice: a file as it is, or a stream's content."""
    if isinstance(path, Lines):
        return path
    path = inputs.path("path", path)
    if path != STANDARD_INPUT and (os.path.isfile(path) or not os.path.exists(path)):
        return path
    with open_bytes(path, text=False) as file:
        content = file.read()
    if not content:
        raise RankassayError(
            f"{path}: expected lines, found none; a stream can be read once, so name it once, and "
            "write to it what is to be read."
        )
    return Lines(path, content)


def open_bytes(path: Source, text: bool = True, wide: bool = False) -> IO[bytes]:
    """Open a file for reading, unpacking it if it is packed (UNPACKED); - is standard input.

    Reading raises RankassayError where it is damaged, too long, or unpacks more than a
    thousandfold; of `text` also for what is none (FOREIGN), but for `wide` characters where they
    are expected.
    """
    foreign = (*FOREIGN, *(() if wide else WIDE)) if text else ()
    if isinstance(path, Lines):
        _check_text(path, path.content, foreign)
        return io.BytesIO(path.content)
    path = inputs.path("path", path)
    try:
        lying = _opened(path)
        return io.BufferedReader(_Bounded(lying, path, foreign), BUFFER)
    except OSError as error:
        raise RankassayError(
            f"{path}: expected a file ({error.strerror}); correct the path."
        ) from None


class _Lying(io.FileIO):
    """A file as it lies there, which counts the bytes that were read."""

    taken = 0

    def readinto(self, buffer) -> int | None:
        count = super().readinto(buffer)
        self.taken += count or 0
        return count


def _opened(path: str) -> _Lying:
    """Return a file as it lies there."""
    if path != STANDARD_INPUT:
        return _Lying(path)
    if sys.stdin is None:
        raise RankassayError(f"{path}: expected an open standard input, found it closed.")
    return _Lying(sys.stdin.fileno(), closefd=False)


@contextlib.contextmanager
def open_text(
    path: Source, encoding: str | None = None, errors: str = "strict"
) -> Iterator[IO[str]]:
    """Open a text file, in UTF-8 or in the encoding of a dataset's entry, unpacking it.

    With other `errors` than strict, bytes that are not of the encoding are `undecoded`.
    """
    if encoding is not None and not _is_text_encoding(encoding):
        raise RankassayError(
            f"{path}: expected the name of a text encoding in the dataset's entry, found "
            f"'{encoding}'; write for instance utf-8 or latin-1."
        )
    # A byte order mark at the beginning would otherwise become part of the first field.
    utf8 = encoding is None or codecs.lookup(encoding).name == "utf-8"
    encoded = "utf-8-sig" if utf8 else encoding
    wide = not utf8 and len("u".encode(encoding or "")) > 1
    try:
        with io.TextIOWrapper(open_bytes(path, wide=wide), encoding=encoded, errors=errors) as file:
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


def check_form(path: Source, expected: str) -> None:
    """Raise RankassayError for a file of another format than expected, where its begin tells."""
    with open_bytes(path, text=False) as file:
        _check_text(path, file.read(BUFFER), FOREIGN, expected=expected)


def _check_text(
    path: Source,
    content: bytes,
    foreign: Iterable[Foreign],
    packing: str = "",
    expected: str = "text",
) -> None:
    """Raise RankassayError for what begins as no text does; `packing` is around it."""
    for own in foreign:
        if re.match(own.begins, content, re.DOTALL):
            twice = " twice" if packing and own.called.endswith(f" {packing}") else ""
            raise RankassayError(
                f"{path}: expected {expected}, found {own.called}{twice}; {own.cure}."
            )


class _Bounded(io.RawIOBase):
    """The bytes of a file, unpacked, up to the first line that is too long."""

    def __init__(self, file: _Lying, path: str, foreign: Sequence[Foreign]) -> None:
        self.counted, self.path, self.foreign = file, path, foreign
        self.file = self.lying = io.BufferedReader(file, BUFFER)
        self._begin()

    def _begin(self) -> None:
        begin = self.lying.peek(max(map(len, UNPACKED)))
        mark = next((mark for mark in UNPACKED if begin.startswith(mark)), b"")
        self.packing, unpack = UNPACKED.get(mark, ("", None))
        try:
            self.file = unpack(self.lying) if unpack else self.lying
        except ModuleNotFoundError:
            raise RankassayError(
                f"{self.path}: expected the package pyarrow or backports.zstd for a file packed by "
                f"{self.packing}, found none; pip install one of them, or unpack the file."
            ) from None
        self.lines = self.line = self.total = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence == io.SEEK_CUR:
            offset += self.total
        elif whence == io.SEEK_END:
            raise io.UnsupportedOperation("the end of a file that may be packed")
        if offset < self.total:
            self.lying.seek(0)
            self.counted.taken = 0
            self._begin()
        while self.total < offset and self.readinto(bytearray(min(BLOCK, offset - self.total))):
            pass
        return self.total

    def readinto(self, buffer) -> int:
        try:
            count = self.file.readinto(buffer) or 0
        except Exception as error:  # each packing has errors of its own
            if not self.packing or isinstance(error, MemoryError):
                raise
            raise RankassayError(
                f"{self.path}: expected a whole {self.packing} file, found a truncated or damaged "
                f"one ({error}); put a whole copy there; if it was downloaded, delete it and run "
                "again."
            ) from error
        content = bytes(buffer[:count])
        if self.total == 0:
            _check_text(self.path, content, self.foreign, self.packing)
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
        if self.packing and self.total > max(FLOOR, MOST_PACKED * self.counted.taken):
            raise RankassayError(
                f"{self.path}, line {self.lines + 1}: expected a file packed at most "
                f"{MOST_PACKED:,}-fold, found {self.total / 1e6:.0f} MB in "
                f"{self.counted.taken / 1e3:.0f} kB; replace it, or unpack it if you trust it."
            )
        return count

    def close(self) -> None:
        self.file.close()
        self.lying.close()
        super().close()
