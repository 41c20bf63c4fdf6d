"""Finding or downloading the raw files of a dataset.

A file that is already in the raw directory is used; only what is missing is downloaded. The
checksum of a file that is used is recorded in the folder of the run, and another file in its place
is refused later.
"""

import contextlib
import logging
import lzma
import os
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import IO, Any

from rankassay.artifacts.files import atomic, checksum, locked
from rankassay.data.entries import BESIDE, DESCRIBED, score_files
from rankassay.data.transfer import Failed, Settings, download
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


log = logging.getLogger(__name__)

FOUND = "found"
OPTIONAL = DESCRIBED


def fetch(
    name: str,
    entry: Mapping[str, Any],
    raw_dir: str | os.PathLike[str],
    settings: Settings | None = None,
    first_use: str | os.PathLike[str] | None = None,
) -> dict[str, dict[str, Any]]:
    """Find the files of a catalogue entry, or download them into its folder of `raw_dir`.

    Returns of each file its `path`, `sha256`, `size` and `origin` ("found" or a URL), and of one
    from an archive `archive` and `archive_sha256`. Checksums of first uses are kept in `first_use`.
    """
    try:
        if entry.get("kind") == "scores":
            return _described(name, {key: Path(path) for key, path in score_files(entry).items()})
        if "path" in entry:
            return _local(name, entry, Path(raw_dir))
        with _locked(_folder(name, entry, Path(raw_dir)), entry):
            found = _catalogued(name, entry, Path(raw_dir), settings or Settings())
            if first_use:
                _check_first_use(name, found, Path(first_use) / f"{name}.sha256")
            return found
    except OSError as error:
        raise RankassayError(
            f"dataset '{name}': cannot read or write {error.filename or raw_dir} "
            f"({error.strerror or error}); check its permissions and the free space."
        ) from error


@contextlib.contextmanager
def _locked(folder: Path, entry: Mapping) -> Iterator[None]:
    """Wait until no other run downloads the same dataset here; a folder may be only readable."""
    with contextlib.ExitStack() as held:
        if entry.get("urls"):
            with contextlib.suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
                held.enter_context(locked(folder))
        yield


def _check_first_use(name: str, found: Mapping[str, Mapping[str, Any]], record: Path) -> None:
    """Record the checksums of files when they are used first; later they must be the same.

    A file whose publisher names no checksum is so at least the one of the first run here. The
    record is one of `sha256sum`.
    """
    lines = record.read_text("utf-8", "replace").splitlines() if record.exists() else []
    known = {path: digest for digest, _, path in (line.partition("  ") for line in lines)}
    for key, file in found.items():
        path, digest = file["path"], file["sha256"]
        if known.setdefault(path, digest) != digest:
            raise RankassayError(
                f"dataset '{name}', {key}: {path} is not the file that was used first (SHA-256 "
                f"{known[path][:12]}... in {record}, found {digest[:12]}...). Put that file back; "
                "or delete the record, if you want this one."
            )
    if len(known) > len(lines):
        with atomic(record, "w", record=False) as file:
            file.writelines(f"{digest}  {path}\n" for path, digest in known.items())


def _check_found(name: str, entry: Mapping, path: Path) -> None:
    """Raise RankassayError if a file that was found is not the one of the catalogue."""
    if "checksum" not in entry:
        return
    algorithm, _, expected = entry["checksum"].partition(":")
    found = checksum(path, algorithm)
    if found != expected.lower():
        raise RankassayError(
            f"dataset '{name}': {path} is not the file of the catalogue: expected {algorithm} "
            f"{expected}, found {found}. Delete the file, to download it; or correct 'checksum' in "
            "the dataset's entry, if you want this one."
        )


def _catalogued(name: str, entry: Mapping, raw_dir: Path, settings: Settings) -> dict:
    """Search the raw directory for the files, then for the archive, then download."""
    targets = _targets(name, entry, raw_dir)
    missing = [key for key, target in targets.items() if not target.is_file()]
    origins = {key: {"origin": FOUND} for key in targets if key not in missing}
    required = [key for key in missing if key not in OPTIONAL]
    if missing and "archive" in entry:
        places = [folder / entry["archive"] for folder in (_folder(name, entry, raw_dir), raw_dir)]
        archive = next((place for place in places if place.is_file()), None)
        origin = FOUND
        if archive is not None:
            _check_found(name, entry, archive)
        elif required:
            archive = places[0]
            origin = _download(name, entry, archive, targets["ratings"], settings)
        if archive is not None:
            extract(archive, {entry["files"][key]: targets[key] for key in missing})
            packed = {"archive": str(archive), "archive_sha256": checksum(archive)}
            origins |= {key: {"origin": origin, **packed} for key in missing}
    elif "ratings" in missing:
        origins["ratings"] = {"origin": _download(name, entry, targets["ratings"], None, settings)}
    elif "archive" not in entry:
        _check_found(name, entry, targets["ratings"])
    for key in [key for key in required if key not in origins]:
        raise RankassayError(
            f"dataset '{name}': no URL of {targets[key].name} ({key}) is known. {_by_hand(entry)} "
            f"and put it at {targets[key]}."
        )
    for key in targets.keys() - origins.keys():
        log.info("%s: no %s (%s is not there); left out", name, key, targets[key])
    return {key: _describe(targets[key]) | origins[key] for key in targets if key in origins}


def _folder(name: str, entry: Mapping, raw_dir: Path) -> Path:
    """Return the folder of a dataset's raw files, its own one or one that it shares."""
    return raw_dir / entry.get("folder", name)


def _targets(name: str, entry: Mapping, raw_dir: Path) -> dict[str, Path]:
    """Return the paths for the files of an entry, always in the dataset's folder."""
    targets = {}
    for key, path in entry["files"].items():
        last = PurePosixPath(path).name
        if last in ("", "..") or "\0" in last:
            raise RankassayError(
                f"dataset '{name}', files.{key}: expected the name of a file, found '{path}'."
            )
        targets[key] = _folder(name, entry, raw_dir) / last
    return targets


def _download(
    name: str, entry: Mapping, target: Path, inside: Path | None, settings: Settings
) -> str:
    """Download to `target` from the first URL that delivers, and return that URL."""
    failures = []
    for url in entry.get("urls", ()):
        log.info("%s: downloading %s", name, url)
        try:
            download(url, target, entry.get("checksum"), settings)
            return url
        except Failed as failure:
            log.info("%s: %s", url, failure)
            failures.append(f"{url} ({failure})")
    tried = "tried " + "; ".join(failures) if failures else "no URL of it is known"
    place = f"{target} (or what it contains as {inside})" if inside else str(target)
    raise RankassayError(
        f"dataset '{name}': cannot download {target.name}: {tried}. {_by_hand(entry)} and put it "
        f"at {place}."
    )


def _by_hand(entry: Mapping) -> str:
    """Return what to do where nothing can be downloaded."""
    return f"Get the file by hand{' from ' + entry['page'] if entry.get('page') else ''}"


def _local(name: str, entry: Mapping, raw_dir: Path) -> dict:
    """Describe a user's own file; members of a zip file are extracted into the raw directory."""
    paths = {"ratings": Path(entry["path"])}
    for part in BESIDE:
        if f"{part}_path" in entry:
            paths[part] = Path(entry[f"{part}_path"])
    if "train" in entry:
        paths["train"] = Path(entry["train"])
    found = _described(name, paths)
    if "files" in entry:
        archive = paths["ratings"]
        packed = {"archive": str(archive), "archive_sha256": checksum(archive)}
        # Extracted every time: the user may have put a newer archive at the same place.
        members = _targets(name, entry, raw_dir)
        extract(archive, {entry["files"][key]: target for key, target in members.items()})
        found |= {
            key: _describe(path) | {"origin": FOUND, **packed} for key, path in members.items()
        }
    return found


def _described(name: str, paths: Mapping[str, Path]) -> dict:
    """Describe files that are read where they lie; raises RankassayError for a missing one."""
    for path in paths.values():
        if not path.is_file():
            raise RankassayError(
                f"dataset '{name}': expected a file at {path}, found none; correct its path."
            )
    return {key: _describe(path) | {"origin": FOUND} for key, path in paths.items()}


def _describe(path: Path) -> dict[str, Any]:
    """Return path, checksum and size of a file."""
    return {"path": str(path), "sha256": checksum(path), "size": path.stat().st_size}
