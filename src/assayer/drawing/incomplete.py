"""Figures 2, 3, 6 and 7: how a metric's ranking of systems holds as test ratings are removed.

And a figure of what becomes of the users who lose all of theirs.
"""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from assayer.drawing import series, style
from assayer.drawing.layout import Grid, Panel, appearance, ticks, title

EQUIVALENT = 0.9  # above this tau, two rankings are commonly taken to be the same
MOST_BANDS = 7  # more bands than this would hide each other
# How users without judgements are told apart: the line, its width and the legend's entry.
UNJUDGED = {"drop": ("-", 0.7, "leave the means"), "zero": ((0, (2.5, 1.5)), 1.4, "score 0")}


def sparsity(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw tau against the share of the test ratings that is kept, drawn at random.

    A line is the mean over the samples; where a panel has few lines, a band around each holds
    95 % of the samples. Gaps are levels at which tau is undefined.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns dataset, metric, cutoff, level, tau, low, high.
    panels : list of dict
        dataset, title, and metric (a line per cut-off) or cutoff (a line per metric).
    """
    return _draw(table, panels, "level", "Test ratings kept (%)", EQUIVALENT)


def popularity(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw tau against the share of the items that is kept, the least popular ones.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns dataset, metric, cutoff, percentage, tau.
    panels : list of dict
        As for `sparsity`.
    """
    return _draw(table, panels, "percentage", "Least popular items kept (%)", 0.0)


@style.style()
def unjudged_users(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the systems' mean, and tau, under both choices for users left without judgements.

    Lines that lie on each other are drawn one dashed on the other, so that both are seen.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns dataset, metric, cutoff, level, unjudged_users, mean, tau.
    panels : list of dict
        dataset, title and cutoff: each makes one panel of means and one of tau.
    """
    shown = [(panel, "mean", "mean value") for panel in panels]
    shown += [(panel, "tau", series.correlation_label(table)) for panel in panels]
    lines = [series.of_panel(table, panel) for panel in panels]
    looks, _ = series.looks(lines)
    grid = Grid(len(shown))
    for axes, (panel, y, what), content in zip(grid.axes, shown, 2 * lines, strict=True):
        for key, line in content.items():
            _both(axes, line.sort_values("level", ascending=False), y, looks[key])
        rows = pd.concat(content.values())
        _limits(axes, rows["level"], rows[[y]], EQUIVALENT if y == "tau" else 0.0, y == "tau")
        axes.set_title(f"{title(panel)}: {what}")
    grid.label("Test ratings kept (%)", "", share_x=False, share_y=False)
    samples = [style.Look(text, "0.3", "", dashes) for dashes, _, text in UNJUDGED.values()]
    solid = [replace(look, dashes="-") for look in looks.values()]
    grid.legend([*solid, *samples], "Metric, and users left without test ratings")
    return grid.finish()


def _both(axes: Axes, line: pd.DataFrame, y: str, look: style.Look) -> None:
    """Draw one metric under both choices."""
    for choice, (dashes, width, _) in UNJUDGED.items():
        rows = line[line["unjudged_users"] == choice]
        drawn = replace(look, dashes=dashes, marker=look.marker if choice == "drop" else "")
        axes.plot(rows["level"], rows[y], **appearance(drawn), linewidth=width)


@style.style()
def _draw(table: pd.DataFrame, panels: Sequence[Panel], x: str, label: str, rule: float) -> Figure:
    """Draw the panels of one figure; `rule` is the tau that every panel shows and marks."""
    lines = [series.of_panel(table, panel) for panel in panels]
    looks, heading = series.looks(lines)
    bands = {"low", "high"} <= set(table.columns) and max(map(len, lines)) <= MOST_BANDS
    grid = Grid(len(panels))
    for axes, panel, content in zip(grid.axes, panels, lines, strict=True):
        for turn, (key, line) in enumerate(content.items()):
            ordered = line.sort_values(x, ascending=False)
            if bands:
                shade = {"color": looks[key].colour, "alpha": 0.1, "linewidth": 0, "zorder": 1}
                axes.fill_between(ordered[x], ordered["low"], ordered["high"], **shade)
            series.line(axes, ordered[x], ordered["tau"], looks[key], turn)
        rows = pd.concat(content.values())
        _limits(axes, rows[x], rows[["tau", "low", "high"] if bands else ["tau"]], rule)
        axes.set_title(title(panel))
    grid.label(label, series.correlation_label(table), share_y=False)
    grid.legend(looks.values(), heading)
    return grid.finish()


def _limits(
    axes: Axes, x: pd.Series, y: pd.DataFrame, rule: float, correlation: bool = True
) -> None:
    """Set a panel's limits, such that every point is seen and x runs from right to left."""
    margin = 0.03 * (x.max() - x.min()) or 1.0
    axes.set_xlim(x.max() + margin, x.min() - margin)
    include = (rule, 1.0) if correlation else (rule,)
    axes.set_ylim(*series.span(y.to_numpy(float).ravel(), include))
    axes.xaxis.set_major_locator(ticks(6, integer=True))
    axes.yaxis.set_major_locator(ticks(8))
    axes.grid(axis="y")
    for value in {rule, 0.0}:
        if axes.get_ylim()[0] < value:
            axes.axhline(value, **style.RULE)
