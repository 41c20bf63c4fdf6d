"""The claims of the study of robustness and discriminative power, judged on one dataset."""

import pandas as pd

from assayer.claims.judge import Cube, judge
from assayer.statistics.replicated import Replicated

# The column of each result table that is measured; all others say what it was measured of.
MEASURED = {
    "statistics": "value",
    "cutoff-correlation": "tau",
    "metric-correlation": "tau",
    "sparsity": "tau",
    "popularity": "tau",
    "discriminative-power": "dp",
    "as-run": "dp",
}


def run(
    claims: list[dict],
    statistics: pd.DataFrame,
    cutoff_correlation: Replicated,
    metric_correlation: Replicated,
    sparsity: Replicated,
    popularity: Replicated,
    discriminative_power: Replicated,
    as_run: Replicated,
    dataset: str,
) -> pd.DataFrame:
    """Judge the claims about one dataset.

    Parameters
    ----------
    claims : list of dict
        As `assayer.claims.lists` reads them.
    statistics : DataFrame
    cutoff_correlation, ..., as_run : Replicated
        The results of the study's other analyses.
    dataset : str
        Its name.

    Returns
    -------
    DataFrame
        As `assayer.claims.judge.judge` returns it.
    """
    measured = {
        "cutoff-correlation": cutoff_correlation,
        "metric-correlation": metric_correlation,
        "sparsity": sparsity,
        "popularity": popularity,
        "discriminative-power": discriminative_power,
        "as-run": as_run,
    }
    tables = {name: Cube.of(result, MEASURED[name]) for name, result in measured.items()}
    tables["statistics"] = Cube.of(statistics, MEASURED["statistics"], exact=True)
    return judge(claims, tables, dataset)
