"""How near the means of our systems are to those that were published."""

import pandas as pd

from rankassay.statistics.rank_correlation import tau_b

NDCG = "nDCG(truncate_ideal=False)@100"
# The two measures by which a system counts as reproduced: the top of its list, and all of it.
DECISIVE = ("P@10", NDCG)
TOLERANCE = 0.03


def compare(means: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Compare the means of our systems with the published ones of the same dataset.

    `means` has the columns recommender, system (its label), metric (a measure such as P@10) and
    ours, and `published` recommender, measure and mean.

    Returns
    -------
    pandas.DataFrame
        Columns system, metric, ours, published, difference (ours - published) and relative (the
        difference as a share of the published value, NaN where that is 0), in the order of
        `means`; systems and measures that were not published have no row.
    """
    other = published.rename(columns={"measure": "metric", "mean": "published"})
    table = means.merge(
        other[["recommender", "metric", "published"]],
        on=["recommender", "metric"],
        validate="one_to_one",
    )
    difference = table["ours"] - table["published"]
    relative = difference / table["published"].where(table["published"] > 0)
    table = table.assign(difference=difference, relative=relative)
    return table[["system", "metric", "ours", "published", "difference", "relative"]]


def summarise(table: pd.DataFrame) -> pd.DataFrame:
    """Summarise how well the published systems are reproduced.

    `table` is as `compare` returns it, with the measures `DECISIVE` for every system.

    Returns
    -------
    pandas.DataFrame
        Columns quantity and value: the number of systems; how many are within `TOLERANCE` of the
        published value on each decisive measure and on both; and Kendall's tau-b between our and
        the published order of the systems by the untruncated nDCG (NaN for a single system).
    """
    relative = table.pivot(index="system", columns="metric", values="relative")
    reproduced = relative[[*DECISIVE]].apply(near)
    ndcg = table[table["metric"] == NDCG]
    within = f"within {TOLERANCE:.0%} of the published"
    values = {
        "systems": len(reproduced),
        **{f"{within} {measure}": int(reproduced[measure].sum()) for measure in DECISIVE},
        f"{within} {' and '.join(DECISIVE)}": int(reproduced.all(axis=1).sum()),
        f"tau-b of the systems by {NDCG}": float(
            tau_b(ndcg["ours"].to_numpy(), ndcg["published"].to_numpy())
        ),
    }
    # As objects, counts stay whole numbers next to the fraction.
    return pd.DataFrame(
        {"quantity": [*values], "value": pd.Series([*values.values()], dtype=object)}
    )


def near(relative: pd.Series) -> pd.Series:
    """Return whether each relative difference is within the tolerance; unknown ones are not."""
    return relative.abs() <= TOLERANCE
