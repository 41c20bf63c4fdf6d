"""Table: how much selection it takes to change the winner."""

from collections.abc import Mapping

import pandas as pd

from rankassay.answers.validity import down
from rankassay.drawing.table import Table, name_of, shown, stacked
from rankassay.metrics.evaluate import Measure


def sensitivity(winners: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the winner and its nearest rival, a row for each metric."""
    rows = shown(winners.rename(columns={"measure": "counted"}), cutoff, "sensitivity")
    by = [Measure.parse(own) for own in rows["counted"]]
    rows = rows.assign(counted=[name_of(own.name, own.cutoff) for own in by])
    heads = {"measure": "Metric", "counted": "Hits by", "leader": "Winner", "gamma": "Γ"}
    heads |= {"rival": "Rival", "gamma_item": "Γ by item", "rival_item": "Rival by item"}
    heads |= {"standing": "Significant", "pairs": "Pairs", "default": "up to Γ"}
    rows = rows.replace({"rival": {"": None}, "rival_item": {"": None}})
    return Table(
        stacked(rows, heads, titles),
        "How much selection it takes to change the winner.",
        {"Γ": gamma, "Γ by item": gamma, "up to Γ": "{:g}".format},
        note="Γ: weights within [1/Γ, Γ] can put the rival first; by item: with one weight an "
        "item. ∞: no weights can. Hits by: the sum over judged items that stands for the metric. "
        "Users' denominators of Recall and nDCG are held fixed. "
        "Significant: pairs of systems that differ significantly under all weights up to this Γ.",
    )


def gamma(value: float) -> str:
    """Return a Γ with two decimals, rounded down as in sentences.

    >>> gamma(1.3456), gamma(float("inf"))
    ('1.34', '∞')
    """
    return "∞" if value == float("inf") else down(value)
