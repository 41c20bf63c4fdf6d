"""Figure: a metric's values for users with few and with many relevant items."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from rankassay.drawing import style
from rankassay.drawing.layout import Grid, Panel, select
from rankassay.metrics.catalogue import label

SYSTEM = {"color": "0.75", "linewidth": 0.5, "zorder": 1.5}
MEAN = {"color": "#D55E00", "marker": "o", "markersize": 2.6, "zorder": 3}


@style.style()
def bias(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw every system over groups of users, from the fewest relevant items to the most.

    A line is a system, the line in colour their mean. Where it rises or falls more than the lines
    lie apart, the number of relevant items decides the value more than the system does.
    """
    parts = []
    for panel in panels:
        rows = select(table, panel, "dataset", "cutoff")
        parts += [(panel, *group) for group in rows.groupby("metric", sort=False)]
    grid = Grid(len(parts), height=1.5)
    for axes, (panel, metric, rows) in zip(grid.axes, parts, strict=True):
        _panel(axes, rows)
        where = f" · {panel['title']}" if len(panels) > 1 else ""
        axes.set_title(label(metric, panel["cutoff"]) + where, loc="left")
    grid.label("Relevant items of a user", "Mean over users", share_x=False, share_y=False)
    if len(panels) == 1:
        grid.head(panels[0]["title"])
    looks = {"A system": SYSTEM, "Mean of the systems": MEAN}
    handles = [grid.axes[0].plot([], [], **look, label=name)[0] for name, look in looks.items()]
    grid.below(handles, 0.25, ncols=2)
    return grid.figure


def _panel(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw one metric: a line for each system, and their mean."""
    lines = rows.pivot(index="relevant", columns="system", values="value")
    for system in lines:
        axes.plot(lines.index, lines[system], **SYSTEM)
    axes.plot(lines.index, lines.mean(axis=1), **MEAN)
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_ylim(min(0.0, lines.min(axis=None)), None)
    axes.grid(axis="y")
