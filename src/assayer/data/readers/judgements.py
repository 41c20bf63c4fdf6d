"""Judgements that come without a split: TREC qrels, or the same in three columns of a CSV file."""

from itertools import islice

import pandas as pd

from assayer.artifacts.files import Pathlike
from assayer.data.entries import COLUMNS
from assayer.data.readers import delimited
from assayer.data.trec import read_qrels
from assayer.errors import AssayerError

CSV = {"separator": ",", "header": True, "columns": COLUMNS}


def read(path: Pathlike) -> pd.DataFrame:
    """Read judgements: `.csv` with the columns user, item, rating, or else TREC qrels.

    Returns one row per line in file order: `user` and `item` (category of str), `rating` (float64).
    Raises AssayerError, naming file and line, for a line that does not follow the format, and for a
    user's second rating of an item.
    """
    if not str(path).removesuffix(".gz").endswith(".csv"):
        return read_qrels(path).astype({"user": "category", "item": "category"})
    table = delimited.read(path, CSV)
    if again := _second(table):
        row, user, item = again
        line = next(islice(delimited.lines(path, CSV), row, None))
        raise AssayerError(
            f"{path}, line {line}: expected one rating of an item by a user, found a second one of "
            f"item '{item}' by user '{user}'; keep one of the lines."
        )
    return table


def together(test: pd.DataFrame, train: pd.DataFrame | None) -> pd.DataFrame:
    """Return judgements and training ratings as one table.

    Raises AssayerError for a rating that is in both.
    """
    if train is None:
        return test
    both = pd.concat([test, train], ignore_index=True)
    if again := _second(both):
        _, user, item = again
        raise AssayerError(
            f"expected training ratings that are not in the test set, too; found that of item "
            f"'{item}' by user '{user}' in both; remove it from one of the files."
        )
    return both


def _second(table: pd.DataFrame) -> tuple[int, str, str] | None:
    """Return the row, the user and the item of the first line that rates an item once more."""
    again = table.duplicated(["user", "item"]).to_numpy()
    if not again.any():
        return None
    row = int(again.argmax())
    return row, table["user"].iloc[row], table["item"].iloc[row]
