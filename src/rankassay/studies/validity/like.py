"""Validity on data without a truth: simulated worlds that are similar to the data."""

import pandas as pd

from rankassay.studies.validity.candidates import of_metrics, of_yardstick
from rankassay.studies.validity.words import LIKED

NEAR = 0.1  # Gini coefficients that differ by more are not similar


def run(statistics: pd.DataFrame, worlds: pd.DataFrame) -> pd.DataFrame:
    """Return the simulated worlds whose observed ratings are about as unequal as a dataset's.

    Of each bias, it is the strength at which the Gini coefficient of the items' numbers of observed
    ratings is nearest to the dataset's, if it is within `NEAR`. What drives the bias of the dataset
    is not known, so that the worlds show how much its validity may vary, and not what it is.

    Parameters
    ----------
    statistics : DataFrame
        Columns statistic (one is gini) and value.
    worlds : DataFrame
        As `rankassay.studies.validity.summary.worlds` returns it.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, bias, strength, world_gini, gini (the dataset's), tau (with the
        ranking of systems by true P@10), low, high. There are no rows if no world is similar.
    """
    own = float(statistics.set_index("statistic").loc["gini", "value"])
    rows = of_metrics(of_yardstick(worlds, LIKED)).rename(columns={"gini": "world_gini"})
    cases = rows.groupby(["bias", "strength"], sort=False)["world_gini"].mean().reset_index()
    cases["distance"] = (cases["world_gini"] - own).abs()
    nearest = cases.loc[cases.groupby("bias", sort=False)["distance"].idxmin()]
    alike = nearest.loc[nearest["distance"] <= NEAR, ["bias", "strength"]]
    chosen = rows.merge(alike, on=["bias", "strength"]).assign(gini=own)
    columns = ["metric", "cutoff", "bias", "strength", "world_gini", "gini", "tau", "low", "high"]
    return chosen[columns].sort_values(["metric", "cutoff"], kind="stable")
