"""The splits of ratings into training and test, each a function in a separate file."""

from collections.abc import Mapping
from typing import Any

from rankassay.artifacts.arrays import Ratings
from rankassay.data import seeded
from rankassay.data.splits.folds import folds
from rankassay.data.splits.given import given
from rankassay.data.splits.global_time import global_time
from rankassay.data.splits.hold_out_users import hold_out_users
from rankassay.data.splits.leave_last import leave_last
from rankassay.data.splits.parts import Parts
from rankassay.data.splits.random import random
from rankassay.data.splits.temporal import temporal_share
from rankassay.errors import one_of

METHODS = {
    "random": random,
    "folds": folds,
    "leave_last": leave_last,
    "temporal_share": temporal_share,
    "global_time": global_time,
    "hold_out_users": hold_out_users,
}


def cut(ratings: Ratings, split: Mapping[str, Any], seed: int, fold: int = 1) -> Parts:
    """Split ratings by a method and all of its parameters; those that come split stay as given.

    `fold` says which of the folds is tested, from 1; other methods have none.
    """
    if ratings.tested is not None:
        return given(ratings)
    method = split["method"]
    one_of("method of the split", method, METHODS)
    own = {key: value for key, value in split.items() if key != "method"}
    if method in seeded.SPLITS:
        own["seed"] = seed
    if method == "folds":
        own["fold"] = fold
    return METHODS[method](ratings, **own)
