"""Files of manifests: written at the end of a run, read and checked by `verify`."""

import csv
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assayer.artifacts.description import describe
from assayer.artifacts.files import Pathlike, read_json, write_json
from assayer.errors import AssayerError

PLACE = Path("results/manifest.json")
# No artifact: it tells how long each job took, which no two runs have in common. All else that it
# shows is in artifacts or in the manifest.
REPORT = Path("results/report.html")
FOLDERS = ("data/processed", "results", "figures")
CODE = (
    "Snakefile",
    "workflow/**/*",
    "src/assayer/**/*.py",
    "src/assayer/studies/*/claims.yaml",
    "src/assayer/studies/*/captions/*",
    "src/assayer/studies/*/published/*",
)
PARTS = {
    **dict.fromkeys(("packages", "config", "code", "splits", "artifacts"), dict),
    **dict.fromkeys(("assayer", "python", "platform"), str),
}


def write(folder: Pathlike, config: Mapping[str, Any], project: Pathlike) -> None:
    """Write the manifest of a folder's artifacts, whatever run made them.

    `config` is the merged configuration of the run, `project` the folder of the project's code.
    """
    folder, project = Path(folder), Path(project)
    code = {
        path.relative_to(project).as_posix(): checksum(path)
        for pattern in CODE
        for path in project.glob(pattern)
        if path.is_file()
    }
    content = describe(config, code, splits(folder), artifacts(folder))
    write_json(content, folder / PLACE)


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
    except ValueError as error:
        raise AssayerError(f"{place}: expected a manifest, found other text ({error}).") from error
    for part, kind in PARTS.items():
        if not isinstance(content, dict) or not isinstance(content.get(part), kind):
            raise AssayerError(f"{place}: expected a manifest, found a file without its '{part}'.")
    if path.is_dir():
        content |= {"splits": splits(path), "artifacts": artifacts(path)}
    return content


def stale(folder: Pathlike) -> list[str]:
    """Return the artifacts that are not as a folder's manifest says: changed, removed and added."""
    recorded, found = read(Path(folder) / PLACE)["artifacts"], read(folder)["artifacts"]
    paths = dict.fromkeys([*recorded, *found])
    return [path for path in paths if recorded.get(path) != found.get(path)]


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
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                found[f"{path.parts[-3]}/{row['part']}"] = row["sha256"]
    return found


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
