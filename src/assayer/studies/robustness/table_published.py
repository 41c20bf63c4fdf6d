"""The published numbers of a study beside those measured, in short."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from assayer.drawing.table import Table
from assayer.statistics.rank_correlation import tau_b

CAPTION = "Published against measured: how far apart the numbers are, and whether their order is."
NOTE = (
    "Differences are measured less published. τ of the orders: Kendall's τ-b of the published and "
    "our values of a row's cells, which are the systems' means in a row of systems, and metrics in "
    "those of table 3. Figures 1 and 5 are computed on both sides from the systems' means, by the "
    "same measures. As written, table 3 sums half as many p-values as were published: only the "
    "order compares."
)
NOTHING = "No dataset of this run has published numbers: there is nothing to compare."


def published(published: pd.DataFrame, titles: Mapping[str, str]) -> Table:
    """Return a row for each figure, table or order of systems that was published, by dataset.

    Parameters
    ----------
    published : pandas.DataFrame
        As `assayer.studies.robustness.published.run` returns it, with a column dataset.
    titles : mapping
        By short name, the dataset's title; its order is that of the rows.
    """
    columns = [
        *("Dataset", "What", "Cells", "Mean difference", "Mean absolute difference"),
        *("Largest difference", "τ of the orders"),
    ]
    rows = [
        (titles[dataset], what, len(cells), *_compared(cells))
        for dataset in titles
        for what, cells in published[published["dataset"] == dataset].groupby("what", sort=False)
    ]
    return Table(
        pd.DataFrame(rows, columns=columns),
        CAPTION,
        dict.fromkeys(columns[3:], "{:.3f}".format),
        note=NOTE if rows else NOTHING,
    )


def _compared(cells: pd.DataFrame) -> tuple[float, float, float, float]:
    """Return mean, mean absolute and largest difference, and tau-b, of cells with both values."""
    known = cells.dropna(subset=["published", "measured"]).astype(
        {"published": float, "measured": float}
    )
    if known.empty:
        return (np.nan,) * 4
    difference = (known["measured"] - known["published"]).to_numpy()
    largest = difference[np.abs(difference).argmax()]
    tau = float(tau_b(known["measured"].to_numpy(), known["published"].to_numpy()))
    return float(difference.mean()), float(np.abs(difference).mean()), float(largest), tau
