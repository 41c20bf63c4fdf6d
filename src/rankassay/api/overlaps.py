"""Runs whose ranges of users' values overlap."""

import numpy as np
import pandas as pd

from rankassay.statistics.ranges import overlap


def overlaps(table: pd.DataFrame, runs: list[str]) -> list[tuple[str, ...]]:
    """Return for each row, of a run and metric, the other runs whose range overlaps."""
    least, greatest = (
        table[name].to_numpy().reshape(len(runs), -1) for name in ("least", "greatest")
    )
    both = overlap(least[:, None], greatest[:, None], least[None], greatest[None])
    both[np.diag_indices(len(runs))] = False
    return [
        tuple(run for run, shared in zip(runs, both[row, :, metric], strict=True) if shared)
        for row, metric in np.ndindex(least.shape)
    ]
