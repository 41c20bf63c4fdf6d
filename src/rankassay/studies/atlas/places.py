"""The places of the metrics on each dataset, by each criterion."""

import pandas as pd

from rankassay.answers.findings import WITH_VALIDITY

COLUMNS = ["dataset", "criterion", "cutoff", "metric", "rank", "value"]


def places(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the ranks and values of the metrics on each dataset.

    Parameters
    ----------
    summary : DataFrame
        Column dataset, and those of `rankassay.answers.criteria.summary`.

    Returns
    -------
    DataFrame
        Columns dataset, criterion (sparsity, popularity, power, and validity where there is a
        truth), cutoff, metric, rank and value: 1 is the best of the metrics at the cut-off, equals
        share the lower. Metrics without a rank are not there.
    """
    known = summary["criterion"].isin([*WITH_VALIDITY]) & summary["cutoff"].notna()
    rows = summary.loc[known & summary["rank"].notna(), COLUMNS]
    return rows.astype({"cutoff": int, "rank": int}).reset_index(drop=True)
