"""How far measured numbers are from published ones."""

import numpy as np
import pandas as pd

from rankassay.statistics.rank_correlation import tau_b


def in_short(
    cells: pd.DataFrame, measured: str = "measured", relative: bool = False
) -> dict[str, float]:
    """Sum up how far published and measured numbers are apart, where both are known.

    Parameters
    ----------
    cells : pandas.DataFrame
        Columns published, and `measured`.
    relative : bool
        Whether differences are in percent of the published values, which are then not 0.

    Returns
    -------
    dict
        Of the differences, measured less published: mean, absolute (its mean) and largest; and tau,
        Kendall's tau-b between the two orders of the cells. All are NaN without cells.
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
