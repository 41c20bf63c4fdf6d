"""Command: say whether two runs have the same artifacts and, if not, what explains it."""

import argparse
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from pandas.api.types import is_numeric_dtype

from assayer.artifacts.checksums import MANIFEST
from assayer.artifacts.description import Comparison, compare, stage_of
from assayer.artifacts.manifest import read, stale
from assayer.artifacts.tables import read_table
from assayer.cli.printing import printing
from assayer.errors import AssayerError, number_of, printable

SHOWN = 10  # lines of one kind
IS = "is", "are"

MEANING = {
    "config": "the configurations differ",
    "code": "the code differs",
    "packages": "versions of packages differ",
    "python": "the versions of Python differ",
    "platform": "the platforms differ",
    "assayer": "the versions of assayer differ",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("old", help=f"a manifest, or a folder with {MANIFEST}")
    meaning = "another one; without it, compare the files of OLD with its own manifest"
    parser.add_argument("new", nargs="?", help=meaning)


def run(options: argparse.Namespace) -> None:
    """Print how the artifacts differ and why; raises AssayerError if they do."""
    if options.new is None:
        _check_itself(Path(options.old))
        return
    for path in (options.old, options.new):
        if Path(path).is_dir() and (changed := stale(path)):
            print(f"Of {path}, {number_of(len(changed), 'artifact', IS)} not as its manifest says:")
            print(*map(printable, _listed(changed, len(changed))), sep="\n")
    comparison = compare(read(options.old), read(options.new))
    folders = Path(options.old), Path(options.new)
    with printing():
        print(*map(printable, report(comparison, folders)), sep="\n")
    if not comparison.same:
        raise AssayerError(f"the artifacts of {options.old} and {options.new} are not the same.")


def _check_itself(folder: Path) -> None:
    """Compare a folder with its own manifest."""
    if not folder.is_dir():
        raise AssayerError(f"{folder}: expected a folder, or a second manifest to compare with.")
    changed = stale(folder)
    print(*map(printable, _listed(changed, len(changed))), sep="\n", end="\n" if changed else "")
    if changed:
        found = number_of(len(changed), "artifact", IS)
        raise AssayerError(f"{folder}: {found} not as its manifest says.")
    print(f"{number_of(len(read(folder)['artifacts']), 'artifact', IS)} as the manifest says.")
    for line in _of_earlier_runs(folder):
        print(printable(line))


def _of_earlier_runs(path: Path) -> Iterator[str]:
    """Yield the lines on what the run of a manifest was not asked for."""
    if earlier := read(path).get("earlier"):
        are = "is of an earlier run" if len(earlier) == 1 else "are of earlier runs"
        yield (
            f"{len(earlier)} of them {are}, of another configuration or other code: "
            "the manifest does not say how they were made."
        )
        yield from _listed(earlier, len(earlier))


def report(comparison: Comparison, folders: tuple[Path, Path]) -> Iterator[str]:
    """Yield the lines about a comparison; if both tables exist, with how far apart they are."""
    yield f"{number_of(comparison.common, 'artifact', ('has', 'have'))} the same bytes."
    for what, whats, paths in (
        ("has other bytes", "have other bytes", comparison.changed),
        ("is only in the old run", "are only in the old run", comparison.removed),
        ("is only in the new run", "are only in the new run", comparison.added),
    ):
        if paths:
            said = what if len(paths) == 1 else whats
            yield f"{len(paths)} {said}, in the order of the pipeline:"
            found = (f"{stage_of(path)}: {path}{distance(*folders, path)}" for path in paths)
            yield from _listed(found, len(paths))
    if comparison.changed:
        first = stage_of(comparison.changed[0])
        yield f"The difference begins with the {first}; everything that depends on them may follow."
        if comparison.same_splits:
            yield "The splits hold the same ratings."
    if comparison.causes:
        explains = "may explain it" if not comparison.same else "made no difference"
        yield f"These also differ, and {explains}:"
    elif not comparison.same:
        yield "Nothing else that the manifests record differs: see docs/dependability.md."
    for cause, lines in comparison.causes.items():
        yield f"{MEANING[cause]}:"
        yield from _listed(lines, len(lines))


def distance(old: Path, new: Path, path: str) -> str:
    """Return in words how far two tables of numbers are apart; nothing if one is missing."""
    files = old / path, new / path
    if not path.endswith(".csv") or not all(file.is_file() for file in files):
        return ""
    try:
        before, after = map(read_table, files)
    except (AssayerError, ValueError):
        return " (altered since it was written)"
    if list(before) != list(after) or len(before) != len(after):
        return " (other rows or columns)"
    numeric = [c for c in before if is_numeric_dtype(before[c]) and is_numeric_dtype(after[c])]
    texts = before.drop(columns=numeric), after.drop(columns=numeric)
    if not texts[0].equals(texts[1]):
        return " (other texts)"
    x, y = (table[numeric].to_numpy(np.float64) for table in (before, after))
    differ = ~((x == y) | (np.isnan(x) & np.isnan(y)))
    largest = np.nanmax(np.abs(x - y), initial=0.0, where=differ)
    return f" ({int(differ.sum())} of {x.size} numbers, by at most {largest:.2g})"


def _listed(lines: Iterable[str], count: int) -> Iterator[str]:
    """Yield the first lines, indented, and how many more there are."""
    yield from (f"  {line}" for line in islice(lines, SHOWN))
    if count > SHOWN:
        yield f"  and {count - SHOWN} more"
