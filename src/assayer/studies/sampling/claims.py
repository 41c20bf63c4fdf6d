"""The claims of Rendle (2019), judged on the paper's rankings and on real systems."""

from itertools import permutations

import numpy as np
import pandas as pd

from assayer.claims.judge import Cube, judge


def constructed_claims(
    claims: list[dict],
    example: pd.DataFrame,
    by_size: pd.DataFrame,
    by_rank: pd.DataFrame,
    orders: pd.DataFrame,
) -> pd.DataFrame:
    """Judge the claims about the paper's own rankings.

    Parameters
    ----------
    claims : list of dict
    example, by_size, by_rank, orders : DataFrame
        The results of `assayer.studies.sampling.constructed`. Claims can ask for the tables
        example (a row for each statistic), differences (of two algorithms at a size), distance (the
        largest from the exact metric, of any algorithm at a size, or at any rank) and reliable.

    Returns
    -------
    DataFrame
        As `assayer.claims.judge.judge` returns it.
    """
    keys = ["algorithm", "metric", "cutoff"]
    statistics = example.melt(keys, var_name="statistic", value_name="value")
    reliable = orders.drop_duplicates("metric")[["metric", "reliable_from"]]
    tables = {
        "example": Cube.of(statistics, "value", exact=True),
        "differences": Cube.of(_differences(by_size), "difference", exact=True),
        "distance": Cube.of(_distance(by_size, ["metric", "algorithm"]), "distance", exact=True),
        "distance-by-rank": Cube.of(_distance(by_rank, ["metric", "rank"]), "distance", exact=True),
        "reliable": Cube.of(reliable, "reliable_from", exact=True),
    }
    return judge(claims, tables, "constructed")


def run(
    claims: list[dict], dataset: str, systems: pd.DataFrame, agreement: pd.DataFrame
) -> pd.DataFrame:
    """Judge what the paper claims of sampled metrics on the systems of a dataset.

    Parameters
    ----------
    claims : list of dict
    dataset : str
    systems, agreement : DataFrame
        The results of `assayer.studies.sampling.systems`. Of systems there is a row for each of
        tau, tau_auc, wrong, wrong_significant and contradicted, its `statistic`.

    Returns
    -------
    DataFrame
        As `assayer.claims.judge.judge` returns it.
    """
    keys = ["sampler", "relevant", "metric", "cutoff", "m"]
    names = ["tau", "tau_auc", "wrong", "wrong_significant", "contradicted"]
    melted = systems.melt(keys, names, var_name="statistic", value_name="value")
    tables = {"systems": Cube.of(melted, "value"), "agreement": Cube.of(agreement, "tau")}
    return judge(claims, tables, dataset)


def _differences(by_size: pd.DataFrame) -> pd.DataFrame:
    """Return the differences of two algorithms, a row for each pair, metric and size."""
    values = by_size.pivot(index=["metric", "m"], columns="algorithm", values="value")
    pairs = {f"{a}-{b}": values[a] - values[b] for a, b in permutations(values.columns, 2)}
    table = pd.DataFrame(pairs).reset_index()
    return table.melt(["metric", "m"], var_name="pair", value_name="difference")


def _distance(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return by metric and size the largest distance from the exact metric, m = inf."""
    exact = table[table["m"] == np.inf].set_index(keys)["value"]
    sampled = table[table["m"] != np.inf]
    wanted = exact.loc[pd.MultiIndex.from_frame(sampled[keys])].to_numpy()
    distance = (sampled["value"] - wanted).abs()
    return (
        sampled.assign(distance=distance).groupby(["metric", "m"])["distance"].max().reset_index()
    )
