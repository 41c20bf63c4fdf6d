"""Job: put the verdicts on all datasets into one table, with claims that no data could test."""

import argparse
import logging
from pathlib import Path

import pandas as pd

from rankassay.artifacts.arrays import Replicates
from rankassay.artifacts.tables import read_table, write_table
from rankassay.claims.conditions import REPRODUCED, WORDS
from rankassay.claims.lists import read
from rankassay.claims.totals import COLUMNS, collect, sentences, totals
from rankassay.jobs.arguments import add, add_paths, json_object
from rankassay.statistics.replicated import Replicated

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add_paths(parser, "verdicts", "STUDY=VERDICTS", "of one dataset (csv)", nargs="*")
    add_paths(parser, "--claims", "STUDY=CLAIMS", "what each study judges (yaml)", required=True)
    add_paths(parser, "--left-out", "ANALYSIS=DATASET", "not configured", nargs="*", default=[])
    parser.add_argument(
        "--variants",
        type=json_object,
        default={},
        help="the datasets that are others in a different form: of, settings, split (JSON)",
    )
    add(parser, output="table of verdicts to write (csv)", totals="and of their numbers (csv)")
    add(parser, sentences="and of the sentences that they are rows of (csv)")


def run(options: argparse.Namespace) -> None:
    """Collect the verdicts and save them."""
    lists = {study: read(path) for study, path in options.claims}
    verdicts = [(study, _judged(path)) for study, path in options.verdicts]
    table = collect(lists, verdicts, options.left_out, options.variants)
    write_table(table[COLUMNS], options.output)
    write_table(totals(table), options.totals)
    write_table(sentences(table), options.sentences)
    counts = table[REPRODUCED].value_counts()
    log.info(", ".join(f"{counts[word]} {word}" for word in WORDS if word in counts))


def _judged(path: str) -> Replicated | pd.DataFrame:
    """Return the verdicts on a dataset, with the numbers of resampled users where they are kept."""
    table, drawn = read_table(path), Path(path).with_suffix(".npz")
    if not drawn.is_file():
        return table
    return Replicated(table, "measured", Replicates.load(drawn).values)
