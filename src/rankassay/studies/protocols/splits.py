"""Analysis: the sizes of training and test under each protocol, and leakage from the future."""

import pandas as pd

from rankassay.artifacts.replicate import Replicate


def run(replicates: list[Replicate]) -> pd.DataFrame:
    """Return the counts of each replicate.

    Returns
    -------
    DataFrame
        The columns protocol, kind, number; removed (ratings that filters left out before the split,
        or of training after it); train_ratings, test_ratings; train_users, test_users, train_items,
        test_items, which have any; and the counts of `rankassay.data.splits.leakage`, each by its
        name, empty where
        the data has no timestamps.
    """
    rows = []
    for own in replicates:
        row = {"protocol": own.protocol, "kind": own.kind, "number": own.number}
        steps = own.removed[own.removed["part"] != "test"]
        row["removed"] = int(steps["ratings_removed"].sum())
        parts = own.summary.set_index("part")
        for what in ("ratings", "users", "items"):
            row |= {f"{part}_{what}": int(parts.loc[part, what]) for part in ("train", "test")}
        rows.append(row | dict(zip(own.leakage["count"], own.leakage["value"], strict=True)))
    return pd.DataFrame(rows)
