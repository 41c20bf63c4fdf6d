"""What was found: the best metrics by a criterion and cut-offs, and average ranks across datasets.

A metric is the best alone only where it is significantly better than all others by paired
replicates (`rankassay.answers.criteria`); else others are tied with it. So are several cut-offs
with the best one, mostly: of these the smallest is named, which can be filled by the most users,
and lists need not be longer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from rankassay.declared.correlations import CORRELATIONS
from rankassay.metrics.catalogue import entry, label, ordered
from rankassay.types import Floats

VALIDITY = "validity"
VALIDITY_NEW = "validity-new"
# The criterion of each yardstick, and what readers call it.
YARDSTICKS = {"liked": VALIDITY, "new": VALIDITY_NEW}
BY_YARDSTICK = {VALIDITY: "Validity (liked)", VALIDITY_NEW: "Validity (new)"}
ALL_ITEMS = "all items"  # the candidates of the lists that a summary is about
# The criteria of the overall ranks.
CRITERIA = {
    "sparsity": "Robustness to sparsity",
    "popularity": "Robustness to popularity",
    "power": "Discriminative power",
}
OVERALL = "overall"
# The same with validity, where it can be measured.
WITH_VALIDITY = CRITERIA | BY_YARDSTICK
# By which metrics are compared across datasets: the selection that changes the winner, too.
SELECTION = "selection"
ACROSS = WITH_VALIDITY | {SELECTION: "Robustness to selection"}
CORRELATED = ("sparsity", "popularity", *BY_YARDSTICK)  # their values are
# Two random orders of n systems agree wholly with probability 1/n!, which is below 1 % from 5 on.
ENOUGH = 5
ROBUST = 0.8  # a mean correlation below is not called robust: of ten pairs of systems, one reversed
NO_WARNING = "none"
SENSITIVITY = "sensitivity_"  # before the names of its columns


@dataclass(frozen=True)
class Finding:
    """The finding under one criterion at one cut-off."""

    criterion: str
    best: Sequence[str]  # the metrics with the best value
    others: Sequence[str]  # all others
    rivals: Sequence[str]  # those of the others that do not differ significantly from the best
    unknown: Sequence[str]  # those of the others for which this is unknown: there are no replicates
    value: float  # of the best, as the interval
    low: float
    high: float
    undefined: bool  # whether some metric's value has undefined correlations, which count as 0
    correlation: str  # the symbol of the correlation that the value is the mean of
    cutoff: int

    @property
    def apart(self) -> Sequence[str]:
        """The others that differ significantly from the best."""
        return [name for name in self.others if name not in {*self.rivals, *self.unknown}]

    @property
    def robust(self) -> bool:
        """Whether the value is one that a metric may be recommended for."""
        return self.criterion not in CORRELATED or self.value >= ROBUST

    @property
    def winner(self) -> bool:
        """Whether all others differ significantly from the best."""
        return self.robust and bool(self.others) and not self.rivals and not self.unknown


def finding(rows: pd.DataFrame, criterion: str, cutoff: int) -> Finding | None:
    """Return the finding under a criterion, or None if it ranks no metric at the cut-off.

    `rows` are those of one dataset of `rankassay.answers.criteria.summary`, here and below.
    """
    shown = rows[(rows["cutoff"] == cutoff) & (rows["criterion"] == criterion)]
    shown = shown[shown["rank"].notna()]
    if shown.empty:
        return None
    best, others = shown[shown["rank"] == 1], shown[shown["rank"] > 1]
    return Finding(
        criterion,
        [*best["metric"]],
        [*others["metric"]],
        [*others.loc[~_maybe_apart(others["apart"]), "metric"]],
        [*others.loc[others["apart"].isna(), "metric"]],
        *best[["value", "low", "high"]].iloc[0],
        bool((shown["undefined"] > 0).any()),
        " or ".join(CORRELATIONS[name].symbol for name in shown["correlation"].dropna().unique()),
        cutoff,
    )


def order(rows: pd.DataFrame, cutoff: int) -> list[str]:
    """Return the metrics at a cut-off, the best average rank first, unranked ones last."""
    shown = rows[(rows["cutoff"] == cutoff) & (rows["criterion"] == OVERALL)]
    ranks = shown.set_index("metric")["value"]
    return [*ranks.loc[ordered(ranks.index)].sort_values(kind="stable").index]


def best_cutoff(rows: pd.DataFrame, metric: str, criterion: str = OVERALL) -> int | None:
    """Return the smallest cut-off that is the best of a metric or tied with it (95%), or None.

    There is none of a metric that no cut-off changes, and none of one without ranks. Without
    replicates nothing is known of ties, and the best counts.
    """
    own = ranked_cutoffs(rows, metric, criterion)
    tied = ~own["cutoff_apart"].astype("boolean").fillna(True).astype(bool)
    found = own.loc[(own["cutoff_rank"] == 1) | tied, "cutoff"]
    return int(found.min()) if len(found) else None


def at(cutoff: int | None) -> str:
    """Return a best cut-off as figures and tables have it.

    >>> at(10), at(None)
    ('@10', '–')
    """
    return "–" if cutoff is None else f"@{cutoff}"


def ranked_cutoffs(rows: pd.DataFrame, metric: str, criterion: str) -> pd.DataFrame:
    """Return the cut-offs of a metric that are compared by a criterion."""
    own = rows[(rows["metric"] == metric) & (rows["criterion"] == criterion)]
    compared = own["cutoff"].notna() & own["cutoff_rank"].notna()
    return own[compared & entry(metric).cut]


def labels(metrics: Iterable[str], cutoff: float | None = None) -> list[str]:
    """Return metrics by their labels, in the catalogue's order, with their cut-off if they have."""
    return [label(name, cutoff if entry(name).cut else None) for name in ordered(metrics)]


def average_ranks(pairs: pd.DataFrame) -> pd.Series:
    """Return the average ranks by system, the best first.

    `pairs` are those of `rankassay.statistics.across_datasets.compared`.
    """
    sides = [pairs[[f"system_{side}", f"rank_{side}"]] for side in "ab"]
    both = pd.concat([side.set_axis(["name", "rank"], axis=1) for side in sides])
    return both.drop_duplicates("name").set_index("name")["rank"].sort_values(kind="stable")


def groups(ranks: Floats, critical: float) -> list[tuple[int, int]]:
    """Return the first and the last place of each group that does not differ significantly.

    Places count from 0 in the order of the average ranks. Groups are maximal; a system that differs
    significantly from all others is in none.

    >>> groups(np.array([1.0, 3.5, 1.5, 2.0]), 1.5)
    [(0, 2), (2, 3)]
    """
    ordered = np.sort(ranks)
    found: list[tuple[int, int]] = []
    for first, rank in enumerate(ordered):
        last = int(np.searchsorted(ordered, rank + critical + 1e-12, side="right")) - 1
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found


def metrics_at(table: pd.DataFrame, cutoff: int) -> pd.DataFrame:
    """Return the ranks of metrics at a cut-off; those of whole lists, where all are of these.

    `table` is that of `rankassay.answers.across.metrics_across`.
    """
    return table[(table["cutoff"] == cutoff) | table["cutoff"].isna()]


def _maybe_apart(apart: pd.Series) -> pd.Series:
    """Return a mask of what is true or not known, from a column of true, false and nothing."""
    return apart.astype("boolean").fillna(True).astype(bool)
