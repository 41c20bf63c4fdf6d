"""The files of a dataset as tables, by its catalogue entry and the record of its files."""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from assayer.artifacts.checksums import check_fetched
from assayer.data.readers import LINES, READERS, matrix
from assayer.data.readers.lines import bad_line
from assayer.errors import AssayerError
from assayer.lookup import find, load
from assayer.types import Booleans

Record = Mapping[str, Mapping[str, Any]]
# Makes the error for a row of a table, of what was expected there and what was found.
Place = Callable[[int, str, str], AssayerError]


def fetched(record: Record, key: str) -> str:
    """Return the path of a raw file; raises AssayerError if it was altered since it was fetched."""
    path = record[key]["path"]
    check_fetched(path, record[key].get("sha256"))
    return path


def fetched_beside(record: Record, source: Mapping[str, Any], part: str) -> str:
    """Return the path of the raw truth or propensities; raises AssayerError as `fetched` does.

    And for a matrix that has other columns than that of the ratings: its items would be others.
    """
    path = fetched(record, part)
    if source["format"] == source[part]["format"] == "matrix":
        matrix.check_width(path, source[part], fetched(record, "ratings"), source)
    return path


def lines_of(path: str, described: Mapping[str, Any]) -> pd.DataFrame:
    """Return the lines of a file of ratings or judgements, as the reader of its format does."""
    return load(find("format", described["format"], READERS))(path, described)


def place_in(path: str, described: Mapping[str, Any]) -> Place:
    """Return what makes an error of a row of `lines_of`, which names file and line."""

    def error(row: int, expected: str, found: str) -> AssayerError:
        numbers = load(find("format", described["format"], LINES))(path, described)
        return bad_line(path, next(islice(numbers, row, None)), expected, found)

    return error


def known_before(path: str, source: Mapping[str, Any], place: Place) -> Booleans:
    """Return which lines of the ratings are of items that the user knew before, bool (n_lines,)."""
    columns = {**source["columns"], "rating": source["truth"]["known"]}
    plain = {"rating_divisor": 1, "decimals": None, "scale": (-np.inf, np.inf)}
    flags = lines_of(path, {**source, **plain, "columns": columns})
    found = flags["rating"].to_numpy()
    if (wrong := ~np.isin(found, (0, 1))).any():
        row = int(np.argmax(wrong))
        raise place(row, "1 for an item known before, or 0", f"{found[row]:g}")
    return found == 1
