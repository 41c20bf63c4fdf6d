"""The averages over users as readers see them, and which of them does best."""

import pandas as pd

NAMES = {
    "mean": "Arithmetic mean",
    "geometric": "Geometric mean",
    "harmonic": "Harmonic mean",
    "quadratic": "Quadratic mean",
    "median": "Median",
}


def best(values: pd.DataFrame) -> pd.Series:
    """Mark the rows whose average no other one surpasses, for the same metric and users.

    `values` has the columns dataset, metric, group, criterion, value, at one cut-off. The agreement
    with the arithmetic mean is no merit.
    """
    good = values["value"].where(values["criterion"] != "power", -values["value"])
    same = [values[name] for name in ("dataset", "metric", "group", "criterion")]
    return (good == good.groupby(same).transform("max")) & (values["criterion"] != "agreement")
