"""Job: write a split, or one system's lists, as files for other tools.

Judgements and lists are TREC files, training ratings a CSV file of the columns user, item, rating
and, where the source has it, timestamp.
"""

import argparse
import logging

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings, Ratings, Truth, read_matrix
from rankassay.artifacts.files import record
from rankassay.artifacts.tables import write_table
from rankassay.data.trec import escaped, escaped_ids, judgements, lists, write_qrels, write_run
from rankassay.errors import RankassayError
from rankassay.jobs.arguments import add
from rankassay.types import Integers

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "ratings", output="file to write")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--test", help="test matrix to write as qrels (npz)")
    source.add_argument("--truth", help="judgements of random items to write as qrels (npz)")
    source.add_argument("--train", help="training matrix to write as CSV (npz)")
    source.add_argument("--rankings", help="rankings to write as a run (npz)")
    parser.add_argument("--tag", default="rankassay", help="name of the system in the run")


def run(options: argparse.Namespace) -> None:
    """Write a file."""
    ratings = Ratings.load(options.ratings)
    users, items = (
        np.array(escaped_ids(ids), dtype=object) for ids in (ratings.user_ids, ratings.item_ids)
    )
    if options.test or options.truth:
        matrix = read_matrix(options.test) if options.test else Truth.load(options.truth).matrix
        frame = judgements(matrix, users, items)
        write_qrels(frame, options.output)
        record(options.output)
    elif options.train:
        train = read_matrix(options.train)
        frame = judgements(train, users, items)
        if ratings.timestamp is not None:
            frame["timestamp"] = times_of(ratings, train)
        write_table(frame, options.output)
    else:
        frame = lists(Rankings.load(options.rankings), users, items)
        write_run(frame, options.output, escaped(options.tag))
        record(options.output)
    log.info("%d lines to %s", len(frame), options.output)


def times_of(ratings: Ratings, train: sp.csr_matrix) -> Integers:
    """Return the time of each training rating, int64 (n_train,).

    Raises RankassayError when training has a rating that the ratings do not have.
    """
    own = train.tocoo()
    keys, wanted = (
        user.astype(np.int64) * train.shape[1] + item
        for user, item in ((ratings.user, ratings.item), (own.row, own.col))
    )
    found = np.searchsorted(keys, wanted)  # both are sorted by user and then item
    strange = np.append(keys, -1)[found] != wanted
    if strange.any():
        raise RankassayError(
            f"the training matrix: expected ratings of the dataset alone, found {strange.sum()} "
            "others; give files of the same run."
        )
    return ratings.timestamp[found]
