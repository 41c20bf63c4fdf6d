"""Manifests: the contents and origin of a folder of results, and why two such folders differ.

A manifest is written at the end of a run, and read and checked by `verify`. It names every artifact
with its SHA-256, and what its bytes may depend on: the configuration, the code, the versions of
Python and of packages, and the platform. It holds no time, so that the same results from the same
make the same manifest.
"""

import csv
import hashlib
import importlib.metadata
import json
import platform
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rankassay import __version__
from rankassay.artifacts.files import (
    MANIFEST,
    Pathlike,
    check_origin,
    checksum,
    files_in,
    no_manifest,
    read_json,
    recorded,
    regular,
    remove_stale_records,
    write_json,
)
from rankassay.errors import RankassayError, number_of
from rankassay.lookup import source_of

# Those that compute, draw, read and write, where they are installed; others cannot change a byte.
PACKAGES = (
    "implicit",
    "matplotlib",
    "numba",
    "numpy",
    "pandas",
    "pydantic",
    "pydantic-core",
    "pyyaml",
    "requests",
    "scikit-learn",
    "scipy",
    "snakemake",
    "contourpy",
    "fonttools",
    "llvmlite",
    "pillow",
    "docutils",
    "jinja2",
    "markupsafe",
    "plotly",
    "pyarrow",
    "tqdm",
    "ir-measures",
    "pytrec-eval-terrier",
    "ranx",
)

# Why artifacts may differ, the likeliest cause first: a part of a manifest, and what is said of it.
CAUSES = {
    "config": "the configurations differ",
    "code": "the code differs",
    "packages": "versions of packages differ",
    "python": "the versions of Python differ",
    "platform": "the platforms differ",
    "rankassay": "the versions of rankassay differ",
}

# The parts of the pipeline in order, each with what the paths of its artifacts contain.
STAGES = {
    "sources": ("source.json",),
    "ratings": ("/ratings.npz", "/truth.npz", "/propensities.npz"),
    "statistics": ("/statistics.csv", "/truth.csv"),
    "splits": ("/split/",),
    "lists": ("/rankings/", "/trec/"),
    "scores": ("/scores.npz", "/means.csv"),
    "analyses": (),  # all others
    "verdicts": ("results/claims.csv", "results/claims-totals.csv", "results/claims-sentences.csv"),
    "tables": ("results/tables/",),
    "figures": ("figures/",),
}
MOST_NAMED = 5  # artifacts in one message
# What no two runs have in common: how long each job took. A manifest names the report, so that it
# has to have a record that it agrees with, but holds no checksum of it: equal runs have equal
# manifests. What jobs took has no records: only the report shows it.
REPORT = Path("results/report.html")
UNLISTED = (MANIFEST, REPORT)  # what has a record, and no checksum in the manifest
BENCHMARKS = Path("results/benchmarks")
FOLDERS = ("data/processed", "results", "figures")
CODE = ("Snakefile", "workflow/**/*")
SOURCE = (
    "rankassay/**/*.py",
    "rankassay/studies/*/claims.yaml",
    "rankassay/studies/*/published/*",
    "rankassay/studies/*/simulated/*",
    "rankassay/studies/simulations.json",
)
PARTS = {
    **dict.fromkeys(("packages", "config", "code", "splits", "artifacts"), dict),
    **dict.fromkeys(("rankassay", "python", "platform"), str),
}


def describe(
    config: Mapping[str, Any],
    code: Mapping[str, str],
    splits: Mapping[str, str],
    artifacts: Mapping[str, str],
) -> dict[str, Any]:
    """Return the manifest of a run with a merged configuration.

    `code` has the checksums of the project's files, `splits` those of what the matrices hold, not
    of how it is stored. The versions are those of this process, not of jobs on other machines.
    """
    # As JSON holds it, so that what is read back is equal; the order of keys makes no difference.
    text = json.dumps(config, sort_keys=True, default=str)
    return {
        "rankassay": __version__,
        "python": platform.python_version(),
        "platform": " ".join((platform.system(), platform.machine(), *platform.libc_ver())),
        "packages": {name: version for name in sorted(PACKAGES) if (version := _version(name))},
        "config_sha256": hashlib.sha256(text.encode()).hexdigest(),
        "config": json.loads(text),
        "code": dict(sorted(code.items())),
        "splits": dict(sorted(splits.items())),
        "artifacts": dict(sorted(artifacts.items())),
    }


def _version(package: str) -> str | None:
    """Return the version of a package, if it is installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def stage_of(path: str) -> str:
    """Return the part of the pipeline that an artifact belongs to."""
    found = (s for s, fragments in STAGES.items() if any(part in path for part in fragments))
    return next(found, "analyses")


def ordered(paths: Iterable[str]) -> list[str]:
    """Return the paths of artifacts in the order of the pipeline."""
    return sorted(paths, key=lambda path: ([*STAGES].index(stage_of(path)), path))


def differences(old: Any, new: Any) -> list[str]:
    """Return a line for each value that differs between two parts of a manifest."""
    before, after = dict(_leaves(old)), dict(_leaves(new))
    return [
        f"{place}: {_shown(before.get(place))} -> {_shown(after.get(place))}".removeprefix(": ")
        for place in dict.fromkeys([*before, *after])
        if before.get(place) != after.get(place)
    ]


def _leaves(tree: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield the place, its keys with dots between them, and the value of each leaf, as JSON."""
    if isinstance(tree, dict) and tree:
        for key, child in tree.items():
            yield from _leaves(child, f"{place}.{key}".lstrip("."))
    else:
        yield place, json.dumps(tree, ensure_ascii=False)


def _shown(value: str | None) -> str:
    """Return a value as a line shows it: checksums and long ones shortened."""
    if value is None:
        return "none"
    digits = value.strip('"')
    if len(digits) == 64 and set(digits) <= set("0123456789abcdef"):
        return digits[:12]
    return value if len(value) <= 60 else value[:57] + "..."


def write(
    folder: Pathlike, config: Mapping[str, Any], project: Pathlike, made: Collection[str]
) -> list[str]:
    """Write the manifest of a folder's artifacts; return those of the former one that are gone.

    What neither this run (`made`) nor earlier runs of the same configuration and code asked for is
    named as of earlier runs. Raises RankassayError if an artifact was altered since it was written.
    """
    folder = Path(folder)
    found, before = artifacts(folder), former(folder)
    check(folder, found)
    content = describe(config, code_of(project), splits(folder), found)
    known = {*made}
    if _is_of(before, content):
        known |= before["artifacts"].keys() - {*before["earlier"]}
    earlier = [name for name in found if name not in known]
    timed = [REPORT.as_posix()] if (folder / REPORT).is_file() else []
    write_json(content | {"timed": timed, "earlier": earlier}, folder / MANIFEST)
    for kind in FOLDERS:
        remove_stale_records(folder / kind)
    now = {*found, *timed}
    return [name for name in (*before["artifacts"], *before["timed"]) if name not in now]


def code_of(project: Pathlike) -> dict[str, str]:
    """Return the SHA-256 of each file of the project's code, by its path."""
    project = Path(project)
    package = _code(source_of(project), SOURCE)
    return _code(project, CODE) | {f"src/{name}": known for name, known in package.items()}


def _is_of(manifest: Mapping[str, Any], described: Mapping[str, Any]) -> bool:
    """Return whether a manifest is of a run of a configuration and code."""
    return all(manifest[part] == described[part] for part in ("config", "code"))


def check_known(
    folder: Pathlike, config: Mapping[str, Any], project: Pathlike, known: Collection[str]
) -> None:
    """Raise RankassayError where it is unknown whether artifacts are of a configuration.

    Snakemake takes a file as it is of which it has no record (`known` are those with one); so the
    configuration and the code have to be those of the manifest.
    """
    folder = Path(folder)
    before = former(folder)
    # What no job wrote, such as notes, has no checksum either.
    unknown = [
        name
        for name, path in _places(folder).items()
        if name not in known and recorded(path) is not None
    ]
    if not unknown:
        return
    now = describe(config, code_of(project), {}, {})
    if not before["config"]:
        there = "there is no manifest"
    elif not _is_of(before, now):
        other = "another configuration" if before["config"] != now["config"] else "other code"
        there = f"the manifest is of {other}"
    else:
        unknown = [name for name in unknown if name in {*map(str, before["earlier"])}]
        there = "the manifest has them as of earlier runs"
    if unknown:
        what = number_of(len(unknown), "artifact")
        raise RankassayError(
            "expected a record in .snakemake/ of how each artifact was made, found none for "
            f"{what} ({named(unknown)}), and {there}: nothing tells what is of this run. Bring the "
            "records back, delete the artifacts, or make all of them again with --forceall."
        )


def _code(folder: Path, patterns: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of each file that fits a pattern, by its path in the folder."""
    return {
        path.relative_to(folder).as_posix(): checksum(path)
        for pattern in patterns
        for path in folder.glob(pattern)
        if path.is_file()
    }


def read(path: Pathlike) -> dict[str, Any]:
    """Read a manifest, or that of a folder with the artifacts that are there now (see `stale`)."""
    path = Path(path)
    place = path / MANIFEST if path.is_dir() else path
    try:
        content = read_json(place)
    except FileNotFoundError as error:
        raise RankassayError(
            f"expected a manifest at {place}, found none; a run writes it when it succeeds."
        ) from error
    except RankassayError as error:
        raise RankassayError(f"expected a manifest; {error}") from error
    check_origin(content, place)
    for part, kind in PARTS.items():
        if not isinstance(content, dict) or not isinstance(content.get(part), kind):
            raise RankassayError(
                f"{place}: expected a manifest, found a file without its '{part}'."
            )
    if path.is_dir():
        content |= {"splits": splits(path), "artifacts": artifacts(path)}
    return content


def check(folder: Pathlike, found: Mapping[str, str] | None = None) -> None:
    """Raise RankassayError, naming them, if artifacts of earlier runs were altered.

    Their checksums are compared with their records, and those of older files with the manifest.
    """
    folder = Path(folder)
    before = former(folder)
    ended = (folder / MANIFEST).stat().st_mtime_ns if (folder / MANIFEST).is_file() else 0
    wrong = []
    found = artifacts(folder) if found is None else found
    for name, own in {**found, **_unlisted(folder)}.items():
        # What a later run has made, which then failed, is not as the manifest says.
        of_then = (folder / name).stat().st_mtime_ns <= ended or recorded(folder / name) is None
        listed = before["artifacts"].get(name, own) if of_then else own
        if own != listed or not _as_recorded(folder / name, own, name in before["timed"]):
            wrong.append(name)
    if wrong:
        what = number_of(len(wrong), "artifact", ("is", "are"))
        raise RankassayError(
            f"{what} not what the run wrote: {named(wrong)}. Delete what was altered since, and "
            "run again."
        )


def _unlisted(folder: Path) -> dict[str, str]:
    """Return the checksums of the manifest and of the report, which are in no manifest."""
    there = [path for path in UNLISTED if (folder / path).is_file()]
    return {path.as_posix(): checksum(folder / path) for path in there}


def _as_recorded(path: Path, found: str, needed: bool) -> bool:
    """Return whether a checksum is the one in the record of a file, which may be `needed`."""
    known = recorded(path)
    return not needed if known is None else found in known


def former(folder: Path) -> dict[str, Any]:
    """Return the artifacts in the manifest of a folder; empty if there is none.

    A file that is none is refused, unless its record says that it was one.
    """
    place = folder / MANIFEST
    found = {"artifacts": {}, "timed": [], "earlier": [], "config": {}, "code": {}}
    try:
        content = found | {"artifacts": None} | read_json(place)
        if not all(isinstance(content[part], type(none)) for part, none in found.items()):
            raise TypeError
    except OSError:
        return found
    except (RankassayError, TypeError, ValueError) as error:
        if recorded(place) is None:
            raise (error if isinstance(error, RankassayError) else no_manifest(place)) from None
        return found
    check_origin(content, place)
    return content


def named(paths: Sequence[str]) -> str:
    """Return the first of some paths as a message names them."""
    return ", ".join(paths[:MOST_NAMED]) + ", ..." * (len(paths) > MOST_NAMED)


def stale(folder: Pathlike) -> list[str]:
    """Return the artifacts that are not as a folder's manifest says: changed, removed and added."""
    folder = Path(folder)
    before, found = read(folder / MANIFEST)["artifacts"], artifacts(folder)
    others, timed = _unlisted(folder), former(folder)["timed"]
    return [
        *(path for path in dict.fromkeys([*before, *found]) if before.get(path) != found.get(path)),
        *(
            path
            for path in dict.fromkeys([*others, *timed])
            if path not in others or not _as_recorded(folder / path, others[path], path in timed)
        ),
    ]


def artifacts(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each artifact in a folder, also where links lead, by its path."""
    return {name: checksum(path) for name, path in _places(folder).items()}


def _places(folder: Path) -> dict[str, Path]:
    """Return the artifacts in a folder by their paths there, in order."""
    paths = {path.relative_to(folder): path for kind in FOLDERS for path in files_in(folder / kind)}
    found = {
        place.as_posix(): path
        for place, path in paths.items()
        # No run times, and no hidden files such as those that are being written.
        if not path.name.startswith(".")
        and BENCHMARKS not in place.parents
        and place not in UNLISTED
    }
    return dict(sorted(found.items()))


def splits(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of the contents of training and test matrices, by dataset and part."""
    found = {}
    for path in folder.glob("results/**/split/summary.csv"):
        dataset = path.relative_to(folder / "results").parents[1].as_posix()
        with open(regular(path), encoding="utf-8", errors="replace", newline="") as file:
            for row in csv.DictReader(file):
                found[f"{dataset}/{row.get('part')}"] = row.get("sha256")
    return found
