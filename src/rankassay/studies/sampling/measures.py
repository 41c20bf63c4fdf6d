"""Names and comparisons of the study's tables and figures: metrics, sampling, systems."""

from collections.abc import Mapping, Sequence

import pandas as pd

from rankassay.metrics.catalogue import label


def of_single_lists(table: pd.DataFrame) -> Mapping[str, str]:
    """Name the metrics of single lists, with the cut-off of those that have one.

    A single list has an AP and an RR; MAP and MRR are means over users. The table has one cut-off
    for each metric at most.
    """
    names = {}
    for metric, own in table.groupby("metric", sort=False):
        name = metric if metric in ("AP", "RR") else label(metric)
        known = own["cutoff"].dropna().unique()
        names[metric] = f"{name}@{known[0]:g}" if len(known) else name
    return names


def over_users(metric: str, cutoff: int) -> str:
    """Return the name of a metric at a cut-off; AUC has none."""
    return label(metric, None if metric == "AUC" else cutoff)


def ways(table: pd.DataFrame) -> pd.Series:
    """Return the way of sampling of each row: the sampler, and how relevant items are ranked."""
    pairs = zip(table["sampler"], table["relevant"], strict=True)
    return pd.Series(list(pairs), table.index)


def of_first_way(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the first way of sampling."""
    found = ways(table)
    return table[found == found.iloc[0]]


def first_somewhere(places: pd.DataFrame) -> list[str]:
    """Return the systems that are first at some size of the sample, and not as all are.

    `places` has the columns metric, m, system, place.
    """
    last = places.groupby(["metric", "m"])["place"].transform("max")
    return [*dict.fromkeys(places.loc[(places["place"] == 1) & (last > 1), "system"])]


def is_open(table: pd.DataFrame) -> pd.Series:
    """Mark the rows whose samples do not decide the order of more than a tenth of the pairs."""
    return table["undecided"] > 0.1 * table["pairs"]


def highest(table: pd.DataFrame, by: str, columns: Sequence[str]) -> dict[str, pd.Series]:
    """Mark the values in some columns that are the highest of the rows with the same `by`."""
    return {name: table[name] == table.groupby(by)[name].transform("max") for name in columns}
