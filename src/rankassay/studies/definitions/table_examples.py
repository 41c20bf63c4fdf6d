"""The blog post's tables of values: each cell as printed, and as our metrics have it."""

import pandas as pd

from rankassay.drawing.table import Table
from rankassay.metrics.catalogue import label

CAPTION = (
    "The worked example of the blog post, its eight tables in one: each cell as printed and as "
    "measured under the profile blog. In bold: what does not agree."
)
NOTE = (
    "Users #4 and #5 have no relevant items and no value; the means are over the other three. The "
    "post cuts some numbers after three decimals and rounds others, so that .001 is allowed. It "
    "prints 1/3 for the mean reciprocal rank at 3 and 5; the mean of its own 1, 1/2 and 0 is 1/2. "
    "DCG and IDCG are printed as sums, and without means. Its formula of recall has TN where FN is "
    "meant, and those of DCG and IDCG the user's index where the place's is meant; its numbers are "
    "right."
)


def examples(examples: pd.DataFrame) -> Table:
    """Return a row for each quantity and user, and a pair of columns for each cut-off."""
    frame, wrong = [], []
    for (section, quantity, user), own in examples.groupby(
        ["section", "quantity", "user"], sort=False
    ):
        who = user if user == "mean" else f"#{user}"
        row = {"Section": f"{section}", "Metric": label(quantity), "User": who}
        bad = dict.fromkeys(row, False)
        for cell in own.itertuples():
            row[f"@{cell.cutoff} printed"] = cell.printed
            row[f"@{cell.cutoff} measured"] = cell.measured
            bad[f"@{cell.cutoff} printed"] = bad[f"@{cell.cutoff} measured"] = not cell.agrees
        frame.append(row)
        wrong.append(bad)
    table, marked = pd.DataFrame(frame), pd.DataFrame(wrong)
    measured = [column for column in table if column.endswith("measured")]
    return Table(table, CAPTION, dict.fromkeys(measured, "{:.3f}".format), marked, NOTE)
