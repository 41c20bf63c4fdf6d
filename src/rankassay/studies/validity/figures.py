"""The figures of the study of validity."""

import textwrap
from collections.abc import Callable, Sequence
from itertools import cycle

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator

from rankassay.answers.validity import down
from rankassay.drawing import style
from rankassay.drawing.layout import (
    PAGE,
    Grid,
    Panel,
    appearance,
    blank,
    handle,
    heading,
    select,
    select_at_cutoff,
    span,
    ticks,
)
from rankassay.drawing.style import BLACK, BLUE, GREEN, INDIGO, ORANGE, PINK, SKY, VERMILION
from rankassay.metrics.catalogue import label, ordered, weighs
from rankassay.studies.validity.names import (
    AS_PUBLISHED,
    HALVES,
    LIKED,
    NEW,
    OWN,
    SHOWN,
    kind_name,
    measure_name,
)
from rankassay.studies.validity.rows import of_metrics, on_all_items, reference

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
    for of_kind, name in zip(handles, KINDS, strict=True):
        of_kind.set_label(name.capitalize())
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


MARKS = ((BLUE, "o"), (VERMILION, "D"), (SKY, "s"), (PINK, "v"))
MARKS += ((ORANGE, "P"), (BLACK, "^"), (GREEN, "X"), (GREEN, "h"))
NAME = 26  # characters in a line
SPREAD = 0.76  # of a row's height, over which its dots are spread


@style.style()
def kinds(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw Kendall's tau of the observed and the true ranking, a row for each kind of worlds.

    The worlds are those of the half on which no measure was chosen.
    """
    rows = select(table, panels[0] | {"half": HALVES[1]}, "dataset", "half")
    names = list(dict.fromkeys(rows["kind"]))
    figure = blank((PAGE, 0.5 * len(names) + 0.9), layout="constrained")
    axes = figure.add_subplot()
    handles = []
    for n, ((metric, cutoff), (colour, marker)) in enumerate(zip(SHOWN, MARKS, strict=True)):
        own = rows[(rows["metric"] == metric) & (rows["cutoff"] == cutoff)]
        place = own["kind"].map(names.index) + SPREAD * (n / (len(SHOWN) - 1) - 0.5)
        look = {"color": colour, "marker": marker, "linestyle": "none"}
        axes.hlines(place, own["tau_low"], own["tau_high"], color=colour, linewidth=0.6)
        axes.plot(own["tau"], place, **look)
        handles.append(Line2D([], [], **look, label=measure_name(metric, cutoff)))
    for place in range(1, len(names)):
        axes.axhline(place - 0.5, color="0.9", linewidth=0.5)
    axes.axvline(0, color="0.6", linewidth=0.5)
    axes.set_yticks(range(len(names)), [textwrap.fill(kind_name(name), NAME) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(*span(rows[["tau_low", "tau", "tau_high"]].to_numpy().ravel(), (0, 1)))
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("Simulated worlds: τ of the observed ranking with the ranking under true P@10")
    figure.legend(handles=handles, loc="outside lower center", ncols=4)
    return figure


LOOKS = {
    "plain": style.Look("Plain", "#000000", "o", "-"),
    "IPS": style.Look("IPS", "#D55E00", "h", (0, (4, 1))),
    "clipped IPS": style.Look("Clipped IPS", "#E69F00", "^", (0, (2, 1))),
    "SNIPS": style.Look("SNIPS", "#0072B2", "s", (0, (6, 1, 1, 1))),
    "stratified": style.Look("Stratified", "#009E73", "<", (0, (1, 1))),
}
ROWS = {"relative_error": "Relative standard error", "dp": "DP, the sum of p-values"}


@style.style()
def estimators(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw errors of means and DP by cut-off, a line for each estimator, a column for each gain."""
    rows = select(table, panels[0], "dataset")
    gains = list(dict.fromkeys(rows["gain"]))
    grid = Grid(2 * len(gains), columns=len(gains))
    places = [(number, gain) for number in ROWS for gain in gains]
    for axes, (number, gain) in zip(grid.axes, places, strict=True):
        own = rows[rows["gain"] == gain]
        for estimator, look in LOOKS.items():
            line = own[own["estimator"] == estimator]
            ends = [line["dp"] - line["low"], line["high"] - line["dp"]] if number == "dp" else None
            axes.errorbar(line["cutoff"], line[number], ends, **appearance(look), elinewidth=0.4)
        shown = ["dp", "low", "high"] if number == "dp" else [number]
        axes.set_ylim(*span(rows[shown].to_numpy().ravel(), (0,)))
        axes.grid(True, axis="y")
        if number != "dp":
            axes.set_title(gain, loc="left")
    grid.label("Cut-off", "")
    grid.head(panels[0]["title"])
    for axes, text in zip(grid.axes[:: len(gains)], ROWS.values(), strict=True):
        axes.set_ylabel(text)
    grid.legend([look for name, look in LOOKS.items() if (rows["estimator"] == name).any()], "")
    return grid.figure


TITLES = {
    LIKED: "Liked: items that the user likes",
    NEW: "New: liked, and not known before",
    OWN: "Own truth: each metric by itself",
}
POINT = {"color": "#0072B2", "marker": "o", "markersize": 4, "linestyle": ""}
# What else is known of a metric: other utilities, and the truth with the observed test ratings.
OTHERS = {
    "DCG": {"color": "#009E73", "marker": "^", "label": "True DCG"},
    "rating": {"color": "#E69F00", "marker": "s", "label": "True mean rating"},
    AS_PUBLISHED: {"color": "#D55E00", "marker": "x", "label": "True P as published (biased)"},
}
SMALL = {"markersize": 3.5, "linestyle": "", "alpha": 0.9}


@style.style()
def agreement(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw tau of each metric's observed and true ranking, a panel for each yardstick.

    Dots are of P or of the metric's own truth, other marks of further utilities and estimators.
    """
    rows = select_at_cutoff(on_all_items(table), panels[0])
    main = reference(rows, panels[0]["cutoff"])
    names = ordered(main["metric"])
    shown = [name for name in TITLES if (main["yardstick"] == name).any()]
    height = 0.6 + 0.14 * len(names)
    grid = Grid(len(shown), height=height, single=(4.2, height + 0.5), columns=len(shown))
    for axes, name in zip(grid.axes, shown, strict=True):
        own = main[main["yardstick"] == name].set_index("metric").reindex(names)
        _draw(axes, own, rows[rows["yardstick"] == name], main["estimator"].iloc[0])
        axes.set_yticks(range(len(names)), [label(metric) for metric in names])
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_xlim(*span(main[["tau", "low", "high"]].to_numpy().ravel(), (-0.05, 1)))
        axes.set_title(TITLES[name], loc="left")
    grid.label(f"τ of the ranking at cut-off {panels[0]['cutoff']} with the true ranking", "")
    grid.head(panels[0]["title"])
    utility = next(iter(main.loc[main["yardstick"] != OWN, "utility"]), "Metric")
    seen = {*rows["utility"], *rows["estimator"]}
    handles = [Line2D([], [], **POINT, label=f"True {utility}, with its 95% interval")]
    handles += [Line2D([], [], **SMALL | look) for key, look in OTHERS.items() if key in seen]
    grid.below(handles, 0.25, ncols=4)
    return grid.figure


def _draw(axes: Axes, own: pd.DataFrame, rows: pd.DataFrame, estimator: str) -> None:
    """Draw a yardstick: the points with their intervals, and further marks."""
    y = np.arange(len(own))
    axes.axvline(0, color="0.6", linewidth=0.5)
    axes.hlines(y, own["low"], own["high"], color=POINT["color"], linewidth=1)
    for key, look in OTHERS.items():
        of = rows["estimator"] == (key if key == AS_PUBLISHED else estimator)
        of &= rows["utility"] == ("P" if key == AS_PUBLISHED else key)
        other = rows[of].drop_duplicates("metric").set_index("metric").reindex(own.index)
        axes.plot(other["tau"], y, **SMALL | look)
    axes.plot(own["tau"], y, **POINT)
    axes.grid(True, axis="x")


TICKS = (1, 1.5, 2, 3, 4, 6, 10, 20)
LAST = 20  # the greatest Γ that is drawn; longer lines end there
BEYOND = 1.25  # how far the axis goes beyond the greatest finite Γ, and beyond the default one
ITEMS = {"color": "0.4", "linewidth": 0.9}


@style.style()
def sensitivity(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the least Γ at which each rival overtakes the winner, the best rival at the top."""
    rows = select_at_cutoff(table, panels[0])
    metric = "P" if (rows["metric"] == "P").any() else rows["metric"].iloc[0]
    rows = rows[rows["metric"] == metric]
    leader, measure = rows[["leader", "measure"]].iloc[0]
    rivals = rows[rows["leader"] == leader]
    figure = blank((PAGE * 0.7, 1.3 + 0.17 * len(rivals)), layout="constrained")
    axes, places = figure.add_subplot(), np.arange(len(rivals))
    default = rivals["default"].iloc[0]
    known = rivals[["gamma", "gamma_item"]].replace(np.inf, np.nan)
    end = min(BEYOND * known.max().fillna(default).max(), LAST)
    end = max(end, BEYOND * default)
    free, by_item = (rivals[name].fillna(1).clip(upper=end).to_numpy() for name in known)
    colours = np.where(rivals["gamma"] < default, VERMILION, BLUE)
    axes.hlines(places, free, by_item, **ITEMS)
    axes.barh(places, free - 1, left=1, height=0.62, color=colours)
    axes.axvline(default, **style.RULE)
    axes.set_xscale("log")
    axes.set_xlim(1, end)
    axes.set_xticks([tick for tick in TICKS if tick <= end])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter("{:g}".format))
    names = zip(rivals["other"], rivals["gamma"], strict=True)
    axes.set_yticks(places, [f"{name}  {_written(gamma)}" for name, gamma in names])
    axes.set_ylim(len(rivals) - 0.4, -0.6)
    axes.set_xlabel(f"Γ at which a rival overtakes {leader} under {measure}")
    square = {"marker": "s", "linestyle": "none"}
    handles = [
        Line2D([], [], **square, color=VERMILION, label=f"below Γ = {default:g}"),
        Line2D([], [], **square, color=BLUE, label="at or above"),
        Line2D([], [], **ITEMS, label="one weight an item"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    heading(figure, panels[0]["title"], fontsize=8)
    return figure


def _written(gamma: float) -> str:
    """Return a Γ as it is printed after the name of a rival."""
    return "same hits" if np.isnan(gamma) else "∞" if np.isinf(gamma) else down(gamma)


SYSTEMS = (BLACK, BLUE, VERMILION, GREEN, PINK, INDIGO, SKY, ORANGE)
PUBLISHED = {"linestyle": (0, (2, 1.5)), "linewidth": 0.7}
SHARES = {
    "ties": style.Look("Ties", BLUE, "o"),
    "ties at zero": style.Look("Ties at zero", VERMILION, "^"),
    "intersection": style.Look("Random lists' overlap", BLACK, "D"),
}
TESTS = style.Look("Sum of p-values", GREEN, "s")
LABELLED = (0, 1, 10, 100, 1000)  # sizes


@style.style()
def target_items(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the mean of every system by the number of targets, a panel for each metric."""
    rows = select(table, panels[0], "dataset", "cutoff")
    means, coverage = (rows[rows["statistic"] == name] for name in ("mean", "coverage"))
    names = [*dict.fromkeys(means["system"])]
    marked = zip(names, cycle(SYSTEMS), cycle(style.CUTOFF_MARKERS), strict=False)
    looks = {name: style.Look(name, colour, marker) for name, colour, marker in marked}
    metrics = [*dict.fromkeys(means["metric"])]
    grid = Grid(len(metrics) + 1, height=2.1)
    cutoff = panels[0]["cutoff"]
    titles = [f"{label(metric)}@{cutoff}" for metric in metrics]
    titles.append("Share of the list that has scores")
    shown = [means[means["metric"] == metric] for metric in metrics] + [coverage]
    for axes, title, own in zip(grid.axes, titles, shown, strict=True):
        for name, look in looks.items():
            _line_of(axes, own[own["system"] == name], look)
        _with_sizes(axes, own, title)
        axes.set_ylim(0, 1.04 * own["value"].max())
    grid.label("Items added to the test items, N", "", share_y=False)
    handles = [handle(look) for look in looks.values()]
    grid.below(handles + _published(rows), 0.45, ncols=min(len(handles) + 1, 5))
    grid.head(panels[0]["title"])
    return grid.figure


@style.style()
def target_ties(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw how often two systems tie, and the sum of all p-values, a column for each metric."""
    rows = select(table, panels[0], "dataset", "cutoff")
    tests = rows[rows["statistic"] == "p-values"]
    shares = rows[rows["statistic"].isin([*SHARES])]
    metrics = [*dict.fromkeys(tests["metric"])]
    grid = Grid(2 * len(metrics), height=1.9, columns=len(metrics))
    for place, metric in enumerate(metrics):
        above, below = grid.axes[place], grid.axes[place + len(metrics)]
        title = f"{label(metric)}@{panels[0]['cutoff']}"
        # The overlap is of no metric.
        own = shares[(shares["metric"] == metric) | shares["metric"].isna()]
        for name, look in SHARES.items():
            _line_of(above, own[own["statistic"] == name], look)
        _with_sizes(above, own, title)
        above.set_ylim(0, 1.04 * shares["value"].max())
        own = tests[tests["metric"] == metric]
        _line_of(below, own, TESTS)
        _with_sizes(below, own, title)
        below.set_ylim(bottom=0)
    grid.label("Items added to the test items, N", "", share_y=False)
    grid.axes[0].set_ylabel("Share of the users")
    grid.axes[len(metrics)].set_ylabel("Sum of p-values")
    handles = [handle(look) for look in (*SHARES.values(), TESTS)]
    grid.below(handles + _published(rows), 0.35, ncols=5)
    grid.head(panels[0]["title"])
    return grid.figure


def _line_of(axes: Axes, rows: pd.DataFrame, look: style.Look) -> None:
    """Draw one line, sizes evenly spaced, and its published values."""
    rows = rows.sort_values("size")
    axes.plot(np.arange(len(rows)), rows["value"], **appearance(look))
    if rows["published"].notna().any():
        axes.plot(np.arange(len(rows)), rows["published"], color=look.colour, **PUBLISHED)


def _with_sizes(axes: Axes, rows: pd.DataFrame, title: str) -> None:
    """Label the sizes that have room: powers of ten, and the last, which is all items."""
    sizes = sorted(rows["size"].unique())
    places = [n for n, size in enumerate(sizes) if size in LABELLED and size != sizes[-1]]
    names = [f"{sizes[n]:,.0f}" for n in places]
    axes.set_xticks([*places, len(sizes) - 1], [*names, "all"])
    axes.yaxis.set_major_locator(ticks(6))
    axes.grid(True, axis="y")
    axes.set_title(title, loc="left")


def _published(rows: pd.DataFrame) -> list[Line2D]:
    """Return the legend's sample of published values, if there are any."""
    if rows["published"].isna().all():
        return []
    return [Line2D([], [], color="0.3", **PUBLISHED, label="Published")]
