"""Analysis: which pairs of systems does each metric tell apart, when users swap their lists?"""

from collections.abc import Sequence
from typing import Unpack

import numpy as np
import pandas as pd

from assayer.metrics.beyond.sums import Sums
from assayer.statistics.discriminative_power import LEVELS
from assayer.statistics.set_measures import swap_tests
from assayer.studies.beyond.systems import Asked, Names, Systems
from assayer.types import Floats


def power(evaluation: dict, seed: int, *, samples: int, **asked: Unpack[Asked]) -> pd.DataFrame:
    """Test all pairs of systems by every metric.

    The settings are those of `assayer.studies.beyond.settings.Power`, and the test is that of
    `assayer.statistics.set_measures.swap_tests`, the same for metrics of accuracy and beyond.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, pairs (with a p-value), identical (pairs with the same value), dp
        (the sum of the p-values: low is good, NaN without any), significant_05 and significant_01
        (pairs with p below 0.05 and 0.01).
    """
    systems = Systems.of(evaluation, **asked)
    rows = []
    for names in systems.in_turn():
        rows += _tested(names, systems.measures(chosen=names), samples, seed)
    return pd.DataFrame(rows)


def _tested(
    names: Names, measures: Sequence[Sequence[Sums]], samples: int, seed: int
) -> list[dict]:
    """Return the rows of some measures."""
    tests = swap_tests(measures, samples, seed)
    rows = []
    for (metric, cutoff), own, square in zip(names, measures, tests, strict=True):
        p = square[np.triu_indices(len(own), k=1)]
        rows.append({"metric": metric, "cutoff": cutoff} | _summed(own, p))
    return rows


def _summed(measure: Sequence[Sums], p: Floats) -> dict:
    """Sum up the p-values of the pairs of systems by one measure, (n_pairs,)."""
    values = np.array([own.of_all() for own in measure])
    same = (values[:, None] == values)[np.triu_indices(len(measure), k=1)]
    known = p[~np.isnan(p)]
    found = {"pairs": len(known), "identical": int(same.sum())}
    found["dp"] = known.sum() if len(known) else np.nan
    return found | {
        f"significant_{name}": int((known < level).sum()) for name, level in LEVELS.items()
    }
