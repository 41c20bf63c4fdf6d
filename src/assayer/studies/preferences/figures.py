"""Figures of the study of preferences between lists."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from assayer.drawing import style
from assayer.drawing.layout import PAGE, Panel, beside, blank, heading, select
from assayer.drawing.measures import shown

SIGNIFICANT, TIED = "#5B9BC8", "#B0B0B0"


@style.style()
def power(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the shares of pairs that are told apart and of preferences that are ties, as bars."""
    rows = shown(select(table, panels[0], "dataset"), panels[0]["cutoff"])
    figure = blank((PAGE, 1.0 + 0.2 * len(rows)), layout="constrained")
    apart, tied = figure.subplots(1, 2, sharey=True)
    places = np.arange(len(rows))
    share = 100 * rows["significant_05"] / rows["pairs"].where(rows["pairs"] > 0)
    apart.barh(places, share.fillna(0), height=0.6, color=SIGNIFICANT)
    for place, dp in zip(places, rows["dp"], strict=True):
        beside(apart, place, 1.14, "–" if pd.isna(dp) else f"{dp:.2f}")
    beside(apart, -1, 1.14, "DP")
    apart.set_xlabel("Pairs of systems with p < .05 (%)")
    tied.barh(places, 100 * rows["tied"].fillna(0), height=0.6, color=TIED)
    tied.set_xlabel("Preferences of users that are ties (%)")
    for axes in (apart, tied):
        axes.set_xlim(0, 100)
        axes.grid(axis="x", color="0.9", linewidth=0.5)
    apart.set_yticks(places, rows["measure"])
    apart.set_ylim(len(rows) - 0.4, -0.6)
    heading(figure, panels[0]["title"], fontsize=8)
    return figure
