"""The table of the study of averages over users."""

from collections.abc import Mapping

import pandas as pd

from assayer.drawing import style
from assayer.drawing.table import Table
from assayer.studies.aggregation.figures import AGGREGATES

CRITERIA = {
    "agreement": "Agreement",
    "sparsity": "Sparsity",
    "popularity": "Popularity",
    "power": "Power",
}
NOTE = (
    "Agreement: Kendall's τ of the order of the systems with that by the arithmetic mean over all "
    "users. Sparsity, popularity: mean τ of parts of the test set with the whole, same users and "
    "same average. Power: the sum of the p-values of all pairs of systems, low is good. In "
    "brackets: the interval of 95 % over resampled users. In bold: the best average of a metric "
    "for the same users."
)


def groups(groups: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return every metric's criteria under every average, for all users and by profile size.

    Parameters
    ----------
    groups : pandas.DataFrame
        As `assayer.studies.aggregation.groups.run` returns it, with the column dataset.
    cutoff : int
        The cut-off that is shown.
    titles : mapping
        By short name, the dataset's title; its order is that of the rows.
    """
    shown = groups.query("cutoff == @cutoff and statistic == 'value'")
    rows, best = [], []
    for dataset, title in titles.items():
        own = shown[shown["dataset"] == dataset]
        for metric in style.metric_order(list(own["metric"])):
            for _, users in own[own["metric"] == metric].groupby("group"):
                one = users.iloc[0]
                profiles = f"{one.smallest}–{one.largest}" if one["group"] else "all"
                of_users = {"Dataset": title, "Metric": f"{style.metric(metric).label}@{cutoff}"}
                of_users |= {"Profile": profiles, "Users": one.users}
                for how, average in users.groupby("aggregate", sort=False):
                    cells, bold = _cells(average, users)
                    rows.append(of_users | {"Average": AGGREGATES[how]} | cells)
                    best.append(bold)
    frame = pd.DataFrame(rows)
    marked = pd.DataFrame(best).reindex(columns=frame.columns, fill_value=False)
    caption = (
        "Which average over users, and over which: robustness and power by the size of profiles."
    )
    return Table(frame, caption, {}, marked, NOTE)


def _cells(average: pd.DataFrame, users: pd.DataFrame) -> tuple[dict, dict]:
    """Return the criteria of one average in words, and whether each is the best of the averages."""
    cells, bold = {}, {}
    for criterion, name in CRITERIA.items():
        one = average[average["criterion"] == criterion].iloc[0]
        all_of = users.loc[users["criterion"] == criterion, "value"]
        is_power = criterion == "power"
        ends = "" if pd.isna(one.low) else f" ({one.low:.3f} to {one.high:.3f})".replace("-", "−")
        cells[name] = (f"{one.value:.2f}" if is_power else f"{one.value:.3f}") + ends
        best = all_of.min() if is_power else all_of.max()
        bold[name] = criterion != "agreement" and bool(one.value == best)
    return cells, bold
