"""Command: list the datasets that can be studied by name."""

import argparse
import glob
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from rankassay.cli.arguments import add_form, add_manual, aligned, records, show
from rankassay.cli.run import configuration
from rankassay.data.entries import BESIDE, feedback_of, score_files
from rankassay.errors import RankassayError

DESCRIPTION = """\
List the datasets of the catalogue: what `--datasets` of `rankassay run` may name, how large they
are by their sources (ratings, or the lines of a log), whether their files are here, and under which
terms they may be used. A run downloads those to be downloaded; others are to be had by hand.
"""

EPILOG = """\
examples:
  python -m rankassay datasets
  python -m rankassay datasets --raw-dir /my/data --configfile mine.yaml
"""

BY_HAND = "to be had by hand"
SHOWN = {name: name for name in ("dataset", "users", "items", "ratings", "feedback")}
SHOWN |= {"timestamps": "times", "files": "files"}
SIZES = ("users", "items", "ratings")
WIDTH = 110
INDENTED = {"initial_indent": "  ", "subsequent_indent": "    ", "break_on_hyphens": False}


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
    from rankassay.artifacts.explain import checked
    from rankassay.config import layers
    from rankassay.config.datasets import Catalogue

    below, own = _catalogue("datasets"), {}
    for name in options.configfile:
        own = layers.over(own, _catalogue(name))
    found = layers.whole(below, own)
    checked(Catalogue, found)
    catalogue = found["dataset_catalogue"]
    rows = [_row(name, entry, Path(options.raw_dir)) for name, entry in catalogue.items()]
    table = pd.DataFrame(rows).astype(dict.fromkeys(SIZES, "Int64"))
    shown = table[[*SHOWN]].rename(columns=SHOWN).map(_shown)
    text = aligned(shown, left={"dataset", "feedback", "times", "files"})
    missing = [row for row in rows if row["files"] == BY_HAND]
    text += _listed("where to get by hand", ((row["dataset"], row["page"]) for row in missing))
    terms: dict[str, list[str]] = {}
    for row in rows:
        terms.setdefault(row["licence"], []).append(row["dataset"])
    text += _listed("terms", ((", ".join(names), terms) for terms, names in terms.items()))
    show(options, table, records(table), "\n".join(text))


def _catalogue(name: str) -> dict[str, Any]:
    """Return the datasets of a file, as the configuration that they are alone."""
    from rankassay.artifacts import yaml_files

    found = yaml_files.read_settings(configuration(name)).get("dataset_catalogue") or {}
    if not isinstance(found, Mapping):
        raise RankassayError(f"{name}: dataset_catalogue: expected datasets by name.")
    return {"dataset_catalogue": found}


def _shown(value: object) -> str:
    """Return a cell as text, numbers with commas; empty for an unknown size."""
    if value is pd.NA:
        return ""
    return f"{value:,}" if isinstance(value, int) else str(value)


def _listed(title: str, items: Iterable[tuple[str, str]]) -> list[str]:
    """Return lines on datasets under a title; none for unknown values."""
    lines = []
    for names, what in items:
        if what:
            lines += textwrap.wrap(f"{names}: {what}", WIDTH, **INDENTED)
    return ["", f"{title}:", *lines] if lines else []


def _row(name: str, entry: Mapping[str, Any], raw: Path) -> dict[str, Any]:
    """Return the row of a dataset."""
    known = entry.get("published", entry.get("parameters", {}))
    is_file = entry["kind"] == "file"
    return {
        "dataset": name,
        "label": entry.get("label", name),
        "kind": entry["kind"],
        "users": known.get("users"),
        "items": known.get("items"),
        "ratings": known.get("ratings", known.get("lines")),
        "feedback": feedback_of(entry) if is_file else "",
        "timestamps": ("no", "yes")["timestamp" in (entry.get("columns") or {})] if is_file else "",
        "files": _files(name, entry, raw),
        "page": entry.get("page", ""),
        "licence": entry.get("licence", ""),
    }


def _files(name: str, entry: Mapping[str, Any], raw: Path) -> str:
    """Return where the files of a dataset are."""
    if entry["kind"] == "synthetic":
        return "simulated"
    if entry["kind"] == "scores":
        if entry.get("results"):
            return "here" if glob.glob(entry["results"]) else "missing"
        paths = score_files(entry).values()
        return "here" if all(Path(path).is_file() for path in paths) else "missing"
    if "path" in entry:
        own = (entry.get(key) for key in ("path", *(f"{part}_path" for part in BESIDE)))
        return "here" if all(Path(path).is_file() for path in own if path) else "missing"
    folder, archive = raw / entry.get("folder", name), entry.get("archive", "")
    wanted = [folder / file for file in entry.get("files", {}).values()]
    packed = [folder / archive, raw / archive] if archive else []
    here = all(path.is_file() for path in wanted) or any(path.is_file() for path in packed)
    if here and (wanted or packed):
        return "here"
    return "to be downloaded" if entry.get("urls", entry["kind"] == "file") else BY_HAND
