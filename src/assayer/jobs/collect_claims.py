"""Stage: put the verdicts on all datasets into one table, with claims that no data could test."""

import argparse
import logging

from assayer.artifacts.files import read_table, write_table
from assayer.claims.judge import VERDICTS
from assayer.claims.lists import read
from assayer.claims.totals import collect, totals
from assayer.jobs.arguments import named_path

log = logging.getLogger(__name__)


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
    parser.add_argument("--output", required=True, help="table of verdicts to write (csv)")
    parser.add_argument("--totals", required=True, help="table of their numbers to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Collect the verdicts and save them."""
    lists = {study: read(path) for study, path in options.claims}
    table = collect(lists, [(study, read_table(path)) for study, path in options.verdicts])
    write_table(table, options.output)
    write_table(totals(table), options.totals)
    counts = table["verdict"].value_counts()
    log.info(", ".join(f"{counts.get(verdict, 0)} {verdict}" for verdict in VERDICTS))
