"""Propensities: the probability that a rating is observed, for each rating that was."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rankassay.artifacts.arrays import Ratings
from rankassay.artifacts.files import Pathlike
from rankassay.data.prepare import places_in
from rankassay.data.readers import delimited, matrix
from rankassay.data.validation import ABOVE_0, second
from rankassay.data.validation import ratings as lines
from rankassay.errors import RankassayError
from rankassay.types import Floats

MEANING = "a propensity above 0 and at most 1"


def read(path: Pathlike, described: Mapping[str, Any], ratings: Ratings) -> Floats:
    """Read the propensities of observed ratings, float64 (n_ratings,), by a part of an entry."""
    if described["format"] == "matrix":
        stored = matrix.read(path, described, zeros=True)
    else:
        named = described["columns"]
        columns = {"user": named["user"], "item": named["item"], "rating": named["propensity"]}
        said = {"columns": columns, "wanted": "propensities", "meaning": MEANING}
        stored = delimited.read(path, {**described, **said})
    frame, error = lines(
        stored, {"meaning": MEANING, "scale": (ABOVE_0, 1), "blanks": described.get("blanks")}
    )
    number = frame["rating"].to_numpy()
    if (row := second(frame)) >= 0:
        own = frame.loc[row]
        before = number[np.argmax((frame["user"] == own.user) & (frame["item"] == own["item"]))]
        expected = f"one propensity of item '{own['item']}' for user '{own.user}', {before:g} above"
        raise error(row, expected, f"{own.rating:g}")
    user, item = places_in(ratings, frame)
    size = len(ratings.item_ids)
    known = np.flatnonzero((user >= 0) & (item >= 0))
    key = ratings.user.astype(np.int64) * size + ratings.item  # which rises
    wanted = user[known] * size + item[known]
    place = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
    there = key[place] == wanted
    found = np.full(len(key), np.nan)
    found[place[there]] = number[known[there]]
    if (without := np.isnan(found)).any():
        first = np.argmax(without)
        user, item = ratings.user_ids[ratings.user[first]], ratings.item_ids[ratings.item[first]]
        raise RankassayError(
            f"{path}: expected a propensity of each rating, found none of {without.sum()}, for "
            f"instance of that of item '{item}' by user '{user}'; add them."
        )
    return found
