"""The figures of the study of reliability: how far users agree, power, and errors of tests."""

import itertools
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from rankassay.declared.correlations import CORRELATIONS
from rankassay.drawing import style
from rankassay.drawing.layout import Grid, Panel, appearance, select, span
from rankassay.drawing.table import name_of, shown
from rankassay.errors import NothingToShowError, number_of
from rankassay.metrics.catalogue import ordered
from rankassay.studies.reliability.words import NEAR, NULLS, TESTS, bin_name
from rankassay.types import Integers

MEASURED = ("tau_b", "tau_ap", "rbo")
# The predictions compared with measured values: the coefficient, the prediction, and their names.
PREDICTED = (
    ("pearson", "theory", "r of means minus theory"),
    ("tau_b", "theory", "τ minus theory"),
    ("tau_ap", "mapped", "τ_AP minus mapped E ρ²"),
)
MOST_SIZES = 5
WIDE = 100  # from the first to the last number of users: ticks at powers of ten alone


@style.style()
def split_half(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw how well the rankings over two sets of users agree, and how far predictions are off."""
    rows = shown(select(table, panels[0], "dataset"), panels[0]["cutoff"])
    rows = rows[rows["against"] == "half"]
    looks = style.metrics(ordered(rows["metric"]))
    grid = Grid(6, height=1.7)
    upper, lower = grid.axes[:3], grid.axes[3:]
    for axes, name in zip(upper, MEASURED, strict=True):
        _lines(axes, rows[rows["coefficient"] == name], "mean", looks)
        axes.set_title(CORRELATIONS[name].title, loc="left")
    apart = []
    for axes, (name, by, heading) in zip(lower, PREDICTED, strict=True):
        own = rows[rows["coefficient"] == name]
        own = own.assign(apart=own["mean"] - own[by])
        _lines(axes, own, "apart", looks)
        axes.axhline(0, **style.RULE)
        axes.set_title(heading, loc="left")
        apart.append(own["apart"])
    measured = rows[rows["coefficient"].isin([*MEASURED])]["mean"]
    for axes in upper:
        axes.set_ylim(*span(measured, (1,)))
    for axes in lower:
        axes.set_ylim(*span(pd.concat(apart), (0,)))
    grid.label("Users of each of two sets", "Agreement of the rankings")
    lower[0].set_ylabel("Measured − predicted")
    grid.legend(looks.values(), _heading(rows, panels[0]))
    grid.head(panels[0]["title"])
    return grid.figure


@style.style()
def swap_rates(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw how often other users show the opposite, by the size of a difference and of the sets."""
    rows = shown(select(table, panels[0], "dataset"), panels[0]["cutoff"])
    sizes = np.unique(np.concatenate([_some(own) for _, own in rows.groupby("metric")["users"]]))
    colours = style.shades(sizes)
    markers = dict(zip(sizes, itertools.cycle(style.CUTOFF_MARKERS), strict=False))
    bins = rows[["low", "high"]].drop_duplicates().sort_values("low").to_numpy()
    metrics = ordered(rows["metric"])
    grid = Grid(len(metrics), height=1.7)
    for axes, metric in zip(grid.axes, metrics, strict=True):
        for size, marker in markers.items():
            own = rows[(rows["metric"] == metric) & (rows["users"] == size)].sort_values("low")
            look = style.Look("", colours[size], marker)
            axes.plot(np.searchsorted(bins[:, 0], own["low"]), own["rate"], **appearance(look))
        axes.axhline(0.05, **style.RULE)
        axes.set_ylim(-0.02, max(0.52, 1.04 * rows["rate"].max()))
        axes.set_xticks(range(len(bins)), [_short(*own) for own in bins])
        own = rows.loc[rows["metric"] == metric, "measure"]
        axes.set_title(own.iloc[0], loc="left")
    grid.label("Difference of two systems in one set (%)", "Swap rate")
    looks = [style.Look(f"{size:,}", colours[size], marker) for size, marker in markers.items()]
    grid.legend(looks, "Users of each set")
    grid.head(panels[0]["title"])
    return grid.figure


@style.style()
def power(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the power to find a difference by the number of users, a panel for each difference."""
    rows = shown(select(table, panels[0], "dataset"), panels[0]["cutoff"])
    looks = style.metrics(ordered(rows["metric"]))
    percentages = sorted(rows["percent"].unique())
    grid = Grid(len(percentages), height=1.7)
    for axes, percent in zip(grid.axes, percentages, strict=True):
        _lines(axes, rows[rows["percent"] == percent], "power", looks)
        axes.axhline(0.8, **style.RULE)
        axes.axvline(rows["there"].max(), **style.RULE)
        axes.set_ylim(-0.02, 1.04)
        axes.set_title(f"A difference of {percent:g}%", loc="left")
    grid.label("Users", "Power")
    grid.legend(looks.values(), _heading(rows, panels[0]))
    grid.head(panels[0]["title"])
    return grid.figure


def _some(users: pd.Series) -> Integers:
    """Return some of the sizes of a metric's sets, the smallest and the largest among them."""
    sizes = np.unique(users)
    return sizes[np.unique(np.linspace(0, len(sizes) - 1, MOST_SIZES).round().astype(int))]


def _lines(axes: Axes, rows: pd.DataFrame, column: str, looks: dict[str, style.Look]) -> None:
    """Draw a line for each metric against the number of users."""
    for metric, look in looks.items():
        own = rows[rows["metric"] == metric].sort_values("users")
        axes.plot(own["users"], own[column], **appearance(look))
    axes.set_xscale("log")
    wide = rows["users"].max() > WIDE * rows["users"].min()
    axes.xaxis.set_major_locator(LogLocator(subs=(1,) if wide else (1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:,.0f}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(True, axis="y")


def _short(low: float, high: float) -> str:
    """Return a bin of percentages for an axis."""
    return bin_name(low, high).replace("over ", ">").removesuffix("%")


def _heading(rows: pd.DataFrame, panel: Panel) -> str:
    """Return the heading of a legend of metrics."""
    return f"Metric@{panel['cutoff']}" if rows["cutoff"].notna().all() else "Metric"


_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")
LOOKS = {
    test: style.Look(TESTS[test], colour, marker, "")
    for test, colour, marker in zip(TESTS, _COLOURS, "os^Dv", strict=True)
}
LOOKS_OF_NULLS = {
    "exchange": style.Look(NULLS["exchange"], "#0072B2", "o", ""),
    "control": style.Look(NULLS["control"], "#E69F00", "s", ""),
    "simulation": style.Look(NULLS["simulation"], "#D55E00", "D", ""),
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
    grid.legend(LOOKS_OF_NULLS.values(), "Null hypothesis true because")
    return grid.figure


def _tests(axes: Axes, own: pd.DataFrame) -> None:
    """Draw the rates of a metric with their intervals, a row for each test."""
    tests = [*LOOKS]
    for place, (null, look) in enumerate(LOOKS_OF_NULLS.items()):
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
        near = NEAR[error]
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
