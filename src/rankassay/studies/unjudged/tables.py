"""Tables of the study of unjudged items."""

from collections.abc import Mapping

import pandas as pd

from rankassay.drawing.table import Table, shown, stacked


def pairs(pairs: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return how much depends on unjudged items, a row for each metric."""
    rows = shown(pairs, cutoff, "pairs")
    heads = {"measure": "Metric", "residual": "Residual", "spread": "Spread", "pairs": "Pairs"}
    heads |= {"overlapping": "Overlapping", "open": "Open"}
    three = "{:.3f}".format
    return Table(
        stacked(rows, heads, titles),
        "What the judgements of unjudged items could change.",
        {"Residual": three, "Spread": three, "Open": "{:.0f}".format},
        note="Residual: the greatest less the least value, a mean over systems. Spread: the best "
        "system's value less the worst one's. Overlapping: pairs of systems whose bounds overlap. "
        "Open: pairs whose difference can have either sign, known for sums of weights of places.",
    )
