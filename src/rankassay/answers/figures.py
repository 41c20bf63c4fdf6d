"""Figures of the answer: the summary of metrics by all criteria, and metrics across datasets."""

import textwrap
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rankassay.answers import findings, words
from rankassay.answers.findings import (
    ACROSS,
    BY_YARDSTICK,
    OVERALL,
    WITH_VALIDITY,
    at,
    average_ranks,
    best_cutoff,
    groups,
    metrics_at,
)
from rankassay.answers.validity import AGREES, SHORT
from rankassay.drawing import comparison, layout, style
from rankassay.drawing.incomplete import EQUIVALENT
from rankassay.drawing.layout import (
    PAGE,
    Grid,
    Panel,
    appearance,
    margin_text,
    saying,
    select,
    ticks,
)
from rankassay.drawing.table import shown
from rankassay.metrics.catalogue import label

ROW = 0.21  # inches: the height of a metric
AROUND = 0.8  # inches: what stands above and below the rows, except the sentences
LINE = 9.5  # points: the height of a line of text
INCH = 72  # points
WIDEST = 108  # characters in a line above the panels
BELOW = 0.33  # rows: how far the cut-offs lie below their metric
SMALL = 2.0  # points: the dots of the cut-offs
LARGER = 1.3  # than in other figures: the markers of the metrics
GREY = "0.25"  # the colour of the columns next to the panels
TRAIL = {"color": "0.75", "linewidth": 0.5, "zorder": 1.6}
ABOVE = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "bottom"}
BEST_PLACE, RANK_PLACE = 0.25, 0.56  # of the columns right of a panel, in widths of one of three
CROWDED = 2.1  # times as far, in widths of one of five, between which more room is left
MOST = 6  # diagrams
WIDER = 1.2  # a grid of two columns has panels higher by this factor than requested


@style.style()
def summary(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw all metrics by the three criteria, and by validity where some dataset has a truth.

    A row of panels for each dataset. The large marker is the metric at the reference cut-off, with
    its interval; the small dots below it are all its cut-offs. Further right is better.
    """
    cutoffs = style.cutoffs(table["cutoff"].dropna().unique())
    datasets = [select(table, panel, "dataset") for panel in panels]
    most = max(rows["metric"].nunique() for rows in datasets)
    said = [
        textwrap.wrap(words.answer(rows, panel["cutoff"]), WIDEST, break_on_hyphens=False)
        for panel, rows in zip(panels, datasets, strict=True)
    ]
    lines = LINE / INCH * max(map(len, said))
    known = table.loc[table["value"].notna(), "criterion"].unique()
    criteria = {name: what for name, what in WITH_VALIDITY.items() if name in known}
    n = len(criteria)
    wide = n / 3 if n < 5 else CROWDED
    grid = Grid(n * len(panels), height=ROW * most + AROUND + lines, columns=n)
    for i, (panel, rows) in enumerate(zip(panels, datasets, strict=True)):
        shown = select(rows, panel, "cutoff")
        order = findings.order(rows, panel["cutoff"])
        own = grid.axes[n * i : n * (i + 1)]
        for axes, (criterion, what) in zip(own, criteria.items(), strict=True):
            if _of(shown, criterion)["value"].isna().all():
                _unknown(axes, len(order))
                continue
            _panel(axes, _of(shown, criterion), _of(rows, criterion), order, cutoffs)
            _best(axes, _of(rows, criterion), order, 1 + BEST_PLACE * wide)
            axes.set_xlabel(f"{what}\n{_measured(shown, criterion)}")
        own[0].set_yticklabels(map(label, order))
        _ranks(own[-1], shown, order, 1 + RANK_PLACE * wide)
        _headline(own[0], panel["title"], said[i])
    _legend(grid, cutoffs, {panel["cutoff"] for panel in panels})
    # The columns' places depend on the panels' widths: further passes make room for them.
    for _ in range(1 if n < 5 else 3):
        grid.figure.get_layout_engine().execute(grid.figure)
    return grid.figure


def _of(rows: pd.DataFrame, criterion: str) -> pd.DataFrame:
    """Return the rows of one criterion."""
    return rows[rows["criterion"] == criterion]


def _unknown(axes: Axes, n: int) -> None:
    """Write in a panel that the dataset has no truth to measure validity by."""
    axes.set_ylim(n - 0.4, -0.5)
    axes.set_xticks([])
    axes.set_yticks(range(n), [""] * n)
    axes.text(0.5, 0.5, "no truth\nin the data", transform=axes.transAxes, ha="center")


def _measured(shown: pd.DataFrame, criterion: str) -> str:
    """Return the label of a criterion's axis."""
    if criterion == "power":
        return "DP (lower is better,\naxis reversed)"
    if criterion in BY_YARDSTICK:
        utility, cutoff = _of(shown, criterion)[["utility", "yardstick_cutoff"]].iloc[0]
        return f"τ with true {utility}@{cutoff:.0f} of\n{SHORT[criterion]}"
    return f"mean of {layout.correlation_label(_of(shown, criterion))}"


def _panel(
    axes: Axes,
    shown: pd.DataFrame,
    every: pd.DataFrame,
    order: list[str],
    cutoffs: dict[int, style.Look],
) -> None:
    """Draw one criterion: `shown` at the reference cut-off, `every` at all of them."""
    looks = style.metrics(order)
    for y, metric in enumerate(order):
        look = looks[metric]
        row = shown[shown["metric"] == metric].iloc[0]
        axes.plot([row["low"], row["high"]], [y, y], color=look.colour, linewidth=1.2, alpha=0.5)
        axes.plot(
            row["value"], y, **appearance(look) | {"markersize": LARGER * look.size}, zorder=3
        )
        own = every[(every["metric"] == metric) & every["cutoff"].notna()].sort_values("cutoff")
        _trail(axes, own, y + BELOW, cutoffs)
    values = pd.concat([shown[["value", "low", "high"]].stack(), every["value"]])
    limits = layout.span(values, ())
    reverse = shown["criterion"].iloc[0] == "power"
    axes.set_xlim(*(limits[::-1] if reverse else limits))
    axes.set_ylim(len(order) - 0.4, -0.5)
    axes.set_yticks(range(len(order)), [""] * len(order))
    axes.xaxis.set_major_locator(ticks(5))
    axes.grid(axis="y")
    agrees = AGREES if shown["criterion"].iloc[0] in BY_YARDSTICK else EQUIVALENT
    for value in () if reverse else (0.0, agrees):
        if limits[0] < value < limits[1]:
            axes.axvline(value, **style.RULE)


def _trail(axes: Axes, own: pd.DataFrame, y: float, cutoffs: dict[int, style.Look]) -> None:
    """Draw one metric at all its cut-offs."""
    dot = {"marker": "o", "markersize": SMALL, "markeredgewidth": 0}
    axes.plot(own["value"], [y] * len(own), **TRAIL)
    for cutoff, value in zip(own["cutoff"], own["value"], strict=True):
        axes.plot(value, y, color=cutoffs[cutoff].colour, **dot)


def _best(axes: Axes, rows: pd.DataFrame, order: list[str], place: float) -> None:
    """Write the best cut-off of each metric next to a panel."""
    _above(axes, place, "best\ncut-off")
    for y, metric in enumerate(order):
        best = best_cutoff(rows, metric, rows["criterion"].iloc[0])
        margin_text(axes, y, place, at(best), color=GREY)


def _ranks(axes: Axes, shown: pd.DataFrame, order: list[str], place: float) -> None:
    """Write the average ranks next to the last panel."""
    ranks = _of(shown, OVERALL).set_index("metric")["value"]
    _above(axes, place, "average\nrank")
    for y, metric in enumerate(order):
        known = f"{ranks[metric]:.1f}" if pd.notna(ranks[metric]) else "–"
        margin_text(axes, y, place, known, color=GREY)


def _above(axes: Axes, place: float, text: str) -> None:
    """Write the heading of a column at the right of a panel."""
    margin_text(axes, 1, place, text, xytext=(0, 3), **ABOVE, color=GREY)


def _headline(axes: Axes, title: str, lines: Sequence[str]) -> None:
    """Write a dataset's name and the finding above its row of panels."""
    axes.set_title(title, loc="left", fontweight="bold", fontsize=8, pad=LINE * len(lines) + 22)
    said = axes.annotate("\n".join(lines), (0, 1), xytext=(0, 20), **ABOVE, linespacing=1.25)
    said.set_in_layout(False)  # it is wider than its panel; the title above it keeps its place


def _legend(grid: Grid, cutoffs: dict[int, style.Look], reference: set[int]) -> None:
    """Draw the legend of the cut-offs, and explain the large markers."""
    small = {"marker": "o", "dashes": "none", "size": SMALL + 1}
    looks = [replace(look, **small) for look in cutoffs.values()]
    at = " or ".join(f"@{cutoff}" for cutoff in sorted(reference))
    grid.legend(
        looks,
        f"Large marker: the metric at {at}; line: its interval over resampled users. "
        "Small dots: the metric at every cut-off. Right is better.",
    )


@style.style()
def systems_across(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw a diagram of the systems for each metric at the reference cut-off."""
    rows = shown(table, panels[0]["cutoff"])
    found = []
    for measure, own in [*rows.groupby("measure", sort=False)][:MOST]:
        ranks, critical = average_ranks(own), own["critical_difference"].iloc[0]
        joined = groups(ranks.to_numpy(np.float64), critical)
        found.append((ranks, critical, joined, _heading(measure, own)))
    return _diagrams(found, "systems")


@style.style()
def metrics_across(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw a diagram of the metrics for each criterion, which names no pairs that differ."""
    rows = metrics_at(table, panels[0]["cutoff"]).set_index("metric").rename(index=label)
    parts = [(head, rows[rows["criterion"] == name]) for name, head in ACROSS.items()]
    found = [(own["rank"], None, [], _heading(head, own)) for head, own in parts if len(own)]
    return _diagrams(found, "metrics")


def _heading(heading: str, rows: pd.DataFrame) -> str:
    return f"{heading} ({rows['sources'].iloc[0]} sources)"


def _diagrams(diagrams: Sequence[tuple], what: str) -> Figure:
    """Return a figure of what `rankassay.drawing.comparison.draw` takes for each part."""
    if not diagrams:
        return saying(f"No two {what} can be compared on two sources of data or more.")
    high = max(comparison.height(len(own[0]), len(own[2])) for own in diagrams)
    several = len(diagrams) > 1
    grid = Grid(
        len(diagrams),
        height=high / WIDER,
        single=(0.7 * PAGE, high),
        columns=2 if several else 1,
    )
    for axes, own in zip(grid.axes, diagrams, strict=True):
        comparison.draw(axes, *own)
    return grid.figure
