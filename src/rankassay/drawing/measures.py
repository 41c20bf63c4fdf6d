"""Rows of results that tables and figures show: those at the reference cut-off, by name."""

import pandas as pd

from rankassay.drawing.table import at_cutoff, nothing
from rankassay.metrics.catalogue import label, ordered


def name_of(metric: str, cutoff: float | None) -> str:
    """Return a metric for readers, without a cut-off where a table has none."""
    return label(metric, None if pd.isna(cutoff) else cutoff)


FIRST = "nDCG"  # the metric that sentences are about, where a dataset has it


def told(rows: pd.DataFrame, column: str = "metric") -> pd.DataFrame:
    """Return the rows of the metric that sentences about a dataset use: nDCG, or the first."""
    metric = FIRST if (rows[column] == FIRST).any() else rows[column].iloc[0]
    return rows[rows[column] == metric]


def named(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return pairs of metrics with the column name, the readers' name of the first."""
    return pairs.assign(name=[*map(name_of, pairs["metric_a"], pairs["cutoff"])])


def tenth(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the level that is next to 10%."""
    level = min(rows["level"].unique(), key=lambda level: abs(level - 10))
    return rows[rows["level"] == level]


def shown(table: pd.DataFrame, cutoff: int, what: str = "") -> pd.DataFrame:
    """Return the rows at a cut-off, or of whole lists, in the catalogue's order of metrics.

    Parameters
    ----------
    table : DataFrame
        Columns metric, cutoff and others.
    cutoff : int
    what : str
        What the rows are, if it is an error that there are none (NothingToShowError).

    Returns
    -------
    DataFrame
        With the column measure, its name for readers, such as nDCG@10.
    """
    rows = at_cutoff(table, cutoff)
    if what and rows.empty:
        raise nothing(what, cutoff)
    names = [*map(name_of, rows["metric"], rows["cutoff"])]
    place = {name: i for i, name in enumerate(ordered(rows["metric"]))}
    rows = rows.assign(measure=names)
    return rows.sort_values("metric", key=lambda metric: metric.map(place), kind="stable")
