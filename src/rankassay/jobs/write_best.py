"""Job: write the best point of each recommender's grid on a dataset as a configuration."""

import argparse
import logging

import yaml

from rankassay.artifacts.files import atomic
from rankassay.artifacts.tables import read_table
from rankassay.jobs.arguments import add, add_paths, json_object
from rankassay.tuning.grid import as_configuration, chosen

log = logging.getLogger(__name__)

HEADING = """\
# The best points of the grids on {dataset}, by {measure} on a part of the training ratings.
# To use them, name this file behind your own: rankassay run --configfile YOURS {path}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "dataset", output="configuration to write (yaml)")
    add_paths(parser, "tables", "RECOMMENDER=TABLE", "the points of its grid in order (csv)")
    parser.add_argument("--grids", type=json_object, required=True, help="of recommenders (JSON)")


def run(options: argparse.Namespace) -> None:
    """Read the tables and save the configuration."""
    tables = {name: read_table(path) for name, path in options.tables}
    best = {name: chosen(options.grids[name], table) for name, table in tables.items()}
    measure = next(iter(tables.values()))["measure"].iloc[0]
    with atomic(options.output, "w") as file:
        file.write(
            HEADING.format(dataset=options.dataset, measure=measure, path=options.output)
            + yaml.safe_dump(as_configuration(options.dataset, best), sort_keys=False)
        )
    for name, point in best.items():
        log.info("%s: %s", name, ", ".join(f"{key} {value}" for key, value in point.items()))
