"""Stage: score one point of a recommender's grid on a part of the training ratings."""

import argparse
import logging
import math
import time

import pandas as pd

from assayer.artifacts.arrays import read_matrix
from assayer.artifacts.files import write_table
from assayer.data.split import ROUNDINGS, split
from assayer.errors import AssayerError
from assayer.jobs.arguments import json_object
from assayer.lookup import load
from assayer.metrics.aggregate import aggregate
from assayer.metrics.evaluate import Measure, evaluate
from assayer.metrics.judgements import Judgements, Lists
from assayer.recommenders.catalogue import recommender
from assayer.recommenders.rank import CANDIDATES, rank

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
    """Split, fit, rank, evaluate and save the mean over users.

    A point that the data cannot take, such as more factors than items, is a row without a score
    and with the reason: the other points of the grid are still worth comparing.
    """
    fitted, validation = split(
        read_matrix(options.train), options.test_fraction, options.rounding, options.seed
    )
    spec = options.evaluation
    measure = Measure.parse(spec["measure"])
    depth = measure.cutoff or options.depth
    began = time.monotonic()
    method = load(recommender(options.method))
    row = {"measure": spec["measure"], "score": math.nan, "error": ""}
    try:
        model = method(**options.settings).fit(fitted, options.seed)
        rankings = rank(model, fitted, validation, depth, options.candidates)
    except AssayerError as error:
        row["error"] = str(error)
        log.warning("warning: no score, this point is left out: %s", error)
    else:
        judgements = Judgements.of(validation, spec["threshold"])
        values = evaluate(
            judgements,
            [Lists.of(rankings, judgements)],
            [spec["measure"]],
            spec["profile"],
            depth,
        )
        row["score"] = float(aggregate(values[:, 0, 0]))
        log.info("%s %.4f: %.1f s", measure, row["score"], time.monotonic() - began)
    write_table(pd.DataFrame([row]), options.output)
