"""The published numbers of a study next to those measured, in short."""

from collections.abc import Mapping

import pandas as pd

from rankassay.drawing.table import Table, by_dataset
from rankassay.statistics.differences import in_short

CAPTION = "Published against measured: the differences of the numbers and of their ranking."
NOTE = (
    "Differences are measured less published. τ of the orders: Kendall's τ-b of the published and "
    "our values of a row's cells, which are the systems' means in a row of systems, and metrics in "
    "those of table 3. Figures 1 and 5 are computed on both sides from the systems' means, by the "
    "same measures. As written, table 3 sums half as many p-values as were published: only the "
    "order compares."
)
NOTHING = "No dataset of this run has published numbers: there is nothing to compare."
COMPARED = {"mean": "Mean difference", "absolute": "Mean absolute difference"}
COMPARED |= {"largest": "Largest difference", "tau": "τ of the orders"}


def published(published: pd.DataFrame, titles: Mapping[str, str]) -> Table:
    """Return a row for each figure, table or order of systems that was published, by dataset."""
    rows = [
        {"Dataset": title, "What": what, "Cells": len(cells)} | in_short(cells)
        for title, own in by_dataset(published, titles)
        for what, cells in own.groupby("what", sort=False)
    ]
    columns = ["Dataset", "What", "Cells", *COMPARED]
    return Table(
        pd.DataFrame(rows, columns=columns).rename(columns=COMPARED),
        CAPTION,
        dict.fromkeys(COMPARED.values(), "{:.3f}".format),
        note=NOTE if rows else NOTHING,
    )
