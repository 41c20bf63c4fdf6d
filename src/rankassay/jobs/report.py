"""Job: write the report, one page with all results of a run."""

import argparse
import functools
import logging
import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from rankassay.artifacts import usage
from rankassay.artifacts.files import atomic, read_json, read_text
from rankassay.artifacts.manifest import describe
from rankassay.artifacts.tables import read_table
from rankassay.claims.totals import COLUMNS, SENTENCES
from rankassay.config.titles import PLACES
from rankassay.jobs.arguments import add
from rankassay.jobs.cutoffs import cutoff
from rankassay.report.page import render
from rankassay.report.shelf import Shelf

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    parser.add_argument("contents", help="what the page shows (json); see rankassay.report.page")
    add(parser, benchmarks="folder of what the jobs took", output="page to write (html)")


def run(options: argparse.Namespace) -> None:
    """Read the contents of the page, fill it in and save it."""
    contents = read_json(options.contents)
    for study in contents["studies"]:
        study["cutoff"] = cutoff(study["cutoff"])
    shelf = Shelf(functools.cache(read_text))
    claims = _of(contents["claims"], contents["verdicts"], COLUMNS)
    sentences = _of(contents["claims"], contents["sentences"], SENTENCES)
    # A manifest's description, of which the page shows the versions.
    versions = describe(contents["settings"], {}, {}, {})
    measured = _measured(options.benchmarks, contents)
    text = render(contents, shelf, claims, sentences, measured, versions)
    with atomic(options.output, "w") as file:
        file.write(text)
    figures = sum(len(study["figures"]) for study in contents["studies"])
    log.info("%d figures, %.1f MB", figures, len(text.encode()) / 1e6)


def _of(studies: Sequence[str], path: str, columns: Sequence[str]) -> pd.DataFrame:
    """Return the rows of the page's studies in a table of verdicts: more may be configured."""
    if not studies:
        return pd.DataFrame(columns=[*columns])
    table = read_table(path)
    return pd.concat([table[table["study"] == study] for study in studies])


def _measured(folder: str, contents: dict) -> dict[str, dict[str, float]]:
    """Return the times of the jobs of the page's datasets: others may have been run here before."""
    root = Path(folder)
    known = [*PLACES, *(dataset["name"] for dataset in contents["datasets"])]
    found = {path.relative_to(root).with_suffix(""): path for path in root.rglob("*.tsv")}
    jobs = {}
    for name, path in sorted(found.items()):
        kind, *rest = name.parts
        # Where measures were shared among jobs, their number follows the dataset.
        places = {rest[0], re.sub(r"-\d+$", "", rest[0])} if rest else set()
        dataset = next((place for place in known if place in places), None)
        if dataset:
            rest = rest[1:] if rest[0] == dataset else rest
            jobs["/".join((kind, dataset, *rest))] = path
        elif not rest:
            jobs[kind] = path
    measured = {name: usage.read(path) for name, path in jobs.items()}
    for name in (name for name, own in measured.items() if own is None):
        log.warning("%s: expected what a job took, found none; the page is without it", jobs[name])
    return {name: own for name, own in measured.items() if own is not None}
