"""Verdicts on what Schröder, Thiele and Lehner, 2011, say of metrics, constructed and measured."""

from collections.abc import Mapping, Sequence

import pandas as pd
import scipy.sparse as sp

from assayer.analysis import replicates
from assayer.analysis.bootstrap import times_drawn
from assayer.analysis.claims import Cube, judge
from assayer.analysis.goals.runs import own_scores
from assayer.analysis.resampling import TestSet
from assayer.analysis.verdicts import correlations, cube
from assayer.artifacts import Rankings
from assayer.metrics.evaluate import grid


def run(
    claims: list[dict],
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    bias_measured: pd.DataFrame,
    metric_correlation: pd.DataFrame,
    sparsity: pd.DataFrame,
    popularity: pd.DataFrame,
    discriminative_power: pd.DataFrame,
    dataset: str,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    seed: int,
    resamples: int = 100,
    parts: int = 2,
) -> pd.DataFrame:
    """Judge the claims about one dataset.

    Parameters
    ----------
    claims : list of dict
    train, test : (n_users, n_items)
    rankings : mapping from system to Rankings
    evaluation : dict
    bias_measured, ..., discriminative_power : DataFrame
        The results of the study's other analyses. In a claim, `metric-correlation`, `sparsity` and
        `popularity` have tau as their value, `discriminative-power` dp, and `bias-measured` value.
    dataset : str
    metrics, cutoffs
        Those of the other analyses.
    seed : int
    resamples : int
        Samples of the users, with replacement, from which the intervals come;
        `bias-measured` has none.
    parts : int
        Random parts of the test set at each level of sparsity, in a resample.

    Returns
    -------
    DataFrame
        As `assayer.analysis.claims.judge` returns it.
    """
    scores = own_scores(test, rankings, evaluation, metrics, cutoffs)
    drawn = times_drawn(len(scores.users), 0, seed)[:resamples]
    whole = TestSet.of(test, rankings, evaluation | {"measures": grid(metrics, cutoffs)})
    between = correlations(scores, drawn)["metric-correlation"]
    levels, percentages = sorted(set(sparsity["level"])), sorted(set(popularity["percentage"]))
    found = {
        "metric-correlation": (metric_correlation, between),
        "sparsity": (sparsity, replicates.sparsity(whole, drawn, levels, parts, seed)),
        "popularity": (popularity, replicates.popularity(whole, drawn, percentages, train, test)),
        "discriminative-power": (discriminative_power, replicates.power(scores, resamples, seed)),
    }
    tables = {name: cube(name, *given) for name, given in found.items()}
    tables["bias-measured"] = Cube.of(bias_measured, "value")
    return judge(claims, tables, dataset)


def constructed(
    claims: list[dict],
    examples: pd.DataFrame,
    bias: pd.DataFrame,
    properties: pd.DataFrame,
    dataset: str,
) -> pd.DataFrame:
    """Judge the claims about constructed rankings, as `run` does those about data.

    In a claim, `examples` and `bias` have value as their value, `properties` the exceptions, and
    `shares` their share of the cases.
    """
    tables = {
        "examples": Cube.of(examples, "value"),
        "bias": Cube.of(bias, "value"),
        "properties": Cube.of(properties, "exceptions"),
        "shares": Cube.of(properties, "share"),
    }
    return judge(claims, tables, dataset)
