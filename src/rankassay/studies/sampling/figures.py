"""Figures of sampled metrics: the paper's own rankings, real systems by size, and corrections."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from rankassay.drawing import layout, style
from rankassay.drawing.incomplete import sparsity_of
from rankassay.drawing.layout import Grid, Panel, appearance, handle, select
from rankassay.metrics.catalogue import label, ordered
from rankassay.studies.sampling.tables import of_single_lists, over_users

ALGORITHMS = {
    "A": style.Look("A", "#0072B2", "o"),
    "B": style.Look("B", "#009E73", "^", (0, (5, 1))),
    "C": style.Look("C", "#D55E00", "D", (0, (3, 1, 1, 1))),
}
EXACT = style.Look("all items", "0.0", "", (0, (4, 1.5)))
ALL = "all"
BEYOND = 2.5  # times as far as the largest sample stands the exact metric
LABEL = 0.1  # of an axis: the room of a label
WAYS = {
    ("uniform", "together"): "Uniform, relevant items together",
    ("uniform", "alone"): "Uniform, each relevant item alone",
    ("popularity", "together"): "By popularity, relevant items together",
    ("popularity", "alone"): "By popularity, each relevant item alone",
}
SHOWN = {
    "tau": "τ with the exact order",
    "wrong": "Pairs in the wrong order",
    "contradicted": "Wrong and significant both ways",
    "tau_auc": "τ with the exact order by AUC",
}
CORRELATIONS = ("tau", "tau_auc")  # which have one scale
FIRST = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#332288", "#000000")
LOOKS = {
    "uncorrected": style.Look("uncorrected", "0.45", "o"),
    "rank estimate": style.Look("rank estimate", "#E69F00", "s"),
    "least squares": style.Look("least squares", "#56B4E9", "^", (0, (5, 2))),
    "bias-variance 0.1": style.Look("bias–variance, γ = 0.1", "#009E73", "D"),
    "bias-variance 0.01": style.Look("bias–variance, γ = 0.01", "#D55E00", "v"),
}
SINGLE = {"color": "0.3", "linestyle": (0, (2, 1.5)), "linewidth": 0.7}


@style.style()
def curves(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw every metric at every rank, of all items and of the top."""
    rows = select(table, panels[0], "dataset")
    names = of_single_lists(rows)
    looks = style.metrics(ordered(rows["metric"]))
    grid = Grid(2, height=1.9)
    for axes, top in zip(grid.axes, (rows["rank"].max(), 100), strict=True):
        for metric, look in looks.items():
            own = rows[(rows["metric"] == metric) & (rows["rank"] <= top)]
            axes.plot(own["rank"], own["value"], color=look.colour, linestyle=look.dashes)
        axes.set_xlim(0 if top > 100 else 1, top)
        axes.set_ylim(-0.02, 1.04)
        axes.grid(True, axis="y")
        axes.set_title(f"Rank 1 to {top:,}", loc="left")
    grid.label("Rank of the relevant item", "Value", share_x=False)
    grid.legend([replace(k, label=names[m], marker="") for m, k in looks.items()], "Metric")
    return grid.figure


@style.style()
def by_size(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the expected metrics of the three algorithms against the size of the sample."""
    rows = select(table, panels[0], "dataset")
    grid = Grid(rows["metric"].nunique())
    for axes, own in _by_metric(grid, rows):
        for name, look in ALGORITHMS.items():
            line = own[own["algorithm"] == name].sort_values("m")
            x, last = sizes(line["m"])
            axes.plot(x[:-1], line["value"][:-1], color=look.colour, linestyle=look.dashes)
            axes.plot(x[-1:], line["value"][-1:], **appearance(look) | {"clip_on": False})
        size_axis(axes, [1, 10, 100, 1000], last)
    grid.label("Sampled items, m", "Expected value")
    grid.legend(ALGORITHMS.values(), "Algorithm")
    return grid.figure


@style.style()
def by_rank(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the expected metrics against the rank, a line for each size of the sample."""
    rows = select(table, panels[0], "dataset")
    looks = size_looks(rows["m"])
    grid = Grid(rows["metric"].nunique())
    for axes, own in _by_metric(grid, rows):
        for m, look in looks.items():
            line = own[own["m"] == m].sort_values("rank")
            axes.plot(line["rank"], line["value"], color=look.colour, linestyle=look.dashes)
        axes.set_xlim(1, own["rank"].max())
        axes.grid(True, axis="y")
    grid.label("Rank of the relevant item among all", "Expected value")
    grid.legend(looks.values(), "Sampled items, m")
    return grid.figure


@style.style()
def systems(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw how far the ranking of systems is from the exact one, for the first way of sampling."""
    rows = of_first_way(select(table, panels[0], "dataset", "cutoff"))
    looks = style.metrics(ordered(rows["metric"]))
    grid = Grid(len(SHOWN))
    for axes, (column, title) in zip(grid.axes, SHOWN.items(), strict=True):
        for metric, look in looks.items():
            _line(axes, rows[rows["metric"] == metric], column, look)
        axes.set_title(title, loc="left")
        if column in CORRELATIONS:
            axes.set_ylim(*layout.span(rows[[*CORRELATIONS]].to_numpy().ravel(), (1.0,)))
        axes.yaxis.set_major_locator(MaxNLocator(6, integer=column not in CORRELATIONS))
    grid.label("Sampled items, m", "", share_y=False)
    return _finished(grid, panels[0], looks)


@style.style()
def samplers(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw tau with the exact ranking, a panel for each way of sampling.

    Points are hollow where the bounds of samples by popularity leave more than a tenth of the pairs
    of systems open.
    """
    rows = select(table, panels[0], "dataset", "cutoff")
    looks = style.metrics(ordered(rows["metric"]))
    way_of = ways(rows)
    shown = [way for way in WAYS if (way_of == way).any()]
    grid = Grid(len(shown), height=2.1)
    for axes, way in zip(grid.axes, shown, strict=True):
        own = rows[way_of == way]
        for metric, look in looks.items():
            _line(axes, own[own["metric"] == metric], "tau", look)
        axes.set_ylim(min(0.0, rows["tau"].min()) - 0.03, 1.03)
        axes.set_title(WAYS[way], loc="left")
    grid.label("Sampled items, m", "τ with the exact order", share_x=False)
    return _finished(grid, panels[0], looks)


@style.style()
def places(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the place of every system against the size of the sample, a panel for each metric.

    Systems that are first at some size, and not as all are, have a colour.
    """
    rows = of_first_way(select(table, panels[0], "dataset", "cutoff"))
    winners = first_somewhere(rows)
    colours = dict(zip(winners, FIRST * len(winners), strict=False))
    metrics = ordered(rows["metric"])
    grid = Grid(len(metrics), height=1.9)
    for axes, metric in zip(grid.axes, metrics, strict=True):
        own = rows[rows["metric"] == metric]
        for system, line in own.groupby("system", sort=False):
            line = line.sort_values("m")
            x, last = sizes(line["m"])
            colour = colours.get(system)
            look = {"color": colour or "0.75", "linewidth": 1.1 if colour else 0.5}
            axes.plot(x, line["place"], zorder=3 if colour else 2, **look)
        size_axis(axes, size_ticks(own["m"]), last)
        axes.set_ylim(own["place"].max() + 0.7, 0.3)
        axes.set_yticks(sorted({1, *range(5, int(own["place"].max()) + 1, 5)}))
        axes.set_title(over_users(metric, panels[0]["cutoff"]), loc="left")
    grid.label("Sampled items, m", "Place of the system")
    handles = [Line2D([], [], color=colours[name], label=name) for name in winners]
    handles.append(Line2D([], [], color="0.75", linewidth=0.5, label="never first"))
    grid.below(handles, 0.3, title="First at some size", ncols=min(len(handles), 9))
    return _finished(grid, panels[0])


@style.style()
def power(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw discriminative power against the size of the sample, a panel for each metric.

    The band is its interval over resampled users; the dashed line is the exact metric's power.
    """
    rows = of_first_way(select(table, panels[0], "dataset", "cutoff"))
    looks = style.metrics(ordered(rows["metric"]))
    grid = Grid(len(looks))
    for axes, (metric, look) in zip(grid.axes, looks.items(), strict=True):
        own = rows[rows["metric"] == metric].sort_values("m")
        x, _ = sizes(own["m"])
        axes.fill_between(x, own["low"], own["high"], color=look.colour, alpha=0.12, lw=0)
        _line(axes, own, "dp", look)
        axes.axhline(own["dp"].iloc[-1], **style.RULE)
        # Without intervals, too, and without a pair of different systems.
        top = rows[["dp", "high"]].max().max()
        axes.set_ylim(0, 1.05 * top if top > 0 else 1)
        axes.set_title(over_users(metric, panels[0]["cutoff"]), loc="left")
    grid.label("Sampled items, m", "DP (sum of p-values)")
    return _finished(grid, panels[0])


def robustness(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw tau against the share of test ratings that is kept, a panel for each size."""
    rows = select(table, panels[0], "dataset", "cutoff")
    shown = []
    for m, own in rows.groupby("m"):
        size = "all items" if m == np.inf else f"m = {m:,.0f}"
        shown.append((own, panels[0] | {"title": f"{panels[0]['title']}, {size}"}))
    return sparsity_of(shown)


@style.style()
def corrections(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the pairs of systems in the wrong order against the size of the sample.

    A panel for each metric; solid is the expectation, dashed the average of single evaluations.
    """
    rows = select(table, panels[0], "dataset", "cutoff")
    metrics = ordered(rows["metric"])
    shown = {name: look for name, look in LOOKS.items() if name in set(rows["correction"])}
    grid = Grid(len(metrics), height=2.3)
    for axes, metric in zip(grid.axes, metrics, strict=True):
        for name, look in shown.items():
            own = rows[(rows["metric"] == metric) & (rows["correction"] == name)]
            own = own.sort_values("m")
            axes.plot(own["m"], own["wrong"], **appearance(look) | {"clip_on": False})
            axes.plot(own["m"], own["wrong_one_draw"], **SINGLE | {"color": look.colour})
        axes.set_xscale("log")
        shown_sizes = size_ticks(rows["m"])
        axes.set_xticks(shown_sizes, [f"{size:,.0f}" for size in shown_sizes])
        axes.minorticks_off()
        axes.set_ylim(0, 1.05 * rows[["wrong", "wrong_one_draw"]].max(axis=None) or 1)
        axes.grid(axis="y")
        axes.set_title(label(metric, panels[0]["cutoff"]), loc="left")
    grid.label("Sampled items, m", "Pairs in the wrong order", share_x=False)
    single = Line2D([], [], **SINGLE, label="in one evaluation")
    grid.below([*map(handle, shown.values()), single], 0.3, ncols=6, title="Correction")
    grid.head(panels[0]["title"])
    return grid.figure


def _by_metric(grid: Grid, rows: pd.DataFrame) -> Iterator[tuple[Axes, pd.DataFrame]]:
    """Yield the panel and the rows of each metric; the panels get titles and limits."""
    names = of_single_lists(rows)
    for axes, (metric, own) in zip(grid.axes, rows.groupby("metric", sort=False), strict=True):
        yield axes, own
        axes.set_ylim(-0.03, 1.04)
        axes.set_title(names[metric], loc="left")


def size_looks(values: pd.Series) -> dict[float, style.Look]:
    """Return the looks of sizes of the sample, small ones dark and large ones light."""
    shades = style.shades(values[np.isfinite(values)]).items()
    looks = {m: style.Look(f"{m:,.0f}", colour, "") for m, colour in shades}
    return looks | ({np.inf: EXACT} if np.isinf(values).any() else {})


def sizes(m: pd.Series) -> tuple[np.ndarray, float]:
    """Return the positions of sizes of the sample on an axis, and that of the exact metric."""
    finite = np.asarray(m, dtype=float)
    last = BEYOND * finite[np.isfinite(finite)].max()
    return np.where(np.isfinite(finite), finite, last), last


def size_ticks(m: pd.Series) -> list[float]:
    """Return the sizes of the sample that have labels: powers of ten if they are many enough.

    Else all sizes that are far enough from each other, beginning with the largest.

    >>> size_ticks(pd.Series([1, 10, 50, 99, 100, 1000, np.inf]))
    [1, 10, 100, 1000]
    >>> size_ticks(pd.Series([5, 10, 19, 20]))
    [5, 10, 20]
    """
    finite = sorted({int(value) for value in m[np.isfinite(m)]})
    powers = [value for value in finite if np.log10(value).is_integer()]
    if len(powers) > 2 and powers[-1] * 5 >= finite[-1]:
        return powers
    room = max(LABEL * np.log10(BEYOND * finite[-1] / finite[0]), 1e-9)
    chosen = [finite[-1]]
    for value in reversed(finite):
        if np.log10(chosen[-1] / value) >= room:
            chosen.append(value)
    return chosen[::-1]


def size_axis(axes: Axes, ticks: Sequence[float], last: float) -> None:
    """Make the x axis one of sizes of the sample, with the exact metric at its end."""
    axes.set_xscale("log")
    axes.set_xlim(min(ticks) / 1.15, last * 1.15)
    axes.set_xticks([*ticks, last], [f"{tick:,.0f}" for tick in ticks] + [ALL])
    axes.minorticks_off()
    axes.grid(True, axis="y")


def _finished(grid: Grid, panel: Panel, looks: Mapping[str, style.Look] | None = None) -> Figure:
    """Return a figure of one dataset with its heading, and the legend of metrics if need be."""
    if looks:
        grid.legend(looks.values(), f"Metric@{panel['cutoff']}")
    grid.head(panel["title"])
    return grid.figure


def _line(axes: Axes, rows: pd.DataFrame, column: str, look: style.Look) -> None:
    """Draw one metric against the size of the sample."""
    if rows.empty:
        return
    rows = rows.sort_values("m")
    x, last = sizes(rows["m"])
    drawn = appearance(look)
    axes.plot(x, rows[column], **drawn | {"clip_on": False})
    hollow = is_open(rows).to_numpy()
    if hollow.any():
        face = {"linestyle": "none", "markerfacecolor": "white", "markeredgecolor": look.colour}
        y = rows[column].to_numpy()[hollow]
        axes.plot(x[hollow], y, **drawn | face | {"markeredgewidth": 0.7, "clip_on": False})
    size_axis(axes, size_ticks(rows["m"]), last)


def ways(table: pd.DataFrame) -> pd.Series:
    """Return the way of sampling of each row: the sampler, and how relevant items are ranked."""
    pairs = zip(table["sampler"], table["relevant"], strict=True)
    return pd.Series(list(pairs), table.index)


def of_first_way(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the first way of sampling."""
    found = ways(table)
    return table[found == found.iloc[0]]


def first_somewhere(places: pd.DataFrame) -> list[str]:
    """Return the systems that are first at some size of the sample, and not as all are.

    `places` has the columns metric, m, system, place.
    """
    last = places.groupby(["metric", "m"])["place"].transform("max")
    return [*dict.fromkeys(places.loc[(places["place"] == 1) & (last > 1), "system"])]


def is_open(table: pd.DataFrame) -> pd.Series:
    """Mark the rows whose samples do not decide the order of more than a tenth of the pairs."""
    return table["undecided"] > 0.1 * table["pairs"]
