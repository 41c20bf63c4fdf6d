"""Job: join the results of several jobs: rankings of users, scores, or rows of a table."""

import argparse

import numpy as np

from rankassay.artifacts.arrays import Rankings, Replicates, Scores
from rankassay.artifacts.mapped import StoredScores
from rankassay.artifacts.shards import join_tables
from rankassay.errors import RankassayError

JOINED = ("rankings", "scores", "table")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    parser.add_argument("kind", choices=JOINED, help="what the parts are of")
    parser.add_argument("parts", nargs="+", help="in order")
    within = "of a table that is ordered by some columns first: these"
    parser.add_argument("--within", metavar="COLUMN", nargs="*", default=[], help=within)
    parser.add_argument("--replicates", nargs="*", default=[], help="of the rows of a table (npz)")
    output = "file to write, and that of the replicates"
    parser.add_argument("--output", nargs="+", required=True, help=output)


def run(options: argparse.Namespace) -> None:
    """Join the parts; the result is that of one job, byte for byte."""
    output, *others = options.output
    if len(others) != bool(options.replicates):
        raise RankassayError(
            "join: expected an output for the joined parts and, if they have replicates, one for "
            f"these; found {', '.join(options.output)}."
        )
    if options.kind == "rankings":
        Rankings.joined([Rankings.load(part) for part in options.parts]).save(output)
    elif options.kind == "scores":
        parts = [StoredScores.load(part) for part in options.parts]
        measures = np.concatenate([part.measures for part in parts])
        Scores.write((some for part in parts for some in part.parts()), measures, output)
    else:
        _join_tables(options, output, *others)


def _join_tables(options: argparse.Namespace, table: str, replicates: str | None = None) -> None:
    """Join tables, and where they are asked for the replicates of their rows."""
    order = join_tables(options.parts, table, options.within)
    if replicates:
        found = Replicates.joined([Replicates.load(part) for part in options.replicates])
        if len(order) != len(found.values):
            raise RankassayError(
                f"join: expected replicates of {len(order)} rows, found {len(found.values)}; "
                f"delete {', '.join(options.replicates)} and run again."
            )
        Replicates(found.column, found.values[order]).save(replicates)
