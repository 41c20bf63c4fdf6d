"""A study's claims judged on one dataset: the result tables, their replicates, and the verdicts."""

import logging
import time
from collections.abc import Mapping

import numpy as np
import pandas as pd
import scipy.sparse as sp

from assayer.analysis import replicates
from assayer.analysis.bootstrap import times_drawn
from assayer.analysis.claims import Cube, judge
from assayer.analysis.resampling import TestSet
from assayer.artifacts import Rankings, Scores

log = logging.getLogger(__name__)

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
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    scores: Scores,
    evaluation: dict,
    statistics: pd.DataFrame,
    cutoff_correlation: pd.DataFrame,
    metric_correlation: pd.DataFrame,
    sparsity: pd.DataFrame,
    popularity: pd.DataFrame,
    discriminative_power: pd.DataFrame,
    as_run: pd.DataFrame,
    dataset: str,
    seed: int,
    resamples: int = 200,
    parts: int = 3,
) -> pd.DataFrame:
    """Judge the claims of the study of robustness and discriminative power on one dataset.

    Parameters
    ----------
    claims : list of dict
        As `assayer.analysis.claim_lists` reads them.
    train, test : (n_users, n_items)
    rankings : mapping from the systems' names to Rankings
    scores : Scores
    evaluation : dict
    statistics, ..., as_run : DataFrame
        The results of the study's other analyses.
    dataset : str
        Its name.
    seed : int
    resamples : int
        Samples of the users, with replacement, from which the intervals come.
    parts : int
        Random parts of the test set at each level of sparsity, in a resample.

    Returns
    -------
    DataFrame
        As `assayer.analysis.claims.judge` returns it.
    """
    began = time.monotonic()
    drawn = times_drawn(len(scores.users), 0, seed)[:resamples]
    whole = TestSet.of(test, rankings, evaluation)
    found = {
        **correlations(scores, drawn),
        "discriminative-power": replicates.power(scores, resamples, seed),
        "sparsity": replicates.sparsity(whole, drawn, sorted(set(sparsity["level"])), parts, seed),
        "popularity": replicates.popularity(
            whole, drawn, sorted(set(popularity["percentage"])), train, test
        ),
    }
    measured = {
        "statistics": statistics,
        "cutoff-correlation": cutoff_correlation,
        "metric-correlation": metric_correlation,
        "sparsity": sparsity,
        "popularity": popularity,
        "discriminative-power": discriminative_power,
        "as-run": as_run,
    }
    tables = {name: cube(name, table, found.get(name)) for name, table in measured.items()}
    result = judge(claims, tables, dataset)
    log.info("%d claims, %d resamples: %.0f s", len(result), resamples, time.monotonic() - began)
    return result


def cube(name: str, table: pd.DataFrame, replicated=None) -> Cube:
    """Return a result table with its replicates, which are matched by what they were measured of.

    Parameters
    ----------
    name : str
        A key of `MEASURED`.
    table : DataFrame
    replicated : (DataFrame, float64 (n_rows, n_resamples)) or None
        Keys that are columns of the table, and their replicates.
    """
    column = MEASURED[name]
    measured = table[[column]].to_numpy(dtype=np.float64)
    if replicated is None:
        return Cube(table.drop(columns=column), measured)
    keys, values = replicated
    places = pd.Series(np.arange(len(keys)), index=pd.MultiIndex.from_frame(keys))
    rows = places.loc[pd.MultiIndex.from_frame(table[list(keys)])].to_numpy()
    return Cube(table[list(keys)], np.hstack([measured, values[rows]]))


def correlations(scores: Scores, drawn) -> dict:
    """Return the replicates of the correlations of cut-offs and of metrics, by table."""
    keys, taus = replicates.correlations(scores, drawn)
    same_metric = (keys["metric_a"] == keys["metric_b"]).to_numpy()
    same_cutoff = (keys["cutoff_a"] == keys["cutoff_b"]).to_numpy()
    by_metric = keys[same_metric].rename(columns={"metric_a": "metric"})
    by_cutoff = keys[same_cutoff].rename(columns={"cutoff_a": "cutoff"})
    return {
        "cutoff-correlation": (by_metric[["metric", "cutoff_a", "cutoff_b"]], taus[same_metric]),
        "metric-correlation": (by_cutoff[["cutoff", "metric_a", "metric_b"]], taus[same_cutoff]),
    }
