"""The tables that claims about validity ask for, beside results with replicates."""

import pandas as pd

from assayer.claims.judge import judging
from assayer.claims.measure import Column
from assayer.statistics.replicated import Replicated


def _overrated(worlds: Replicated) -> pd.DataFrame:
    """Return by how many ranks popularity is better as observed than in truth."""
    table = worlds.table
    return table.assign(overrated=table["popularity_true"] - table["popularity_observed"])


CONSTRUCTED = {
    "closed-world": Column("apart", exact=True),
    "overrated": Column("overrated", "worlds", made=_overrated),
}
constructed_claims = judging(CONSTRUCTED)

# Of datasets, whose claims are about target items.
run = judging({})
