"""The figure of a comparison: the means of runs with their intervals, a panel for each metric."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rankassay.drawing import style
from rankassay.drawing.comparison_table import raised
from rankassay.drawing.layout import COLUMN, Grid, margin_text, ticks

ROW = 0.19  # inches: the height of a run
AROUND = 0.65  # inches: what stands above and below the rows
COLOUR, GREY = "#0072B2", "0.25"
PLACE = 1.02  # of the letters next to a panel, in widths of the panel


@style.style()
def comparison(means: pd.DataFrame, confidence: float) -> Figure:
    """Draw the means of runs by each metric, the first run at the top.

    Filled markers are runs that no other run beats significantly, and the letters at the right of a
    panel name the runs that a run beats.

    Parameters
    ----------
    means : DataFrame
        As `rankassay.api.comparison.Comparison` has them.
    confidence : float
        The level of the intervals.
    """
    by_metric = dict([*means.groupby("metric", sort=False)])
    n_runs = means["run"].nunique()
    height = ROW * n_runs + AROUND
    grid = Grid(len(by_metric), height=height, single=(COLUMN, height))
    for axes, (metric, rows) in zip(grid.axes, by_metric.items(), strict=True):
        _panel(axes, rows)
        axes.set_title(metric)
        axes.set_yticks(range(n_runs), [f"{row.run}  {row.letter}" for row in rows.itertuples()])
        axes.set_ylim(n_runs - 0.4, -0.6)
    grid.label(f"mean, with its {100 * confidence:g}% interval", "", share_x=False)
    return grid.figure


def _panel(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw the means by one metric."""
    beaten = {letter for letters in rows["beats"] for letter in letters.split(",")}
    for y, row in enumerate(rows.itertuples()):
        axes.plot([row.low, row.high], [y, y], color=COLOUR, linewidth=1.2, alpha=0.5)
        face = "white" if row.letter in beaten else COLOUR
        look = {"markeredgecolor": COLOUR, "markeredgewidth": 0.8, "markersize": 4.2, "zorder": 3}
        axes.plot(row.mean, y, "o", color=COLOUR, markerfacecolor=face, **look)
        margin_text(axes, y, PLACE, raised(row.beats), ha="left", color=GREY)
    axes.xaxis.set_major_locator(ticks(4))
    axes.grid(axis="x")
