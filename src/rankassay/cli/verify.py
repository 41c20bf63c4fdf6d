"""Command: whether two runs have the same artifacts and, if not, what explains it."""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from pandas.api.types import is_numeric_dtype

from rankassay.artifacts.files import MANIFEST
from rankassay.artifacts.manifest import CAUSES, differences, ordered, read, stage_of, stale
from rankassay.artifacts.tables import read_table
from rankassay.cli.arguments import printing
from rankassay.errors import RankassayError, number_of, printable

SHOWN = 10  # lines of one kind
IS = "is", "are"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("old", help=f"a manifest, or a folder with {MANIFEST}")
    meaning = "another one; without it, compare the files of OLD with its own manifest"
    parser.add_argument("new", nargs="?", help=meaning)


def run(options: argparse.Namespace) -> None:
    """Print how the artifacts differ and why; raises RankassayError if they do."""
    if options.new is None:
        _check_itself(Path(options.old))
        return
    folders = Path(options.old), Path(options.new)
    for path in (options.old, options.new):
        if Path(path).is_dir() and (changed := stale(path)):
            print(f"{path}: {number_of(len(changed), 'artifact', IS)} not as its manifest says:")
            print(*map(printable, _listed(changed)), sep="\n")
    old, new = map(read, folders)
    with printing():
        print(*map(printable, report(old, new, folders)), sep="\n")
    if old["artifacts"] != new["artifacts"]:
        raise RankassayError(f"the artifacts of {options.old} and {options.new} are not the same.")


def _check_itself(folder: Path) -> None:
    """Compare a folder with its own manifest."""
    if not folder.is_dir():
        raise RankassayError(f"{folder}: expected a folder, or a second manifest to compare with.")
    if changed := stale(folder):
        print(*map(printable, _listed(changed)), sep="\n")
        found = number_of(len(changed), "artifact", IS)
        raise RankassayError(f"{folder}: {found} not as its manifest says.")
    content = read(folder / MANIFEST)
    print(f"{number_of(len(content['artifacts']), 'artifact', IS)} as the manifest says.")
    if earlier := content.get("earlier"):  # artifacts that the manifest's run was not asked for
        are = "is of an earlier run" if len(earlier) == 1 else "are of earlier runs"
        print(
            f"{len(earlier)} of them {are}, of another configuration or other code: "
            "the manifest does not say how they were made."
        )
        print(*map(printable, _listed(earlier)), sep="\n")


def report(
    old: Mapping[str, Any], new: Mapping[str, Any], folders: tuple[Path, Path]
) -> Iterator[str]:
    """Yield the lines about two manifests; if both tables exist, with how far apart they are."""
    before, after = old["artifacts"], new["artifacts"]
    both, apart = before.keys() & after.keys(), partial(distance, *folders)
    changed = ordered(path for path in both if before[path] != after[path])
    yield f"{number_of(len(both) - len(changed), 'artifact', ('has', 'have'))} the same bytes."
    for what, whats, paths in (
        ("has other bytes", "have other bytes", changed),
        ("is only in the old run", "are only in the old run", ordered(before.keys() - both)),
        ("is only in the new run", "are only in the new run", ordered(after.keys() - both)),
    ):
        if paths:
            said = what if len(paths) == 1 else whats
            yield f"{len(paths)} {said}, in the order of the pipeline:"
            yield from _listed(paths, lambda path: f"{stage_of(path)}: {path}{apart(path)}")
    if changed:
        first = stage_of(changed[0])
        yield f"The difference begins with the {first}; everything that depends on them may follow."
        splits = old["splits"].keys() & new["splits"].keys()
        if all(old["splits"][name] == new["splits"][name] for name in splits):
            yield "The splits hold the same ratings."
    causes = {said: differences(old[part], new[part]) for part, said in CAUSES.items()}
    same = before == after
    if any(causes.values()):
        yield f"These also differ, and {'made no difference' if same else 'may explain it'}:"
    elif not same:
        yield "Nothing else that the manifests record differs: see docs/dependability.md."
    for said, lines in causes.items():
        if lines:
            yield f"{said}:"
            yield from _listed(lines)


def distance(old: Path, new: Path, path: str) -> str:
    """Return in words how far two tables of numbers are apart; nothing if one is missing."""
    files = old / path, new / path
    if not path.endswith(".csv") or not all(file.is_file() for file in files):
        return ""
    try:
        before, after = map(read_table, files)
    except (RankassayError, ValueError):
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


def _listed(lines: Sequence[str], shown: Callable[[str], str] = str) -> Iterator[str]:
    """Yield the first lines as they are shown, indented, and how many more there are."""
    yield from (f"  {shown(line)}" for line in lines[:SHOWN])
    if len(lines) > SHOWN:
        yield f"  and {len(lines) - SHOWN} more"
