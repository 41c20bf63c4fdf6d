"""Figure: validity by kind of worlds, a dot with its interval for each measure."""

import textwrap
from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rankassay.drawing import style
from rankassay.drawing.layout import PAGE, Panel, blank, select, span
from rankassay.drawing.style import BLACK, BLUE, GREEN, ORANGE, PINK, SKY, VERMILION
from rankassay.studies.validity.words_kinds import HALVES, SHOWN, kind_name, measure_name

MARKS = ((BLUE, "o"), (VERMILION, "D"), (SKY, "s"), (PINK, "v"))
MARKS += ((ORANGE, "P"), (BLACK, "^"), (GREEN, "X"), (GREEN, "h"))
ROW = 0.5  # inches
NAME = 26  # characters in a line
SPREAD = 0.76  # of a row's height, over which its dots are spread


@style.style()
def kinds(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw Kendall's tau of the observed and the true ranking, a row for each kind of worlds.

    The worlds are those of the half on which no measure was chosen.
    """
    rows = select(table, panels[0] | {"half": HALVES[1]}, "dataset", "half")
    names = list(dict.fromkeys(rows["kind"]))
    figure = blank((PAGE, ROW * len(names) + 0.9), layout="constrained")
    axes = figure.add_subplot()
    handles = []
    for n, ((metric, cutoff), (colour, marker)) in enumerate(zip(SHOWN, MARKS, strict=True)):
        own = rows[(rows["metric"] == metric) & (rows["cutoff"] == cutoff)]
        place = own["kind"].map(names.index) + SPREAD * (n / (len(SHOWN) - 1) - 0.5)
        look = {"color": colour, "marker": marker, "linestyle": "none"}
        axes.hlines(place, own["tau_low"], own["tau_high"], color=colour, linewidth=0.6)
        axes.plot(own["tau"], place, **look)
        handles.append(Line2D([], [], **look, label=measure_name(metric, cutoff)))
    for place in range(1, len(names)):
        axes.axhline(place - 0.5, color="0.9", linewidth=0.5)
    axes.axvline(0, color="0.6", linewidth=0.5)
    axes.set_yticks(range(len(names)), [textwrap.fill(kind_name(name), NAME) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(*span(rows[["tau_low", "tau", "tau_high"]].to_numpy().ravel(), (0, 1)))
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("Simulated worlds: τ of the observed ranking with the ranking under true P@10")
    figure.legend(handles=handles, loc="outside lower center", ncols=4)
    return figure
