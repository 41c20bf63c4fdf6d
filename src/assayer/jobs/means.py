"""Job: make one number of the users' values, for every measure and system."""

import argparse

import pandas as pd

from assayer.artifacts.arrays import Scores
from assayer.artifacts.files import write_table
from assayer.jobs.arguments import add
from assayer.metrics.aggregate import AGGREGATES, aggregate
from assayer.metrics.evaluate import Measure


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    parser.add_argument("scores", help="of every user and system (npz)")
    parser.add_argument("--aggregate", choices=AGGREGATES, required=True, help="over users")
    add(parser, output="aggregates to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Aggregate and save: columns system, metric, cutoff, mean."""
    scores = Scores.load(options.scores)
    table = aggregate(scores.values, options.aggregate)
    measures = [Measure.parse(str(measure)) for measure in scores.measures]
    rows = (
        {"system": system, "metric": measure.name, "cutoff": measure.cutoff, "mean": value}
        for measure, column in zip(measures, table.T, strict=True)
        for system, value in zip(scores.systems, column, strict=True)
    )
    write_table(pd.DataFrame(rows), options.output)
