"""Job: read the propensities of a dataset's ratings."""

import argparse
import logging

from rankassay.artifacts.arrays import Ratings, write_matrix
from rankassay.artifacts.files import read_json
from rankassay.data.propensities import read
from rankassay.data.reading import fetched_beside
from rankassay.jobs.arguments import add

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    written = "matrix of propensities to write (npz)"
    add(parser, "ratings", "record", "--source", output=written)


def run(options: argparse.Namespace) -> None:
    """Read, and save in the structure of the ratings."""
    ratings = Ratings.load(options.ratings)
    path = fetched_beside(read_json(options.record), options.source, "propensities")
    found = read(path, options.source["propensities"], ratings)
    write_matrix(ratings.matrix_of(found), options.output)
    log.info("%d propensities from %g to %g", len(found), found.min(), found.max())
