"""Job: score one point of a recommender's grid on a part of the training ratings."""

import argparse
import logging
import math

import pandas as pd

from rankassay.artifacts.arrays import read_held_out, read_matrix
from rankassay.artifacts.tables import write_table
from rankassay.data.feedback import binary
from rankassay.data.parts import ROUNDINGS, split
from rankassay.errors import RankassayError
from rankassay.jobs.arguments import COMMON, add, made
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.evaluate import Measure, evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.recommenders.folding import of_users
from rankassay.recommenders.rank import CANDIDATES, rank

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "train", "--method", "--settings", "--evaluation", "--test-fraction", "--seed")
    parser.add_argument("--rounding", choices=ROUNDINGS, **COMMON["--rounding"])
    parser.add_argument("--candidates", choices=CANDIDATES, **COMMON["--candidates"])
    add(parser, "--depth", output="score to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Split, fit, rank, evaluate and save the mean over users.

    A point that the data cannot take, such as more factors than items, is a row without a score
    and with the reason: the other points of the grid are still worth comparing.
    """
    how = (options.test_fraction, options.rounding, options.seed)
    train = read_matrix(options.train)
    held_out = read_held_out(options.train)
    if held_out is not None:
        train = of_users(train, ~held_out)
    training, validation = split(train, *how)
    spec = options.evaluation
    if spec.get("relevant") is not None:
        validation = binary(validation, spec["relevant"])
    judgements = Judgements.of(validation, spec["threshold"])
    judgements.check_relevant()
    measure = Measure.parse(spec["measure"])
    depth = measure.cutoff or options.depth
    model = made(options)
    row = {"measure": spec["measure"], "score": math.nan, "error": ""}
    try:
        model = model.fit(training, options.seed)
        rankings = rank(model, training, validation, depth, options.candidates)
    except RankassayError as error:
        row["error"] = str(error)
        log.warning("warning: no score, this point is left out: %s", error)
    else:
        lists = [Lists.of(rankings, judgements)]
        values = evaluate(judgements, lists, [spec["measure"]], spec["profile"], depth)
        row["score"] = float(aggregate(values[:, 0, 0]))
        log.info("%s %.4f", measure, row["score"])
    write_table(pd.DataFrame([row]), options.output)
