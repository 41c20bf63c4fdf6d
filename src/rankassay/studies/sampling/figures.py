"""Figures 1 to 3 of the study of sampled metrics: the paper's own rankings."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rankassay.drawing import style
from rankassay.drawing.layout import Grid, Panel, appearance, select
from rankassay.metrics.catalogue import ordered
from rankassay.studies.sampling.measures import of_single_lists

ALGORITHMS = {
    "A": style.Look("A", "#0072B2", "o"),
    "B": style.Look("B", "#009E73", "^", (0, (5, 1))),
    "C": style.Look("C", "#D55E00", "D", (0, (3, 1, 1, 1))),
}
EXACT = style.Look("all items", "0.0", "", (0, (4, 1.5)))
ALL = "all"
BEYOND = 2.5  # times as far as the largest sample stands the exact metric
LABEL = 0.1  # of an axis: the room of a label


@style.style()
def curves(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw every metric at every rank, of all items and of the top."""
    rows = select(table, panels[0], "dataset")
    names = of_single_lists(rows)
    looks = style.metrics(ordered(rows["metric"]))
    grid = Grid(2, height=1.9)
    for axes, top in zip(grid.axes, (rows["rank"].max(), 100), strict=True):
        for metric, look in looks.items():
            own = rows[(rows["metric"] == metric) & (rows["rank"] <= top)]
            axes.plot(own["rank"], own["value"], color=look.colour, linestyle=look.dashes)
        axes.set_xlim(0 if top > 100 else 1, top)
        axes.set_ylim(-0.02, 1.04)
        axes.grid(True, axis="y")
        axes.set_title(f"Rank 1 to {top:,}", loc="left")
    grid.label("Rank of the relevant item", "Value", share_x=False)
    grid.legend([replace(k, label=names[m], marker="") for m, k in looks.items()], "Metric")
    return grid.figure


@style.style()
def by_size(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the expected metrics of the three algorithms against the size of the sample."""
    rows = select(table, panels[0], "dataset")
    grid = Grid(rows["metric"].nunique())
    for axes, own in _by_metric(grid, rows):
        for name, look in ALGORITHMS.items():
            line = own[own["algorithm"] == name].sort_values("m")
            x, last = sizes(line["m"])
            axes.plot(x[:-1], line["value"][:-1], color=look.colour, linestyle=look.dashes)
            axes.plot(x[-1:], line["value"][-1:], **appearance(look) | {"clip_on": False})
        size_axis(axes, [1, 10, 100, 1000], last)
    grid.label("Sampled items, m", "Expected value")
    grid.legend(ALGORITHMS.values(), "Algorithm")
    return grid.figure


@style.style()
def by_rank(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the expected metrics against the rank, a line for each size of the sample."""
    rows = select(table, panels[0], "dataset")
    looks = size_looks(rows["m"])
    grid = Grid(rows["metric"].nunique())
    for axes, own in _by_metric(grid, rows):
        for m, look in looks.items():
            line = own[own["m"] == m].sort_values("rank")
            axes.plot(line["rank"], line["value"], color=look.colour, linestyle=look.dashes)
        axes.set_xlim(1, own["rank"].max())
        axes.grid(True, axis="y")
    grid.label("Rank of the relevant item among all", "Expected value")
    grid.legend(looks.values(), "Sampled items, m")
    return grid.figure


def _by_metric(grid: Grid, rows: pd.DataFrame) -> Iterator[tuple[Axes, pd.DataFrame]]:
    """Yield the panel and the rows of each metric; the panels get titles and limits."""
    names = of_single_lists(rows)
    for axes, (metric, own) in zip(grid.axes, rows.groupby("metric", sort=False), strict=True):
        yield axes, own
        axes.set_ylim(-0.03, 1.04)
        axes.set_title(names[metric], loc="left")


def size_looks(values: pd.Series) -> dict[float, style.Look]:
    """Return the looks of sizes of the sample, small ones dark and large ones light."""
    shades = style.shades(values[np.isfinite(values)]).items()
    looks = {m: style.Look(f"{m:,.0f}", colour, "") for m, colour in shades}
    return looks | ({np.inf: EXACT} if np.isinf(values).any() else {})


def sizes(m: pd.Series) -> tuple[np.ndarray, float]:
    """Return the positions of sizes of the sample on an axis, and that of the exact metric."""
    finite = np.asarray(m, dtype=float)
    last = BEYOND * finite[np.isfinite(finite)].max()
    return np.where(np.isfinite(finite), finite, last), last


def size_ticks(m: pd.Series) -> list[float]:
    """Return the sizes of the sample that have labels: powers of ten if they are many enough.

    Else all sizes that are far enough from each other, beginning with the largest.

    >>> size_ticks(pd.Series([1, 10, 50, 99, 100, 1000, np.inf]))
    [1, 10, 100, 1000]
    >>> size_ticks(pd.Series([5, 10, 19, 20]))
    [5, 10, 20]
    """
    finite = sorted({int(value) for value in m[np.isfinite(m)]})
    powers = [value for value in finite if np.log10(value).is_integer()]
    if len(powers) > 2 and powers[-1] * 5 >= finite[-1]:
        return powers
    room = max(LABEL * np.log10(BEYOND * finite[-1] / finite[0]), 1e-9)
    chosen = [finite[-1]]
    for value in reversed(finite):
        if np.log10(chosen[-1] / value) >= room:
            chosen.append(value)
    return chosen[::-1]


def size_axis(axes: Axes, ticks: Sequence[float], last: float) -> None:
    """Make the x axis one of sizes of the sample, with the exact metric at its end."""
    axes.set_xscale("log")
    axes.set_xlim(min(ticks) / 1.15, last * 1.15)
    axes.set_xticks([*ticks, last], [f"{tick:,.0f}" for tick in ticks] + [ALL])
    axes.minorticks_off()
    axes.grid(True, axis="y")
