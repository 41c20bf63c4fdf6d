"""Average ranks across datasets, and groups of systems that do not differ significantly."""

import numpy as np
import pandas as pd

from rankassay.types import Floats


def average_ranks(pairs: pd.DataFrame) -> pd.Series:
    """Return the average ranks by system, the best first.

    `pairs` are those of `rankassay.statistics.across_datasets.compared`.
    """
    sides = [pairs[[f"system_{side}", f"rank_{side}"]] for side in "ab"]
    both = pd.concat([side.set_axis(["name", "rank"], axis=1) for side in sides])
    return both.drop_duplicates("name").set_index("name")["rank"].sort_values(kind="stable")


def groups(ranks: Floats, critical: float) -> list[tuple[int, int]]:
    """Return the first and the last place of each group that does not differ significantly.

    Places count from 0 in the order of the average ranks. Groups are maximal; a system that differs
    significantly from all others is in none.

    >>> groups(np.array([1.0, 3.5, 1.5, 2.0]), 1.5)
    [(0, 2), (2, 3)]
    """
    ordered = np.sort(ranks)
    found: list[tuple[int, int]] = []
    for first, rank in enumerate(ordered):
        last = int(np.searchsorted(ordered, rank + critical + 1e-12, side="right")) - 1
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found


def metrics_at(table: pd.DataFrame, cutoff: int) -> pd.DataFrame:
    """Return the ranks of metrics at a cut-off; those of whole lists, where all are of these.

    `table` is that of `rankassay.answers.across.metrics_across`.
    """
    return table[(table["cutoff"] == cutoff) | table["cutoff"].isna()]
