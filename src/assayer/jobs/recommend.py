"""Stage: fit one recommender and rank the candidates for every user."""

import argparse
import logging
import time

from assayer.artifacts.arrays import read_matrix
from assayer.jobs.arguments import json_object
from assayer.lookup import load
from assayer.recommenders.catalogue import recommender
from assayer.recommenders.rank import CANDIDATES, rank

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the stage's arguments."""
    parser.add_argument("train", help="training matrix (npz)")
    parser.add_argument("test", help="test matrix (npz): whose items are ranked")
    parser.add_argument("--method", required=True, help="name in the registry, or module:class")
    parser.add_argument("--settings", type=json_object, default={}, help="its settings (JSON)")
    parser.add_argument("--depth", type=int, required=True, help="length of the lists")
    parser.add_argument("--candidates", choices=CANDIDATES, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--output", required=True, help="rankings to write (npz)")


def run(options: argparse.Namespace) -> None:
    """Fit, rank and save."""
    train, test = read_matrix(options.train), read_matrix(options.test)
    method = load(recommender(options.method))
    began = time.monotonic()
    model = method(**options.settings).fit(train, options.seed)
    fitted = time.monotonic()
    rankings = rank(model, train, test, options.depth, options.candidates)
    ranked = time.monotonic()
    rankings.save(options.output)
    log.info(
        "%s: fitted in %.1f s, ranked in %.1f s", options.method, fitted - began, ranked - fitted
    )
