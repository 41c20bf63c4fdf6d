"""The pipeline's artifacts and their files: the one place that knows file layouts.

Every file is written to a temporary name of its own in the folder of its target, synced and
renamed, so that a file that exists is whole; the same content always gives the same bytes, and
their checksum is recorded (`rankassay.artifacts.checksums`). Tables are in
`rankassay.artifacts.tables`, arrays in `.arrays`.
"""

import contextlib
import errno
import glob
import gzip
import json
import lzma
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from rankassay.artifacts.checksums import Pathlike, checked, checksum, record_of, recorded
from rankassay.errors import RankassayError

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

# Bytes of a name, of the 255 of most file systems: the temporary name of its record is longer.
LONGEST_NAME = 230
PACKERS = {
    ".gz": lambda raw: gzip.GzipFile("", "wb", fileobj=raw, mtime=0),
    ".xz": lambda raw: lzma.LZMAFile(raw, "wb"),  # noqa: SIM115
}
UNPACKABLE = (".zst", ".bz2", ".zip", ".lz4")


@contextlib.contextmanager
def atomic(path: Pathlike, mode: str = "wb", record: bool = True) -> Iterator[IO]:
    """Open a temporary file next to `path`; sync it and rename it to `path` on success.

    `record` says that it is an artifact, whose checksum is kept. A file that is there keeps its
    mode; a link is replaced, and what it leads to stays. Raises RankassayError for a pipe or a
    device: a file in its place would take it from all others.
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
    """Open a file of the user's own for writing, whole as by `atomic`, where links lead.

    A pipe or a device is written to as it is.
    """
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

    Packed without a time or a name, the same lines give the same bytes. Raises RankassayError for
    the ending of another packed form.
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

    No other writer has its name, and no link that lies there is followed. What writers of `path`
    left that were killed goes.
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
    """Remove temporary files of `path` whose writers have ended: nobody holds their locks.

    Where files cannot be locked, all stay, as nothing tells of a writer's end.
    """
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
    """Rename a file to the path of an artifact, and record its checksum `own`.

    Two writers take turns, so that the record is of the one that renamed last.
    """
    with locked(path.parent):
        # A kill may leave the older file: until it is replaced, either is right.
        known = [own, *_checksums(path)]
        _record(path, known)
        os.replace(temporary, path)
        if known[1:]:
            _record(path, known[:1])


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Wait until no other process or thread has the lock of a folder, and hold it.

    Some shared file systems lock no folders: there nobody waits.
    """
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


def _checksums(path: Path) -> list[str]:
    """Return the checksums that a file may have, if it is there."""
    if not path.exists():
        return []
    return recorded(path) or [checksum(path)]


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
    """Raise RankassayError for paths that a run cannot write to.

    The folder that the names are in has to be one, too.
    """
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
    """Turn all errors in a file's content into one clear error.

    A file that was altered since it was written is not read (`rankassay.artifacts.checksums`).
    """
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
