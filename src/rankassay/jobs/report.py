"""Job: write the report, one page with all results of a run."""

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
from rankassay.jobs.cutoffs import cutoff
from rankassay.report.page import render
from rankassay.report.shelf import Shelf

log = logging.getLogger(__name__)


def report(contents: str, benchmarks: str, output: str) -> None:
    """Write the page of a run, whose contents are a file; see `rankassay.report.page.render`.

    `benchmarks` is the folder of what the jobs took.
    """
    shown = read_json(contents)
    for study in shown["studies"]:
        study["cutoff"] = cutoff(study["cutoff"])
    shelf = Shelf(functools.cache(read_text))
    claims = _of(shown["claims"], shown["verdicts"], COLUMNS)
    sentences = _of(shown["claims"], shown["sentences"], SENTENCES)
    # A manifest's description, of which the page shows the versions.
    versions = describe(shown["settings"], {}, {}, {})
    measured = _measured(benchmarks, shown)
    text = render(shown, shelf, claims, sentences, measured, versions)
    with atomic(output, "w") as file:
        file.write(text)
    figures = sum(len(study["figures"]) for study in shown["studies"])
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
