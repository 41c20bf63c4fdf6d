"""Figure: the winner under each protocol and metric."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from rankassay.drawing import style
from rankassay.drawing.layout import Panel, blank, select
from rankassay.drawing.table import shown

COLOURS = ("#BFD7EA", "#F6D8AE", "#CFE8CF", "#E8C7DE", "#D9D9D9", "#F2E394", "#C7CEEA", "#F4B6A6")
CELL = (1.05, 0.3)  # inches
HEAD, SIDE = 1.3, 1.0  # inches: the names of the protocols, those of the metrics


@style.style()
def winners(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw a matrix of winners, a row for each metric and a column for each protocol.

    Each winner has a colour. A bold winner is not the reference's, which is significantly worse
    here.
    """
    rows = shown(select(table, panels[0], "dataset"), panels[0]["cutoff"])
    protocols, measures = [*rows["protocol"].unique()], [*rows["measure"].unique()]
    names = [*rows["winner"].value_counts().index]
    size = (SIDE + CELL[0] * len(protocols), HEAD + CELL[1] * len(measures))
    figure = blank(size, layout="constrained")
    axes = figure.add_subplot()
    for row in rows.itertuples():
        x, y = protocols.index(row.protocol), measures.index(row.measure)
        colour = COLOURS[names.index(row.winner) % len(COLOURS)]
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor="white"))
        weight = "bold" if row.beyond_luck else "normal"
        text = row.winner if len(row.winner) <= 18 else f"{row.winner[:16]} …"
        axes.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=6, weight=weight)
    axes.set_xlim(0, len(protocols))
    axes.set_ylim(len(measures), 0)
    axes.set_xticks(np.arange(len(protocols)) + 0.5, protocols, rotation=30, ha="left", fontsize=6)
    axes.set_yticks(np.arange(len(measures)) + 0.5, measures, fontsize=6)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(panels[0]["title"])
    return figure
