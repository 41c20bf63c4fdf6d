"""Job: put the verdicts on all datasets into one table, with claims that no data could test."""

import argparse
import logging

from assayer.artifacts.tables import read_table, write_table
from assayer.claims.judge import VERDICTS
from assayer.claims.lists import read
from assayer.claims.totals import collect, totals
from assayer.jobs.arguments import add, add_paths

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add_paths(parser, "verdicts", "STUDY=VERDICTS", "of one dataset (csv)", nargs="*")
    add_paths(parser, "--claims", "STUDY=CLAIMS", "what each study judges (yaml)", required=True)
    add_paths(parser, "--left-out", "ANALYSIS=DATASET", "not configured", nargs="*", default=[])
    add(parser, output="table of verdicts to write (csv)", totals="and of their numbers (csv)")


def run(options: argparse.Namespace) -> None:
    """Collect the verdicts and save them."""
    lists = {study: read(path) for study, path in options.claims}
    verdicts = [(study, read_table(path)) for study, path in options.verdicts]
    table = collect(lists, verdicts, options.left_out)
    write_table(table, options.output)
    write_table(totals(table), options.totals)
    counts = table["verdict"].value_counts()
    log.info(", ".join(f"{counts.get(verdict, 0)} {verdict}" for verdict in VERDICTS))
