"""The checksum of every artifact, recorded when it is written and checked when it is read.

The record of `means.csv` is `.means.csv.sha256` beside it: a line with the SHA-256 of the file. An
artifact that was altered since, by a failing disk or by hand, is therefore never read, drawn or
certified. A file without a record, such as one from another program, is taken as it is.
"""

import hashlib
import os
from pathlib import Path

from assayer.errors import AssayerError

Pathlike = str | os.PathLike[str]


def checksum(path: Pathlike, algorithm: str = "sha256") -> str:
    """Return the checksum of a file in hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def record_of(path: Pathlike) -> Path:
    """Return the place of an artifact's record."""
    path = Path(path)
    return path.with_name(f".{path.name}.sha256")


def recorded(path: Pathlike) -> list[str] | None:
    """Return the checksums that an artifact may have, or None if it has no record.

    There are two of them while the artifact is being replaced.
    """
    try:
        return record_of(path).read_text(encoding="utf-8", errors="replace").split()
    except FileNotFoundError:
        return None


def as_recorded(path: Pathlike, found: str) -> bool:
    """Say whether a checksum is the one that is recorded, if one is."""
    known = recorded(path)
    return known is None or found in known


def checked(path: Pathlike) -> Pathlike:
    """Return the path of an artifact; raises AssayerError if it is not what was written there."""
    if record_of(path).exists() and not as_recorded(path, checksum(path)):
        raise AssayerError(
            f"{path}: expected the bytes that were written, found others: the file was altered "
            f"since, or its record {record_of(path).name} was. Delete the file and run again."
        )
    return path


def remove_stale_records(folder: Path) -> None:
    """Remove the records of artifacts that are not there any more, such as temporary ones."""
    for record in folder.rglob(".*.sha256"):
        if not record.with_name(record.name[1:].removesuffix(".sha256")).exists():
            record.unlink()
