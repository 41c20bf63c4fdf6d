"""Figures of the study of unjudged items."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from rankassay.drawing import style
from rankassay.drawing.layout import BARS, PAGE, Panel, blank, heading, rows_of, select
from rankassay.drawing.table import shown, told


@style.style()
def bounds(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the bounds of each system by one metric, the best value at the top."""
    rows = told(shown(select(table, panels[0], "dataset"), panels[0]["cutoff"]))
    rows = rows.sort_values("value", ascending=False, kind="stable")
    figure = blank((PAGE * 0.7, 1.1 + 0.17 * len(rows)), layout="constrained")
    axes, places = figure.add_subplot(), np.arange(len(rows))
    axes.hlines(places, rows["least"], rows["greatest"], color=BARS, linewidth=4)
    axes.plot(rows["value"], places, color="#000000", marker="|", linestyle="", markersize=7)
    rows_of(axes, rows["system"])
    axes.set_axisbelow(True)
    # Below the figure and not the axes, to which long names of systems leave little room.
    what = f"{rows['measure'].iloc[0]}: value, and bounds over all judgements"
    figure.supxlabel(what, fontsize=style.RC["axes.labelsize"])
    heading(figure, panels[0]["title"], fontsize=8)
    return figure
