"""The one number that decides a sentence of several rows.

One sentence of a paper ("deeper cut-offs are better, by all metrics and on all criteria") makes
many rows. A conjunction of 42 rows, each of which is true and found so in 95 of 100 cases, is found
in 12 of 100: so it is no row by row verdict that decides, but one number with its own interval.

- share: the share of the rows that hold. All of them hold if nine of ten do, as a row near its
  bound may fall on either side; with fewer than eight of ten they do not.
- least: the least lead of the rows, how far each is on the right side of its bound, in margins.
- distance: the mean distance of the rows from the published numbers, in margins; it holds within
  one of them.

Rows that are undefined, or were not asked, do not count.
"""

from collections.abc import Sequence

import numpy as np

from rankassay.claims.conditions import Condition
from rankassay.claims.lists import DISTANCE, LEAST, SHARE
from rankassay.types import Floats

CONDITIONS = {
    SHARE: Condition("at_least", 0.9, 0.1),
    LEAST: Condition("above", 0.0, 1.0),
    DISTANCE: Condition("at_most", 1.0, 0.0),
}
BOUNDS = {SHARE: (0.0, 1.0), LEAST: (-np.inf, np.inf), DISTANCE: (0.0, np.inf)}
SAID = {
    SHARE: "The share of its {} rows that hold.",
    LEAST: "The least lead of its {} rows, how far one is on the right side, in margins.",
    DISTANCE: "The mean distance of its {} rows from the published numbers, in margins.",
}


def statistic(name: str, conditions: Sequence[Condition], values: Sequence[Floats]) -> Floats:
    """Return the number that decides a sentence, measured and in each replicate, float64 (n,).

    `values` are those of each row, float64 (1 + n_replicates,), as
    `rankassay.claims.measure.measure` returns them; as many replicates count as all rows have.
    Undefined values do not hold, and leave leads and distances undefined.
    """
    n = min(map(len, values))
    rows = [(condition, own[:n]) for condition, own in zip(conditions, values, strict=True)]
    if name == SHARE:
        return np.mean([condition.holds(own) for condition, own in rows], axis=0)
    leads = np.array([condition.lead(own) / condition.margin for condition, own in rows])
    return leads.min(axis=0) if name == LEAST else (1 - leads).mean(axis=0)
