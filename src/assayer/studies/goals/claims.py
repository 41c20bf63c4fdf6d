"""Verdicts on what Schröder, Thiele and Lehner, 2011, say of metrics, constructed and measured."""

import pandas as pd

from assayer.claims.judge import Cube, judge
from assayer.statistics.replicated import Replicated


def run(
    claims: list[dict],
    bias_measured: Replicated,
    metric_correlation: Replicated,
    sparsity: Replicated,
    popularity: Replicated,
    discriminative_power: Replicated,
    dataset: str,
) -> pd.DataFrame:
    """Judge the claims about one dataset.

    Parameters
    ----------
    claims : list of dict
    bias_measured, ..., discriminative_power : Replicated
        The results of the study's other analyses. In a claim, `metric-correlation`, `sparsity` and
        `popularity` have tau as their value, `discriminative-power` dp, and `bias-measured` value.
    dataset : str

    Returns
    -------
    DataFrame
        As `assayer.claims.judge.judge` returns it.
    """
    tables = {
        "bias-measured": Cube.of(bias_measured, "value"),
        "metric-correlation": Cube.of(metric_correlation, "tau"),
        "sparsity": Cube.of(sparsity, "tau"),
        "popularity": Cube.of(popularity, "tau"),
        "discriminative-power": Cube.of(discriminative_power, "dp"),
    }
    return judge(claims, tables, dataset)


def constructed_claims(
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
        "examples": Cube.of(examples, "value", exact=True),
        "bias": Cube.of(bias, "value", exact=True),
        "properties": Cube.of(properties, "exceptions", exact=True),
        "shares": Cube.of(properties, "share", exact=True),
    }
    return judge(claims, tables, dataset)
