"""Job: order the points of a recommender's grid by their scores, and draw them."""

import argparse
import logging
from pathlib import Path

import pandas as pd

from rankassay.artifacts.tables import read_table, write_table
from rankassay.drawing import style
from rankassay.errors import RankassayError
from rankassay.jobs.arguments import add, json_object
from rankassay.tuning import figure as tuning
from rankassay.tuning.grid import ordered, points

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    parser.add_argument("scores", nargs="+", help="scores of the points (csv), in the grid's order")
    parser.add_argument("--grid", type=json_object, required=True, help="setting: values (JSON)")
    parser.add_argument(
        "--panel", type=json_object, required=True, help='what the figure shows: {"title": ...}'
    )
    add(parser, table="table to write (csv)")
    add(parser, figure="pdf to write; svg and png go next to it")


def run(options: argparse.Namespace) -> None:
    """Read the scores, save the table and the figure."""
    expected = len(points(options.grid))
    if len(options.scores) != expected:
        raise RankassayError(
            f"expected the scores of the grid's {expected} points, found {len(options.scores)}."
        )
    table = ordered(options.grid, pd.concat(map(read_table, options.scores), ignore_index=True))
    failed = table[table["score"].isna()]
    if len(failed) == expected:
        raise RankassayError(
            f"{options.table}: expected a score for one of the grid's {expected} points, found "
            f"none; change the grid or leave it out. The first: {failed['error'].iloc[0]}"
        )
    if len(failed):
        log.warning(
            "warning: %d of %d points without a score: see the column error", len(failed), expected
        )
    write_table(table, options.table)
    style.save(tuning.draw(table, options.panel["title"]), Path(options.figure).with_suffix(""))
