"""Figures of sampled metrics on real systems: rankings and significance, by size."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from rankassay.drawing import layout, style
from rankassay.drawing.incomplete import sparsity_of
from rankassay.drawing.layout import Grid, Panel, appearance, select
from rankassay.metrics.catalogue import ordered
from rankassay.studies.sampling import measures
from rankassay.studies.sampling.figures import size_axis, size_ticks, sizes

WAYS = {
    ("uniform", "together"): "Uniform, relevant items together",
    ("uniform", "alone"): "Uniform, each relevant item alone",
    ("popularity", "together"): "By popularity, relevant items together",
    ("popularity", "alone"): "By popularity, each relevant item alone",
}
SHOWN = {
    "tau": "τ with the exact order",
    "wrong": "Pairs in the wrong order",
    "contradicted": "Wrong and significant both ways",
    "tau_auc": "τ with the exact order by AUC",
}
CORRELATIONS = ("tau", "tau_auc")  # which have one scale
FIRST = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#332288", "#000000")


@style.style()
def systems(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw how far the ranking of systems is from the exact one, for the first way of sampling."""
    rows = measures.of_first_way(select(table, panels[0], "dataset", "cutoff"))
    looks = style.metrics(ordered(rows["metric"]))
    grid = Grid(len(SHOWN))
    for axes, (column, title) in zip(grid.axes, SHOWN.items(), strict=True):
        for metric, look in looks.items():
            _line(axes, rows[rows["metric"] == metric], column, look)
        axes.set_title(title, loc="left")
        if column in CORRELATIONS:
            axes.set_ylim(*layout.span(rows[[*CORRELATIONS]].to_numpy().ravel(), (1.0,)))
        axes.yaxis.set_major_locator(MaxNLocator(6, integer=column not in CORRELATIONS))
    grid.label("Sampled items, m", "", share_y=False)
    return _finished(grid, panels[0], looks)


@style.style()
def samplers(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw tau with the exact ranking, a panel for each way of sampling.

    Points are hollow where the bounds of samples by popularity leave more than a tenth of the pairs
    of systems open.
    """
    rows = select(table, panels[0], "dataset", "cutoff")
    looks = style.metrics(ordered(rows["metric"]))
    way_of = measures.ways(rows)
    shown = [way for way in WAYS if (way_of == way).any()]
    grid = Grid(len(shown), height=2.1)
    for axes, way in zip(grid.axes, shown, strict=True):
        own = rows[way_of == way]
        for metric, look in looks.items():
            _line(axes, own[own["metric"] == metric], "tau", look)
        axes.set_ylim(min(0.0, rows["tau"].min()) - 0.03, 1.03)
        axes.set_title(WAYS[way], loc="left")
    grid.label("Sampled items, m", "τ with the exact order", share_x=False)
    return _finished(grid, panels[0], looks)


@style.style()
def places(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the place of every system against the size of the sample, a panel for each metric.

    Systems that are first at some size, and not as all are, have a colour.
    """
    rows = measures.of_first_way(select(table, panels[0], "dataset", "cutoff"))
    winners = measures.first_somewhere(rows)
    colours = dict(zip(winners, FIRST * len(winners), strict=False))
    metrics = ordered(rows["metric"])
    grid = Grid(len(metrics), height=1.9)
    for axes, metric in zip(grid.axes, metrics, strict=True):
        own = rows[rows["metric"] == metric]
        for system, line in own.groupby("system", sort=False):
            line = line.sort_values("m")
            x, last = sizes(line["m"])
            colour = colours.get(system)
            look = {"color": colour or "0.75", "linewidth": 1.1 if colour else 0.5}
            axes.plot(x, line["place"], zorder=3 if colour else 2, **look)
        size_axis(axes, size_ticks(own["m"]), last)
        axes.set_ylim(own["place"].max() + 0.7, 0.3)
        axes.set_yticks(sorted({1, *range(5, int(own["place"].max()) + 1, 5)}))
        axes.set_title(measures.over_users(metric, panels[0]["cutoff"]), loc="left")
    grid.label("Sampled items, m", "Place of the system")
    handles = [Line2D([], [], color=colours[name], label=name) for name in winners]
    handles.append(Line2D([], [], color="0.75", linewidth=0.5, label="never first"))
    grid.below(handles, 0.3, title="First at some size", ncols=min(len(handles), 9))
    return _finished(grid, panels[0])


@style.style()
def power(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw discriminative power against the size of the sample, a panel for each metric.

    The band is its interval over resampled users; the dashed line is the exact metric's power.
    """
    rows = measures.of_first_way(select(table, panels[0], "dataset", "cutoff"))
    looks = style.metrics(ordered(rows["metric"]))
    grid = Grid(len(looks))
    for axes, (metric, look) in zip(grid.axes, looks.items(), strict=True):
        own = rows[rows["metric"] == metric].sort_values("m")
        x, _ = sizes(own["m"])
        axes.fill_between(x, own["low"], own["high"], color=look.colour, alpha=0.12, lw=0)
        _line(axes, own, "dp", look)
        axes.axhline(own["dp"].iloc[-1], **style.RULE)
        # Without intervals, too, and without a pair of different systems.
        top = rows[["dp", "high"]].max().max()
        axes.set_ylim(0, 1.05 * top if top > 0 else 1)
        axes.set_title(measures.over_users(metric, panels[0]["cutoff"]), loc="left")
    grid.label("Sampled items, m", "DP (sum of p-values)")
    return _finished(grid, panels[0])


def robustness(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw tau against the share of test ratings that is kept, a panel for each size."""
    rows = select(table, panels[0], "dataset", "cutoff")
    shown = []
    for m, own in rows.groupby("m"):
        size = "all items" if m == np.inf else f"m = {m:,.0f}"
        shown.append((own, panels[0] | {"title": f"{panels[0]['title']}, {size}"}))
    return sparsity_of(shown)


def _finished(grid: Grid, panel: Panel, looks: Mapping[str, style.Look] | None = None) -> Figure:
    """Return a figure of one dataset with its heading, and the legend of metrics if need be."""
    if looks:
        grid.legend(looks.values(), f"Metric@{panel['cutoff']}")
    grid.head(panel["title"])
    return grid.figure


def _line(axes: Axes, rows: pd.DataFrame, column: str, look: style.Look) -> None:
    """Draw one metric against the size of the sample."""
    if rows.empty:
        return
    rows = rows.sort_values("m")
    x, last = sizes(rows["m"])
    drawn = appearance(look)
    axes.plot(x, rows[column], **drawn | {"clip_on": False})
    hollow = measures.is_open(rows).to_numpy()
    if hollow.any():
        face = {"linestyle": "none", "markerfacecolor": "white", "markeredgecolor": look.colour}
        y = rows[column].to_numpy()[hollow]
        axes.plot(x[hollow], y, **drawn | face | {"markeredgewidth": 0.7, "clip_on": False})
    size_axis(axes, size_ticks(rows["m"]), last)
