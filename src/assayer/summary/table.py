"""The summary of the study as a table: which metric can be trusted on which data."""

from collections.abc import Mapping

import pandas as pd

from assayer.drawing import style
from assayer.drawing.table import Table

CRITERIA = {"sparsity": "Sparsity", "popularity": "Popularity", "power": "DP"}
MEAN_RANK = "Mean rank"


def summary(summary: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return all metrics at the reference cut-off by the three criteria, the best first.

    Parameters
    ----------
    summary : pandas.DataFrame
        Columns dataset, metric, cutoff, criterion, value, low, high, rank, cutoff_rank.
    cutoff : int
        The reference cut-off.
    titles : mapping
        By short name, the dataset's title; its order is that of the rows.
    """
    parts = [
        _of_dataset(summary[summary["dataset"] == name], cutoff, title)
        for name, title in titles.items()
        if (summary["dataset"] == name).any()
    ]
    frame = pd.concat([part for part, _ in parts], ignore_index=True)
    marked = pd.concat([best for _, best in parts], ignore_index=True)
    three = [*CRITERIA.values()]
    return Table(
        frame,
        f"Which metric to trust at cut-off {cutoff}: robustness to sparsity and to popularity, and "
        "discriminative power (DP); the best of each dataset is in bold.",
        dict.fromkeys(three[:2], "{:.3f}".format)
        | dict.fromkeys([three[2], "Low", "High"], "{:.2f}".format)
        | {MEAN_RANK: "{:.1f}".format},
        marked,
        "Sparsity, Popularity: the mean correlation with the systems' order on the whole test set; "
        "higher is better. DP: the sum of p-values, lower is better, with its interval over "
        "resampled users. Mean rank: by the three. Best cut-off: of the metric itself, likewise.",
    )


def _of_dataset(rows: pd.DataFrame, cutoff: int, title: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rows of one dataset, and which cells are the best of their columns."""
    columns = {**CRITERIA, "overall": MEAN_RANK}
    shown = rows[rows["cutoff"] == cutoff]
    value, rank, low, high = (
        shown.pivot(index="metric", columns="criterion", values=name)
        for name in ("value", "rank", "low", "high")
    )
    order = value.loc[style.metric_order(list(value.index))]
    order = list(order.sort_values("overall", kind="stable").index)
    frame = pd.DataFrame(
        {"Dataset": title, "Metric": [style.metric(name).label for name in order]}
        | {name: value.loc[order, key].to_numpy(float) for key, name in columns.items()}
    )
    place = frame.columns.get_loc("DP") + 1
    frame.insert(place, "Low", low.loc[order, "power"].to_numpy(float))
    frame.insert(place + 1, "High", high.loc[order, "power"].to_numpy(float))
    frame["Best cut-off"] = [_best(rows, name) for name in order]
    marked = pd.DataFrame(False, index=frame.index, columns=frame.columns)
    for key, name in columns.items():
        marked[name] = (rank.loc[order, key] == 1).to_numpy(bool)
    return frame, marked


def _best(rows: pd.DataFrame, metric: str) -> str:
    """Return the cut-offs at which a metric is best."""
    own = rows[(rows["metric"] == metric) & (rows["criterion"] == "overall")]
    return ", ".join(f"{cutoff:.0f}" for cutoff in own.loc[own["cutoff_rank"] == 1, "cutoff"])
