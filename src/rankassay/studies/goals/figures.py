"""Figures 1 to 5 of Schröder, Thiele and Lehner, 2011: metrics on constructed rankings."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from rankassay.drawing import style
from rankassay.drawing.layout import COLUMN, PAGE, Panel, appearance, blank

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
    """Draw all metrics of one ranking for lists of growing length.

    Above, the rankings, best item at the top: dark items are relevant, the list is framed. Below,
    the metrics in four panels. Fallout and miss rate, which are 1 less inverse recall and 1 less
    recall, are excluded.

    No panel is read: the rankings belong to no dataset.
    """
    return _draw(table, 1)


def figure_2(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw all metrics for one relevant item at each place; see `figure_1`."""
    return _draw(table, 2)


def figure_3(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw all metrics for a perfect, an inverse and a random recommender; see `figure_1`."""
    return _draw(table, 3)


def figure_4(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw all metrics for three relevant items at varying places; see `figure_1`."""
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
    """Draw one of the figures 1 to 4."""
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
