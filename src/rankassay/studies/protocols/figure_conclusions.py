"""Figure: the verdicts on the paper's claims, under each protocol."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from rankassay.claims import figure as verdicts
from rankassay.drawing.layout import Panel, heading


def conclusions(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw a matrix of verdicts, a row for each finding and a column for each protocol."""
    rows = table[table["dataset"] == panels[0]["dataset"]]  # of data that no paper is about: none
    names = dict.fromkeys(rows["protocol"])
    columns: list[Panel] = [{"dataset": name, "title": name, "cutoff": None} for name in names]
    figure = verdicts.claims(rows.assign(dataset=rows["protocol"]), columns)
    heading(figure, panels[0]["title"], fontsize=7.5, fontweight="bold")
    return figure
