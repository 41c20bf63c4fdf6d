"""Job: make one number of the users' values, for every measure and system."""

import argparse

import numpy as np
import pandas as pd

from rankassay.artifacts.mapped import StoredScores
from rankassay.artifacts.tables import write_table
from rankassay.jobs.arguments import add
from rankassay.metrics.aggregate import AGGREGATES, aggregate
from rankassay.metrics.evaluate import Measure


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    parser.add_argument("scores", help="of every user and system (npz)")
    parser.add_argument("--aggregate", choices=AGGREGATES, required=True, help="over users")
    add(parser, output="aggregates to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Aggregate and save: columns system, metric, cutoff, mean."""
    scores = StoredScores.load(options.scores)
    parts = [aggregate(part.values, options.aggregate) for part in scores.parts()]
    table = np.concatenate(parts, axis=1)
    measures = [Measure.parse(str(measure)) for measure in scores.measures]
    rows = (
        {"system": system, "metric": measure.name, "cutoff": measure.cutoff, "mean": value}
        for measure, column in zip(measures, table.T, strict=True)
        for system, value in zip(scores.systems, column, strict=True)
    )
    write_table(pd.DataFrame(rows), options.output)
