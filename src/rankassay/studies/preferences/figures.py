"""Figures of the study of preferences between lists."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from rankassay.drawing import style
from rankassay.drawing.layout import PAGE, Panel, blank, heading, power_bars, rows_of, select
from rankassay.drawing.table import shown

TIED = "#B0B0B0"


@style.style()
def power(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the shares of significantly different pairs and of tied preferences, as bars."""
    rows = shown(select(table, panels[0], "dataset"), panels[0]["cutoff"])
    figure = blank((PAGE, 1.0 + 0.2 * len(rows)), layout="constrained")
    apart, tied = figure.subplots(1, 2, sharey=True)
    power_bars(apart, rows, 1.14)
    tied.barh(range(len(rows)), 100 * rows["tied"].fillna(0), height=0.6, color=TIED)
    tied.set_xlabel("Users' comparisons that are ties (%)")
    tied.set_xlim(0, 100)
    for axes in (apart, tied):
        rows_of(axes, rows["measure"])
    heading(figure, panels[0]["title"], fontsize=8)
    return figure
