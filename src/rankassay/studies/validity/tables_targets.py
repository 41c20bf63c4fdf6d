"""Tables of target items: the values of systems, next to the published ones."""

from collections.abc import Mapping
from itertools import product

import pandas as pd

from rankassay.drawing.table import Table, by_dataset, nothing
from rankassay.metrics.catalogue import label
from rankassay.statistics.differences import in_short

COMPARED = {"mean": "Mean difference", "absolute": "Mean absolute difference"}
COMPARED |= {"largest": "Largest difference", "tau": "τ"}
NOTHING = "No dataset of this run has published numbers: there is nothing to compare."
NOTE = (
    "Differences are measured less published, in percent of what was published. τ: Kendall's τ-b "
    "of the published and our values of a row's cells. The published p-values are of 78 systems, "
    "and compare only with those of the same number."
)


def target_items(target_items: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the mean of every system by metric and number of items added to the test items."""
    means = target_items.query("statistic == 'mean' and cutoff == @cutoff")
    if means.empty:
        raise nothing("target items", cutoff)
    parts, best = [], []
    for title, own in by_dataset(means, titles):
        last = own["size"].max()
        columns = own["size"].map(lambda n, last=last: "all" if n == last else f"N = {n}")
        wide = own.assign(size=columns).pivot(
            index=["metric", "system"], columns="size", values="value"
        )
        wide = wide.loc[[*product(own["metric"].unique(), own["system"].unique())]]
        wide = wide[[*dict.fromkeys(columns)]]
        best.append(wide == wide.groupby(level="metric").transform("max"))
        parts.append(wide.reset_index().assign(dataset=title))
    frame = pd.concat(parts, ignore_index=True)
    sizes = sorted(
        (name for name in frame if name.startswith("N = ")), key=lambda name: int(name[4:])
    )
    frame = frame[["dataset", "metric", "system", *sizes, "all"]]
    frame["metric"] = frame["metric"].map(lambda metric: f"{label(metric)}@{cutoff}")
    heads = {"dataset": "Dataset", "metric": "Metric", "system": "System"}
    marked = pd.concat(best, ignore_index=True).reindex(columns=[*sizes, "all"])
    return Table(
        frame.rename(columns=heads),
        "The systems' means when they rank the test items and N others; in bold the best of each "
        "metric.",
        dict.fromkeys([*sizes, "all"], "{:.3f}".format),
        {name: marked[name].eq(True).tolist() for name in marked},
        "Means over the users of all folds. Training items of a user that are drawn are left out, "
        "so that fewer than N are ranked.",
    )


def target_published(target_items: pd.DataFrame, titles: Mapping[str, str]) -> Table:
    """Return how near the measured values are to the published ones, in short."""
    rows = []
    for title, own in by_dataset(target_items.dropna(subset="published"), titles):
        whole = own.fillna({"system": "", "metric": ""})
        for (statistic, system), cells in whole.groupby(["statistic", "system"], sort=False):
            what = f"{statistic.capitalize()}: {system}" if system else statistic.capitalize()
            row = {"Dataset": title, "What": what, "Cells": len(cells)}
            rows.append(row | in_short(cells, "value", relative=True))
    return Table(
        pd.DataFrame(rows, columns=["Dataset", "What", "Cells", *COMPARED]).rename(
            columns=COMPARED
        ),
        "Target items, published against measured: the differences of the values and of their "
        "ranking.",
        dict.fromkeys(COMPARED.values(), "{:.1f} %".format) | {"τ": "{:.3f}".format},
        note=NOTE if rows else NOTHING,
    )
