"""When a system counts as reproduced."""

import pandas as pd

NDCG = "nDCG(truncate_ideal=False)@100"
# The two measures by which a system counts as reproduced: the top of its list, and all of it.
DECISIVE = ("P@10", NDCG)
TOLERANCE = 0.03


def near(relative: pd.Series) -> pd.Series:
    """Return whether each relative difference is within the tolerance; unknown ones are not."""
    return relative.abs() <= TOLERANCE
