"""The summary of the study as a table: which metric can be trusted on which data."""

from collections.abc import Mapping

import pandas as pd

from rankassay.answers import findings
from rankassay.answers.findings import BY_YARDSTICK, OVERALL, VALIDITY_NEW
from rankassay.answers.validity import COUNTED
from rankassay.drawing.table import MISSING, Table, by_dataset
from rankassay.errors import listed
from rankassay.metrics.catalogue import label

CRITERIA = {"sparsity": "Sparsity", "popularity": "Popularity", "power": "DP"}
MEAN_RANK = "Average rank"


def summary(summary: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return all metrics at the reference cut-off by the three criteria, the best first."""
    parts = [_of_dataset(own, cutoff, title) for title, own in by_dataset(summary, titles)]
    frame = pd.concat([part for part, _ in parts], ignore_index=True)
    marked = pd.concat([best for _, best in parts], ignore_index=True)
    new = BY_YARDSTICK[VALIDITY_NEW]
    if frame[new].isna().all():
        frame, marked = frame.drop(columns=new), marked.drop(columns=new)
    three = [*CRITERIA.values()]
    interval = ", with its interval over resampled users" if frame["Low"].notna().any() else ""
    return Table(
        frame,
        f"Which metric to trust at cut-off {cutoff}: robustness to sparsity and to popularity, and "
        "discriminative power (DP). In bold: the best, where it is significantly better than all "
        "others.",
        dict.fromkeys(three[:2], "{:.3f}".format)
        | dict.fromkeys([three[2], "Low", "High"], "{:.2f}".format)
        | {MEAN_RANK: "{:.1f}".format}
        | dict.fromkeys(BY_YARDSTICK.values(), "{:.3f}".format),
        marked,
        "Sparsity, Popularity: the mean correlation with the ranking on the whole test set; higher "
        "is better; an undefined one (all systems tie) counts as 0. DP: the sum of p-values, lower "
        f"is better{interval}. Average rank: over the three criteria. Best cut-off: the metric's "
        "smallest cut-off that is tied with its best (95%). Validity: τ with the true ranking, for "
        f"{listed([*COUNTED.values()])}, from judgements of random items; {MISSING} where the data "
        "have none, or the study validity did not run.",
    )


def _of_dataset(rows: pd.DataFrame, cutoff: int, title: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rows of one dataset, and which cells differ significantly from all others."""
    columns = {**CRITERIA, OVERALL: MEAN_RANK, **BY_YARDSTICK}
    order = findings.order(rows, cutoff)
    shown = rows[rows["cutoff"] == cutoff]
    value, low, high = (
        shown.pivot(index="metric", columns="criterion", values=name)
        .loc[order]
        .reindex(columns=[*columns])
        for name in ("value", "low", "high")
    )
    frame = value[[*columns]].astype(float).rename(columns=columns)
    place = frame.columns.get_loc("DP") + 1
    frame.insert(place, "Low", low["power"].astype(float))
    frame.insert(place + 1, "High", high["power"].astype(float))
    frame.insert(0, "Dataset", title)
    frame.insert(1, "Metric", [*map(label, order)])
    best = [findings.best_cutoff(rows, metric) for metric in order]
    frame["Best cut-off"] = [*map(findings.at, best)]
    found = {name: findings.finding(rows, key, cutoff) for key, name in columns.items()}
    marked = {
        name: [own is not None and own.winner and m in own.best for m in order]
        for name, own in found.items()
    }
    return frame, pd.DataFrame(marked, index=order)
