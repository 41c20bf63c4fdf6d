"""The score of every point of a recommender's grid, against each of its settings."""

import json

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from rankassay.drawing import layout, style
from rankassay.drawing.layout import Grid, appearance, heading

BEST = style.Look("best over the other settings", "#0072B2", "o")
SLICE = style.Look("other settings fixed", "0.75", ".")
CHOSEN = style.Look("chosen", "#D55E00", "*", "none", size=8)
FAILED = style.Look("no score", "0.3", "X", "none", size=5)
MOST_LETTERS = 24  # more in the labels of a panel would touch: they are turned
NOT_SETTINGS = ("point", "measure", "score", "error")


def draw(table: pd.DataFrame, title: str) -> Figure:
    """Draw one panel a setting: thin lines change that setting alone, the thick one is their top.

    Values are at equal distances, since grids are rarely linear and need not be numbers. The table
    is what `rankassay.tuning.grid.ordered` returns: the first row is the chosen point.
    """
    settings = [column for column in table.columns if column not in NOT_SETTINGS]
    looks = [BEST, SLICE, CHOSEN] if len(settings) > 1 else [CHOSEN]
    if any(_failed(table, setting) for setting in settings):
        looks.append(FAILED)
    with style.style():
        grid = Grid(len(settings))
        for axes, setting in zip(grid.axes, settings, strict=True):
            _panel(axes, table, setting, [other for other in settings if other != setting])
        grid.label("", f"{table['measure'].iloc[0]}, validation", share_x=False)
        for axes, setting in zip(grid.axes, settings, strict=True):
            axes.set_xlabel(setting)
            if table["score"].nunique() > 1:  # equal scores span nothing
                axes.set_ylim(*layout.span(table["score"], ()))
        heading(grid.figure, title, fontsize=style.RC["axes.titlesize"])
        grid.legend(looks, "")
        return grid.figure


def _panel(axes: Axes, table: pd.DataFrame, setting: str, others: list[str]) -> None:
    """Draw the scores against one setting."""
    values = _values(table, setting)
    place = {_text(value): x for x, value in enumerate(values)}
    rows = table.assign(x=[place[_text(value)] for value in table[setting]])
    if others:
        keys = rows[others].map(_text).agg(" ".join, axis=1)
        for _, line in rows.sort_values("x").groupby(keys):
            axes.plot(line["x"], line["score"], **appearance(SLICE) | {"linewidth": 0.5})
    best = rows.groupby("x")["score"].max()
    axes.plot(best.index, best, **appearance(BEST))
    failed = [place[text] for text in _failed(table, setting)]
    if failed:
        low = axes.get_xaxis_transform()  # at the lower edge, for any scores
        axes.plot(failed, [0.04] * len(failed), transform=low, **appearance(FAILED))
    top = rows.iloc[0]
    axes.plot(top["x"], top["score"], **appearance(CHOSEN) | {"clip_on": False})
    axes.set_xticks(range(len(values)), place)
    if sum(map(len, place)) > MOST_LETTERS:
        axes.tick_params(axis="x", labelrotation=45)
    axes.set_xlim(-0.4, len(values) - 0.6)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.grid(axis="y")


def _failed(table: pd.DataFrame, setting: str) -> list[str]:
    """Return the values of a setting, as texts, with which no point has a score."""
    scored = table["score"].notna().groupby(table[setting].map(_text)).any()
    return list(scored.index[~scored])


def _values(table: pd.DataFrame, setting: str) -> list:
    """Return the values of a setting, numbers in order, others in the grid's order."""
    tried = table.sort_values("point")[setting]
    values = list({_text(value): value for value in tried}.values())
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
    return sorted(values) if numbers else values


def _text(value: object) -> str:
    """Return a value as it is written in a configuration."""
    return value if isinstance(value, str) else json.dumps(value)
