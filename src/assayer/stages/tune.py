"""Stage: score one point of a recommender's grid on a part of the training ratings."""

import argparse
import logging
import time

import pandas as pd

from assayer.artifacts import read_matrix, write_table
from assayer.data.split import ROUNDINGS, split
from assayer.metrics.evaluate import Measure, evaluate
from assayer.metrics.judged import Judgements
from assayer.rankings import CANDIDATES, rank
from assayer.registry import load, recommender
from assayer.stages.arguments import json_object

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the stage's arguments."""
    parser.add_argument("train", help="training matrix (npz), which is split once more")
    parser.add_argument("--method", required=True, help="name in the registry of recommenders")
    parser.add_argument("--settings", type=json_object, required=True, help="the point (JSON)")
    parser.add_argument(
        "--evaluation", type=json_object, required=True, help="threshold, measure, profile (JSON)"
    )
    parser.add_argument("--test-fraction", type=float, required=True)
    parser.add_argument("--rounding", choices=ROUNDINGS, required=True)
    parser.add_argument("--depth", type=int, required=True, help="list length without a cut-off")
    parser.add_argument("--candidates", choices=CANDIDATES, required=True)
    parser.add_argument("--seed", type=int, required=True, help="the same for all points")
    parser.add_argument("--output", required=True, help="score to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Split, fit, rank, evaluate and save the mean over users."""
    fitted, validation = split(
        read_matrix(options.train), options.test_fraction, options.rounding, options.seed
    )
    spec = options.evaluation
    measure = Measure.parse(spec["measure"])
    depth = measure.cutoff or options.depth
    began = time.monotonic()
    method = load(recommender(options.method))
    model = method(**options.settings).fit(fitted, options.seed)
    rankings = rank(model, fitted, validation, depth, options.candidates)
    values = evaluate(
        Judgements.of(validation, spec["threshold"]),
        [rankings.ranks],
        [spec["measure"]],
        spec["profile"],
        depth,
    )
    score = values.mean()
    write_table(pd.DataFrame([{"measure": spec["measure"], "score": score}]), options.output)
    log.info("%s %.4f: %.1f s", measure, score, time.monotonic() - began)
