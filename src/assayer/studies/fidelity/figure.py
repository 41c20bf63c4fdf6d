"""Figure: the means of our systems beside the published ones."""

import math
from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from assayer.drawing import style
from assayer.drawing.layout import Grid, Panel, select
from assayer.studies.fidelity.means import DECISIVE, NDCG, TOLERANCE

LABELS = {NDCG: "nDCG@100, ideal list not cut"}
ROW = 0.145  # inches: the height of a system
MARKERS = {
    "published": {"marker": "o", "markerfacecolor": "white", "markeredgecolor": "0.25"},
    "ours": {"marker": "o", "markerfacecolor": "#0072B2", "markeredgecolor": "#0072B2"},
}
SIZES = {"published": 4.4, "ours": 2.6}  # one lies in the other where they agree
FAR = "#B34700"  # the colour of what is beyond the tolerance


def systems(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw our and the published mean of every system, and by how much they differ.

    Each dataset has a panel for each decisive measure. The systems are in the order of their
    published nDCG on the first dataset. The column at the right of a panel is the relative
    difference, in colour and bold beyond the tolerance.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns dataset, system, metric, ours, published and relative.
    panels : list of dict
        dataset and title.

    Returns
    -------
    matplotlib.figure.Figure
    """
    pairs = [panel | {"metric": measure} for panel in panels for measure in DECISIVE]
    with style.style():
        ndcg = select(table, panels[0] | {"metric": NDCG}, "dataset", "metric")
        systems = list(ndcg.sort_values("published", kind="stable")["system"])
        grid = Grid(len(pairs), height=(ROW * len(systems) + 0.55) / 1.2)
        for axes, panel in zip(grid.axes, pairs, strict=True):
            rows = select(table, panel, "dataset", "metric").set_index("system").reindex(systems)
            _panel(axes, rows)
            axes.set_title(f"{LABELS.get(panel['metric'], panel['metric'])} · {panel['title']}")
        grid.label("Mean over users", "", share_x=False)
        grid.heighten(0.25)
        grid.figure.legend(
            handles=[_sample(name) for name in MARKERS],
            loc="outside lower center",
            ncols=2,
            handlelength=1,
        )
        return grid.finish()


def _panel(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw one measure of all systems, a row each, and write the differences beside it."""
    places = range(len(rows))
    axes.hlines(places, rows["ours"], rows["published"], color="0.55", linewidth=0.8, zorder=1.5)
    for name, marker in MARKERS.items():
        axes.plot(
            rows[name],
            places,
            linestyle="none",
            **marker,
            markersize=SIZES[name],
            markeredgewidth=0.7,
            clip_on=False,
        )
    _beside(axes, len(rows), "Difference", color="0.25")
    for place, relative in zip(places, rows["relative"], strict=True):
        far = not abs(relative) <= TOLERANCE
        colour, weight = (FAR, "bold") if far else ("0.25", "normal")
        _beside(axes, place, percentage(relative), color=colour, fontweight=weight)
    axes.set_yticks(places, rows.index)
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_xlim(0, 1.04 * rows[["ours", "published"]].to_numpy().max() or 1)
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.grid(axis="y")


def _beside(axes: Axes, place: float, text: str, **look: str) -> None:
    """Write a text in the column at the right of a panel."""
    where = {"xycoords": ("axes fraction", "data"), "ha": "right", "va": "center"}
    axes.annotate(text, (1.14, place), **where, fontsize=6, annotation_clip=False, **look)


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


def _sample(name: str) -> Line2D:
    """Return the legend's sample of one of the two markers."""
    return Line2D(
        [], [], linestyle="none", **MARKERS[name], markersize=SIZES[name], label=name.capitalize()
    )
