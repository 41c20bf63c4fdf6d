"""What each choice in a metric's definition changes, definition by definition."""

from collections.abc import Mapping

import pandas as pd

from assayer.drawing import style
from assayer.drawing.table import MISSING, Table

NOTE = (
    "Ratio: of the mean over all systems to that under the reference, the first definition of a "
    "metric. τ: Kendall's, between the two orders of the systems. Turned: pairs of systems in "
    "opposite order; significantly: those for which each order is significant at .05 by a paired "
    "permutation test, of which one is named, better under the reference first; adjusted: those "
    "significant for all pairs at once (max-T). Empty users: pairs "
    "turned when users without relevant items are left out in place of counted. Labels: Spearman's "
    "correlation of a user's value with the user's number of relevant items, mean over the systems."
)
WHOLE = ["Turned", "Significantly", "Adjusted", "Empty users"]


def choices(
    orders: pd.DataFrame, labels: pd.DataFrame, cutoff: int, titles: Mapping[str, str]
) -> Table:
    """Return a row for each dataset, metric and definition, against the metric's reference.

    Parameters
    ----------
    orders, labels : pandas.DataFrame
        As those of `assayer.studies.definitions.choices` return them, with a column dataset.
    cutoff : int
    titles : mapping
        By short name, the dataset's title; its order is that of the rows.
    """
    rows = []
    for dataset, title in titles.items():
        own, correlations = (
            table[(table["dataset"] == dataset) & (table["cutoff"] == cutoff)]
            for table in (orders, labels)
        )
        for metric, compared in own.groupby("metric", sort=False):
            head = {"Dataset": title, "Metric": f"{style.metric(metric).label}@{cutoff}"}
            known = correlations[correlations["metric"] == metric].set_index("definition")
            rows += [head | row for row in _rows(compared, known["correlation"])]
    frame = pd.DataFrame(rows).astype(dict.fromkeys(WHOLE, "Int64"))
    marked = pd.DataFrame(False, index=frame.index, columns=frame.columns)
    marked["Significantly"] = frame["Significantly"].gt(0).fillna(False)
    return Table(
        frame,
        f"What one choice in the definition of a metric changes at cut-off {cutoff}, on the same "
        "lists. In bold: two papers could claim opposite things, each with significance.",
        {"Ratio": "{:.2f}".format, "τ": "{:.3f}".format, "Labels": "{:.2f}".format},
        marked,
        NOTE,
    )


def _rows(compared: pd.DataFrame, correlations: pd.Series) -> list[dict]:
    """Return the rows of one metric, the reference first."""
    same = compared[compared["definition_a"] == compared["definition_b"]]
    empty = same.set_index("definition_a")["turned"]
    against = compared[compared["definition_a"] == correlations.index[0]]
    against = against[against["definition_b"] != correlations.index[0]].set_index("definition_b")
    rows = []
    for definition, correlation in correlations.items():
        row = {"Definition": definition, "Ratio": 1.0, "τ": 1.0, "Turned": None}
        row |= {"Significantly": None, "Adjusted": None, "For instance": MISSING}
        if definition in against.index:
            one = against.loc[definition]
            row |= {"Ratio": one["ratio"], "τ": one["tau"], "Turned": one["turned"]}
            row["Significantly"] = one["turned_significantly"]
            row["Adjusted"] = one["turned_adjusted"]
            row["For instance"] = one["pair"] if isinstance(one["pair"], str) else MISSING
        rows.append(row | {"Empty users": empty[definition], "Labels": correlation})
    return rows
