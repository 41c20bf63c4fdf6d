"""The tables that claims about worlds with a truth ask for."""

import pandas as pd

from assayer.claims.judge import judging
from assayer.claims.measure import Column


def _overrated(worlds: pd.DataFrame) -> pd.DataFrame:
    """Return by how many ranks popularity is better as observed than in truth."""
    return worlds.assign(overrated=worlds["popularity_true"] - worlds["popularity_observed"])


CONSTRUCTED = {
    "closed-world": Column("apart", exact=True),
    "overrated": Column("overrated", "worlds", made=_overrated),
}
constructed_claims = judging(CONSTRUCTED)
