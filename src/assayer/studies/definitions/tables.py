"""The table of the study of definitions: where the sources differ, and why."""

from collections.abc import Mapping

import pandas as pd

from assayer.drawing import style
from assayer.drawing.table import MISSING, Table
from assayer.errors import AssayerError

NOTE = (
    "Sources with the same value for every user and system share a row; the first of a metric is "
    "the reference. Mean: of the systems' values. Largest difference: of one user's value from "
    "the reference. Users differing, left out: the most for any one system; left out are those "
    "who have a value under one of the two only. τ: Kendall's, between the two orders of the "
    "systems; pairs turned: pairs of systems in opposite order. Why: the parameters that are not "
    "those of the reference; users without relevant items, or without a list, are counted with 0 "
    "(value) or left out of the mean (nan). "
)
COUNTS = ["Users differing", "Users left out", "Pairs turned"]
COLUMNS = ["Dataset", "Metric", "Sources", "Mean", "Best system", "Largest difference"]
COLUMNS += [*COUNTS[:2], "τ", COUNTS[2], "Why"]


def discrepancies(discrepancies: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the table of discrepancies: a row for each distinct definition of a metric.

    Parameters
    ----------
    discrepancies : pandas.DataFrame
        As `assayer.studies.definitions.discrepancies.run` returns it, with the column dataset.
    cutoff : int
        The cut-off that is shown.
    titles : mapping
        By short name, the dataset's title; its order is that of the rows.
    """
    shown = discrepancies.query("cutoff == @cutoff and dataset in @titles")
    if shown.empty:
        raise AssayerError(
            f"no discrepancies to show: expected rows at cut-off {cutoff}, found none."
        )
    known = shown[shown["system"].notna()]
    rows = []
    for dataset, title in titles.items():
        own = known[known["dataset"] == dataset]
        for metric in style.metric_order(list(own["metric"])):
            groups = own[own["metric"] == metric].groupby("same_as", sort=False)
            rows += [
                {"Dataset": title, "Metric": f"{style.metric(metric).label}@{cutoff}"}
                | _row(group, reference=i == 0)
                for i, (_, group) in enumerate(groups)
            ]
    frame = pd.DataFrame(rows, columns=COLUMNS).astype(dict.fromkeys(COUNTS, "Int64"))
    changed = pd.DataFrame(False, index=frame.index, columns=frame.columns)
    changed["τ"] = changed["Pairs turned"] = frame["Pairs turned"].gt(0).fillna(False)
    return Table(
        frame,
        f"One name, several metrics: the same lists under every definition at cut-off {cutoff}. "
        "In bold: the order of the systems changes.",
        {"Mean": "{:.4f}".format, "Largest difference": "{:.4f}".format, "τ": "{:.3f}".format},
        changed,
        NOTE + _absences(shown),
    )


def _row(group: pd.DataFrame, reference: bool) -> dict:
    """Return the row of the sources that give the same values."""
    one = group[group["source"] == group["source"].iloc[0]]
    best = one.sort_values("place", kind="stable").iloc[0]
    row = {
        "Sources": ", ".join(_source_names(group)),
        "Mean": one["value"].mean(),
        "Best system": MISSING if pd.isna(best["value"]) else best["system"],
    }
    if reference:
        return row | {"Why": "the reference"}
    return row | {
        "Largest difference": one["max_difference"].max(),
        "Users differing": one["differing"].max(),
        "Users left out": one["left_out"].max(),
        "τ": best["tau"],
        "Pairs turned": best["reordered"],
        "Why": _merged(group["reason"]),
    }


def _merged(reasons: pd.Series) -> str:
    """Return the reasons of several sources as one, each part once."""
    parts = [part for reason in dict.fromkeys(reasons) for part in reason.split("; ")]
    return "; ".join(dict.fromkeys(parts))


def _source_names(rows: pd.DataFrame) -> list[str]:
    """Return the names of sources, libraries with their versions."""
    names = rows["source"] + " " + rows["version"].fillna("")
    return list(dict.fromkeys(names.str.strip()))


def _absences(rows: pd.DataFrame) -> str:
    """Say which sources have no values of which metrics; empty if all have all."""
    absent = rows[rows["system"].isna()]
    parts = []
    for (source, reason), own in absent.groupby(["source", "reason"], sort=False):
        metrics = [style.metric(name).label for name in dict.fromkeys(own["metric"])]
        everywhere = set(metrics) == {style.metric(name).label for name in rows["metric"]}
        parts.append(f"{source}: {reason}" + ("" if everywhere else f" ({', '.join(metrics)})"))
    return f"Not compared: {'; '.join(parts)}." if parts else "All sources have all metrics."
