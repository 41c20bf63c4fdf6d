"""Figures of the atlas: the verdicts as a matrix, and where findings fail."""

import textwrap
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import LogLocator, NullLocator

from rankassay.claims.figure import COLOURS, DARK
from rankassay.claims.verdicts import SIGNS
from rankassay.drawing import style
from rankassay.drawing.layout import CHARACTERS, PAGE, Grid, Panel, blank, saying
from rankassay.drawing.looks import BLUE, VERMILION
from rankassay.studies.atlas.counts import COUNTED, counted
from rankassay.studies.atlas.words import short

ROW, COLUMN = 0.19, 0.3  # inches: a finding, a dataset
NAMES, ABOVE = 2.6, 1.9  # inches: the findings; titles of datasets and legend
GAP = 0.4  # datasets: between the cells and the counts
CORNER = 0.42  # of a cell, where other settings have another verdict
QUANTITIES = {
    "test_ratings": "Test ratings of a user (median)",
    "density": "Density of the training ratings",
    "gini": "Gini coefficient of the items' ratings",
}
LOGARITHMIC = ("test_ratings", "density")
NUMBER, MARK = 5.5, 2.5  # points: the height of a number, half of a marker
SIDES = np.array([(1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1), (0, -1), (1, 0), (-1, 0)])
Box = tuple[float, float, float, float]
KINDS = {False: ("explicit", BLUE, "o"), True: ("implicit", VERMILION, "^")}


@style.style()
def findings(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw a matrix of verdicts: a row for each finding, a column for each dataset.

    Rows are ordered by the number of datasets on which a finding holds, columns by the number of
    findings that hold. A cell shows the verdict of the dataset's own run, its lower right corner
    that with other settings where it differs; at the right stand the numbers of datasets by the
    verdict over all settings. Findings that the paper reports for other datasets alone have a †.
    The table is that of `rankassay.studies.atlas.findings.findings`.
    """
    if table.empty:
        return saying("No claim is about two of these datasets.")
    counts = counted(table)
    names = ["dataset", "title"]
    held = table.assign(held=table["outcome"].map({COUNTED[0]: 2, COUNTED[1]: 1}).fillna(0))
    order = (
        held.groupby(names, sort=False)["held"].sum().sort_values(ascending=False, kind="stable")
    )
    datasets = dict(order.index)
    place = {name: i for i, name in enumerate(datasets)}
    row_of = {name: i for i, name in enumerate(counts.index)}
    columns = len(datasets) + GAP + len(COUNTED)
    size = (max(NAMES + COLUMN * columns, PAGE), ABOVE + ROW * len(counts))
    figure = blank(size, layout="constrained")
    axes = figure.add_subplot()
    for cell in table.itertuples():
        _cell(axes, place[cell.dataset], row_of[cell.sentence], cell.own, cell.other)
    axes.set_xlim(0, columns)
    axes.set_ylim(len(counts), 0)
    labels = [f"{short(name)}{' †' * bool(own.elsewhere)}" for name, own in counts.iterrows()]
    axes.set_yticks(np.arange(len(counts)) + 0.5, labels, fontsize=6.5)
    heads = [*datasets.values(), *(name.capitalize() for name in COUNTED)]
    at = [*range(len(datasets)), *(len(datasets) + GAP + np.arange(len(COUNTED)))]
    axes.set_xticks(np.array(at) + 0.5, heads, rotation=90, fontsize=6.5)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    _counts(axes, counts, len(datasets))
    _legend(figure, {*table["own"], *table["other"]}, bool(counts["elsewhere"].any()))
    return figure


def _cell(axes: Axes, column: int, row: int, own: str, other: object) -> None:
    """Draw a verdict, and in its corner that with other settings, where it differs."""
    look = {"edgecolor": "white", "linewidth": 0.8}
    axes.add_patch(Rectangle((column, row), 1, 1, facecolor=COLOURS[own], **look))
    differs = isinstance(other, str) and other not in ("", own)
    middle = (column + (0.36 if differs else 0.5), row + (0.46 if differs else 0.53))
    ink = "white" if own in DARK else "0.1"
    axes.text(*middle, SIGNS.get(own, "+"), ha="center", va="center", fontsize=6.5, color=ink)
    if differs:
        right, low = column + 1, row + 1
        corner = [(right, low), (right - CORNER * 1.25, low), (right, low - CORNER * 1.6)]
        axes.fill(*zip(*corner, strict=True), facecolor=COLOURS[str(other)], **look)


def _counts(axes: Axes, counts: pd.DataFrame, n: int) -> None:
    """Write the numbers of datasets by outcome at the right of each row."""
    for column, name in enumerate(COUNTED, n):
        for row, number in enumerate(counts[name]):
            place = (column + GAP + 0.5, row + 0.53)
            axes.text(*place, str(number), ha="center", va="center", fontsize=6.5)


def _legend(figure: Figure, found: set, elsewhere: bool) -> None:
    """Explain colours, corners and counts below the matrix."""
    handles = [
        Patch(facecolor=colour, label=f"{SIGNS.get(name, '+')} {name}")
        for name, colour in COLOURS.items()
        if name in found
    ]
    said = "Corner: the verdict with other settings, where it differs. Holds, uncertain, fails: "
    said += "datasets by the verdict over all settings."
    said += " † The paper reports it for other datasets." * elsewhere
    _below(figure, handles, said, 4)


def _below(figure: Figure, handles: Sequence[Artist], text: str, columns: int) -> None:
    """Write a legend below the panels, under a text as wide as the figure."""
    width = round(1.2 * CHARACTERS * figure.get_figwidth())
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=columns,
        title=textwrap.fill(text, width),
        title_fontsize=6,
    )


@style.style()
def predictors(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the share of findings that do not hold against what a dataset is like.

    A point is a dataset, and there is no line through them: so few support no model. The table is
    that of `rankassay.studies.atlas.datasets.datasets`.
    """
    if table.empty:
        return saying("No claim is about two of these datasets.")
    grid = Grid(len(QUANTITIES), height=2.5)
    share = 100 * table["lacking"] / table["findings"]
    implicit = table["implicit"].astype(bool)
    numbers = range(1, len(table) + 1)
    for axes, (name, label) in zip(grid.axes, QUANTITIES.items(), strict=True):
        for kind, (_, colour, marker) in KINDS.items():
            own = implicit == kind
            axes.plot(table.loc[own, name], share[own], marker, color=colour, markersize=4)
        if name in LOGARITHMIC:
            axes.set_xscale("log")
            axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.xaxis.set_major_formatter("{x:g}")
            axes.xaxis.set_minor_locator(NullLocator())
        axes.set_ylim(0, 100)
        axes.margins(x=0.12)
        _number(axes, table[name], share)
        axes.set_xlabel(label)
    grid.axes[0].set_ylabel("Findings that do not hold as measured (%)")
    handles = [
        Line2D([], [], color=colour, marker=marker, linestyle="", label=f"{text} feedback")
        for text, colour, marker in KINDS.values()
    ]
    key = "; ".join(f"{i} {title}" for i, title in zip(numbers, table["title"], strict=True))
    grid.heighten(0.6)
    _below(grid.figure, handles, key, 2)
    return grid.figure


def _number(axes: Axes, x: pd.Series, y: pd.Series) -> None:
    """Write the numbers of points next to them, where no other number or point is.

    Equal points share a text. Scales and limits are those that the panel will have.
    """
    names: dict[tuple[float, float], list[int]] = {}
    for number, place in enumerate(zip(x, y, strict=True), start=1):
        names.setdefault(place, []).append(number)
    point = axes.figure.dpi / 72
    at = axes.transData.transform([*names]) / point
    taken = [(*(own - MARK), *(own + MARK)) for own in at]  # left, low, right, high
    for place, own in zip(names, at, strict=True):
        text = ", ".join(map(str, names[place]))
        size = np.array([0.6 * NUMBER * len(text), NUMBER])
        corners = [own + (MARK + 1 + size / 2) * side - size / 2 for side in SIDES]
        free = [low for low in corners if not _meets((*low, *(low + size)), taken)]
        low = (free or corners)[0]
        taken.append((*low, *(low + size)))
        axes.annotate(
            text,
            place,
            low + size / 2 - own,
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=NUMBER,
            color="0.25",
        )


def _meets(box: Box, others: Iterable[Box]) -> bool:
    """Whether a box shares a place with one of the others."""
    return any(
        box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
        for other in others
    )
