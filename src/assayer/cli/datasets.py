"""Command: list the datasets that can be studied by name."""

import argparse
import glob
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from assayer.cli.printing import add_form, add_manual, aligned, records, show
from assayer.cli.run import configuration
from assayer.data.entries import BESIDE
from assayer.data.score_entries import score_files
from assayer.errors import AssayerError

DESCRIPTION = """\
List the datasets of the catalogue: what `--datasets` of `assayer run` may name, whether its files
are here, and under which terms they may be used. A run downloads those to be downloaded; where to
get others by hand, config/datasets.yaml says.
"""

EPILOG = """\
examples:
  assayer datasets
  assayer datasets --raw-dir /my/data --configfile mine.yaml
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_manual(parser, DESCRIPTION, EPILOG)
    parser.add_argument(
        "--configfile", metavar="FILE", nargs="+", default=[], help="with datasets of your own"
    )
    parser.add_argument("--raw-dir", default="data/raw", help="where files are (data/raw)")
    add_form(parser)


def run(options: argparse.Namespace) -> None:
    """Print the catalogue."""
    from assayer.artifacts import yaml_files

    catalogue: dict[str, Any] = {}
    for name in ("datasets", *options.configfile):
        content = yaml_files.read(configuration(name))
        own = content.get("dataset_catalogue") if isinstance(content, Mapping) else None
        if own is not None and not isinstance(own, Mapping):
            raise AssayerError(f"{name}: dataset_catalogue: expected datasets by name.")
        for key, entry in (own or {}).items():
            catalogue[key] = {**catalogue.get(key, {}), **entry}
    rows = [_row(name, entry, Path(options.raw_dir)) for name, entry in catalogue.items()]
    table = pd.DataFrame(rows)
    shown = table.drop(columns="licence").fillna("").astype(str)
    terms = [f"  {row['dataset']}: {row['licence']}" for row in rows if row["licence"]]
    text = [*aligned(shown, left={"dataset", "label", "kind", "files"}), "", "terms:", *terms]
    show(options, table, records(table), "\n".join(text))


def _row(name: str, entry: Mapping[str, Any], raw: Path) -> dict[str, Any]:
    """Return what is shown of a dataset."""
    known = entry.get("published", entry.get("parameters", {}))
    return {
        "dataset": name,
        "label": entry.get("label", name),
        "kind": entry["kind"],
        "users": known.get("users", ""),
        "ratings": known.get("ratings", ""),
        "files": _files(name, entry, raw),
        "licence": entry.get("licence", ""),
    }


def _files(name: str, entry: Mapping[str, Any], raw: Path) -> str:
    """Return where the files of a dataset are."""
    if entry["kind"] == "synthetic":
        return "made up"
    if entry["kind"] == "scores":
        if entry.get("results"):
            return "here" if glob.glob(entry["results"]) else "missing"
        paths = score_files(entry).values()
        return "here" if all(Path(path).is_file() for path in paths) else "missing"
    if "path" in entry:
        own = (entry.get(key) for key in ("path", *(f"{part}_path" for part in BESIDE)))
        return "here" if all(Path(path).is_file() for path in own if path) else "missing"
    wanted = [raw / name / file for file in entry.get("files", {}).values()]
    archive = entry.get("archive", "")
    packed = [raw / name / archive, raw / archive] if archive else []
    here = all(path.is_file() for path in wanted) or any(path.is_file() for path in packed)
    if here and (wanted or packed):
        return "here"
    return "to be downloaded" if entry.get("urls", True) else "to be had by hand"
