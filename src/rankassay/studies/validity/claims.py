"""Further tables that claims about validity are judged by."""

import numpy as np
import pandas as pd

from rankassay.answers.findings import ALL_ITEMS
from rankassay.claims.judge import judging
from rankassay.claims.measure import Column
from rankassay.statistics.replicated import Replicated


def _overrated(worlds: Replicated) -> pd.DataFrame:
    """Return by how many ranks popularity is better as observed than in truth."""
    table = worlds.table
    return table.assign(overrated=table["popularity_true"] - table["popularity_observed"])


CONSTRUCTED = {
    "closed-world": Column("apart", exact=True),
    "overrated": Column("overrated", "worlds", made=_overrated),
}
constructed_claims = judging(CONSTRUCTED)


def _targets(target_items: Replicated) -> Replicated:
    """Name the sizes: the last one is that of all items, whose number differs by dataset."""
    size = target_items.table["size"]
    return target_items.assign(targets=np.where(size == size.max(), ALL_ITEMS, size.astype(str)))


# Of datasets, whose claims are about target items.
DATA = {"target-items": Column("value", "target_items", made=_targets)}
run = judging(DATA)
