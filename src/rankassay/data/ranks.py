"""Ranks next to scores: a run is ordered by its scores, and its ranks may say otherwise."""

import logging
from collections.abc import Callable

import numpy as np
import pandas as pd

from rankassay.errors import number_of
from rankassay.types import Floats, Integers

log = logging.getLogger(__name__)


def compare_ranks(
    user: Integers, rank: pd.Series, score: Floats, where: Callable[[int], str]
) -> None:
    """Log where ranks are not numbers, or not in the order of the scores of a user.

    PyTerrier and trectools write rank 0 in every row, and re-ranking leaves old ranks behind.

    Parameters
    ----------
    user : int64 (n_rows,)
    rank : Series (n_rows,)
        Of any type; anything but a number disagrees.
    score : float64 (n_rows,)
    where : callable
        From the index of a row to the words that name it.
    """
    place = pd.to_numeric(rank, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    order = np.lexsort((place, -score, user))
    before, row = order[:-1], order[1:]
    falls = (user[row] == user[before]) & (score[row] < score[before])
    wrong = row[falls & ~(place[row] > place[before])]
    if len(wrong):
        log.warning(
            "%s: the ranks are not in the order of the scores (%s); lists are in the order of the "
            "scores, as in trec_eval",
            where(int(wrong.min())),
            number_of(len(wrong), "such row"),
        )
