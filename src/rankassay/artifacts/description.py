"""The contents and origin of a folder of results, and why two such folders differ.

A manifest names every artifact with its SHA-256, and what its bytes may depend on: the
configuration, the code, the versions of Python and of packages, and the platform. It holds no time,
so that the same results from the same make the same manifest.
"""

import hashlib
import importlib.metadata
import json
import platform
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rankassay import __version__

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


def describe(
    config: Mapping[str, Any],
    code: Mapping[str, str],
    splits: Mapping[str, str],
    artifacts: Mapping[str, str],
) -> dict[str, Any]:
    """Return the manifest of a run with a merged configuration.

    It holds checksums (SHA-256): of each file of the project that is code or data, by its path; of
    what the training and test matrices hold, not of how it is stored, by dataset and part; and of
    each artifact, by its path. The versions are those of the process that calls this; of jobs on
    other machines it knows nothing.
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
