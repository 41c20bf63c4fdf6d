"""Taking single members out of a zip archive."""

import shutil
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from assayer.artifacts import atomic
from assayer.errors import AssayerError


def extract(archive: Path, members: Mapping[str, Path]) -> None:
    """Extract members of a zip archive.

    Parameters
    ----------
    archive
        The zip file.
    members
        For each member, by its full name or the last part of it, the file to write. No path of
        the archive is ever used as a path on disk.

    Raises
    ------
    AssayerError
        When the archive is broken or has no such member.
    """
    try:
        with zipfile.ZipFile(archive) as file:
            for member, target in members.items():
                # A checksum error shows at the last byte: `atomic` then leaves no file behind.
                with file.open(_find(file, member, archive)) as source, atomic(target) as output:
                    shutil.copyfileobj(source, output, 1 << 20)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise AssayerError(
            f"{archive}: expected a whole zip archive, found a truncated or damaged one ({error}); "
            "delete it and run again to download it anew, or put a whole copy there."
        ) from error


def _find(file: zipfile.ZipFile, member: str, archive: Path) -> str:
    """Return the full name of a member that is given by its full name or its last part."""
    names = [name for name in file.namelist() if not name.endswith("/")]
    if member in names:
        return member
    found = [name for name in names if PurePosixPath(name).name == member]
    if len(found) == 1:
        return found[0]
    problem = f"{len(found)} of that name" if found else "none"
    shown = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
    raise AssayerError(
        f"{archive}: expected one member '{member}', found {problem}; its members are {shown}. "
        "Correct the entry's 'files', or replace the archive."
    )
