"""The table of the study of definitions: where the sources differ, and why."""

from collections.abc import Mapping

import pandas as pd

from rankassay.drawing.table import MISSING, Table, by_dataset, nothing
from rankassay.metrics.catalogue import label, ordered
from rankassay.studies.definitions.findings import absences, distinct

NOTE = (
    "Sources with the same value for every user and system share a row; the first of a metric is "
    "the reference. Mean: of the systems' values. Largest difference: of one user's value from the "
    "reference. Users differing, excluded: the most for any one system; excluded are those who "
    "have a value under one of the two only. τ: Kendall's, between the two orders of the systems; "
    "pairs reversed: pairs of systems in opposite order. Why: the parameters that are not those of "
    "the reference; users without relevant items, or without a list, are counted with 0 (value) or "
    "excluded from the mean (nan). "
)
COUNTS = ["Users differing", "Users excluded", "Pairs reversed"]
COMPARED = {
    "Largest difference": "max_difference",
    **{"Users differing": "differing", "Users excluded": "left_out"},
    **{"τ": "tau", "Pairs reversed": "reordered", "Why": "reasons"},
}
COLUMNS = ["Dataset", "Metric", "Sources", "Mean", "Best system", *COMPARED]


def discrepancies(discrepancies: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the table of discrepancies: a row for each distinct definition of a metric."""
    shown = discrepancies.query("cutoff == @cutoff and dataset in @titles")
    if shown.empty:
        raise nothing("discrepancies", cutoff)
    rows = []
    for title, own in by_dataset(shown[shown["system"].notna()], titles):
        for metric in ordered(own["metric"]):
            groups = own[own["metric"] == metric].groupby("same_as", sort=False)
            head = {"Dataset": title, "Metric": label(metric, cutoff)}
            rows += [head | _row(distinct(own), i == 0) for i, (_, own) in enumerate(groups)]
    frame = pd.DataFrame(rows, columns=COLUMNS).astype(dict.fromkeys(COUNTS, "Int64"))
    absent = "; ".join(absences(shown))
    return Table(
        frame,
        f"One name, several metrics: the same lists under every definition at cut-off {cutoff}. "
        "In bold: the order of the systems changes.",
        {"Mean": "{:.4f}".format, "Largest difference": "{:.4f}".format, "τ": "{:.3f}".format},
        dict.fromkeys(["τ", "Pairs reversed"], frame["Pairs reversed"].gt(0).fillna(False)),
        NOTE + (f"Not compared: {absent}." if absent else "All sources have all metrics."),
    )


def _row(found: dict, reference: bool) -> dict:
    """Return the cells of a definition; those of the reference have no comparison."""
    row = {"Sources": found["sources"], "Mean": found["mean"]}
    row["Best system"] = found["best"] or MISSING
    if reference:
        return row | {"Why": "the reference"}
    return row | {name: found[key] for name, key in COMPARED.items()}
