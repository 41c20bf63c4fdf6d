"""Jobs: filter ratings, and split them into training and test, unless they come split."""

import hashlib
import logging
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Ratings, write_matrix
from rankassay.artifacts.tables import read_table, write_table
from rankassay.data import filters
from rankassay.data.feedback import binary, check_reached
from rankassay.data.parts import selected
from rankassay.data.prepare import gini
from rankassay.data.splits import cut, times
from rankassay.data.splits import leakage as leaked
from rankassay.errors import RankassayError
from rankassay.types import Integers

log = logging.getLogger(__name__)


def filter(
    ratings: str, steps: Sequence[Mapping[str, Any]], seed: int, filtered: str, counts: str
) -> None:
    """Save the ratings that a filter leaves, and what each of its steps removed."""
    smaller, table = filters.filtered(Ratings.load(ratings), steps, seed)
    smaller.save(filtered)
    write_table(table, counts)
    for row in table.to_dict("records"):
        log.info("%(what)s: %(users)d users, %(items)d items, %(ratings)d ratings", row)


def split(
    ratings: str,
    split: Mapping[str, Any],
    fold: int,
    seed: int,
    train: str,
    test: str,
    summary: str,
    leakage: str,
    removed: str,
    *,
    steps: Sequence[Mapping[str, Any]] = (),
    counts: str | None = None,
    relevant: float | None = None,
    dataset: str | None = None,
    threshold: float | None = None,
) -> None:
    """Split, filter training, save both parts, and count their users, items and ratings.

    `counts` is what the filter before the split removed, `steps` are those after it, and from
    `relevant` counts of feedback on items are relevant. With users held out, the training matrix
    has their given ratings, too, and flags these users.
    """
    rated = Ratings.load(ratings)
    parts = cut(rated, split, seed, fold)
    tables = [read_table(counts) if counts else filters.unfiltered(rated)]
    if steps:
        parts, table = filters.filtered_training(rated, parts, steps, seed)
        tables.append(table)
    matrix = rated.matrix
    training, tested = selected(matrix, parts.known), selected(matrix, parts.test)
    if relevant is not None:
        tested = binary(tested, relevant)
    check_reached(tested, threshold, dataset)
    held_out = None
    if parts.fold_in is not None:
        held_out = np.zeros(len(rated.user_ids), bool)
        held_out[rated.user[parts.fold_in | parts.test]] = True
    rows = [counted("train", training), counted("test", tested)]
    write_matrix(training, train, held_out)
    write_matrix(tested, test)
    write_table(pd.DataFrame(rows), summary)
    found = leaked(
        *(rated.user, rated.item, _sound_times(rated), parts.known, parts.test),
        n_users=len(rated.user_ids),
        n_items=len(rated.item_ids),
    )
    write_table(found, leakage)
    write_table(pd.concat(tables), removed)
    for row in rows:
        log.info("%(part)s: %(ratings)d ratings, %(users_without)d users without any", row)
    out = len(rated.user) - training.nnz - tested.nnz
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
