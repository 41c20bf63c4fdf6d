"""Stage: compute every measure for every user and system."""

import argparse
import logging
import time

import numpy as np
import pandas as pd

from assayer.artifacts import Rankings, Scores, read_matrix, write_table
from assayer.metrics.aggregate import aggregate
from assayer.metrics.evaluate import Measure, evaluate
from assayer.metrics.judgements import Judgements, Lists
from assayer.stages.arguments import json_object, named_path

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the stage's arguments."""
    parser.add_argument("test", help="test matrix (npz)")
    parser.add_argument("rankings", nargs="+", type=named_path, metavar="SYSTEM=RANKINGS")
    parser.add_argument(
        "--evaluation", type=json_object, required=True, help="see assayer.metrics (JSON)"
    )
    parser.add_argument("--output", required=True, help="scores to write (npz)")
    parser.add_argument("--means", required=True, help="aggregates over users to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Evaluate all systems, save the scores of the users and their means."""
    began = time.monotonic()
    spec = options.evaluation
    judgements = Judgements.of(read_matrix(options.test), spec["threshold"])
    rankings = {name: Rankings.load(path) for name, path in options.rankings}
    values = evaluate(
        judgements,
        [Lists.of(ranking, judgements) for ranking in rankings.values()],
        spec["measures"],
        spec["profile"],
        min(ranking.depth for ranking in rankings.values()),
        spec["without_relevant"],
    )
    scores = Scores(values, judgements.users, np.array([*rankings]), np.array(spec["measures"]))
    scores.save(options.output)
    write_table(means(scores, spec["aggregate"]), options.means)
    log.info(
        "%d systems, %d users, %d measures: %.1f s",
        len(rankings),
        judgements.n_users,
        len(spec["measures"]),
        time.monotonic() - began,
    )


def means(scores: Scores, how: str) -> pd.DataFrame:
    """Return the aggregate over users of every system and measure: system, metric, cutoff, mean."""
    table = aggregate(scores.values, how)
    measures = [Measure.parse(str(measure)) for measure in scores.measures]
    return pd.DataFrame(
        {"system": system, "metric": measure.name, "cutoff": measure.cutoff, "mean": value}
        for system, row in zip(scores.systems, table, strict=True)
        for measure, value in zip(measures, row, strict=True)
    )
