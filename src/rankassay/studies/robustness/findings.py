"""Statements about the results of the study, for its tables: agreement, ranks, significance."""

import pandas as pd

DECIMALS = {"users": 0, "items": 0, "ratings": 0, "density": 3, "gini": 3}  # as printed in papers
SIGNIFICANT = 0.05


def differing(statistics: pd.DataFrame) -> list[str] | None:
    """Return the statistics of a dataset that are not the published ones, to the printed decimals.

    `statistics` has the columns value and published, by the names of the statistics. The result is
    None where nothing was published.
    """
    known = statistics[statistics["published"].notna()]
    differ = [
        name
        for name, row in known.iterrows()
        if round(row["value"], DECIMALS[name]) != round(row["published"], DECIMALS[name])
    ]
    return None if known.empty else differ


def ranked(power: pd.DataFrame) -> pd.DataFrame:
    """Return discriminative power with each metric's rank on its dataset, the lowest sum first.

    The table has the columns dataset, metric and dp; the result is by dataset and metric, with the
    columns rank and best, too.
    """
    rank = power["dp"].astype(float).groupby(power["dataset"]).rank(method="min")
    table = power.assign(rank=rank.astype("Int64"), best=rank == 1)
    return table.set_index(["dataset", "metric"])


def significant(differences: pd.DataFrame) -> pd.Series:
    """Return whether each difference is significant after Holm's correction: its column p_holm."""
    return differences["p_holm"] < SIGNIFICANT
