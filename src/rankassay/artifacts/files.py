"""The pipeline's artifacts and their files: written whole, with a checksum that readers check.

Every file is written to a temporary name of its own in the folder of its target, synced and
renamed, so that a file that exists is whole; the same content always gives the same bytes. The
record of `means.csv` is `.means.csv.sha256` in the same folder: a line with the SHA-256 of the
file. An artifact that was altered since, by a failing disk or by hand, is therefore never read,
drawn or certified. A file without a record is compared with the manifest of the folder it is in,
and so is every result of a finished run (`certified`); one that neither knows, such as one from
another program, is taken as it is.
"""

import contextlib
import errno
import glob
import gzip
import hashlib
import json
import lzma
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from rankassay.errors import RankassayError

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

Pathlike = str | os.PathLike[str]
FIRST_USE = "data/first-use"  # there, too: a record of the raw files of each dataset
# In the folder of a run; see `rankassay.artifacts.manifest`.
MANIFEST = Path("results/manifest.json")
ARTIFACTS = ("data", "results", "figures")  # the folders, there, of what a manifest names
# Bytes of a name, of the 255 of most file systems: the temporary name of its record is longer.
LONGEST_NAME = 230
PACKERS = {
    ".gz": lambda raw: gzip.GzipFile("", "wb", fileobj=raw, mtime=0),
    ".xz": lambda raw: lzma.LZMAFile(raw, "wb"),  # noqa: SIM115
}
UNPACKABLE = (".zst", ".bz2", ".zip", ".lz4")


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

    They are two while it is being replaced, and none if the record cannot be read: no file is
    right.
    """
    try:
        record = Path(regular(record_of(path)))
        return record.read_text(encoding="utf-8", errors="replace").split()
    except OSError as error:
        # No record was written under a name that is too long (`rankassay.artifacts.files.atomic`).
        none = error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)
        return None if none else []


def in_manifest(path: Pathlike) -> str | None:
    """Return the checksum that an artifact has in the manifest of its folder, if it has one."""
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
    """Raise RankassayError for the manifest of a run from before the program had its name."""
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
    """Raise RankassayError for a raw file that was altered since it was fetched."""
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
    """Return the path of an artifact of a finished run, whose bytes are those in the manifest.

    So it is none that brought its record along, nor of a later run that did not end. Jobs read what
    is newer than the manifest, and use `checked`.
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
    """Yield the files in a folder, and in those that links in it lead to, but back.

    Pipes and devices are refused: they would be missing without a message.
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


@contextlib.contextmanager
def atomic(path: Pathlike, mode: str = "wb", record: bool = True) -> Iterator[IO]:
    """Open a temporary file next to `path`; sync it and rename it to `path` on success.

    A file that is there keeps its mode; a link is replaced. A pipe or a device is refused: a file
    in its place would take it from all others. `record` keeps a checksum, as of artifacts.
    """
    path = Path(path)
    if not path.name or path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if (length := len(os.fsencode(path.name))) > LONGEST_NAME:
        raise RankassayError(
            f"{path.parent}: expected a file name of at most {LONGEST_NAME} bytes, found one of "
            f"{length}: '{path.name[:40]}...'; choose a shorter one."
        )
    if path.exists() and not path.is_file():
        raise RankassayError(
            f"{path}: expected a file, or none, found a pipe or a device; choose another path."
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with _beside(path, mode) as (file, temporary):
            yield file
            _sync(file)
            if record:
                _replace(temporary, path, checksum(temporary))
            else:
                os.replace(temporary, path)
        _sync_folder(path.parent)
    except OSError as error:
        error.filename = error.filename or str(path)  # what writes to a full disk names none
        raise


def record(path: Pathlike) -> None:
    """Keep the checksum of an artifact that was written without, as by `rewriting`."""
    if Path(path).is_file():
        with locked(Path(path).parent):
            _record(Path(path), [checksum(path)])


@contextlib.contextmanager
def rewriting(path: Pathlike) -> Iterator[IO]:
    """Open a file of the user's own for writing, whole where links lead; pipes are written to."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        with open(path, "wb") as file:
            yield file
        return
    real = os.path.realpath(path)
    if os.path.islink(real):  # links that lead to each other
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    with atomic(real, record=False) as file:
        yield file


def write_lines(lines: Iterable[str], path: Pathlike) -> None:
    """Write a text of the user's own by `rewriting`, packed by gzip or xz where the name ends so.

    Packed without a time or a name, the same lines give the same bytes.
    """
    ending = os.path.splitext(path)[1]
    if ending in UNPACKABLE:
        raise RankassayError(
            f"{path}: expected a name that ends as a text, or in .gz or .xz to pack it, found "
            f"{ending}; rename the file."
        )
    with rewriting(path) as raw, contextlib.ExitStack() as held:
        file: IO = raw
        if ending in PACKERS:
            file = held.enter_context(PACKERS[ending](raw))
        for line in lines:
            file.write(line.encode())


@contextlib.contextmanager
def _beside(path: Path, mode: str) -> Iterator[tuple[IO, Path]]:
    """Open a new file next to `path`, which is gone in the end unless it was renamed.

    No other writer has its name, and what killed writers of `path` left goes.
    """
    _clear(path)
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    while True:
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
        with contextlib.suppress(FileExistsError):
            file = open(temporary, mode.replace("w", "x"), **text)  # noqa: SIM115
            if not fcntl:
                break
            with contextlib.suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_EX)
            if os.fstat(file.fileno()).st_nlink:  # else cleared by another before it was locked
                break
            file.close()
    try:
        with file:
            if path.is_file() and not path.is_symlink():
                own = file.fileno() if os.chmod in os.supports_fd else temporary
                os.chmod(own, stat.S_IMODE(path.stat().st_mode))
            yield file, temporary
    finally:
        temporary.unlink(missing_ok=True)


def _clear(path: Path) -> None:
    """Remove temporary files of `path` whose writers have ended: nobody holds their locks."""
    if not fcntl:
        return
    for left in path.parent.glob(f".{glob.escape(path.name)}.{'[0-9a-f]' * 8}.tmp"):
        with contextlib.suppress(OSError):
            handle = os.open(left, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left.unlink()
            finally:
                os.close(handle)


def _replace(temporary: Path, path: Path, own: str) -> None:
    """Rename a file to an artifact, and record its checksum; two writers take turns."""
    with locked(path.parent):
        # A kill may leave the older file: until it is replaced, either is right.
        known = [own]
        if path.exists():
            known += recorded(path) or [checksum(path)]
        _record(path, known)
        os.replace(temporary, path)
        if known[1:]:
            _record(path, known[:1])


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, where it can be locked; some shared file systems cannot."""
    handle = os.open(folder, os.O_RDONLY) if fcntl else None
    try:
        if fcntl:
            with contextlib.suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        if fcntl:
            with contextlib.suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_UN)  # a process that was forked has it open, too
            os.close(handle)


def _record(path: Path, checksums: list[str]) -> None:
    """Record the checksums that an artifact may have."""
    record = record_of(path)
    with _beside(record, "w") as (file, temporary):
        file.write("".join(f"{known}\n" for known in checksums))
        _sync(file)
        os.replace(temporary, record)


def _sync(file: IO) -> None:
    """Bring what was written to the disk."""
    file.flush()
    os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Sync a folder's entries: else a crash of the machine could bring an older file back.

    Snakemake might then take it for the one that its records, which were synced, tell of.
    """
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_json(content: dict, path: Pathlike) -> None:
    """Write a JSON object, indented, keys in the given order."""
    with atomic(path, "w") as file:
        file.write(json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def read_json(path: Pathlike) -> dict:
    """Read a JSON object; raises RankassayError if it was altered since it was written."""
    with reading(path, "a JSON object"):
        return json.loads(Path(path).read_text(encoding="utf-8"))


def read_text(path: Pathlike) -> str:
    """Read a text with its line ends; raises RankassayError if it was altered since."""
    with reading(path, "a text"), open(path, encoding="utf-8", newline="") as file:
        return file.read()


def check_folders(*names: str) -> None:
    """Raise RankassayError for paths, or the folder they are in, that a run cannot write to."""
    for name in (".", *names):
        path = Path(name)
        if os.path.lexists(path) and not path.is_dir():
            found = "a file" if path.exists() else "a link that leads nowhere"
            raise RankassayError(
                f"{path.absolute()}: expected a folder, found {found}; move it away, or run in "
                "another folder (--directory FOLDER)."
            )
        if path.is_dir() and not os.access(path, os.W_OK | os.X_OK):
            raise RankassayError(
                f"{path.absolute()}: expected a folder that can be written to, found one that "
                "cannot; change its rights, or run in another folder (--directory FOLDER)."
            )


@contextlib.contextmanager
def reading(path: Pathlike, kind: str) -> Iterator[None]:
    """Turn all errors in a file's content into one; a file that was altered is refused."""
    checked(path)
    try:
        yield
    except (FileNotFoundError, PermissionError):
        raise
    except Exception as error:  # anything that parsers of damaged files raise, such as TokenError
        raise RankassayError(
            f"{path}: expected an artifact of the kind {kind}, found something else ({error}); "
            "delete the file and run again."
        ) from error
