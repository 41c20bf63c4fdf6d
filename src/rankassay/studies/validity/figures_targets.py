"""Figures of target items: systems' values and discriminative power, by the number of targets."""

from collections.abc import Sequence
from itertools import cycle

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rankassay.drawing import style
from rankassay.drawing.layout import Grid, Panel, appearance, handle, select, ticks
from rankassay.drawing.style import BLACK, BLUE, GREEN, INDIGO, ORANGE, PINK, SKY, VERMILION
from rankassay.metrics.catalogue import label as metric_label

COLOURS = (BLACK, BLUE, VERMILION, GREEN, PINK, INDIGO, SKY, ORANGE)
PUBLISHED = {"linestyle": (0, (2, 1.5)), "linewidth": 0.7}
SHARES = {
    "ties": style.Look("Ties", BLUE, "o"),
    "ties at zero": style.Look("Ties at zero", VERMILION, "^"),
    "intersection": style.Look("Random lists' overlap", BLACK, "D"),
}
TESTS = style.Look("Sum of p-values", GREEN, "s")
LABELLED = (0, 1, 10, 100, 1000)  # sizes


@style.style()
def target_items(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the mean of every system against the number of items in addition to the test items.

    There is a panel for each metric, and one for the share of the list that systems fill
    themselves. Dashed lines are published values.
    """
    rows = select(table, panels[0], "dataset", "cutoff")
    means, coverage = (rows[rows["statistic"] == name] for name in ("mean", "coverage"))
    names = [*dict.fromkeys(means["system"])]
    marked = zip(names, cycle(COLOURS), cycle(style.CUTOFF_MARKERS), strict=False)
    looks = {name: style.Look(name, colour, marker) for name, colour, marker in marked}
    metrics = [*dict.fromkeys(means["metric"])]
    grid = Grid(len(metrics) + 1, height=2.1)
    cutoff = panels[0]["cutoff"]
    titles = [f"{metric_label(metric)}@{cutoff}" for metric in metrics]
    titles.append("Share of the list that has scores")
    shown = [means[means["metric"] == metric] for metric in metrics] + [coverage]
    for axes, title, own in zip(grid.axes, titles, shown, strict=True):
        for name, look in looks.items():
            _lines(axes, own[own["system"] == name], look)
        _finished(axes, own, title)
        axes.set_ylim(0, 1.04 * own["value"].max())
    grid.label("Items added to the test items, N", "", share_y=False)
    handles = [handle(look) for look in looks.values()]
    grid.below(handles + _published(rows), 0.45, ncols=min(len(handles) + 1, 5))
    grid.head(panels[0]["title"])
    return grid.figure


@style.style()
def target_ties(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw how often two systems tie, and the sum of the p-values of all pairs.

    Dashed lines are those of `target_items`; there is a column for each metric.
    """
    rows = select(table, panels[0], "dataset", "cutoff")
    tests = rows[rows["statistic"] == "p-values"]
    shares = rows[rows["statistic"].isin([*SHARES])]
    metrics = [*dict.fromkeys(tests["metric"])]
    grid = Grid(2 * len(metrics), height=1.9, columns=len(metrics))
    for place, metric in enumerate(metrics):
        above, below = grid.axes[place], grid.axes[place + len(metrics)]
        title = f"{metric_label(metric)}@{panels[0]['cutoff']}"
        # The overlap is of no metric.
        own = shares[(shares["metric"] == metric) | shares["metric"].isna()]
        for name, look in SHARES.items():
            _lines(above, own[own["statistic"] == name], look)
        _finished(above, own, title)
        above.set_ylim(0, 1.04 * shares["value"].max())
        own = tests[tests["metric"] == metric]
        _lines(below, own, TESTS)
        _finished(below, own, title)
        below.set_ylim(bottom=0)
    grid.label("Items added to the test items, N", "", share_y=False)
    grid.axes[0].set_ylabel("Share of the users")
    grid.axes[len(metrics)].set_ylabel("Sum of p-values")
    handles = [handle(look) for look in (*SHARES.values(), TESTS)]
    grid.below(handles + _published(rows), 0.35, ncols=5)
    grid.head(panels[0]["title"])
    return grid.figure


def _lines(axes: Axes, rows: pd.DataFrame, look: style.Look) -> None:
    """Draw one line, sizes evenly spaced, and its published values."""
    rows = rows.sort_values("size")
    axes.plot(np.arange(len(rows)), rows["value"], **appearance(look))
    if rows["published"].notna().any():
        axes.plot(np.arange(len(rows)), rows["published"], color=look.colour, **PUBLISHED)


def _finished(axes: Axes, rows: pd.DataFrame, title: str) -> None:
    """Label the sizes that have room: powers of ten, and the last, which is all items."""
    sizes = sorted(rows["size"].unique())
    places = [n for n, size in enumerate(sizes) if size in LABELLED and size != sizes[-1]]
    names = [f"{sizes[n]:,.0f}" for n in places]
    axes.set_xticks([*places, len(sizes) - 1], [*names, "all"])
    axes.yaxis.set_major_locator(ticks(6))
    axes.grid(True, axis="y")
    axes.set_title(title, loc="left")


def _published(rows: pd.DataFrame) -> list[Line2D]:
    """Return the legend's sample of published values, if there are any."""
    if rows["published"].isna().all():
        return []
    return [Line2D([], [], color="0.3", **PUBLISHED, label="Published")]
