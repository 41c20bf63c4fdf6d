"""Job: split ratings into training and test, unless they come split."""

import argparse
import hashlib
import logging
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Ratings, write_matrix
from rankassay.artifacts.tables import read_table, write_table
from rankassay.data.feedback import binary, check_reached
from rankassay.data.filters import filtered_training, unfiltered
from rankassay.data.leakage import leakage
from rankassay.data.parts import selected
from rankassay.data.splits import cut, times
from rankassay.data.statistics import gini
from rankassay.errors import RankassayError
from rankassay.jobs.arguments import add, json_object
from rankassay.types import Integers

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "ratings", "--seed", "--steps", "--dataset", "--threshold")
    parser.add_argument(
        "--split", type=json_object, required=True, help="method and its parameters (JSON)"
    )
    parser.add_argument("--fold", type=int, default=1, help="which of the folds is tested, from 1")
    parser.add_argument(
        "--relevant", type=float, metavar="COUNT", help="least count that is relevant, of feedback"
    )
    add(parser, train="training matrix to write (npz)", test="test matrix to write (npz)")
    add(parser, summary="counts and checksums to write (csv)")
    add(parser, leakage="counts of what training knows of the future to write (csv)")
    parser.add_argument("--counts", help="what the filter before the split removed (csv)")
    add(parser, removed="the same and what --steps remove after it, to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Split, filter training, save both parts, and count their users, items and ratings.

    With users held out, the training matrix has their given ratings, too, and flags these users.
    """
    ratings = Ratings.load(options.ratings)
    parts = cut(ratings, options.split, options.seed, options.fold)
    removed = [read_table(options.counts) if options.counts else unfiltered(ratings)]
    if options.steps:
        parts, table = filtered_training(ratings, parts, options.steps, options.seed)
        removed.append(table)
    matrix = ratings.matrix
    train, test = selected(matrix, parts.known), selected(matrix, parts.test)
    if options.relevant is not None:
        test = binary(test, options.relevant)
    check_reached(test, options.threshold, options.dataset)
    held_out = None
    if parts.fold_in is not None:
        held_out = np.zeros(len(ratings.user_ids), bool)
        held_out[ratings.user[parts.fold_in | parts.test]] = True
    rows = [counted("train", train), counted("test", test)]
    write_matrix(train, options.train, held_out)
    write_matrix(test, options.test)
    write_table(pd.DataFrame(rows), options.summary)
    found = leakage(
        *(ratings.user, ratings.item, _sound_times(ratings), parts.known, parts.test),
        n_users=len(ratings.user_ids),
        n_items=len(ratings.item_ids),
    )
    write_table(found, options.leakage)
    write_table(pd.concat(removed), options.removed)
    for row in rows:
        log.info("%(part)s: %(ratings)d ratings, %(users_without)d users without any", row)
    out = len(ratings.user) - train.nnz - test.nnz
    if out:
        log.info("left out: %d ratings", out)
    if held_out is not None:
        log.info("held out: %d of %d users", held_out.sum(), len(held_out))


def _sound_times(ratings: Ratings) -> Integers | None:
    """Return the timestamps if they can be compared, and else None: then nothing is counted."""
    if ratings.timestamp is None:
        return None
    try:
        return times(ratings, "the count of what training knows of the future")
    except RankassayError as error:
        log.warning("warning: %s", error)
        return None


def counted(part: str, matrix: sp.csr_matrix) -> dict[str, Any]:
    """Return how many ratings a matrix has, how many users and items have any, and the items' Gini.

    The Gini coefficient is that of the numbers of ratings of the items that have any.
    """
    counts = np.diff(matrix.indptr)
    users = counts > 0
    q1, median, q3 = np.quantile(counts[users], [0.25, 0.5, 0.75]) if users.any() else [0] * 3
    popularity = np.bincount(matrix.indices, minlength=matrix.shape[1])
    items = popularity > 0
    return {
        "part": part,
        "ratings": matrix.nnz,
        "users": users.sum(),
        "users_without": (~users).sum(),
        "ratings_q1": q1,
        "ratings_median": median,
        "ratings_q3": q3,
        "items": items.sum(),
        "items_without": (~items).sum(),
        "gini": gini(popularity[items]) if items.any() else np.nan,
        "sha256": checksum(matrix),
    }


def checksum(matrix) -> str:
    """Return the SHA-256 of a sparse matrix: its row pointers, columns and values."""
    digest = hashlib.sha256()
    for array, kind in ((matrix.indptr, "<i8"), (matrix.indices, "<i4"), (matrix.data, "<f4")):
        digest.update(array.astype(kind).tobytes())
    return digest.hexdigest()
