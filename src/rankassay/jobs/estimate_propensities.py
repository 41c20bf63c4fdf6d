"""Job: estimate how likely it was that each test rating is observed, or look it up."""

import argparse
import logging

from rankassay.artifacts.arrays import read_matrix, write_matrix
from rankassay.jobs.arguments import add
from rankassay.statistics.propensities import by_popularity, fitted, known

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "train", "test", output="propensities of the test ratings to write (npz)")
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--gamma", type=float, help="estimate by popularity, with this gamma")
    how.add_argument("--fitted", action="store_true", help="estimate by a fitted model")
    how.add_argument("--known", metavar="PATH", help="those of all ratings (npz)")


def run(options: argparse.Namespace) -> None:
    """Estimate the propensities of the test ratings, or look them up, and save them."""
    train, test = read_matrix(options.train), read_matrix(options.test)
    if options.known:
        found = known(read_matrix(options.known), test)
    elif options.fitted:
        found = fitted(train, test)
    else:
        found = by_popularity(train, test, options.gamma)
    write_matrix(found, options.output)
    log.info("from %g to %g", found.data.min(initial=1), found.data.max(initial=0))
