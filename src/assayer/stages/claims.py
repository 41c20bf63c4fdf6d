"""Stage: put the verdicts on all datasets into one table, with claims that no data could test."""

import argparse
import logging

import pandas as pd

from assayer.analysis.claim_lists import read, untested
from assayer.analysis.claims import VERDICTS
from assayer.artifacts import read_table, write_table
from assayer.stages.arguments import named_path

log = logging.getLogger(__name__)

COLUMNS = [
    *("study", "id", "where", "claim", "dataset", "published", "measured", "low", "high"),
    *("verdict", "expected", "margin"),
]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the stage's arguments."""
    parser.add_argument(
        "verdicts",
        nargs="*",
        type=named_path,
        metavar="STUDY=VERDICTS",
        help="of one dataset (csv)",
    )
    parser.add_argument(
        "--claims", nargs="+", type=named_path, metavar="STUDY=CLAIMS", required=True
    )
    parser.add_argument("--output", required=True, help="table to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Collect the verdicts, study by study and claim by claim, and save them."""
    frames = []
    for study, path in options.claims:
        claims = read(path)
        tested = [read_table(verdicts) for name, verdicts in options.verdicts if name == study]
        datasets = {dataset for table in tested for dataset in table["dataset"]}
        table = pd.concat([*tested, untested(claims, datasets)], ignore_index=True)
        order = {claim["id"]: place for place, claim in enumerate(claims)}
        table = table.sort_values("id", key=lambda ids: ids.map(order), kind="stable")
        frames.append(table.assign(study=study))
    table = pd.concat(frames).reindex(columns=COLUMNS)
    write_table(table, options.output)
    counts = table["verdict"].value_counts()
    log.info(", ".join(f"{counts.get(verdict, 0)} {verdict}" for verdict in VERDICTS))
