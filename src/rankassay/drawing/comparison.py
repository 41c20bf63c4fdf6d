"""Figures of systems compared: means with intervals, and average ranks across datasets.

The critical-difference diagram is that of Demsar, JMLR 7, 2006, figure 1: names at both sides point
to their average ranks on a line, the best at the left, and bars join those whose ranks differ by
less than the critical difference.
"""

import math
from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rankassay.drawing import style
from rankassay.drawing.comparison_table import raised
from rankassay.drawing.layout import COLUMN, PAGE, Grid, blank, margin_text, ticks

ROW = 0.19  # inches: the height of a run
AROUND = 0.65  # inches: what stands above and below the rows
COLOUR, GREY = "#0072B2", "0.25"
PLACE = 1.02  # of the letters next to a panel, in widths of the panel
NAME = 0.15  # inches: the height of a name
AXIS = 0.8  # inches: what stands above and below the names
BAR = 0.5  # rows: between two bars
SIDE = 0.45  # of the line's length: what the names at each side have
MOST_TICKS = 12  # ranks that all have a number
INK, PALE = "0.15", "0.55"
LINE = {"color": PALE, "linewidth": 0.6, "clip_on": False}


@style.style()
def comparison(means: pd.DataFrame, confidence: float) -> Figure:
    """Draw the means of runs by each metric, the first run at the top.

    Filled markers are runs that no other run beats significantly, and the letters at the right of a
    panel name the runs that a run beats.
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


@style.style()
def diagram(ranks: pd.Series, critical: float, groups: Sequence[tuple[int, int]]) -> Figure:
    """Draw a single diagram; parameters are those of `draw`."""
    figure = blank((0.7 * PAGE, height(len(ranks), len(groups))), layout="constrained")
    draw(figure.add_subplot(), ranks, critical, groups)
    return figure


def height(n_names: int, n_groups: int) -> float:
    """Return the height of a diagram in inches."""
    return NAME * (math.ceil(n_names / 2) + BAR * n_groups) + AXIS


def draw(
    axes: Axes,
    ranks: pd.Series,
    critical: float | None,
    groups: Sequence[tuple[int, int]],
    heading: str = "",
) -> None:
    """Draw a diagram of average ranks, the best first, with the critical difference, if any.

    `groups` are the first and the last place of names that do not differ significantly.
    """
    n = len(ranks)
    left = math.ceil(n / 2)
    reach = 0.06 * (n - 1)  # how far lines of names reach beyond the ranks
    start = BAR * (len(groups) + 1) + 0.5
    axes.set_xlim(1 - SIDE * (n - 1), n + SIDE * (n - 1))
    axes.set_ylim(start + left - 0.4, -1.5 if critical is None else -3.1)
    axes.axis("off")
    axes.plot([1, n], [0, 0], color=INK, linewidth=0.8)
    step = 1 if n <= MOST_TICKS else 5
    for rank in range(1, n + 1):
        axes.plot([rank, rank], [0, -0.3], color=INK, linewidth=0.6)
        if rank == 1 or rank % step == 0:
            axes.text(rank, -0.4, str(rank), ha="center", va="bottom", fontsize=6)
    if critical is not None:
        _critical(axes, critical, n)
    for place, (name, rank) in enumerate(ranks.items()):
        side = place < left
        row = start + (place if side else n - 1 - place)
        end = 1 - reach if side else n + reach
        axes.plot([rank, rank, end], [0, row, row], **LINE, zorder=1)
        away = -0.2 if side else 0.2
        text = f"{name}  {rank:.2f}" if side else f"{rank:.2f}  {name}"
        axes.text(
            end + away * reach, row, text, ha="right" if side else "left", va="center", fontsize=6
        )
    for level, (best, worst) in enumerate(groups):
        y = BAR * (level + 1)
        ends = ranks.iloc[best] - 0.012 * (n - 1), ranks.iloc[worst] + 0.012 * (n - 1)
        axes.plot(ends, [y, y], color=INK, linewidth=2.2, solid_capstyle="butt", zorder=2)
    if heading:
        axes.set_title(heading)


def _critical(axes: Axes, critical: float, n: int) -> None:
    """Draw the critical difference as a length above the ranks, as far as they reach."""
    end = min(1 + critical, n)
    axes.plot([1, end], [-1.9, -1.9], color=INK, linewidth=1)
    for x in (1, end):
        axes.plot([x, x], [-2.05, -1.75], color=INK, linewidth=0.8)
    beyond = ", more than all ranks" if 1 + critical > n else ""
    said = f"critical difference {critical:.2f}{beyond}"
    axes.text(1, -2.15, said, ha="left", va="bottom", fontsize=6)
