"""Judgements and lists of the pipeline as frames, by the ids of the data."""

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.errors import RankassayError
from rankassay.types import Texts


def judgements(test: sp.csr_matrix, users: Texts, items: Texts) -> pd.DataFrame:
    """Return a test or training matrix as a frame: user, item, rating."""
    _check("matrix", test.shape, (len(users), len(items)))
    entries = test.tocoo()
    return pd.DataFrame(
        {"user": users[entries.row], "item": items[entries.col], "rating": entries.data}
    )


def lists(rankings: Rankings, users: Texts, items: Texts) -> pd.DataFrame:
    """Return rankings as a frame: user, item, rank, and score, which falls by 1 with each rank."""
    found = (len(rankings.items), max(len(items), 1 + int(rankings.items.max(initial=-1))))
    _check("rankings", found, (len(users), len(items)))
    user, place = np.nonzero(rankings.items >= 0)
    return pd.DataFrame(
        {
            "user": users[user],
            "item": items[rankings.items[user, place]],
            "rank": place + 1,
            "score": rankings.depth - 1 - place,
        }
    )


def _check(what: str, found: tuple[int, int], expected: tuple[int, int]) -> None:
    if found != expected:
        raise RankassayError(
            f"the {what}: expected {expected[0]} users and {expected[1]} items as in the ratings, "
            f"found {found[0]} and {found[1]}; give files of the same run."
        )
