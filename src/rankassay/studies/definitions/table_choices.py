"""What each choice in a metric's definition changes, definition by definition."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from rankassay.drawing.table import MISSING, Table, by_dataset
from rankassay.metrics.catalogue import label

NOTE = (
    "Ratio: of the mean over all systems to that under the reference, the first definition of a "
    "metric. τ: Kendall's, between the two orders of the systems. Reversed: pairs of systems in "
    "opposite order; significantly: those for which each order is significant by a paired "
    "permutation test (p below the setting `alpha`, .05 unless changed), of which one is named, "
    "better under the reference first; adjusted: those significant for all pairs at once (max-T). "
    "Empty users: pairs reversed when users without relevant items are excluded instead of "
    "counted. Labels: Spearman's correlation of a user's value with the user's number of relevant "
    "items, mean over the systems."
)
COMPARED = {
    **{"Ratio": "ratio", "τ": "tau", "Reversed": "turned"},
    **{"Significantly": "turned_significantly", "Adjusted": "turned_adjusted"},
}
REFERENCE = dict.fromkeys([*COMPARED.values(), "pair"]) | {"ratio": 1.0, "tau": 1.0}
WHOLE = ["Reversed", "Significantly", "Adjusted", "Empty users"]


def choices(
    orders: pd.DataFrame, labels: pd.DataFrame, cutoff: int, titles: Mapping[str, str]
) -> Table:
    """Return a row for each dataset, metric and definition, against the metric's reference."""
    rows = []
    labels = labels[labels["cutoff"] == cutoff]
    for title, own in by_dataset(orders[orders["cutoff"] == cutoff], titles):
        correlations = labels[labels["dataset"] == own["dataset"].iloc[0]]
        for metric, compared in own.groupby("metric", sort=False):
            head = {"Dataset": title, "Metric": label(metric, cutoff)}
            known = correlations[correlations["metric"] == metric].set_index("definition")
            rows += [head | row for row in _rows(compared, known["correlation"].to_dict())]
    frame = pd.DataFrame(rows).astype(dict.fromkeys(WHOLE, "Int64"))
    return Table(
        frame,
        f"What one choice in the definition of a metric changes at cut-off {cutoff}, on the same "
        "lists. In bold: two papers could draw opposite conclusions, each significant.",
        {"Ratio": "{:.2f}".format, "τ": "{:.3f}".format, "Labels": "{:.2f}".format},
        {"Significantly": frame["Significantly"].gt(0).fillna(False)},
        NOTE,
    )


def _rows(compared: pd.DataFrame, correlations: Mapping[str, float]) -> list[dict]:
    """Return the rows of one metric, the reference first; not all need to have a correlation."""
    same = compared[compared["definition_a"] == compared["definition_b"]]
    empty = same.set_index("definition_a")["turned"]
    reference = empty.index[0]
    against = compared[compared["definition_a"] == reference]
    against = against[against["definition_b"] != reference].set_index("definition_b")
    rows = []
    for definition in empty.index:
        one = REFERENCE if definition == reference else against.loc[definition]
        row = {"Definition": definition} | {name: one[key] for name, key in COMPARED.items()}
        row["For instance"] = one["pair"] if isinstance(one["pair"], str) else MISSING
        known = {"Labels": correlations.get(definition, np.nan)}
        rows.append(row | {"Empty users": empty[definition]} | known)
    return rows
