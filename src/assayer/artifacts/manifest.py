"""Files of manifests: written at the end of a run, read and checked by `verify`."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from assayer.artifacts.checksums import (
    Pathlike,
    as_recorded,
    checksum,
    record_of,
    remove_stale_records,
)
from assayer.artifacts.description import describe
from assayer.artifacts.files import read_json, write_json
from assayer.errors import AssayerError
from assayer.lookup import source_of

PLACE = Path("results/manifest.json")
MOST_NAMED = 5  # artifacts in one message
# No artifact: it tells how long each job took, which no two runs have in common. All else that it
# shows is in artifacts or in the manifest.
REPORT = Path("results/report.html")
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


def write(folder: Pathlike, config: Mapping[str, Any], project: Pathlike) -> None:
    """Write the manifest of a folder's artifacts, whatever run made them.

    `config` is the merged configuration of the run, `project` the folder of the project's code.
    Raises AssayerError, and writes none, if an artifact is not what was written.
    """
    folder, project = Path(folder), Path(project)
    found = artifacts(folder)
    _check(folder, found)
    code = _code(project, CODE) | {
        f"src/{name}": known for name, known in _code(source_of(project), SOURCE).items()
    }
    content = describe(config, code, splits(folder), found)
    write_json(content, folder / PLACE)
    for kind in FOLDERS:
        remove_stale_records(folder / kind)


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
    place = path / PLACE if path.is_dir() else path
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
    there = [path for path in (PLACE, REPORT) if (folder / path).is_file()]
    return {path.as_posix(): checksum(folder / path) for path in there}


def _check(folder: Path, found: Mapping[str, str]) -> None:
    """Compare checksums with the records, and those of older files with the manifest."""
    try:
        before = read_json(folder / PLACE)["artifacts"]
        ended = (folder / PLACE).stat().st_mtime_ns
    except (OSError, AssayerError, KeyError, TypeError):
        before, ended = {}, 0
    wrong = []
    for name, own in found.items():
        path = folder / name
        # What a later run has made, which then failed, is not as the manifest says.
        of_then = path.stat().st_mtime_ns <= ended or not record_of(path).exists()
        if not as_recorded(path, own) or (of_then and before.get(name, own) != own):
            wrong.append(name)
    if wrong:
        named = ", ".join(wrong[:MOST_NAMED]) + ", ..." * (len(wrong) > MOST_NAMED)
        what = "1 artifact is" if len(wrong) == 1 else f"{len(wrong)} artifacts are"
        raise AssayerError(
            f"{what} not what the run wrote: {named}. Delete what was altered since, and run again."
        )


def stale(folder: Pathlike) -> list[str]:
    """Return the artifacts that are not as a folder's manifest says: changed, removed and added."""
    folder = Path(folder)
    before, found = read(folder / PLACE)["artifacts"], read(folder)["artifacts"]
    paths = dict.fromkeys([*before, *found])
    return [path for path in paths if before.get(path) != found.get(path)] + [
        path for path, own in _others(folder).items() if not as_recorded(folder / path, own)
    ]


def artifacts(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each artifact in a folder, by its path there."""
    paths = {
        path.relative_to(folder): path for kind in FOLDERS for path in (folder / kind).rglob("*")
    }
    found = {
        place.as_posix(): path
        for place, path in paths.items()
        # No run times, and no hidden files such as those that are being written.
        if path.is_file()
        and not path.name.startswith(".")
        and "benchmarks" not in place.parts
        and place not in (PLACE, REPORT)
    }
    return {name: checksum(path) for name, path in sorted(found.items())}


def splits(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of what the training and test matrices hold, by dataset and part."""
    found = {}
    for path in folder.glob("results/*/split/summary.csv"):
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            for row in csv.DictReader(file):
                found[f"{path.parts[-3]}/{row.get('part')}"] = row.get("sha256")
    return found
