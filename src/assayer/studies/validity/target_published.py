"""The published numbers about target items beside those measured, in short."""

import numpy as np
import pandas as pd

from assayer.statistics.rank_correlation import tau_b


def in_short(cells: pd.DataFrame) -> dict[str, float]:
    """Sum up how far published and measured numbers are apart.

    Parameters
    ----------
    cells : pandas.DataFrame
        Columns value and published, which is known throughout and not 0.

    Returns
    -------
    dict
        Of the differences in percent of what was published: mean, absolute (its mean) and largest;
        and tau, Kendall's tau-b between the two orders of the cells.
    """
    ours, theirs = (cells[name].to_numpy(np.float64) for name in ("value", "published"))
    difference = 100 * (ours / theirs - 1)
    size = np.abs(difference)
    return {
        "mean": float(difference.mean()),
        "absolute": float(size.mean()),
        "largest": float(difference[size.argmax()]),
        "tau": float(tau_b(ours, theirs)),
    }
