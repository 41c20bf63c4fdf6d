"""Figures of simulated worlds: the closed world, validity by bias, and its correlates."""

from collections.abc import Callable, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rankassay.drawing import style
from rankassay.drawing.layout import Grid, Panel, appearance, select, span
from rankassay.metrics.catalogue import ordered, weighs
from rankassay.studies.validity.candidates import of_metrics, on_all_items
from rankassay.studies.validity.words import LIKED

KINDS = {"observed": "0.72", "true": "#0072B2"}
PRINTED = {"marker": "_", "markersize": 9, "color": "#D55E00", "linestyle": "none"}
BESIDE = ("P", "R", "nDCG")
RANKS = ("popularity_observed", "popularity_true")
SIMULATED = "Simulated worlds"


@style.style()
def closed_world(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw observed and true P@1 of the rankings in the closed world, and the printed ones."""
    rows = select(table, panels[0], "dataset")
    names = list(dict.fromkeys(rows["ranking"]))
    grid = Grid(1)
    axes = grid.axes[0]
    for n, (kind, colour) in enumerate(KINDS.items()):
        own = rows[rows["kind"] == kind].set_index("ranking").loc[names]
        x = [place + 0.4 * n - 0.2 for place in range(len(names))]
        axes.bar(x, own["value"], 0.38, color=colour, label=kind)
        axes.plot(x, own["published"], **PRINTED)
    axes.set_xticks(range(len(names)), [name.capitalize().replace("-", " ") for name in names])
    axes.set_ylim(0, 1.04)
    axes.grid(True, axis="y")
    grid.label("Ranking", "Mean P@1")
    handles = [Line2D([], [], marker="s", linestyle="none", color=c) for c in KINDS.values()]
    for handle, name in zip(handles, KINDS, strict=True):
        handle.set_label(name.capitalize())
    handles.append(Line2D([], [], **PRINTED, label="Printed"))
    grid.below(handles, 0.25, ncols=3)
    return grid.figure


@style.style()
def worlds(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the agreement of the observed ranking with that by true P@10, by bias and strength."""
    rows = of_metrics(_by_utility(table, panels[0]))
    return _by_strength(rows, SIMULATED)


@style.style()
def worlds_estimators(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the same of unbiased estimators, and of the metrics that they are made of."""
    rows = on_all_items(_by_utility(table, panels[0]))
    shown = rows["metric"].isin(BESIDE) | rows["metric"].map(weighs).astype(bool)
    return _by_strength(rows[shown], SIMULATED)


@style.style()
def semi_synthetic(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the same of a dataset that a model completed."""
    rows = of_metrics(_by_utility(table, panels[0]))
    return _by_strength(rows, f"{panels[0]['title']}, completed by a model")


@style.style()
def popularity(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the rank of the recommender by popularity, as observed and in truth."""
    rows = of_metrics(_by_utility(table, panels[0]))

    def draw(axes: Axes, line: pd.DataFrame, look: style.Look) -> None:
        axes.plot(line["strength"], line["popularity_observed"], **appearance(look))
        axes.plot(line["strength"], line["popularity_true"], color="0.3", dashes=(1, 1.5))

    grid, looks = _by_bias(rows, draw)
    for axes in grid.axes:
        axes.set_ylim(*reversed(span(rows[[*RANKS]].to_numpy().ravel(), (1,))))
        if rows[[*RANKS]].isna().all(axis=None):
            axes.text(0.5, 0.5, "not among the recommenders", transform=axes.transAxes, ha="center")
        axes.grid(True, axis="y")
    grid.label("Strength of the bias", "Rank of popularity")
    grid.head(SIMULATED)
    grid.legend([*looks, style.Look("in truth", "0.3", "", (0, (1, 1.5)))], "As observed")
    return grid.figure


@style.style()
def power(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw validity against discriminative power: a path for each metric, as the bias grows."""
    rows = of_metrics(_by_utility(table, panels[0]))

    def draw(axes: Axes, line: pd.DataFrame, look: style.Look) -> None:
        path = line.sort_values("strength")
        drawn = appearance(look) | {"linewidth": 0.6}
        axes.plot(path["power"], path["tau"], **drawn, markevery=slice(1, None))
        start = {"markerfacecolor": "white", "markeredgecolor": look.colour}
        axes.plot(path["power"][:1], path["tau"][:1], **drawn | start)

    grid, looks = _by_bias(rows, draw)
    for axes in grid.axes:
        axes.axhline(0, color="0.6", linewidth=0.5)
        axes.set_xlim(*reversed(span(rows["power"], (0,))))
        axes.set_ylim(*span(rows["tau"], (0, 1)))
        axes.grid(True)
    grid.label(
        "DP, the sum of p-values: more power to the right", "τ with the ranking under true P@10"
    )
    grid.head(SIMULATED)
    grid.legend(looks, "Metric")
    return grid.figure


def _by_utility(table: pd.DataFrame, panel: Panel) -> pd.DataFrame:
    """Return the rows of a panel that have true P@10 for the truth, of all metrics."""
    return select(table, panel | {"yardstick": LIKED}, "dataset", "cutoff", "yardstick")


def _by_strength(rows: pd.DataFrame, heading: str) -> Figure:
    """Draw the correlation of observed and true rankings against the strength of each bias."""

    def draw(axes: Axes, line: pd.DataFrame, look: style.Look) -> None:
        error = [line["tau"] - line["low"], line["high"] - line["tau"]]
        axes.errorbar(line["strength"], line["tau"], error, **appearance(look), elinewidth=0.4)

    grid, looks = _by_bias(rows, draw)
    for axes in grid.axes:
        axes.axhline(0, color="0.6", linewidth=0.5)
        axes.set_ylim(*span(rows[["tau", "low", "high"]].to_numpy().ravel(), (0, 1)))
        axes.grid(True, axis="y")
    grid.label("Strength of the bias", "τ with the order by true P@10")
    grid.head(heading)
    grid.legend(looks, "Metric")
    return grid.figure


def _by_bias(
    rows: pd.DataFrame, draw: Callable[[Axes, pd.DataFrame, style.Look], None]
) -> tuple[Grid, list[style.Look]]:
    """Draw every metric in a panel for each bias, and return the looks as well."""
    looks = style.metrics(ordered(rows["metric"]))
    grid = Grid(rows["bias"].nunique())
    for axes, (bias, own) in zip(grid.axes, rows.groupby("bias", sort=False), strict=True):
        axes.set_title(str(bias).capitalize(), loc="left")
        for metric, look in looks.items():
            draw(axes, own[own["metric"] == metric], look)
    return grid, [*looks.values()]
