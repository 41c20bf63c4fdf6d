"""What a summary says: which metric is best, at which cut-off, and what cannot be told apart."""

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from assayer.drawing.text import listed
from assayer.metrics.catalogue import label, ordered

OVERALL = "overall"
CRITERIA = {
    "sparsity": "Robustness to sparsity",
    "popularity": "Robustness to popularity",
    "power": "Discriminative power",
}


@dataclass(frozen=True)
class Winner:
    """What comes out by one criterion at one cut-off.

    Attributes
    ----------
    best, others : the metrics that are best, and all others
    rivals : those of the others that cannot be told apart from the best
    unknown : those of the others of which this is not known, for there are no replicates
    value, low, high : the value of the best, and its interval
    """

    best: list[str]
    others: list[str]
    rivals: list[str]
    unknown: list[str]
    value: float
    low: float
    high: float


def winner(rows: pd.DataFrame, criterion: str, cutoff: int) -> Winner:
    """Return which metrics are best by a criterion.

    Parameters
    ----------
    rows : pandas.DataFrame
        The rows of one dataset, as `assayer.summary.criteria.summary` returns them.
    criterion : str
    cutoff : int
    """
    shown = rows[(rows["cutoff"] == cutoff) & (rows["criterion"] == criterion)]
    best, others = shown[shown["rank"] == 1], shown[shown["rank"] > 1]
    return Winner(
        [*best["metric"]],
        [*others["metric"]],
        [*others.loc[~_known_apart(others["apart"]), "metric"]],
        [*others.loc[others["apart"].isna(), "metric"]],
        *best[["value", "low", "high"]].iloc[0],
    )


def order(rows: pd.DataFrame, cutoff: int) -> list[str]:
    """Return the metrics at a cut-off, that with the best mean rank first."""
    shown = rows[(rows["cutoff"] == cutoff) & (rows["criterion"] == OVERALL)]
    ranks = shown.set_index("metric")["value"]
    return [*ranks.loc[ordered(ranks.index)].sort_values(kind="stable").index]


def best_cutoffs(rows: pd.DataFrame, metric: str, criterion: str = OVERALL) -> list[int]:
    """Return the cut-offs at which a metric is best itself."""
    own = (rows["metric"] == metric) & (rows["criterion"] == criterion)
    return [*rows.loc[own & (rows["cutoff_rank"] == 1), "cutoff"]]


def names(metrics: Iterable[str]) -> str:
    """Return metrics as words, by their labels."""
    return listed([*map(label, ordered(metrics))])


def verdict(rows: pd.DataFrame, cutoff: int) -> str:
    """Say in words which metrics come out best on a dataset at a cut-off; see `winner`."""
    known = rows.loc[rows["cutoff"] == cutoff, "correlation"].dropna().unique()
    tau = "τ" if all(name.startswith("tau") for name in known) else "correlation"
    measured = {"sparsity": f"mean {tau}", "popularity": f"mean {tau}", "power": "DP"}
    said = [
        f"{what}: {_said(winner(rows, name, cutoff), measured[name], 1 if name == 'power' else 3)}"
        for name, what in CRITERIA.items()
    ]
    overall = winner(rows, OVERALL, cutoff)
    cutoffs = "; ".join(_at_best(rows, metric) for metric in overall.best)
    words = ". ".join([*said, f"Mean rank: {_said(overall, 'rank', 1)}"])
    return f"At @{cutoff}. {words}. Best cut-off: {cutoffs}."


def answer(rows: pd.DataFrame, cutoff: int) -> str:
    """Say the same as `verdict` in sentences, for a page."""
    known = rows.loc[rows["cutoff"] == cutoff, "correlation"].dropna().unique()
    tau = "mean τ" if all(name.startswith("tau") for name in known) else "mean correlation"

    def said(criterion: str, words: str) -> str:
        found = winner(rows, criterion, cutoff)
        verb = "" if len(found.best) > 1 else "s"
        return words.format(best=names(found.best), s=verb, value=found.value) + _but(found)

    overall = winner(rows, OVERALL, cutoff)
    sentences = [
        said(
            "sparsity",
            "When test ratings are missing at random, {best} keep{s} the order of the systems best "
            f"at @{cutoff} ({tau} {{value:.3f}})",
        ),
        said(
            "popularity",
            f"Without the most popular items, {{best}} keep{{s}} it best ({tau} {{value:.3f}})",
        ),
        said("power", "The systems are told apart best by {best} (DP {value:.1f})"),
        said(OVERALL, "By the mean of the three ranks, {best} come{s} first"),
        *(
            f"The best cut-off of {_at_best(rows, metric).replace(' at ', ' is ', 1)}"
            for metric in overall.best
        ),
    ]
    return " ".join(f"{sentence}." for sentence in sentences)


def _but(found: Winner) -> str:
    """Return the end of a sentence that names a winner: what cannot be told apart from it."""
    it = "them" if len(found.best) > 1 else "it"
    if len(found.unknown) == len(found.others):
        return ""
    if len(found.rivals) == len(found.others):
        return f", but no other metric can be told apart from {it}"
    if found.rivals:
        return f", but {names(found.rivals)} cannot be told apart from {it}"
    return ", and all other metrics can be told apart from " + it


def _said(found: Winner, what: str, digits: int) -> str:
    """Say which metric is best, and which ones are not told apart from it."""
    are, them = ("are", "them") if len(found.best) > 1 else ("is", "it")
    number = f"{found.value:.{digits}f}".replace("-", "−")
    words = f"{names(found.best)} {are} best ({what} {number})"
    if len(found.unknown) == len(found.others):
        return words
    if len(found.rivals) == len(found.others):
        return f"{words}, and no other can be told apart from {them}"
    if found.rivals:
        return f"{words}, and {names(found.rivals)} cannot be told apart from {them}"
    return f"{words}, told apart from all others"


def _at_best(rows: pd.DataFrame, metric: str) -> str:
    """Name a metric with the cut-offs at which it is best, and those not told apart from them."""
    own = rows[(rows["metric"] == metric) & (rows["criterion"] == OVERALL)]
    at = listed([f"@{cutoff}" for cutoff in best_cutoffs(rows, metric)])
    unclear = (own["cutoff_rank"] > 1) & ~_known_apart(own["cutoff_apart"])
    tied = [f"@{cutoff}" for cutoff in own.loc[unclear, "cutoff"]]
    also = f" (not told apart: {listed(tied)})" if tied else ""
    return f"{label(metric)} at {at}{also}"


def _known_apart(apart: pd.Series) -> pd.Series:
    """Return a column of true, false and nothing as a mask: what is not known is passed over."""
    return apart.astype("boolean").fillna(True).astype(bool)


def most_turned(orders: pd.DataFrame) -> pd.Series | None:
    """Return the two definitions that turn most pairs of systems significantly, or None.

    `orders` are rows of one metric at one cut-off; its column `turned_significantly` counts pairs.
    """
    worst = orders.loc[orders["turned_significantly"].idxmax()]
    return worst if worst["turned_significantly"] else None
