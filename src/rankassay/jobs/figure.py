"""Job: draw one figure of a study."""

import argparse
import logging
from pathlib import Path
from typing import Any

from rankassay.artifacts.tables import read_table
from rankassay.drawing import style
from rankassay.drawing.layout import saying
from rankassay.errors import NothingToShowError
from rankassay.jobs.arguments import add, add_paths, joined, json_object
from rankassay.jobs.cutoffs import cutoff
from rankassay.lookup import find, load
from rankassay.studies import FIGURES

log = logging.getLogger(__name__)


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
    add(parser, output="pdf to write; svg and png go next to it")


def run(options: argparse.Namespace) -> None:
    """Draw the figure and save it in each format."""
    draw = load(find("figure", options.name, FIGURES).function)
    table = joined({name: read_table(path) for name, path in options.tables})
    try:
        figure = draw(table, _panels(options.panels["panels"]))
    except NothingToShowError as why:
        log.warning("%s", why)
        figure = saying(why.sentence())
    style.save(figure, Path(options.output).with_suffix(""))


def _panels(panels: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the panels with their cut-offs, where they have some."""
    return [
        panel | ({"cutoff": cutoff(panel["cutoff"])} if "cutoff" in panel else {})
        for panel in panels
    ]
