"""Files of manifests: written at the end of a run, read and checked by `verify`."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assayer.artifacts.checksums import (
    MANIFEST,
    Pathlike,
    as_recorded,
    checksum,
    files_in,
    recorded,
    remove_stale_records,
)
from assayer.artifacts.description import describe
from assayer.artifacts.files import read_json, write_json
from assayer.errors import AssayerError
from assayer.lookup import source_of

MOST_NAMED = 5  # artifacts in one message
# What no two runs have in common: how long each job took. A manifest names the report, so that it
# has to have a record that it agrees with, but holds no checksum of it: equal runs have equal
# manifests. What jobs took has no records: only the report shows it.
REPORT = Path("results/report.html")
BENCHMARKS = Path("results/benchmarks")
FOLDERS = ("data/processed", "results", "figures")
CODE = ("Snakefile", "workflow/**/*")
SOURCE = (
    "assayer/**/*.py",
    "assayer/studies/*/claims.yaml",
    "assayer/studies/*/captions/*",
    "assayer/studies/*/published/*",
)
PARTS = {
    **dict.fromkeys(("packages", "config", "code", "splits", "artifacts"), dict),
    **dict.fromkeys(("assayer", "python", "platform"), str),
}


def write(folder: Pathlike, config: Mapping[str, Any], project: Pathlike) -> list[str]:
    """Write the manifest of a folder's artifacts, whatever run made them.

    Returns those of the former manifest that are not there any more, which the new one leaves out.
    `config` is the merged configuration of the run, `project` the folder of the project's code.
    Raises AssayerError, and writes none, if an artifact is not what was written.
    """
    folder, project = Path(folder), Path(project)
    found, before = artifacts(folder), _former(folder)
    _check(folder, found | _others(folder))
    code = _code(project, CODE) | {
        f"src/{name}": known for name, known in _code(source_of(project), SOURCE).items()
    }
    content = describe(config, code, splits(folder), found)
    timed = [REPORT.as_posix()] if (folder / REPORT).is_file() else []
    write_json(content | {"timed": timed}, folder / MANIFEST)
    for kind in FOLDERS:
        remove_stale_records(folder / kind)
    now = {*found, *timed}
    return [name for name in (*before["artifacts"], *before["timed"]) if name not in now]


def _code(folder: Path, patterns: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of each file that fits a pattern, by its path in the folder."""
    return {
        path.relative_to(folder).as_posix(): checksum(path)
        for pattern in patterns
        for path in folder.glob(pattern)
        if path.is_file()
    }


def read(path: Pathlike) -> dict[str, Any]:
    """Read a manifest, or that of a folder; raises AssayerError for what is none.

    Of a folder the artifacts that are there now are described, which may not be those of its
    manifest (see `stale`).
    """
    path = Path(path)
    place = path / MANIFEST if path.is_dir() else path
    try:
        content = read_json(place)
    except FileNotFoundError as error:
        raise AssayerError(
            f"expected a manifest at {place}, found none; a run writes it when it succeeds."
        ) from error
    except AssayerError as error:
        raise AssayerError(f"expected a manifest; {error}") from error
    for part, kind in PARTS.items():
        if not isinstance(content, dict) or not isinstance(content.get(part), kind):
            raise AssayerError(f"{place}: expected a manifest, found a file without its '{part}'.")
    if path.is_dir():
        content |= {"splits": splits(path), "artifacts": artifacts(path)}
    return content


def check(folder: Pathlike) -> None:
    """Raise AssayerError, naming them, if artifacts of earlier runs are not what was written."""
    folder = Path(folder)
    _check(folder, artifacts(folder) | _others(folder))


def _others(folder: Path) -> dict[str, str]:
    """Return the checksums of the manifest and of the report, which are in no manifest."""
    there = [path for path in (MANIFEST, REPORT) if (folder / path).is_file()]
    return {path.as_posix(): checksum(folder / path) for path in there}


def _former(folder: Path) -> dict[str, Any]:
    """Return what the manifest in a folder says of artifacts; nothing if there is none."""
    try:
        content = read_json(folder / MANIFEST)
    except (OSError, AssayerError):
        content = {}
    content = content if isinstance(content, dict) else {}
    found = {"artifacts": {}, "timed": []}
    return {
        part: content[part] if isinstance(content.get(part), type(none)) else none
        for part, none in found.items()
    }


def _check(folder: Path, found: Mapping[str, str]) -> None:
    """Compare checksums with the records, and those of older files with the manifest."""
    before = _former(folder)
    ended = (folder / MANIFEST).stat().st_mtime_ns if (folder / MANIFEST).is_file() else 0
    wrong = []
    for name, own in found.items():
        path = folder / name
        known = recorded(path)
        # What a later run has made, which then failed, is not as the manifest says.
        of_then = path.stat().st_mtime_ns <= ended or known is None
        if (
            (known is not None and own not in known)
            or (known is None and name in before["timed"])
            or (of_then and before["artifacts"].get(name, own) != own)
        ):
            wrong.append(name)
    if wrong:
        what = "1 artifact is" if len(wrong) == 1 else f"{len(wrong)} artifacts are"
        raise AssayerError(
            f"{what} not what the run wrote: {named(wrong)}. Delete what was altered since, and "
            "run again."
        )


def named(paths: Sequence[str]) -> str:
    """Return the first of some paths as a message names them."""
    return ", ".join(paths[:MOST_NAMED]) + ", ..." * (len(paths) > MOST_NAMED)


def stale(folder: Pathlike) -> list[str]:
    """Return the artifacts that are not as a folder's manifest says: changed, removed and added."""
    folder = Path(folder)
    before, found = read(folder / MANIFEST)["artifacts"], read(folder)["artifacts"]
    others, timed = _others(folder), _former(folder)["timed"]
    paths = dict.fromkeys([*before, *found])
    return [
        *(path for path in paths if before.get(path) != found.get(path)),
        *(path for path, own in others.items() if not as_recorded(folder / path, own)),
        *(path for path in timed if path not in others or recorded(folder / path) is None),
    ]


def artifacts(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each artifact in a folder, by its path there.

    Folders that are links are entered: results may have moved to a larger disk.
    """
    paths = {path.relative_to(folder): path for kind in FOLDERS for path in files_in(folder / kind)}
    found = {
        place.as_posix(): path
        for place, path in paths.items()
        # No run times, and no hidden files such as those that are being written.
        if not path.name.startswith(".")
        and BENCHMARKS not in place.parents
        and place not in (MANIFEST, REPORT)
    }
    return {name: checksum(path) for name, path in sorted(found.items())}


def splits(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of what the training and test matrices hold, by dataset and part."""
    found = {}
    for path in folder.glob("results/**/split/summary.csv"):
        dataset = path.relative_to(folder / "results").parents[1].as_posix()
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            for row in csv.DictReader(file):
                found[f"{dataset}/{row.get('part')}"] = row.get("sha256")
    return found
