"""Job: fit one recommender and rank the candidates for every user."""

import argparse
import logging
import time

from rankassay.artifacts.arrays import read_held_out, read_matrix
from rankassay.data.feedback import check_reached
from rankassay.jobs.arguments import COMMON, add, made
from rankassay.lookup import blamed
from rankassay.recommenders.folding import fitted
from rankassay.recommenders.rank import CANDIDATES, rank

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "train", "test", "--method", "--settings", "--depth", "--seed")
    parser.add_argument("--candidates", choices=CANDIDATES, **COMMON["--candidates"])
    add(parser, "--dataset", "--threshold", output="rankings to write (npz)")


def run(options: argparse.Namespace) -> None:
    """Fit, rank and save."""
    train, test = read_matrix(options.train), read_matrix(options.test)
    check_reached(test, options.threshold, options.dataset)
    held_out = read_held_out(options.train)
    began = time.monotonic()
    with blamed(options.method):
        model = fitted(made(options), train, options.seed, held_out)
        log.info("%s: fitted in %.1f s", options.method, time.monotonic() - began)
        rankings = rank(model, train, test, options.depth, options.candidates)
    rankings.save(options.output)
