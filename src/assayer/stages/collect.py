"""Stage: order the points of a recommender's grid by their scores, and draw them."""

import argparse
from pathlib import Path

from assayer.analysis.tuning import ordered, points
from assayer.artifacts import read_table, write_table
from assayer.errors import AssayerError
from assayer.figures import style, tuning
from assayer.stages.arguments import json_object


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the stage's arguments."""
    parser.add_argument("scores", nargs="+", help="scores of the points (csv), in the grid's order")
    parser.add_argument("--grid", type=json_object, required=True, help="setting: values (JSON)")
    parser.add_argument("--title", required=True, help="title of the figure")
    parser.add_argument("--table", required=True, help="table to write (csv)")
    parser.add_argument("--figure", required=True, help="pdf to write; svg and png go beside it")


def run(options: argparse.Namespace) -> None:
    """Read the scores, save the table and the figure."""
    expected = len(points(options.grid))
    if len(options.scores) != expected:
        raise AssayerError(
            f"expected the scores of the grid's {expected} points, found {len(options.scores)}."
        )
    rows = [read_table(path).iloc[0] for path in options.scores]
    table = ordered(options.grid, rows[0]["measure"], [row["score"] for row in rows])
    write_table(table, options.table)
    style.save(tuning.draw(table, options.title), Path(options.figure).with_suffix(""))
