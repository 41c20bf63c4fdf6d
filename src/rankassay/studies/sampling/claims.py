"""What claims of the study are judged by."""

from functools import partial
from itertools import permutations

import numpy as np
import pandas as pd

from rankassay.claims.judge import judging
from rankassay.claims.measure import Column


def _differences(by_size: pd.DataFrame) -> pd.DataFrame:
    """Return the differences of two algorithms, a row for each pair, metric and size."""
    values = by_size.pivot(index=["metric", "m"], columns="algorithm", values="value")
    pairs = {f"{a}-{b}": values[a] - values[b] for a, b in permutations(values.columns, 2)}
    table = pd.DataFrame(pairs).reset_index()
    return table.melt(["metric", "m"], var_name="pair", value_name="difference")


def _distance(key: str, table: pd.DataFrame) -> pd.DataFrame:
    """Return by metric and size the largest distance from the exact metric, m = inf, over keys."""
    keys = ["metric", key]
    exact = table[table["m"] == np.inf].set_index(keys)["value"]
    sampled = table[table["m"] != np.inf]
    wanted = exact.loc[pd.MultiIndex.from_frame(sampled[keys])].to_numpy()
    distance = (sampled["value"] - wanted).abs()
    return (
        sampled.assign(distance=distance).groupby(["metric", "m"])["distance"].max().reset_index()
    )


def _reliable(orders: pd.DataFrame) -> pd.DataFrame:
    """Return the size from which on the ranking of the algorithms by each metric is reliable."""
    return orders.drop_duplicates("metric")[["metric", "reliable_from"]]


STATISTICS = partial(pd.DataFrame.melt, var_name="statistic", value_name="value")

CONSTRUCTED = {
    "example": Column(
        "value", exact=True, made=partial(STATISTICS, id_vars=["algorithm", "metric", "cutoff"])
    ),
    "differences": Column("difference", "by_size", exact=True, made=_differences),
    "distance": Column("distance", "by_size", exact=True, made=partial(_distance, "algorithm")),
    "distance-by-rank": Column("distance", "by_rank", exact=True, made=partial(_distance, "rank")),
    "reliable": Column("reliable_from", "orders", exact=True, made=_reliable),
}

constructed_claims = judging(CONSTRUCTED)

DATA = {
    "systems": Column(
        "value", made=partial(STATISTICS, id_vars=["sampler", "relevant", "metric", "cutoff", "m"])
    ),
    "agreement": Column("tau"),
}

claims = judging(DATA)
