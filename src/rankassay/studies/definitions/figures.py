"""Figures: every system under every definition of each metric, by its value and by its place."""

import math
from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rankassay.drawing import style
from rankassay.drawing.layout import Grid, Panel, margin_text, select, ticks
from rankassay.metrics.catalogue import label, ordered
from rankassay.studies.definitions.findings import moved

ROW = 0.155  # inches: the height of a source
LINE = {"color": "0.65", "linewidth": 0.5, "zorder": 1.5}
DOT = {"linestyle": "none", "marker": "o", "markeredgewidth": 0, "clip_on": False}
KEPT = {**DOT, "color": "0.5", "markersize": 1.9, "zorder": 2}
MOVED = {**DOT, "color": "#D55E00", "markersize": 2.5, "zorder": 3}
CHANGED = {"color": "#B34700", "fontweight": "bold"}  # of a tau below 1
NOTHING = "no such metric"
TAU_PLACE, PAIRS_PLACE = 1.2, 1.38  # of the columns next to a panel, in widths of the panel


def values(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the value of every system under every source, a panel for each metric.

    A line is a system: where it bends, two sources mean different things by the metric, and where
    two lines cross, two systems are ranked differently. A dot is in colour where the system has
    another place than under the reference, the first row. Next to each row are Kendall's tau with
    the ranking under the reference and the number of pairs of systems that are reversed.

    A source without values has no dots.
    """
    return _draw(table, panels, "value", "Mean over users")


def places(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the place of every system under every source, which shows where rankings cross."""
    return _draw(table, panels, "place", "Place of the system")


@style.style()
def _draw(table: pd.DataFrame, panels: Sequence[Panel], x: str, name: str) -> Figure:
    """Draw the panels of all metrics; `x` is the column that lies on the axis `name`."""
    parts = [
        panel | {"metric": metric}
        for panel in panels
        for metric in ordered(select(table, panel, "dataset", "cutoff")["metric"])
    ]
    labels = _labels(table)
    grid = Grid(len(parts), height=ROW * len(labels) + 0.55, single=(3.5, 2.4))
    for axes, panel in zip(grid.axes, parts, strict=True):
        _panel(axes, select(table, panel, "dataset", "metric", "cutoff"), labels, x)
        where = f" · {panel['title']}" if len(panels) > 1 else ""
        axes.set_title(label(panel["metric"], panel["cutoff"]) + where, loc="left")
    grid.figure.get_layout_engine().set(w_pad=0.06)  # for the columns next to the panels
    grid.label(name, "", share_x=False)
    _legend(grid)
    grid.head(" · ".join(dict.fromkeys(panel["title"] for panel in panels)))
    # The columns' places depend on the panels' widths: a second pass makes room for them.
    grid.figure.get_layout_engine().execute(grid.figure)
    return grid.figure


def _labels(table: pd.DataFrame) -> dict[str, str]:
    """Return the label of every source that has values, the reference first."""
    shown = table[table["system"].notna()].drop_duplicates("source")
    versions = zip(shown["source"], shown["version"].fillna(""), strict=True)
    labels = {source: f"{source} {version}".strip() for source, version in versions}
    reference = next(iter(labels))
    return labels | {reference: f"{reference} (reference)"}


def _panel(axes: Axes, rows: pd.DataFrame, labels: dict[str, str], x: str) -> None:
    """Draw one metric: a row for each source, a line through the rows for each system."""
    known = rows[rows["system"].notna()]
    values, places = (
        known.pivot(index="source", columns="system", values=column).reindex(labels)
        for column in (x, "place")
    )
    height = range(len(labels))
    changed = moved(places)
    for system in values.columns:
        axes.plot(values[system], height, **LINE)
        for look, shown in ((KEPT, ~changed[system]), (MOVED, changed[system])):
            axes.plot(values[system].where(shown), height, **look)
    orders = known.drop_duplicates("source").set_index("source").reindex(labels)
    _columns(axes, orders, absent=values.isna().all(axis=1))
    axes.set_yticks(height, labels.values())
    axes.set_ylim(len(labels) - 0.5, -0.5)
    if x == "place":
        last = len(values.columns)
        axes.set_xlim(last + 0.03 * last, 1 - 0.03 * last)
        axes.set_xticks(sorted({1, *range(5, last + 1, 5)}))
    else:
        axes.set_xlim(0, 1.03 * values.max(axis=None) or 1)
        axes.xaxis.set_major_locator(ticks(5))
    axes.grid(axis="y")


def _columns(axes: Axes, orders: pd.DataFrame, absent: pd.Series) -> None:
    """Write next to each row how far its ranking is from that of the reference, the first row."""
    margin_text(axes, -0.95, TAU_PLACE, "τ", color="0.25")
    margin_text(axes, -0.95, PAIRS_PLACE, "pairs", color="0.25")
    for row, (tau, pairs) in enumerate(orders[["tau", "reordered"]].itertuples(index=False)):
        if absent.iloc[row]:
            text = {"ha": "center", "va": "center", "fontsize": 5.5, "color": "0.4"}
            axes.text(0.5, row, NOTHING, transform=axes.get_yaxis_transform(), **text)
        elif row:
            look = CHANGED if tau < 1 else {"color": "0.25"}
            margin_text(axes, row, TAU_PLACE, "–" if math.isnan(tau) else f"{tau:.3f}", **look)
            margin_text(axes, row, PAIRS_PLACE, f"{pairs:.0f}", **look)


def _legend(grid: Grid) -> None:
    """Draw the legend below the panels."""
    looks = {
        "A system": LINE | KEPT | {"linestyle": "-"},
        "Rank differs from the reference": MOVED,
    }
    handles = [Line2D([], [], **look, label=name) for name, look in looks.items()]
    grid.below(handles, 0.25, ncols=1 if len(grid.axes) == 1 else 2)
