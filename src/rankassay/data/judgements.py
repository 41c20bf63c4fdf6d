"""Judgements that come without a split, in any form that is known by its content or described."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from rankassay.artifacts.files import Pathlike
from rankassay.data import tables
from rankassay.data.columns import check_means
from rankassay.data.entries import SHAPE, shaped
from rankassay.data.reading import lines_of, place_in
from rankassay.data.validation import second
from rankassay.errors import RankassayError
from rankassay.metrics.relevance import usual_threshold


def read(path: Pathlike, entry: Mapping[str, Any]) -> pd.DataFrame:
    """Read judgements, or the training ratings that come with them, a row per line in file order.

    The file is read as the entry describes it, and else by its content, as `rankassay.evaluate`
    does.
    """
    own = {key: entry[key] for key in SHAPE if key in entry}
    if own:
        own = shaped(own, str(path))
        table = lines_of(str(path), own)
    else:
        table = tables.read(path, "rating")
        check_means(path, table["user"].cat.categories)
    if table.empty:
        raise RankassayError(f"{path}: expected ratings, found none; replace the file.")
    if (row := second(table)) >= 0:
        user, item = table.loc[row, ["user", "item"]]
        found = f"a second one of item '{item}' by user '{user}'"
        raise place_in(str(path), own)(row, "one rating of an item by a user", found)
    return table


def together(test: pd.DataFrame, train: pd.DataFrame | None) -> pd.DataFrame:
    """Return judgements and training ratings as one table, with times if both have them."""
    if train is None:
        return test
    both = pd.concat([test, train], ignore_index=True, join="inner")
    if (row := second(both)) >= 0:
        user, item = both.loc[row, ["user", "item"]]
        raise RankassayError(
            f"expected training ratings that are not in the test set, too; found that of item "
            f"'{item}' by user '{user}' in both; remove it from one of the files."
        )
    return both


def entry_threshold(name: str, entry: Mapping[str, Any]) -> tuple[float, str]:
    """Return the usual threshold of the ratings in a dataset's own file, and their scale."""
    path = entry["path"]
    table = read(path, entry) if entry["kind"] == "qrels" else lines_of(path, entry)
    place = f"config: dataset_catalogue.{name}: {path}"
    return usual_threshold(table["rating"].to_numpy(), place, "the key 'threshold'")
