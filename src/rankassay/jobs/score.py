"""Job: compute every measure for every user and system."""

import argparse
import logging

import numpy as np

from rankassay.artifacts.arrays import Scores, read_matrix
from rankassay.artifacts.mapped import StoredRankings
from rankassay.artifacts.shards import successive
from rankassay.jobs.arguments import add, add_paths
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Judgements, Lists

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "test", "--evaluation", "--shard", output="scores to write (npz)")
    parser.add_argument("--propensities", help="those of the test ratings (npz)")
    add_paths(parser, "rankings", "SYSTEM=RANKINGS", "lists of the systems (npz)")


def run(options: argparse.Namespace) -> None:
    """Evaluate all systems and save the scores of the users."""
    spec = options.evaluation
    chosen = options.shard.of(len(spec["measures"]))
    measures = spec["measures"][chosen.start : chosen.stop]
    propensities = read_matrix(options.propensities) if options.propensities else None
    judgements = Judgements.of(read_matrix(options.test), spec["threshold"], propensities)
    judgements.check_relevant()
    # Of each system only what the judgements see of it is kept.
    lists, depths = [], []
    for _, path in options.rankings:
        ranking = StoredRankings.load(path)
        lists.append(Lists.of(ranking, judgements))
        depths.append(ranking.depth)
    systems = np.array([name for name, _ in options.rankings])
    choices = (spec["profile"], min(depths), spec["without_relevant"])
    # Of large data some measures at a time: their values would be many times what they are made of.
    parts = (
        Scores(
            evaluate(judgements, lists, measures[own], *choices),
            judgements.users,
            systems,
            np.array(measures[own]),
        )
        for own in successive(measures, judgements.n_users * len(lists))
    )
    Scores.write(parts, np.array(measures), options.output)
    counted = (len(lists), judgements.n_users, len(measures))
    log.info("%d systems, %d users, %d measures", *counted)
