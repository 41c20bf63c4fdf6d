"""Job: compute every measure for every user and system."""

import argparse
import logging
import time

import numpy as np

from assayer.artifacts.arrays import Rankings, Scores, read_matrix
from assayer.artifacts.shards import WHOLE
from assayer.errors import AssayerError
from assayer.jobs.arguments import json_object, named_path, shard
from assayer.metrics.evaluate import evaluate
from assayer.metrics.judgements import Judgements, Lists

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the stage's arguments."""
    parser.add_argument("test", help="test matrix (npz)")
    parser.add_argument("rankings", nargs="+", type=named_path, metavar="SYSTEM=RANKINGS")
    parser.add_argument(
        "--evaluation", type=json_object, required=True, help="see assayer.metrics (JSON)"
    )
    parser.add_argument("--shard", type=shard, default=WHOLE, help="some measures, as in 2/7")
    parser.add_argument("--output", required=True, help="scores to write (npz)")


def run(options: argparse.Namespace) -> None:
    """Evaluate all systems and save the scores of the users."""
    began = time.monotonic()
    spec = options.evaluation
    chosen = options.shard.of(len(spec["measures"]))
    measures = spec["measures"][chosen.start : chosen.stop]
    judgements = Judgements.of(read_matrix(options.test), spec["threshold"])
    if not judgements.relevant.any():
        raise AssayerError(
            f"no test rating reaches the threshold {spec['threshold']:g}, the highest is "
            f"{judgements.scale[1]:g}: nothing is relevant; lower the threshold of the dataset."
        )
    # Of each system only what the judgements see of it is kept.
    lists, depths = {}, []
    for name, path in options.rankings:
        ranking = Rankings.load(path)
        lists[name] = Lists.of(ranking, judgements)
        depths.append(ranking.depth)
    values = evaluate(
        judgements,
        [*lists.values()],
        measures,
        spec["profile"],
        min(depths),
        spec["without_relevant"],
    )
    scores = Scores(values, judgements.users, np.array([*lists]), np.array(measures))
    scores.save(options.output)
    log.info(
        "%d systems, %d users, %d measures: %.1f s",
        len(lists),
        judgements.n_users,
        len(measures),
        time.monotonic() - began,
    )
