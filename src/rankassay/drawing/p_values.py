"""Figures 4 and 8: p-values of all pairs of systems, which show discriminative power.

The nearer a curve is to the origin, the more of the pairs the metric distinguishes; the area
under it is the discriminative power of Table 3.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rankassay.drawing import series, style
from rankassay.drawing.layout import Grid, Panel, ticks, title
from rankassay.types import Floats

SIGNIFICANT = 0.05
TRIVIAL = 0.01  # below this, a curve cannot be distinguished from the axis
SHORTEST = 10  # pairs that are shown even if all p-values are trivial

Curves = dict[str | int, Floats]


@style.style()
def p_values(
    table: pd.DataFrame, panels: Sequence[Panel], ranked: str = "pair of systems"
) -> Figure:
    """Draw the p-values in decreasing order, up to the pair from which all lines are at zero.

    Pairs of identical systems are not drawn: their p is 1 under every metric. `ranked` is what a
    p-value is of.
    """
    different = table[~table["identical"].astype(bool)]
    lines = [series.of_panel(different, panel) for panel in panels]
    looks, heading = series.looks(lines)
    grid = Grid(len(panels))
    for axes, panel, content in zip(grid.axes, panels, lines, strict=True):
        _panel(axes, {key: _curve(rows["p_value"]) for key, rows in content.items()}, looks)
        axes.set_title(title(panel))
    top = max(axes.dataLim.y1 for axes in grid.axes)
    for axes in grid.axes:
        axes.set_ylim(-0.03 * top, 1.04 * top)
        axes.yaxis.set_major_locator(ticks(6))
    grid.label(_label(lines, ranked), "p-value", share_x=False)
    grid.legend(looks.values(), heading)
    return grid.figure


def _label(lines: Sequence[series.Series], ranked: str) -> str:
    """Return the x label, with the number of pairs where that is the same in all panels."""
    pairs = {len(rows) for panel in lines for rows in panel.values()}
    of = f" (of {pairs.pop()})" if len(pairs) == 1 else ""
    return f"Rank of the {ranked}{of}"


def _curve(p_values: pd.Series) -> Floats:
    """Return the p-values that are defined, the largest first."""
    return np.sort(p_values.dropna().to_numpy(float))[::-1]


def _panel(axes: Axes, curves: Curves, looks: dict[str | int, style.Look]) -> None:
    """Draw the curves of one panel as far as any of them is above zero."""
    pairs = max(len(curve) for curve in curves.values())
    above = max(int((curve >= TRIVIAL).sum()) for curve in curves.values())
    shown = min(pairs, max(above + 1, SHORTEST))
    axes.axhline(SIGNIFICANT, **style.RULE)
    for turn, (key, curve) in enumerate(curves.items()):
        ranks = np.arange(1, len(curve) + 1)
        series.line(axes, ranks[:shown], curve[:shown], looks[key], turn)
    margin = max(0.03 * shown, 0.4)
    axes.set_xlim(1 - margin, max(shown, 1) + margin)
    axes.xaxis.set_major_locator(ticks(6, integer=True, min_n_ticks=1))
    axes.grid(axis="y")
