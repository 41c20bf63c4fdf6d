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
    """Say of each row if no other average does better by its criterion.

    That is asked for the same metric and users. The agreement with the arithmetic mean is no merit.

    Parameters
    ----------
    values : pandas.DataFrame
        Columns dataset, metric, group, criterion, value, at one cut-off.
    """
    good = values["value"].where(values["criterion"] != "power", -values["value"])
    same = [values[name] for name in ("dataset", "metric", "group", "criterion")]
    return (good == good.groupby(same).transform("max")) & (values["criterion"] != "agreement")
