"""What the datasets of a run are like."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

COLUMNS = ["dataset", "title", "source", "implicit", "users", "items", "ratings", "density"]
COLUMNS += ["gini", "test_ratings", "systems"]


def datasets(
    split: pd.DataFrame, summary: pd.DataFrame, runs: Mapping[str, Mapping[str, Any]]
) -> pd.DataFrame:
    """Return a row for each dataset.

    Parameters
    ----------
    split : DataFrame
        Columns dataset, part (train, test), users, items, ratings, ratings_median and gini, of what
        is left after filters.
    summary : DataFrame
        Columns dataset and systems, how many were compared.
    runs : mapping
        By dataset title, source and implicit.

    Returns
    -------
    DataFrame
        Columns dataset, title, source, implicit; users, items, ratings, density and gini, the Gini
        coefficient of the items' numbers of ratings, of the training set; test_ratings, the median
        number of a user; and systems.
    """
    rows = []
    for dataset, own in split.groupby("dataset", sort=False):
        parts = own.set_index("part")
        train = parts.loc["train"]
        rows.append(
            {"dataset": dataset}
            | {name: runs[dataset][name] for name in ("title", "source", "implicit")}
            | {name: int(train[name]) for name in ("users", "items", "ratings")}
            | {"density": train["ratings"] / (train["users"] * train["items"])}
            | {"gini": train["gini"], "test_ratings": float(parts.loc["test", "ratings_median"])}
            | {"systems": int(summary.loc[summary["dataset"] == dataset, "systems"].max())}
        )
    return pd.DataFrame(rows, columns=COLUMNS)
