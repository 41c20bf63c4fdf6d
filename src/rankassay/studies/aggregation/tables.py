"""The table of the study of averages over users."""

from collections.abc import Mapping

import pandas as pd

from rankassay.drawing.table import Table, by_dataset
from rankassay.metrics.catalogue import label, ordered
from rankassay.studies.aggregation.averages import NAMES, best

CRITERIA = [(name, name.capitalize()) for name in ("agreement", "sparsity", "popularity", "power")]
NOTE = (
    "Agreement: Kendall's τ with the ranking under the arithmetic mean over all users. Sparsity, "
    "popularity: mean τ of parts of the test set with the whole, same users and same average. "
    "Power: the sum of the p-values of all pairs of systems, lower is better. In brackets: the "
    "interval of 95 % over resampled users. In bold: the best average of a metric for the same "
    "users."
)


def groups(groups: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return every metric's criteria under every average, for all users and by profile size."""
    shown = groups.query("cutoff == @cutoff and statistic == 'value'")
    shown = shown.assign(best=best(shown))
    rows, bold = [], []
    for title, own in by_dataset(shown, titles):
        for metric in ordered(own["metric"]):
            for group, users in own[own["metric"] == metric].groupby("group"):
                one = users.iloc[0]
                of_users = {"Dataset": title, "Metric": label(metric, cutoff)}
                of_users["Profile"] = f"{one.smallest}–{one.largest}" if group else "all"
                of_users["Users"] = one.users
                for how, average in users.groupby("aggregate", sort=False):
                    by = average.drop_duplicates("criterion").set_index("criterion").loc
                    cells = {name: _cell(criterion, by[criterion]) for criterion, name in CRITERIA}
                    rows.append(of_users | {"Average": NAMES[how]} | cells)
                    bold.append({name: by[criterion, "best"] for criterion, name in CRITERIA})
    return Table(
        pd.DataFrame(rows),
        "Averages over all users and over groups by the size of their profiles: agreement, "
        "robustness and power.",
        marked=pd.DataFrame(bold),
        note=NOTE,
    )


def _cell(criterion: str, one: pd.Series) -> str:
    """Return a value with its interval in words."""
    ends = "" if pd.isna(one.low) else f" ({one.low:.3f} to {one.high:.3f})".replace("-", "−")
    return f"{one.value:.{2 if criterion == 'power' else 3}f}{ends}"
