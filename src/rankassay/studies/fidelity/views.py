"""Figure: the means of our systems next to the published ones."""

import math
from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rankassay.drawing import style
from rankassay.drawing.layout import Grid, Panel, margin_text, select, ticks
from rankassay.studies.fidelity.means import DECISIVE, NDCG, near

LABELS = {NDCG: "nDCG@100, ideal list not cut"}
ROW = 0.145  # inches: the height of a system
DOT = {"linestyle": "none", "marker": "o"}
FULL = {"markerfacecolor": "#0072B2", "markeredgecolor": "#0072B2", "markersize": 2.6}
HOLLOW = {"markerfacecolor": "white", "markeredgecolor": "0.25", "markersize": 4.4}
MARKERS = {"published": DOT | HOLLOW, "ours": DOT | FULL}  # one in the other where they agree
NEAR = {"color": "0.25"}
FAR = {"color": "#B34700", "fontweight": "bold"}  # differences beyond the tolerance
DIFFERENCE_PLACE = 1.14  # of the column next to a panel, in widths of the panel


@style.style()
def systems(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw our and the published mean of every system, and by how much they differ.

    Each dataset has a panel for each decisive measure. The systems are in the order of their
    published nDCG on the first dataset. The column at the right of a panel is the relative
    difference, in colour and bold beyond the tolerance.
    """
    pairs = [panel | {"metric": measure} for panel in panels for measure in DECISIVE]
    ndcg = select(table, panels[0] | {"metric": NDCG}, "dataset", "metric")
    systems = list(ndcg.sort_values("published", kind="stable")["system"])
    grid = Grid(len(pairs), height=(ROW * len(systems) + 0.55) / 1.2)
    for axes, panel in zip(grid.axes, pairs, strict=True):
        rows = select(table, panel, "dataset", "metric").set_index("system").reindex(systems)
        _panel(axes, rows)
        axes.set_title(f"{LABELS.get(panel['metric'], panel['metric'])} · {panel['title']}")
    grid.label("Mean over users", "", share_x=False)
    handles = [Line2D([], [], **look, label=name.capitalize()) for name, look in MARKERS.items()]
    grid.below(handles, 0.25, ncols=2, handlelength=1)
    return grid.figure


def _panel(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw one measure of all systems, a row each, and write the differences next to it."""
    places = range(len(rows))
    axes.hlines(places, rows["ours"], rows["published"], color="0.55", linewidth=0.8, zorder=1.5)
    for name, look in MARKERS.items():
        axes.plot(rows[name], places, **look, markeredgewidth=0.7, clip_on=False)
    margin_text(axes, len(rows), DIFFERENCE_PLACE, "Difference", **NEAR)
    difference = rows["relative"]
    for place, relative, close in zip(places, difference, near(difference), strict=True):
        margin_text(axes, place, DIFFERENCE_PLACE, percentage(relative), **(NEAR if close else FAR))
    axes.set_yticks(places, rows.index)
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_xlim(0, 1.04 * rows[["ours", "published"]].to_numpy().max() or 1)
    axes.xaxis.set_major_locator(ticks(6))
    axes.grid(axis="y")


def percentage(relative: float) -> str:
    """Return a relative difference as text: with a sign, and a decimal where it is small.

    >>> percentage(0.0123), percentage(-0.254), percentage(0.0001)
    ('+1.2 %', '−25 %', '0.0 %')
    """
    if math.isnan(relative):
        return "–"
    size = 100 * abs(relative)
    text = f"{size:.0f}" if round(size, 1) >= 10 else f"{size:.1f}"
    sign = "" if float(text) == 0 else "+" if relative > 0 else "−"
    return f"{sign}{text} %"
