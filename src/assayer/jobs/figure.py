"""Stage: draw one figure of a study."""

import argparse
from pathlib import Path

from assayer.api.results import drawn
from assayer.artifacts.files import read_table
from assayer.drawing import style
from assayer.jobs.arguments import joined, json_object, named_path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the stage's arguments."""
    parser.add_argument("name", help="study and figure, as in robustness/figure-1")
    parser.add_argument("tables", nargs="+", type=named_path, metavar="DATASET=TABLE")
    parser.add_argument(
        "--panels",
        type=json_object,
        required=True,
        help='what each panel shows: {"panels": [{"dataset", "title", "metric", "cutoff"}, ...]}',
    )
    parser.add_argument("--output", required=True, help="pdf to write; svg and png go beside it")


def run(options: argparse.Namespace) -> None:
    """Draw the figure and save it in each format."""
    table = joined({name: read_table(path) for name, path in options.tables})
    figure = drawn(options.name, table, options.panels["panels"])
    style.save(figure, Path(options.output).with_suffix(""))
