"""Propensities: the probability that a rating is observed, for each rating that was.

A file may have one for every user and item. It is read line by line, and only those of the ratings
are kept.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from rankassay.artifacts.arrays import Ratings
from rankassay.artifacts.files import Pathlike
from rankassay.data import decimals
from rankassay.data.readers import header
from rankassay.data.readers.delimited import opened
from rankassay.data.readers.lines import bad_line
from rankassay.data.readers.matrix import cells
from rankassay.errors import RankassayError
from rankassay.types import Floats


def read(path: Pathlike, described: Mapping[str, Any], ratings: Ratings) -> Floats:
    """Read the propensities of the observed ratings, float64 (n_ratings,).

    Raises RankassayError, naming file and line, for a number outside of (0, 1], and for a second
    propensity of a pair, even if it is the same; and for a rating that has none.

    Parameters
    ----------
    described
        The part `propensities` of a catalogue entry, completed: `format`, `separator`, `header`,
        `encoding` and `columns`.
    ratings : Ratings
        The observed ratings.
    """
    users, items = (
        {name: place for place, name in enumerate(ids.tolist())}
        for ids in (ratings.user_ids, ratings.item_ids)
    )
    start = np.searchsorted(ratings.user, np.arange(len(users) + 1))
    found = np.full(len(ratings.rating), np.nan)
    for line, column, user, item, text in _cells(path, described):
        number = _propensity(path, line, column, text)
        if user not in users or item not in items:
            continue
        own = slice(start[users[user]], start[users[user] + 1])
        place = own.start + np.searchsorted(ratings.item[own], items[item])
        if place == own.stop or ratings.item[place] != items[item]:
            continue
        if not np.isnan(found[place]):
            expected = f"one propensity of item '{item}' for user '{user}', {found[place]:g} above"
            raise bad_line(path, line, expected, f"{number:g}")
        found[place] = number
    if (without := np.isnan(found)).any():
        first = np.argmax(without)
        user, item = ratings.user_ids[ratings.user[first]], ratings.item_ids[ratings.item[first]]
        raise RankassayError(
            f"{path}: expected a propensity of each rating, found none of {without.sum()}, for "
            f"instance of that of item '{item}' by user '{user}'; add them."
        )
    return found


def _cells(
    path: Pathlike, described: Mapping[str, Any]
) -> Iterator[tuple[int, int, str, str, str]]:
    """Yield line, column (from 1), user, item and text of each propensity in a file."""
    if described["format"] == "matrix":
        for line, fields in cells(path, described):
            for column, text in enumerate(fields, 1):
                yield line, column, str(line), str(column), text
        return
    wanted = "propensities, found an empty file; replace it."
    with opened(path, described, wanted) as (first, rows):
        named = described.get("header", False)
        at = header.positions(path, first, described["columns"], named)
        for line, fields in rows(at.values()):
            user, item, text = (fields[at[name]] for name in ("user", "item", "propensity"))
            yield line, at["propensity"] + 1, user, item, text


def _propensity(path: Pathlike, line: int, column: int, text: str) -> float:
    """Return a propensity; raises RankassayError for anything else."""
    try:
        found = decimals.number(text)
    except ValueError:
        found = np.nan
    if not 0 < found <= 1:
        expected = f"a propensity above 0 and at most 1 in column {column}"
        raise bad_line(path, line, expected, repr(text[:60]))
    return found
