"""How far measured numbers are from published ones."""

import numpy as np
import pandas as pd

from rankassay.statistics.rank_correlation import tau_b


def in_short(
    cells: pd.DataFrame, measured: str = "measured", relative: bool = False
) -> dict[str, float]:
    """Return of measured less published numbers the mean, the mean and the largest size, and tau.

    The last is Kendall's tau-b between both orders of the cells; all are NaN without cells.
    Differences may be in percent of published values.
    """
    known = cells.dropna(subset=["published", measured])
    ours, theirs = (known[name].to_numpy(np.float64) for name in (measured, "published"))
    if known.empty:
        return dict.fromkeys(["mean", "absolute", "largest", "tau"], float("nan"))
    difference = 100 * (ours / theirs - 1) if relative else ours - theirs
    size = np.abs(difference)
    return {
        "mean": float(difference.mean()),
        "absolute": float(size.mean()),
        "largest": float(difference[size.argmax()]),
        "tau": float(tau_b(ours, theirs)),
    }
