"""Figures 2, 3, 6 and 7: how a metric's ranking of systems holds as test ratings are removed.

Figures 4 and 8, which have discriminative power: the p-values of all pairs of systems. The nearer a
curve is to the origin, the more of the pairs the metric distinguishes. And a figure of what becomes
of the users who lose all of their ratings.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation

from rankassay.declared.correlations import of_each
from rankassay.drawing import layout, style
from rankassay.drawing.layout import COLUMN, SINGLE, Grid, Panel, appearance, ticks, title
from rankassay.types import Floats

EQUIVALENT = 0.9  # above this tau, two rankings are commonly taken to be the same
MOST_BANDS = 3  # more bands than this would hide each other
MOST_LINES = 7  # with more lines than this there is no room for their intervals, either
BETWEEN = 0.12  # of the axis: the least from an interval of a line to its next
APART = 1.3  # points: from the interval of one line to that of the next
# How treatments of users without judgements are distinguished: line, width and legend's entry.
UNJUDGED = {"drop": ("-", 0.7, "leave the means"), "zero": ((0, (2.5, 1.5)), 1.4, "score 0")}
SIGNIFICANT = 0.05
TRIVIAL = 0.01  # below this, a curve cannot be distinguished from the axis
SHORTEST = 10  # pairs that are shown even if all p-values are trivial
Curves = dict[str | int, Floats]


def sparsity(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw tau against the share of the test ratings that is kept, drawn at random.

    A line is the mean over the samples; 95 % of these are in the band around it or, where bands
    would hide each other, in intervals side by side. With many lines there are none. The ends are
    low and high, or samples_low and samples_high as `rankassay.robustness` names them.
    """
    return sparsity_of([(table, panel) for panel in panels])


def sparsity_of(shown: Sequence[tuple[pd.DataFrame, Panel]]) -> Figure:
    """Draw the figure of `sparsity`, of panels with a table each."""
    ends = {"samples_low": "low", "samples_high": "high"}
    shown = [(table.rename(columns=ends), panel) for table, panel in shown]
    return _draw(shown, "level", "Test ratings kept (%)", EQUIVALENT)


def popularity(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw tau against the share of the items that is kept, the least popular ones."""
    shown = [(table, panel) for panel in panels]
    return _draw(shown, "percentage", "Least popular items kept (%)", 0.0)


@style.style()
def unjudged_users(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the systems' mean, and tau, under both choices for users left without judgements.

    Lines that lie on each other are drawn one dashed on the other, so that both are seen.
    """
    shown = [(panel, "mean", "mean value") for panel in panels]
    shown += [(panel, "tau", layout.correlation_label(table)) for panel in panels]
    lines = [layout.of_panel(table, panel) for panel in panels]
    looks, _ = layout.looks(lines)
    every = pd.concat([line for content in lines for line in content.values()])
    grid = Grid(len(shown))
    for axes, (panel, y, what), content in zip(grid.axes, shown, 2 * lines, strict=True):
        for key, line in content.items():
            _both(axes, line.sort_values("level", ascending=False), y, looks[key])
        rows = pd.concat(content.values())
        _limits(axes, rows["level"], every[[y]], EQUIVALENT if y == "tau" else 0.0, y == "tau")
        axes.set_title(f"{title(panel)}: {what}")
    grid.label("Test ratings kept (%)", "", share_x=False, share_y=False)
    samples = [style.Look(text, "0.3", "", dashes) for dashes, _, text in UNJUDGED.values()]
    solid = [replace(look, dashes="-") for look in looks.values()]
    grid.legend([*solid, *samples], "Metric, and users left without test ratings")
    return grid.figure


def _both(axes: Axes, line: pd.DataFrame, y: str, look: style.Look) -> None:
    """Draw one metric under both choices."""
    for choice, (dashes, width, _) in UNJUDGED.items():
        rows = line[line["unjudged_users"] == choice]
        drawn = replace(look, dashes=dashes, marker=look.marker if choice == "drop" else "")
        axes.plot(rows["level"], rows[y], **appearance(drawn), linewidth=width)


@style.style()
def _draw(shown: Sequence[tuple[pd.DataFrame, Panel]], x: str, label: str, rule: float) -> Figure:
    """Draw the panels of one figure; `rule` is the tau that every panel shows and marks."""
    table = shown[0][0]
    correlation = layout.correlation_label(table)
    if (several := len(of_each(table))) > 1:
        apart = [[(rows, panel) for rows in of_each(own)] for own, panel in shown]
        shown = [
            (rows, panel | {"title": f"{panel['title']}, {layout.correlation_label(rows)}"})
            for n in range(several)
            for rows, panel in [each[n] for each in apart]
        ]
        correlation = "Rank correlation"  # each panel names its own
    lines = [layout.of_panel(*each) for each in shown]
    looks, heading = layout.looks(lines)
    most = max(map(len, lines))
    between = {"low", "high"} <= set(table.columns) and most <= MOST_LINES
    # Without room on both sides the intervals of many lines need wider panels.
    side_by_side = between and most > MOST_BANDS
    grid = Grid(len(shown), single=(1.3 * COLUMN, 2.9) if side_by_side else SINGLE)
    every = pd.concat([line for content in lines for line in content.values()])
    for axes, (_, panel), content in zip(grid.axes, shown, lines, strict=True):
        for turn, (key, line) in enumerate(content.items()):
            ordered = line.sort_values(x, ascending=False)
            if between and not side_by_side:
                shade = {"color": looks[key].colour, "alpha": 0.1, "linewidth": 0, "zorder": 1}
                axes.fill_between(ordered[x], ordered["low"], ordered["high"], **shade)
            elif between:
                _intervals(axes, ordered, x, looks[key].colour, turn - (len(content) - 1) / 2)
            layout.line(axes, ordered[x], ordered["tau"], looks[key], turn)
        rows = pd.concat(content.values())
        _limits(axes, rows[x], every[["tau", "low", "high"] if between else ["tau"]], rule)
        axes.set_title(title(panel))
    grid.label(label, correlation)
    grid.legend(looks.values(), heading)
    return grid.figure


def _intervals(axes: Axes, line: pd.DataFrame, x: str, colour: str, place: float) -> None:
    """Draw the intervals of one line at some levels, `place` steps to the right of its points."""
    least = BETWEEN * (line[x].max() - line[x].min())
    chosen: list[float] = []
    for level in sorted(line[x]):
        if not chosen or level - chosen[-1] >= least:
            chosen.append(level)
    rows = line[line[x].isin(chosen) & (line["high"] > line["low"])]
    moved = axes.transData + ScaledTranslation(place * APART / 72, 0, axes.figure.dpi_scale_trans)
    look = {"color": colour, "linewidth": 0.8, "alpha": 0.75, "zorder": 1.8, "transform": moved}
    axes.vlines(rows[x], rows["low"], rows["high"], **look)


def _limits(
    axes: Axes, x: pd.Series, y: pd.DataFrame, rule: float, correlation: bool = True
) -> None:
    """Set a panel's limits, such that every point is seen and x runs from right to left."""
    margin = 0.03 * (x.max() - x.min()) or 1.0
    axes.set_xlim(x.max() + margin, x.min() - margin)
    include = (rule, 1.0) if correlation else (rule,)
    axes.set_ylim(*layout.span(y.to_numpy(float).ravel(), include))
    axes.xaxis.set_major_locator(ticks(6, integer=True))
    axes.yaxis.set_major_locator(ticks(8))
    axes.grid(axis="y")
    for value in {rule, 0.0}:
        if axes.get_ylim()[0] < value:
            axes.axhline(value, **style.RULE)


@style.style()
def p_values(
    table: pd.DataFrame, panels: Sequence[Panel], ranked: str = "pair of systems"
) -> Figure:
    """Draw the p-values in decreasing order, up to the pair from which all lines are at zero.

    Pairs of identical systems are not drawn: their p is 1 under every metric. `ranked` is what a
    p-value is of.
    """
    different = table[~table["identical"].astype(bool)]
    lines = [layout.of_panel(different, panel) for panel in panels]
    looks, heading = layout.looks(lines)
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


def _label(lines: Sequence[layout.Series], ranked: str) -> str:
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
        layout.line(axes, ranks[:shown], curve[:shown], looks[key], turn)
    margin = max(0.03 * shown, 0.4)
    axes.set_xlim(1 - margin, max(shown, 1) + margin)
    axes.xaxis.set_major_locator(ticks(6, integer=True, min_n_ticks=1))
    axes.grid(axis="y")
