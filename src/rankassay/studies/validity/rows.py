"""Which rows of results figures, tables and summaries are about."""

import pandas as pd

from rankassay.answers.findings import ALL_ITEMS
from rankassay.metrics.catalogue import weighs
from rankassay.studies.validity.names import OWN


def on_all_items(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of lists of all items, or else of the first candidates."""
    known = rows["candidates"].unique()
    return rows[rows["candidates"] == (ALL_ITEMS if ALL_ITEMS in known else known[0])]


def of_yardstick(rows: pd.DataFrame, yardstick: str) -> pd.DataFrame:
    """Return the rows of a yardstick: liked (true P@10) or own (each metric by itself)."""
    return rows[rows["yardstick"] == yardstick]


def of_metrics(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the same of plain metrics, which know no propensities."""
    return on_all_items(rows[~rows["metric"].map(weighs).astype(bool)])


def reference(rows: pd.DataFrame, cutoff: int) -> pd.DataFrame:
    """Return the rows of a dataset that sentences are about, by yardstick.

    These are of P at the cut-off (or, where it was not configured, at the nearest one), estimated
    by the first of the estimators, and each metric's own truth. `rows` are those of
    `rankassay.studies.validity.agreement.agreement`.
    """
    own = rows["yardstick"] == OWN
    of = rows[(rows["utility"] == "P") & ~own]
    if not len(of):  # other utilities alone
        of = rows[~own & (rows["utility"] == rows["utility"].iloc[0])]
    of = of[of["estimator"] == of["estimator"].iloc[0]] if len(of) else of
    away = (of["yardstick_cutoff"] - cutoff).abs()
    return pd.concat([of[away == away.min()], rows[own]])
