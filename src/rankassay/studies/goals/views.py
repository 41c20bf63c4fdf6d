"""Figures and tables: constructed rankings, the paper's statements, and the bias measured."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from rankassay.drawing import style
from rankassay.drawing.layout import COLUMN, PAGE, Grid, Panel, appearance, blank, select
from rankassay.drawing.table import MISSING, Table, by_dataset
from rankassay.metrics.catalogue import label

HEIGHT = 3.4  # inches: of a row of two panels
COLUMNS = 2
GROUPS = {
    "Shares of the list or of the rest": ["P", "R", "F1", "InversePrecision", "InverseRecall"],
    "Corrected for chance": ["Markedness", "Informedness", "MCC"],
    "Aware of the order": ["AP", "AUC", "LAUC", "LimitedTau"],
    "Means of the precisions": ["AP", "QMAP", "GMAP", "HMAP"],
}
OTHERS = 2  # the panel of metrics of no group
COMPLEMENTS = {"Fallout", "MissRate"}  # 1 less inverse recall, and 1 less recall
EQUALS = {"KendallTau"}  # the same as MCC
# What the paper calls them, and that two are the same.
CALLED = {
    "InversePrecision": "Inverse precision",
    "InverseRecall": "Inverse recall",
    "MCC": "MCC, Kendall's τ-b",
    "AP": "Average precision",
    "LimitedTau": "Limited τ-b",
}
# The looks of what the catalogue of metrics does not have.
VARIANTS = {
    "QMAP": ("#0072B2", "s", (0, (4, 1))),
    "GMAP": ("#D55E00", "D", (0, (2, 1))),
    "HMAP": ("#000000", "v", (0, (1, 1))),
    "LimitedTau": ("#CC79A7", "P", (0, (2, 1))),
}
SHADES = {"r": "0.15", "i": "0.88"}
OUTLINE = {"facecolors": "none", "edgecolors": "#D55E00", "linewidths": 0.8, "zorder": 3}
RECOMMENDERS = {"": "-", "perfect": "-", "inverse": (0, (3, 1.5)), "chance": (0, (1, 1.5))}
WHOLE = {"color": "0.15", "marker": "o", "linestyle": (0, (3, 1.5))}
EXAMPLE = {
    1: "Length of the list",
    2: "Place of the relevant item",
    3: "Relevant items, of ten",
    4: "Example",
}


def figure_1(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw all metrics of one ranking for lists of growing length."""
    return _draw(table, 1)


def figure_2(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw all metrics for one relevant item at each place."""
    return _draw(table, 2)


def figure_3(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw all metrics for a perfect, an inverse and a random recommender."""
    return _draw(table, 3)


def figure_4(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw all metrics for three relevant items at varying places."""
    return _draw(table, 4)


@style.style()
def figure_5(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the ROC curve of a whole ranking and the limited one."""
    whole, limited = (table[table["curve"] == name] for name in ("whole", "limited"))
    length = int(limited["length"].iloc[0])
    figure = blank((COLUMN, 3.1), layout="constrained")
    axes = figure.add_subplot()
    axes.fill_between(limited["fallout"], limited["recall"], color="#D55E00", alpha=0.1, lw=0)
    for curve, name, look in (
        (limited, f"limited to {length} items, LAUC", {"color": "#D55E00", "linewidth": 1.6}),
        (whole, "whole ranking, AUC", WHOLE),
    ):
        said = f"{name} = {curve['area'].iloc[0]:.3f}"
        axes.plot(curve["fallout"], curve["recall"], **look, label=said)
    end = limited.iloc[length]
    axes.annotate(
        f"end of the list of {length}",
        (end["fallout"], end["recall"]),
        xytext=(12, -16),
        textcoords="offset points",
        arrowprops={"arrowstyle": "-", "linewidth": 0.5},
    )
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=0.6, linestyle=(0, (1, 2)), label="chance")
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    axes.set(xlabel="Fallout", ylabel="Recall")
    axes.legend(loc="lower right", title=f"Ranking {' '.join(whole['ranking'].iloc[0])}")
    return figure


@style.style()
def _draw(table: pd.DataFrame, number: int) -> Figure:
    """Draw one of the figures 1 to 4: above the rankings, below the metrics, in four panels.

    Fallout and miss rate, which are 1 less inverse recall and 1 less recall, are excluded.
    """
    rows = table[table["figure"] == number].fillna({"recommender": "", "ranking": ""})
    rows = rows.assign(x=_positions(rows, number))
    metrics = set(rows["metric"])
    known = {metric for group in GROUPS.values() for metric in group}
    others = sorted(metrics - known - COMPLEMENTS - EQUALS)
    lines = -(-len(GROUPS) // COLUMNS)
    figure = blank((PAGE, lines * HEIGHT), layout="constrained")
    grid = figure.subplots(2 * lines, COLUMNS, height_ratios=(1, 2) * lines, sharex=True)
    ticks = rows.drop_duplicates("x").sort_values("x")
    for place, (title, names) in enumerate(GROUPS.items()):
        line, column = divmod(place, COLUMNS)
        above, below = grid[2 * line : 2 * line + 2, column]
        shown = [name for name in names if name in metrics] + (others if place == OTHERS else [])
        _rankings(above, rows, title)
        _values(below, rows, shown)
        below.set_xlabel(EXAMPLE[number])
        below.set_xticks(ticks["x"], ticks["example"] if number == 4 else ticks["x"])
        below.tick_params(labelbottom=True)
        if column == 0:
            above.set_ylabel("Ranking")
    return figure


def _positions(rows: pd.DataFrame, number: int) -> pd.Series:
    """Return where each example lies on the axis."""
    if number == 1:
        return rows["length"]
    return rows["relevant"] if number == 3 else rows["example"].map(lambda c: ord(c) - 96)


def _rankings(axes: Axes, rows: pd.DataFrame, title: str) -> None:
    """Draw the rankings of the examples, side by side where there are two."""
    examples = rows[rows["ranking"] != ""].drop_duplicates(["x", "recommender"])
    names = list(dict.fromkeys(examples["recommender"]))
    width = 0.8 / len(names)
    boxes, shades, frames = [], [], []
    for row in examples.itertuples():
        left = row.x - 0.4 + names.index(row.recommender) * width
        frames.append(Rectangle((left - 0.04, -0.15), 0.85 * width + 0.08, row.length + 0.1))
        for place, item in enumerate(row.ranking):
            boxes.append(Rectangle((left, place), 0.85 * width, 0.85))
            shades.append(SHADES[item])
    # Collections, because hundreds of single patches take a second.
    axes.add_collection(PatchCollection(boxes, facecolors=shades, linewidths=0))
    axes.add_collection(PatchCollection(frames, **OUTLINE))
    axes.set_ylim(len(examples["ranking"].iloc[0]) + 0.2, -0.4)
    axes.set_yticks([])
    axes.tick_params(bottom=False)
    axes.spines[:].set_visible(False)
    axes.set_title(title, loc="left")


def _values(axes: Axes, rows: pd.DataFrame, metrics: Sequence[str]) -> None:
    """Draw some metrics, a line for each and each recommender."""
    for metric in metrics:
        look = style.Look(metric, *VARIANTS[metric]) if metric in VARIANTS else style.metric(metric)
        own = rows[rows["metric"] == metric]
        for recommender, line in own.groupby("recommender", sort=False):
            drawn = appearance(look) | {"linestyle": RECOMMENDERS[recommender]}
            if recommender == "chance":
                drawn["marker"] = ""
            name = CALLED.get(metric, look.label)
            label = name if recommender in ("", "perfect") else None
            axes.plot(line["x"], line["value"], **drawn, label=label)
    for name in ("inverse", "chance"):
        if name in set(rows["recommender"]):
            axes.plot([], [], color="0.3", linestyle=RECOMMENDERS[name], label=name)
    axes.axhline(0, color="0.55", linewidth=0.6, zorder=1)
    low = min(0.0, rows.loc[rows["metric"].isin(metrics), "value"].min())
    axes.set_ylim(low - 0.06, 1.06)
    axes.grid(axis="y")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2, columnspacing=1)


SYSTEM = {"color": "0.75", "linewidth": 0.5, "zorder": 1.5}
MEAN = {"color": "#D55E00", "marker": "o", "markersize": 2.6, "zorder": 3}


@style.style()
def groups(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw every system, and their mean, over groups of users; a panel is a metric."""
    parts = []
    for panel in panels:
        rows = select(table, panel, "dataset", "cutoff")
        parts += [(panel, *group) for group in rows.groupby("metric", sort=False)]
    grid = Grid(len(parts), height=1.5)
    for axes, (panel, metric, rows) in zip(grid.axes, parts, strict=True):
        _panel(axes, rows)
        where = f" · {panel['title']}" if len(panels) > 1 else ""
        axes.set_title(label(metric, panel["cutoff"]) + where, loc="left")
    grid.label("Relevant items of a user", "Mean over users", share_x=False, share_y=False)
    if len(panels) == 1:
        grid.head(panels[0]["title"])
    looks = {"A system": SYSTEM, "Mean of the systems": MEAN}
    handles = [grid.axes[0].plot([], [], **look, label=name)[0] for name, look in looks.items()]
    grid.below(handles, 0.25, ncols=2)
    return grid.figure


def _panel(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw one metric: a line for each system, and their mean."""
    lines = rows.pivot(index="relevant", columns="system", values="value")
    for system in lines:
        axes.plot(lines.index, lines[system], **SYSTEM)
    axes.plot(lines.index, lines.mean(axis=1), **MEAN)
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_ylim(min(0.0, lines.min(axis=None)), None)
    axes.grid(axis="y")


STATISTICS = {"dependence": "Dependence", "spread": "Spread", "order": "Lowest τ"}
MADE = {"chance": "Chance", "confusion": "Confusion"}


def examples(examples: pd.DataFrame) -> Table:
    """Return the values behind figures 1 to 4: a row for each example, a column for each metric."""
    shown = examples.fillna({"recommender": "", "ranking": ""})
    names = {"figure": "Figure", "example": "Example", "recommender": "Recommender"}
    names |= {"ranking": "Ranking", "length": "Length"}
    wide = shown.pivot(index=list(names), columns="metric", values="value")
    metrics = list(dict.fromkeys(shown["metric"]))
    frame = wide[metrics].reset_index().rename(columns=names)
    frame[["Recommender", "Ranking"]] = frame[["Recommender", "Ranking"]].replace("", MISSING)
    # The names of single users' values, which are averaged elsewhere.
    return Table(
        frame,
        "All metrics on the constructed rankings of figures 1 to 4 (r relevant, i irrelevant, best "
        "first).",
        dict.fromkeys(metrics, "{:.3f}".format),
        note="Chance is the mean over all rankings. The rankings of figures 1 and 4 are only "
        "pictures in the paper: these are reconstructed from its captions and text.",
    )


def properties(properties: pd.DataFrame) -> Table:
    """Return the properties that the paper states, with their exceptions."""
    columns = {"section": "Section", "statement": "Statement", "cases": "Cases"}
    columns |= {"exceptions": "Exceptions", "share": "Share"}
    frame = properties[list(columns)].rename(columns=columns).reset_index(drop=True)
    frame["Section"] = frame["Section"].map(str)
    return Table(
        frame,
        "What the paper says of its metrics, tried on all rankings of a few items; exceptions are "
        "in bold.",
        {"Share": "{:.3f}".format},
        {"Exceptions": frame["Exceptions"] > 0},
        "The first statement contradicts those on order, and so has exceptions wherever the "
        "relevant items do not come first; the fourth is one of the paper's wishes for the "
        "measure, which its own construction does not fulfil.",
    )


def bias(bias: pd.DataFrame, bias_measured: pd.DataFrame, cutoff: int, titles: Mapping) -> Table:
    """Return how far each metric depends on the number of relevant items."""
    made = bias.pivot(index="metric", columns="statistic", values="value")[[*MADE]]
    parts = []
    for title, own in by_dataset(bias_measured[bias_measured["cutoff"] == cutoff], titles):
        found = own.pivot(index="metric", columns="statistic", values="value")[[*STATISTICS]]
        part = found.join(made).loc[list(dict.fromkeys(own["metric"]))]
        part.insert(0, "Dataset", title)
        part.insert(1, "Metric", part.index.map(label))
        parts.append(part)
    names = STATISTICS | MADE
    return Table(
        pd.concat(parts, ignore_index=True).rename(columns=names),
        f"How far metrics depend on the number of relevant items, at cut-off {cutoff}.",
        dict.fromkeys(names.values(), "{:.2f}".format),
        note="Dependence: the absolute rank correlation of a user's value with the user's number "
        "of relevant items, mean over the systems. Spread: the range of the mean over groups of "
        "users, as a multiple of the range over systems. Lowest τ: of a group's order of the "
        "systems with that of all groups. On the ten items of figure 3, chance: by how much the "
        "value of random lists varies with the share of relevant items; confusion: the best value "
        "of the inverse recommender less the worst of the perfect one.",
    )
