"""Job: draw one figure of a study."""

import argparse
from pathlib import Path

from assayer.api.results import drawn
from assayer.artifacts.tables import read_table
from assayer.drawing import style
from assayer.jobs.arguments import add, add_paths, joined, json_object


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    parser.add_argument("name", help="study and figure, as in robustness/figure-1")
    add_paths(parser, "tables", "DATASET=TABLE", "what it shows (csv)")
    parser.add_argument(
        "--panels",
        type=json_object,
        required=True,
        help='what each panel shows: {"panels": [{"dataset", "title", "metric", "cutoff"}, ...]}',
    )
    add(parser, output="pdf to write; svg and png go beside it")


def run(options: argparse.Namespace) -> None:
    """Draw the figure and save it in each format."""
    table = joined({name: read_table(path) for name, path in options.tables})
    figure = drawn(options.name, table, options.panels["panels"])
    style.save(figure, Path(options.output).with_suffix(""))
