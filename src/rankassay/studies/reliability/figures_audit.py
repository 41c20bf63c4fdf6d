"""Figures of the audit of significance tests."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rankassay.drawing import style
from rankassay.drawing.layout import Grid, Panel, appearance, select
from rankassay.drawing.table import name_of
from rankassay.errors import NothingToShowError, number_of
from rankassay.studies.reliability import names_audit

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")
LOOKS = {
    test: style.Look(names_audit.TESTS[test], colour, marker, "")
    for test, colour, marker in zip(names_audit.TESTS, _COLOURS, "os^Dv", strict=True)
}
NULLS = {
    "exchange": style.Look(names_audit.NULLS["exchange"], "#0072B2", "o", ""),
    "control": style.Look(names_audit.NULLS["control"], "#E69F00", "s", ""),
    "simulation": style.Look(names_audit.NULLS["simulation"], "#D55E00", "D", ""),
}
APART = 0.22  # rows between the ways to a true null hypothesis
HEADS = {"I": "Type I", "II": "Type II"}
POINT = {"linestyle": "", "markersize": 4, "linewidth": 1.0}


@style.style()
def type_errors(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw how often tests reject a true null hypothesis, a panel for each metric and size.

    Of the levels of significance the first is shown.
    """
    if table.empty:
        raise NothingToShowError(
            "no errors to show: expected a metric by which two users have values of two different "
            "systems, found none."
        )
    rows = select(table, panels[0], "dataset")
    rows = rows[(rows["error"] == "I") & (rows["alpha"] == rows["alpha"].iloc[0])]
    cells = [*rows.groupby(["metric", "cutoff", "users"], sort=False, dropna=False)]
    grid = Grid(len(cells), height=1.75)
    end = max(0.1, 1.08 * rows["high"].max())
    for axes, ((metric, cutoff, users), own) in zip(grid.axes, cells, strict=True):
        _tests(axes, own)
        axes.axvline(own["alpha"].iloc[0], **style.RULE)
        axes.set_xlim(0, end)
        name = name_of(metric, cutoff)
        axes.set_title(f"{name}, {number_of(users, 'user')}", loc="left")
    grid.label("False-positive rate (type I error)", "", share_x=False)
    grid.head(panels[0]["title"])
    grid.legend(NULLS.values(), "Null hypothesis true because")
    return grid.figure


def _tests(axes: Axes, own: pd.DataFrame) -> None:
    """Draw the rates of a metric with their intervals, a row for each test."""
    tests = [*LOOKS]
    for place, (null, look) in enumerate(NULLS.items()):
        points = own[own["null"] == null].set_index("test").loc[tests]
        y = np.arange(len(tests)) + APART * (place - 1)
        ends = [points["rate"] - points["low"], points["high"] - points["rate"]]
        axes.errorbar(points["rate"], y, xerr=ends, **appearance(look) | POINT)
    axes.set_yticks(range(len(tests)), [LOOKS[test].label for test in tests])
    axes.set_ylim(len(tests) - 0.5, -0.5)
    axes.grid(True, axis="x")


@style.style()
def type_errors_published(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the rates measured on TREC's tracks against the published ones."""
    rows = select(table, panels[0], "dataset")
    rows = rows[rows["error"].isin(HEADS)]
    cells = [*rows.groupby(["error", "metric", "cutoff"], sort=False, dropna=False)]
    cells.sort(key=lambda cell: [*HEADS].index(cell[0][0]))
    grid = Grid(len(cells), height=2.1, columns=3)
    for axes, ((error, metric, cutoff), own) in zip(grid.axes, cells, strict=True):
        both = own[["rate", "published"]]
        near = names_audit.NEAR[error]
        room = 0.05 * np.ptp(both.to_numpy()) + near
        span = np.array([both.min(axis=None) - room, both.max(axis=None) + room])
        axes.fill_between(span, span - near, span + near, color="0.92", linewidth=0)
        axes.plot(span, span, **style.RULE)
        for test, look in LOOKS.items():
            points = own[own["test"] == test]
            axes.plot(points["published"], points["rate"], **appearance(look) | POINT)
        axes.set_xlim(*span)
        axes.set_ylim(*span)
        name = name_of(metric, cutoff)
        axes.set_title(f"{HEADS[error]}, {name}", loc="left")
    grid.label("Published rate", "Measured rate", share_x=False, share_y=False)
    grid.legend(LOOKS.values(), "Test")
    return grid.figure
