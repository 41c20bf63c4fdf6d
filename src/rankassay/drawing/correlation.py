"""Figures 1 and 5: agreement of two cut-offs, or two metrics, in the ranking of systems."""

import math
from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from rankassay.drawing import layout, style
from rankassay.drawing.layout import (
    COLUMN,
    PAGE,
    Grid,
    Panel,
    select,
    select_at_cutoff,
    ticks,
    title,
)
from rankassay.metrics.catalogue import label, ordered

COLOURS = "YlGnBu"
LEAST_SPAN = 0.8  # the scale starts here or lower, so that small differences look small
LARGE = 8  # rows: larger panels have cells of a size of their own
CELL = 0.3  # inches: the side of a cell of a large panel
LETTER = 0.055  # inches: the width of a letter next to it
HEIGHT = 2.35  # inches: of a panel of several


def cutoff_correlation(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw tau between the cut-offs of one metric, one heat map per panel."""
    matrices = []
    for panel in panels:
        rows = select(table, panel, "dataset", "metric")
        order = sorted({*rows["cutoff_a"], *rows["cutoff_b"]})
        matrix = _matrix(rows, "cutoff", order)
        matrices.append(matrix.rename(index=str, columns=str))
    return _draw(matrices, panels, "Cut-off", layout.correlation_label(table))


def metric_correlation(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw tau between the metrics at the reference cut-off, one heat map per dataset."""
    matrices = []
    for panel in panels:
        rows = select_at_cutoff(table, panel)
        order = ordered([*rows["metric_a"], *rows["metric_b"]])
        labels = [*map(label, order)]
        matrices.append(_matrix(rows, "metric", order).set_axis(labels).set_axis(labels, axis=1))
    return _draw(matrices, panels, "", layout.correlation_label(table))


def _matrix(rows: pd.DataFrame, what: str, order: list) -> pd.DataFrame:
    """Return tau as a square matrix; a pair may stand in either order, and NaN is undefined."""
    matrix = pd.DataFrame(np.nan, index=order, columns=order)
    for a, b, tau in rows[[f"{what}_a", f"{what}_b", "tau"]].itertuples(index=False):
        matrix.loc[a, b] = tau
    return matrix.combine_first(matrix.T)


@style.style()
def _draw(
    matrices: list[pd.DataFrame], panels: Sequence[Panel], name: str, correlation: str
) -> Figure:
    """Draw the heat maps of one figure on one scale of colours; `name` labels both axes."""
    taus = np.concatenate([matrix.to_numpy().ravel() for matrix in matrices])
    least = min([LEAST_SPAN, *taus[np.isfinite(taus)]])
    norm = Normalize(0.1 * math.floor(least * 10 + 1e-9), 1.0)
    rows = max(map(len, matrices))
    side = max(COLUMN, _side(matrices)) if rows > LARGE else COLUMN
    columns = max(1, int(PAGE / side)) if rows > LARGE else None
    height = side - 0.3 if rows > LARGE else HEIGHT
    single = (side + 0.6, side - 0.1) if rows > LARGE else (COLUMN, 3.0)
    grid = Grid(len(panels), height, single, square=True, columns=columns)
    for axes, panel, matrix in zip(grid.axes, panels, matrices, strict=True):
        _panel(axes, matrix, norm, 6.0)
        axes.set_title(title(panel))
    grid.label(name, name, share_x=False, share_y=False)
    _scale(grid, norm, correlation)
    return grid.figure


def _side(matrices: list[pd.DataFrame]) -> float:
    """Return the side of a large panel with its labels, in inches."""
    letters = max(len(name) for matrix in matrices for name in matrix.columns)
    return CELL * max(map(len, matrices)) + LETTER * letters


def _panel(axes: Axes, matrix: pd.DataFrame, norm: Normalize, size: float) -> None:
    """Draw the lower triangle of one matrix, each cell with its value."""
    hidden = np.triu(np.ones(matrix.shape, dtype=bool), k=1)
    values = np.ma.masked_where(hidden | matrix.isna(), matrix)
    colours = mpl.colormaps[COLOURS]
    axes.pcolormesh(values, cmap=colours, norm=norm, edgecolors="white", linewidth=0.5)
    axes.set_aspect("equal")
    axes.invert_yaxis()
    for (row, column), tau in np.ndenumerate(matrix.to_numpy()):
        if hidden[row, column]:
            continue
        if not np.isfinite(tau):
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor="0.93", edgecolor="white"))
        red, green, blue, _ = colours(norm(tau))
        dark = np.isfinite(tau) and 0.299 * red + 0.587 * green + 0.114 * blue < 0.55
        look = {"fontsize": size, "color": "white" if dark else "0.1"}
        axes.text(column + 0.5, row + 0.53, short(tau), ha="center", va="center", **look)
    middles = np.arange(len(matrix)) + 0.5
    long = max(map(len, matrix.columns)) > 3
    axes.set_xticks(middles, matrix.columns, rotation=90 if long else 0)
    axes.set_yticks(middles, matrix.index)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def short(tau: float) -> str:
    """Return tau with two digits and no leading zero, as fits a small cell.

    >>> short(0.953), short(-0.04), short(0.999), short(1.0), short(float("nan"))
    ('.95', '−.04', '1.0', '1', '–')
    """
    if not math.isfinite(tau):
        return "–"
    if math.isclose(abs(tau), 1.0):
        return "1" if tau > 0 else "−1"
    text = f"{abs(tau):.2f}"
    text = text.removeprefix("0") if text < "1" else "1.0"
    return f"−{text}" if tau < 0 and text != ".00" else text


def _scale(grid: Grid, norm: Normalize, correlation: str) -> None:
    """Draw the scale of colours that all panels share."""
    mappable = mpl.cm.ScalarMappable(norm, COLOURS)
    if len(grid.axes) == 1:
        place = {"location": "right", "shrink": 0.6, "aspect": 25}
    else:
        place = {"location": "bottom", "shrink": 0.4, "aspect": 40}
        grid.heighten(0.5)
    bar = grid.figure.colorbar(mappable, ax=grid.axes, ticks=ticks(5), pad=0.02, **place)
    bar.set_label(correlation)
    bar.outline.set_visible(False)
