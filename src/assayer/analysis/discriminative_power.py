"""Discriminative power, second half: one number a measure from the p-values of all pairs."""

import pandas as pd


def run(p_values: pd.DataFrame) -> pd.DataFrame:
    """Sum the p-values of all pairs of systems for every measure.

    DP = sum_{i < j} p_ij

    approximates the area under the p-value curve; the lower, the more discriminative is the
    measure. It compares measures on the same systems and dataset only (Valcarce et al., RecSys
    2018, section 4).

    Parameters
    ----------
    p_values : DataFrame
        What `assayer.analysis.permutation.run` returns.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, pairs, dp, significant_05, significant_01 (pairs with p < 0.05 and
        p < 0.01, not corrected for their number).
    """
    grouped = p_values.groupby(["metric", "cutoff"], sort=False)["p_value"]
    return grouped.agg(
        pairs="size",
        dp="sum",
        significant_05=lambda p: (p < 0.05).sum(),
        significant_01=lambda p: (p < 0.01).sum(),
    ).reset_index()
