"""The checksum of every artifact, recorded when it is written and checked when it is read.

The record of `means.csv` is `.means.csv.sha256` in the same folder: a line with the SHA-256 of the
file. An artifact that was altered since, by a failing disk or by hand, is therefore never read,
drawn or certified. A file without a record is compared with the manifest of the folder it is in,
and so is every result of a finished run (`certified`); one that neither knows, such as one from
another program, is taken as it is.
"""

import errno
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from rankassay.errors import RankassayError

Pathlike = str | os.PathLike[str]
FIRST_USE = "data/first-use"  # there, too: a record of the raw files of each dataset
MANIFEST = Path(
    "results/manifest.json"
)  # in the folder of a run; see `rankassay.artifacts.manifest`
ARTIFACTS = ("data", "results", "figures")  # the folders, there, of what a manifest names


def regular(path: Pathlike) -> Pathlike:
    """Return a path to read; raises RankassayError for a pipe or a device, which may never end."""
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise RankassayError(
            f"{path}: expected a file, found a pipe or a device; put the file there, or delete it "
            "and run again."
        )
    return path


def checksum(path: Pathlike, algorithm: str = "sha256") -> str:
    """Return the checksum of a file in hexadecimal digits."""
    with open(regular(path), "rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def record_of(path: Pathlike) -> Path:
    """Return the place of an artifact's record."""
    path = Path(path)
    return path.with_name(f".{path.name}.sha256")


def recorded(path: Pathlike) -> list[str] | None:
    """Return the checksums that an artifact may have, or None if it has no record.

    There are two of them while the artifact is being replaced, and none if the record is there but
    cannot be read: then no file is the right one.
    """
    try:
        record = Path(regular(record_of(path)))
        return record.read_text(encoding="utf-8", errors="replace").split()
    except OSError as error:
        # No record was written under a name that is too long (`rankassay.artifacts.files.atomic`).
        none = error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)
        return None if none else []


def in_manifest(path: Pathlike) -> str | None:
    """Return the checksum that an artifact has in the manifest of its folder, if it has one.

    Raises RankassayError where that is no manifest: else each file next to it would be taken.
    """
    path = Path(os.path.abspath(path))  # links are not followed: the manifest has their names
    for folder in path.parents:
        name = path.relative_to(folder)
        if name.parts[0] not in ARTIFACTS:  # such as a folder of runs, next to results of its own
            continue
        try:
            content = json.loads(Path(regular(folder / MANIFEST)).read_text(encoding="utf-8"))
            check_origin(content, folder / MANIFEST)
            found = content["artifacts"].get(name.as_posix())
            if not isinstance(found, str | None):
                raise TypeError
        except OSError:
            continue
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            raise no_manifest(folder / MANIFEST) from None
        return found
    return None


def check_origin(content: object, place: Path) -> None:
    """Raise RankassayError for the manifest of a run that was made before the program had its name.

    Its results are of code and keys that are not known any more.
    """
    if isinstance(content, dict) and "config_sha256" in content and "rankassay" not in content:
        raise RankassayError(
            f"{place}: expected the manifest of a run of rankassay, found one without the key "
            "'rankassay', which is of an earlier program; move data, results and figures of that "
            "folder away, or run in another one."
        )


def no_manifest(place: Path) -> RankassayError:
    """Return the error for a file in the place of a manifest that is none."""
    return RankassayError(
        f"{place}: expected the manifest of a run, found something else; delete the file and run "
        "again."
    )


def check_fetched(path: Pathlike, expected: object) -> None:
    """Raise RankassayError for a raw file that was altered since it was fetched.

    Else the ratings of one file would be certified under the checksum of another. The file is read
    once more for it, in pieces, at some 400 MB a second.
    """
    found = checksum(path)
    if found != expected:
        raise RankassayError(
            f"{path}: expected the file that was fetched (SHA-256 {str(expected)[:12]}...), found "
            f"another ({found[:12]}...). Put that file back; or, if you want this one, delete the "
            f"dataset's source.json in data/processed, and its record in {FIRST_USE} if it is "
            "there, and run again."
        )


def checked(path: Pathlike) -> Pathlike:
    """Return the path of an artifact; raises RankassayError if it was altered since written."""
    known, witness = recorded(path), f"its record {record_of(path).name}"
    if known is None and (own := in_manifest(path)) is not None:
        known, witness = [own], "the manifest"
    if known is not None and checksum(path) not in known:
        raise RankassayError(
            f"{path}: expected the bytes that were written, found others: the file was altered "
            f"since, or {witness} was. Delete the file and run again."
        )
    return path


def certified(path: Pathlike) -> Pathlike:
    """Return the path of an artifact of a finished run; raises RankassayError if it is none.

    Its bytes are those in the manifest, if the manifest names it: not those of another artifact
    that brought its record along, nor of a later run that did not end. Jobs read what is newer than
    the manifest, and use `checked`.
    """
    known = in_manifest(path)
    if known is not None and checksum(path) != known:
        raise RankassayError(
            f"{path}: expected the bytes that {MANIFEST} names, found others: the file was altered "
            "or replaced since, or is of a later run that did not end. Let that run end; else "
            "delete the file and run again."
        )
    return path


def files_in(folder: Path, above: tuple[Path, ...] = ()) -> Iterator[Path]:
    """Yield the files in a folder, and in those that links in it lead to.

    A link back to a folder that it is in is not followed. Raises OSError for a folder that cannot
    be read, and RankassayError for pipes and devices: they would be missing without a message.
    """
    own = folder.resolve()
    if own in above or not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            yield from files_in(path, (*above, own))
        elif Path(regular(path)).is_file():
            yield path


def remove_stale_records(folder: Path) -> None:
    """Remove the records of artifacts that are not there any more, such as temporary ones."""
    for record in files_in(folder):
        if not (record.name.startswith(".") and record.suffix == ".sha256"):
            continue
        if not record.with_name(record.name[1:].removesuffix(".sha256")).exists():
            record.unlink()
