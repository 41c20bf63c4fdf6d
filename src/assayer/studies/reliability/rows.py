"""The rows of a result that figures and tables of the study show."""

import pandas as pd

from assayer.drawing.table import nothing
from assayer.metrics.catalogue import label, ordered


def at_cutoff(table: pd.DataFrame, cutoff: int) -> pd.DataFrame:
    """Return the rows at a cut-off, in the metrics' order.

    Beside them stand those of whole lists, of metrics that are not there.
    """
    own = table["cutoff"] == cutoff
    keys = pd.MultiIndex.from_frame(table[["dataset", "metric"]])
    rows = table[own | (table["cutoff"].isna() & ~keys.isin(keys[own]))]
    if rows.empty:
        raise nothing("measures", cutoff)
    place = {metric: n for n, metric in enumerate(ordered(rows["metric"]))}
    return rows.sort_values("metric", key=lambda names: names.map(place), kind="stable")


def labels(rows: pd.DataFrame) -> list[str]:
    """Return the measures' names for readers."""
    pairs = zip(rows["metric"], rows["cutoff"], strict=True)
    return [label(metric, None if pd.isna(cutoff) else cutoff) for metric, cutoff in pairs]
