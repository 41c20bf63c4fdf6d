"""Figures of the study of metrics beyond accuracy."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rankassay.drawing import style
from rankassay.drawing.layout import PAGE, Panel, blank, heading, power_bars, rows_of, select
from rankassay.drawing.table import shown
from rankassay.studies.beyond.words import REMOVED

# By what is removed: colour and marker.
MARKS = {"users": ("#0072B2", "o"), "sparsity": ("#D55E00", "s"), "popularity": ("#000000", "^")}


@style.style()
def robustness(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the mean correlation over all levels, a row for each metric."""
    rows = shown(select(table, panels[0], "dataset"), panels[0]["cutoff"])
    # Where all systems tie, nothing of their order is left: as in the answers by all criteria.
    known = rows.assign(tau=rows["tau"].fillna(0))
    means = known.groupby(["measure", "removed"], sort=False)["tau"].mean().unstack("removed")
    means = means.reindex(index=rows["measure"].unique())
    kinds = [kind for kind in MARKS if kind in means]
    figure, axes = _rows(means.index, panels[0]["title"])
    for kind in kinds:
        colour, marker = MARKS[kind]
        look = {"color": colour, "marker": marker, "linestyle": "", "markersize": 4}
        axes.plot(means[kind], np.arange(len(means)), **look)
    axes.set_xlabel("Mean τ with the ranking on all users and test ratings")
    handles = [
        Line2D(
            [], [], color=MARKS[kind][0], marker=MARKS[kind][1], linestyle="", label=REMOVED[kind]
        )
        for kind in kinds
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(kinds))
    return figure


@style.style()
def power(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the share of pairs of systems that differ significantly under each metric, as bars."""
    rows = shown(select(table, panels[0], "dataset"), panels[0]["cutoff"])
    figure, axes = _rows(rows["measure"], panels[0]["title"])
    power_bars(axes, rows, 1.12)
    return figure


def _rows(names: Sequence[str], title: str):
    """Return a figure and its axes, with a row for each name from the top."""
    figure = blank((PAGE * 0.7, 1.1 + 0.2 * len(names)), layout="constrained")
    axes = figure.add_subplot()
    rows_of(axes, names)
    axes.set_axisbelow(True)
    heading(figure, title, fontsize=8)
    return figure, axes
