"""The files of a dataset as tables, by its catalogue entry and the record of its files."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from rankassay.artifacts.files import check_fetched
from rankassay.data.columns import check_means
from rankassay.data.readers import READERS, matrix
from rankassay.data.validation import ratings
from rankassay.errors import Place, RankassayError, number_of
from rankassay.lookup import find, load
from rankassay.types import Booleans, Floats

Record = Mapping[str, Mapping[str, Any]]


def fetched(record: Record, key: str) -> str:
    """Return the path of a raw file; raises RankassayError if it was altered since its fetch."""
    path = record[key]["path"]
    check_fetched(path, record[key].get("sha256"))
    return path


def fetched_beside(record: Record, source: Mapping[str, Any], part: str) -> str:
    """Return the path of the raw truth or propensities; raises RankassayError as `fetched` does.

    And for a matrix that has other columns than that of the ratings: its items would be others.
    """
    path = fetched(record, part)
    if source["format"] == source[part]["format"] == "matrix":
        matrix.check_width(path, source[part], fetched(record, "ratings"), source)
    return path


def lines_of(path: str, described: Mapping[str, Any]) -> pd.DataFrame:
    """Return the lines of a file of ratings: see `rankassay.data.validation.ratings`."""
    table = _read(path, described)[0]
    check_means(path, table["user"].cat.categories)
    return table


def place_in(path: str, described: Mapping[str, Any]) -> Place:
    """Return a function that makes an error, with file and line, from a row of `lines_of`."""
    return lambda row, *wrong: _read(path, described)[1](row, *wrong)


def _read(path: str, described: Mapping[str, Any]) -> tuple[pd.DataFrame, Place]:
    reader = load(f"{find('format', described['format'], READERS)}:read")
    return ratings(reader(path, described), described)


def known_before(path: str, source: Mapping[str, Any], place: Place) -> Booleans | None:
    """Return which lines are of items that the user knew before, if said, bool (n_lines,)."""
    if "known" not in source["truth"]:
        return None
    meaning = "1 for an item known before, or 0, on each line"
    found = numbers_of(path, source, source["truth"]["known"], meaning)
    # A blank is no flag, and flags of a part of the lines only would make others of the rest.
    if (wrong := ~np.isin(found, (0, 1))).any():
        row = int(np.argmax(wrong))
        raise place(row, meaning, f"{found[row]:g}")
    return found == 1


def inclusion(path: str, described: Mapping[str, Any]) -> Floats | None:
    """Return the probability that a judged pair is in the truth, if said, float64 (n_lines,)."""
    if "inclusion" not in described:
        return None
    column = described["inclusion"]
    found = numbers_of(path, described, column, "a probability above 0 and at most 1")
    if (wrong := ~((found > 0) & (found <= 1))).any():
        items = lines_of(path, described)["item"]
        strange = items[wrong].unique()
        named = ", ".join(map(repr, strange[:3])) + ", ..." * (len(strange) > 3)
        raise RankassayError(
            f"{path}: expected probabilities above 0 and at most 1 in the column {column!r}, which "
            f"'inclusion' of the entry's truth names, found others, such as "
            f"{found[wrong][0]:g}, for {len(strange):,} of {number_of(items.nunique(), 'item')} "
            f"({len(strange) / items.nunique():.0%}): {named}; correct them, or remove these lines."
        )
    return found


def numbers_of(path: str, described: Mapping[str, Any], column: int | str, meaning: str) -> Floats:
    """Return the numbers of another column of the lines of `lines_of`, float64 (n_lines,)."""
    columns = {**described["columns"], "rating": column}
    own = {"columns": columns, "meaning": meaning, "scale": (-np.inf, np.inf), "feedback": None}
    table = lines_of(path, {**described, **own})
    return table["rating"].to_numpy(np.float64)
