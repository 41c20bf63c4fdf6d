"""Judgements of random items, which users did not select: a truth next to observed ratings."""

import logging
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Ratings, Truth
from rankassay.data.prepare import places_in, settle
from rankassay.errors import Place, RankassayError, number_of
from rankassay.types import Booleans, Floats, Integers

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Found:
    """Judgements by the users, and of the items, that have observed ratings."""

    # Float32 (n_users, n_items), indices sorted; a judgement of 0 is an entry.
    matrix: sp.csr_matrix
    rows: Integers  # int64 (n_judgements,): the line that each of them is from
    unknown: int  # lines left out, as their user or item has no observed rating


def truth(
    table: pd.DataFrame, ratings: Ratings, duplicates: str, unknown: str, place: Place
) -> Found:
    """Return judgements, as a reader returns them, as a matrix of the users and items of ratings.

    For `duplicates` see `rankassay.data.prepare.prepare`; with "error", equal judgements of a pair
    are one. Those of users or items without observed ratings are left out, or an error (`unknown`).
    """
    user, item = places_in(ratings, table)
    known = (user >= 0) & (item >= 0)
    if unknown == "error" and not known.all():
        row = int(np.argmin(known))
        name = "item" if item[row] < 0 else "user"
        raise place(
            row,
            "a user and an item with observed ratings (or 'unknown: skip' in the entry's truth; "
            f"lines of others: {(~known).sum()})",
            f"the {name} '{table[name].iloc[row]}'",
        )
    rows = np.flatnonzero(known)
    if len(rows) == 0:
        raise place(0, "a user and an item with observed ratings", "none on this and other lines")
    key = user[rows] * len(ratings.item_ids) + item[rows]
    rating = table["rating"].to_numpy(np.float64)[rows]
    if duplicates == "error":
        alike(table, place)
        duplicates = "first"
    time = table["timestamp"].to_numpy(np.int64)[rows] if "timestamp" in table else None
    kept, rating = settle(key, rating, time, duplicates, (ratings.user_ids, ratings.item_ids))
    user, item = np.divmod(key[kept], len(ratings.item_ids))
    shape = (len(ratings.user_ids), len(ratings.item_ids))
    matrix = sp.csr_matrix((rating.astype(np.float32), (user, item)), shape=shape)
    counted = number_of(matrix.nnz, "judgement"), number_of((~known).sum(), "line")
    log.info("%s, %s of unknown users or items", *counted)
    return Found(matrix, rows[kept], int((~known).sum()))


def shared(first: sp.csr_matrix, second: sp.csr_matrix) -> Booleans:
    """Return which entries of a matrix are entries of another of the same shape, bool (nnz,)."""
    keys = []
    for matrix in (first, second):
        row = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
        keys.append(row * matrix.shape[1] + matrix.indices)
    return np.isin(*keys)


def check_liked(truth: Truth, threshold: float) -> None:
    """Raise RankassayError where no judgement is relevant: all lists would be as bad."""
    if len(truth.data) and np.float32(threshold) > (greatest := truth.data.max()):
        raise RankassayError(
            f"the truth: expected judgements of at least {threshold:g}, the threshold, found none "
            f"above {greatest:g}: nobody would like anything; lower 'threshold' of the dataset's "
            "entry, or give judgements on the scale of the ratings."
        )


def alike(table: pd.DataFrame, place: Place, what: str = "judgement") -> None:
    """Raise RankassayError for the first of several ratings (`what`) of one pair that differs."""
    user, item = (table[name].cat.codes.to_numpy(np.int64) for name in ("user", "item"))
    key = user * len(table["item"].cat.categories) + item
    rating: Floats = table["rating"].to_numpy(np.float64)
    order = np.argsort(key, kind="stable")
    again = key[order][1:] == key[order][:-1]
    other = again & (rating[order][1:] != rating[order][:-1])
    if other.any():
        row = int(order[1:][other].min())
        before = int(order[np.flatnonzero(order == row)[0] - 1])
        who = f"item '{table['item'].iloc[row]}' by user '{table['user'].iloc[row]}'"
        expected = f"one {what} of {who}, which is {rating[before]:g} on a line before"
        raise place(row, expected, f"{rating[row]:g}")
