"""Which metric, at which cut-off, can be trusted: three criteria side by side.

Robustness to sparsity and to popularity are each one number here, the mean correlation over all
parts of the test set; discriminative power is one already. Metrics are ranked by each criterion,
and by the mean of the three ranks, in which the criteria weigh the same.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

CRITERIA = ("sparsity", "popularity", "power")
OVERALL = "overall"
MEASURE = ["metric", "cutoff"]
WHOLE = 100  # percent: nothing is removed, so that the correlation is 1 whatever the metric
DECIMALS = 9  # of values that are ranked: differences below are rounding errors


def run(
    sparsity: pd.DataFrame, popularity: pd.DataFrame, discriminative_power: pd.DataFrame
) -> pd.DataFrame:
    """Return every measure's values by the three criteria, and its ranks.

    Parameters
    ----------
    sparsity : DataFrame
        Columns metric, cutoff, level, tau, low, high, correlation.
    popularity : DataFrame
        Columns metric, cutoff, percentage, tau, correlation.
    discriminative_power : DataFrame
        Columns metric, cutoff, dp, low, high.

    Returns
    -------
    DataFrame
        Columns

        metric, cutoff
        criterion : sparsity, popularity, power, and overall
        value : the mean correlation over the levels or percentages below 100, where one without a
            value counts as 0, for a metric that ties all systems says nothing of their order; the
            discriminative power; and overall the mean of the three ranks
        low, high : of sparsity, the means of the levels' bands, which hold 95 % of the samples; of
            popularity none, since nothing is drawn; of power, its interval
        undefined : levels or percentages without a value
        rank : among the metrics at the same cut-off, 1 is the best, equals share the lower
        cutoff_rank : likewise, among the cut-offs of the same metric; overall, by the mean of the
            three
        correlation : its name, of the robustness
    """
    parts = {
        "sparsity": _over(sparsity, "level", ["tau", "low", "high"]),
        "popularity": _over(popularity, "percentage", ["tau"]),
        "power": discriminative_power.rename(columns={"dp": "value"})[
            [*MEASURE, "value", "low", "high"]
        ],
    }
    named = [part.assign(criterion=name) for name, part in parts.items()]
    table = pd.concat(named, ignore_index=True)
    # Of two correlations the higher is the better, of two powers the lower.
    better = table["value"].where(table["criterion"] == "power", -table["value"])
    table["rank"] = _rank(better, table, ["cutoff", "criterion"])
    table["cutoff_rank"] = _rank(better, table, ["metric", "criterion"])
    table = pd.concat([table, _overall(table)], ignore_index=True)
    columns = ["criterion", "value", "low", "high", "undefined", "rank", "cutoff_rank"]
    whole = {"undefined": "Int64", "rank": "Int64", "cutoff_rank": "Int64"}
    return table[[*MEASURE, *columns, "correlation"]].astype(whole)


def _over(table: pd.DataFrame, x: str, columns: Sequence[str]) -> pd.DataFrame:
    """Return the means of a measure's correlations over all values of `x` that remove something."""
    rows = table[table[x] < WHOLE] if (table[x] < WHOLE).any() else table
    rows = rows.assign(undefined=rows["tau"].isna())
    filled = rows.fillna(dict.fromkeys(columns, 0.0))
    # The metrics keep their order; uncut ones have no cut-off, and stay.
    groups = filled.groupby(MEASURE, sort=False, dropna=False, as_index=False)
    kinds = dict.fromkeys(columns, "mean") | {"undefined": "sum", "correlation": "first"}
    return groups.agg(kinds).rename(columns={"tau": "value"})


def _rank(values: pd.Series, table: pd.DataFrame, by: list[str]) -> pd.Series:
    """Return the ranks of values within the groups of a table."""
    keys = [table[column].to_numpy() for column in by]
    return values.round(DECIMALS).groupby(keys, dropna=False).rank(method="min")


def _overall(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the criterion that is the mean of the ranks by the others."""
    groups = table.groupby(MEASURE, sort=False, dropna=False, as_index=False)
    means = groups.agg({"rank": "mean", "cutoff_rank": "mean"})
    ranks = {
        "rank": _rank(means["rank"], means, ["cutoff"]),
        "cutoff_rank": _rank(means["cutoff_rank"], means, ["metric"]),
    }
    blank = {"low": np.nan, "high": np.nan}
    return means.assign(criterion=OVERALL, value=means["rank"], **blank, **ranks)
