"""Extracting single members from a zip archive that may be damaged or malicious."""

import lzma
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import IO

from rankassay.artifacts.files import atomic
from rankassay.errors import RankassayError

LARGEST = 16_000_000_000  # bytes of one unpacked member
CHUNK = 1 << 20
# All that zipfile and its decompressors were seen to raise for damaged archives.
DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    ValueError,
    NotImplementedError,
    OverflowError,
)


def extract(archive: Path, members: Mapping[str, Path], largest: int = LARGEST) -> None:
    """Extract members of a zip archive, each by its full name or the last part of it, to a file.

    No path of the archive is ever used as a path on disk, and no link is ever made.
    """
    try:
        with zipfile.ZipFile(archive) as file:
            for member, target in members.items():
                info = _find(file, member, archive)
                _check(info, archive, largest)
                _check_space(info, archive, target)
                # A checksum error shows at the last byte: `atomic` then leaves no file behind.
                with file.open(info) as source, atomic(target, record=False) as output:
                    _copy(source, output, info, archive, largest)
    except DAMAGED as error:
        raise RankassayError(
            f"{archive}: expected a whole zip archive, found a truncated or damaged one ({error}); "
            "delete it and run again to download it again, or put a whole copy there."
        ) from error


def _check(info: zipfile.ZipInfo, archive: Path, largest: int) -> None:
    """Raise RankassayError for a member that is not a plain file, is encrypted or is too large."""
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise _refused(archive, info, "a plain file", "a link or another special file")
    if info.flag_bits & 0x1:
        raise _refused(archive, info, "a file that can be read", "an encrypted one")
    if info.file_size > largest:
        raise _too_large(archive, info, largest)


def _check_space(info: zipfile.ZipInfo, archive: Path, target: Path) -> None:
    """Raise RankassayError for a member that does not fit on the disk."""
    target.parent.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(target.parent).free
    if info.file_size > free:
        raise RankassayError(
            f"{archive}, member '{info.filename}': {info.file_size / 1e6:.1f} MB are needed in "
            f"{target.parent}, {free / 1e6:.1f} MB are free; make room."
        )


def _copy(source: IO, output: IO, info: zipfile.ZipInfo, archive: Path, largest: int) -> None:
    """Copy a member; raises RankassayError if it is larger than allowed, by what is unpacked."""
    size = 0
    while chunk := source.read(CHUNK):
        size += len(chunk)
        if size > largest:
            raise _too_large(archive, info, largest)
        output.write(chunk)


def _too_large(archive: Path, info: zipfile.ZipInfo, largest: int) -> RankassayError:
    most = f"at most {largest / 1e6:.1f} MB unpacked"
    return _refused(archive, info, most, f"{info.file_size / 1e6:.1f} MB or more")


def _refused(archive: Path, info: zipfile.ZipInfo, expected: str, found: str) -> RankassayError:
    return RankassayError(
        f"{archive}, member '{info.filename}': expected {expected}, found {found}; replace the "
        "archive, or unpack it by hand if you trust it."
    )


def _find(file: zipfile.ZipFile, member: str, archive: Path) -> zipfile.ZipInfo:
    """Return the member that is given by its full name or its last part."""
    infos = [info for info in file.infolist() if not info.is_dir()]
    found = [info for info in infos if info.filename == member] or [
        info for info in infos if PurePosixPath(info.filename).name == member
    ]
    if len(found) == 1:
        return found[0]
    problem = f"{len(found)} of that name" if found else "none"
    names = [info.filename for info in infos]
    shown = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
    raise RankassayError(
        f"{archive}: expected one member '{member}', found {problem}; its members are {shown}. "
        "Correct the entry's 'files', or replace the archive."
    )
