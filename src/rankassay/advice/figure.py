"""The figure of advice: measures by results in simulations and on the user's own data."""

import textwrap
from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rankassay.advice.table import by_merit, namer
from rankassay.advice.words_tables import CRITERIA, Criterion
from rankassay.drawing import series, style
from rankassay.drawing.layout import CHARACTERS, PAGE, Grid, appearance, handle, ticks
from rankassay.drawing.looks import BLUE, VERMILION
from rankassay.errors import NothingToShowError

ROW = 0.17  # inches: the height of a measure
AROUND = 0.75  # inches: what stands above and below the rows
MOST = 20  # measures: what a page has room for under the table
FEWEST = 3  # rows that a figure is high enough for
SINGLE = 4.6  # inches: the width of a figure of one criterion
NAMES = 1.4  # inches: what the names of measures take
LOOKS = {
    "report": style.Look("recommended", BLUE, "o", "none", 4.6),
    "usual": style.Look("conventional", VERMILION, "s", "none", 4.2),
    "other": style.Look("others", "0.5", "o", "none", 3.0),
}


@style.style()
def measures(found: Mapping[str, Any]) -> Figure:
    """Draw the measures by all criteria with values, a panel for each criterion.

    Dots are means, thick lines their intervals; thin lines reach from the worst kind of simulated
    worlds to the best. Further right is better in every panel.

    Parameters
    ----------
    found : mapping
        As `rankassay.advice.findings.Findings.to_dict` returns it.
    """
    rows = by_merit(found)[:MOST]
    table = pd.DataFrame(rows)
    kinds = [_kind(row["measure"], found) for row in rows]
    known = {key: own for key, own in CRITERIA.items() if table[key].notna().any()}
    if not known:
        raise NothingToShowError("nothing to draw: expected measures of which something is known.")
    height = ROW * max(len(rows), FEWEST) + AROUND
    grid = Grid(len(known), height=height, single=(SINGLE, height), columns=len(known))
    letters = round(CHARACTERS * (PAGE - NAMES) / len(known))
    for axes, (key, own) in zip(grid.axes, known.items(), strict=True):
        _panel(axes, table, kinds, key, own)
        axes.set_xlabel(textwrap.fill(_unit(own), letters))
    for axes in grid.axes:
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_yticks(range(len(rows)), [""] * len(rows))
    grid.axes[0].set_yticklabels(map(namer(found), table["measure"]))
    for text, kind in zip(grid.axes[0].get_yticklabels(), kinds, strict=True):
        text.set_fontweight("normal" if kind == "other" else "bold")
    shown = [look for kind, look in LOOKS.items() if kind in kinds]
    grid.below([handle(look) for look in shown], 0.3, ncols=len(shown))
    return grid.figure


def _kind(measure: str, found: Mapping[str, Any]) -> str:
    """Return which look a measure has."""
    advice = found["recommendation"]
    if any(measure == own["measure"] for own in advice):
        return "report"
    return "usual" if any(measure == own["conventional"] for own in advice) else "other"


def _unit(own: Criterion) -> str:
    return f"{own.unit}, lower is better" if own.falling else own.unit


def _panel(axes: Axes, table: pd.DataFrame, kinds: list[str], key: str, own: Criterion) -> None:
    """Draw one criterion of all measures."""
    none = pd.Series(None, table.index, dtype=float)
    value, low, high = (
        table.get(name, none).astype(float) for name in (key, f"{key}_low", f"{key}_high")
    )
    reach = [table[name].astype(float) for name in own.reach] or [none, none]
    for y, kind in enumerate(kinds):
        look = LOOKS[kind]
        line = {"color": look.colour, "solid_capstyle": "butt"}
        axes.plot([reach[0][y], reach[1][y]], [y, y], **line, linewidth=0.5)
        axes.plot([low[y], high[y]], [y, y], **line, linewidth=1.6, alpha=0.5)
        axes.plot(value[y], y, **appearance(look), zorder=3)
    limits = series.span(pd.concat([value, low, high, *reach]), ())
    if limits[0] < limits[1]:
        axes.set_xlim(*(limits[::-1] if own.falling else limits))
    axes.xaxis.set_major_locator(ticks(4))
    axes.grid(axis="y")
    axes.set_title(own.short)
