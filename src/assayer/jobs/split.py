"""Job: split each user's ratings into training and test, unless they come split."""

import argparse
import hashlib
import logging
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from assayer.artifacts.arrays import Ratings, write_matrix
from assayer.artifacts.files import write_table
from assayer.data.split import ROUNDINGS, split, split_as_given
from assayer.jobs.arguments import COMMON, add

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "ratings", "--test-fraction", "--seed")
    parser.add_argument("--rounding", choices=ROUNDINGS, **COMMON["--rounding"])
    add(parser, train="training matrix to write (npz)", test="test matrix to write (npz)")
    add(parser, summary="counts and checksums to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Split, save both parts, and count who is in them."""
    ratings = Ratings.load(options.ratings)
    if ratings.tested is None:
        how = options.test_fraction, options.rounding, options.seed
        train, test = split(ratings.matrix, *how)
    else:
        train, test = split_as_given(ratings.matrix, ratings.tested)
    rows = [counted("train", train), counted("test", test)]
    write_matrix(train, options.train)
    write_matrix(test, options.test)
    write_table(pd.DataFrame(rows), options.summary)
    for row in rows:
        log.info("%(part)s: %(ratings)d ratings, %(users_without)d users without any", row)


def counted(part: str, matrix: sp.csr_matrix) -> dict[str, Any]:
    """Return how many ratings a matrix has, and how many users and items have any."""
    counts = np.diff(matrix.indptr)
    users = counts > 0
    q1, median, q3 = np.quantile(counts[users], [0.25, 0.5, 0.75]) if users.any() else [0] * 3
    items = np.bincount(matrix.indices, minlength=matrix.shape[1]) > 0
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
        "sha256": checksum(matrix),
    }


def checksum(matrix) -> str:
    """Return the SHA-256 of a sparse matrix: its row pointers, columns and values."""
    digest = hashlib.sha256()
    for array, kind in ((matrix.indptr, "<i8"), (matrix.indices, "<i4"), (matrix.data, "<f4")):
        digest.update(array.astype(kind).tobytes())
    return digest.hexdigest()
