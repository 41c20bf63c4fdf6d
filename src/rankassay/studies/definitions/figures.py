"""Figures of definitions: systems under each, and which of them reverse significant conclusions."""

import math
import re
from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rankassay.answers.words import most_turned
from rankassay.drawing import style
from rankassay.drawing.layout import PAGE, Grid, Panel, blank, margin_text, select, ticks
from rankassay.errors import listed
from rankassay.metrics.catalogue import label, ordered

ROW = 0.155  # inches: the height of a source
LINE = {"color": "0.65", "linewidth": 0.5, "zorder": 1.5}
DOT = {"linestyle": "none", "marker": "o", "markeredgewidth": 0, "clip_on": False}
KEPT = {**DOT, "color": "0.5", "markersize": 1.9, "zorder": 2}
MOVED = {**DOT, "color": "#D55E00", "markersize": 2.5, "zorder": 3}
CHANGED = {"color": "#B34700", "fontweight": "bold"}  # of a tau below 1
NOTHING = "no such metric"
TAU_PLACE, PAIRS_PLACE = 1.2, 1.38  # of the columns next to a panel, in widths of the panel
CELL = 0.35  # inches: the side of a cell
LETTER = 0.053  # inches: the width of a letter of the labels
HEIGHT = 0.135  # inches: the height of a line of text
MARGIN = 0.08  # inches
FULL = 12  # significantly turned pairs that have the full colour
COLOUR = (0.835, 0.369, 0.0)
UNTURNED = "0.93"
EXPLANATION = (
    "Above the diagonal: pairs of systems with significant but opposite order under the two "
    "definitions, of all pairs in opposite order.\nBelow it: the mean of all systems "
    "under the row's definition, as a multiple of that under the column's.\nOn it: pairs reversed "
    "by excluding users without relevant items. P-values are not corrected here; the table of "
    "choices has corrected ones, too."
)


def values(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the value of every system under every source, a panel for each metric.

    A line is a system, and a row a source, the reference first; one without values has no dots.
    """
    return _draw(table, panels, "value", "Mean over users")


def places(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the place of every system under every source, which shows where rankings cross."""
    return _draw(table, panels, "place", "Place of the system")


@style.style()
def _draw(table: pd.DataFrame, panels: Sequence[Panel], x: str, name: str) -> Figure:
    """Draw the panels of all metrics; `x` is the column that lies on the axis `name`."""
    parts = [
        panel | {"metric": metric}
        for panel in panels
        for metric in ordered(select(table, panel, "dataset", "cutoff")["metric"])
    ]
    labels = _labels(table)
    grid = Grid(len(parts), height=ROW * len(labels) + 0.55, single=(3.5, 2.4))
    for axes, panel in zip(grid.axes, parts, strict=True):
        _metric(axes, select(table, panel, "dataset", "metric", "cutoff"), labels, x)
        where = f" · {panel['title']}" if len(panels) > 1 else ""
        axes.set_title(label(panel["metric"], panel["cutoff"]) + where, loc="left")
    grid.figure.get_layout_engine().set(w_pad=0.06)  # for the columns next to the panels
    grid.label(name, "", share_x=False)
    _legend(grid)
    grid.head(" · ".join(dict.fromkeys(panel["title"] for panel in panels)))
    # The columns' places depend on the panels' widths: a second pass makes room for them.
    grid.figure.get_layout_engine().execute(grid.figure)
    return grid.figure


def _labels(table: pd.DataFrame) -> dict[str, str]:
    """Return the label of every source that has values, the reference first."""
    shown = table[table["system"].notna()].drop_duplicates("source")
    versions = zip(shown["source"], shown["version"].fillna(""), strict=True)
    labels = {source: f"{source} {version}".strip() for source, version in versions}
    reference = next(iter(labels))
    return labels | {reference: f"{reference} (reference)"}


def _metric(axes: Axes, rows: pd.DataFrame, labels: dict[str, str], x: str) -> None:
    """Draw one metric: a row for each source, a line through the rows for each system."""
    known = rows[rows["system"].notna()]
    values, places = (
        known.pivot(index="source", columns="system", values=column).reindex(labels)
        for column in (x, "place")
    )
    height = range(len(labels))
    changed = _moved(places)
    for system in values.columns:
        axes.plot(values[system], height, **LINE)
        for look, shown in ((KEPT, ~changed[system]), (MOVED, changed[system])):
            axes.plot(values[system].where(shown), height, **look)
    orders = known.drop_duplicates("source").set_index("source").reindex(labels)
    _columns(axes, orders, absent=values.isna().all(axis=1))
    axes.set_yticks(height, labels.values())
    axes.set_ylim(len(labels) - 0.5, -0.5)
    if x == "place":
        last = len(values.columns)
        axes.set_xlim(last + 0.03 * last, 1 - 0.03 * last)
        axes.set_xticks(sorted({1, *range(5, last + 1, 5)}))
    else:
        axes.set_xlim(0, 1.03 * values.max(axis=None) or 1)
        axes.xaxis.set_major_locator(ticks(5))
    axes.grid(axis="y")


def _columns(axes: Axes, orders: pd.DataFrame, absent: pd.Series) -> None:
    """Write next to each row how far its ranking is from that of the reference, the first row."""
    margin_text(axes, -0.95, TAU_PLACE, "τ", color="0.25")
    margin_text(axes, -0.95, PAIRS_PLACE, "pairs", color="0.25")
    for row, (tau, pairs) in enumerate(orders[["tau", "reordered"]].itertuples(index=False)):
        if absent.iloc[row]:
            text = {"ha": "center", "va": "center", "fontsize": 5.5, "color": "0.4"}
            axes.text(0.5, row, NOTHING, transform=axes.get_yaxis_transform(), **text)
        elif row:
            look = CHANGED if tau < 1 else {"color": "0.25"}
            margin_text(axes, row, TAU_PLACE, "–" if math.isnan(tau) else f"{tau:.3f}", **look)
            margin_text(axes, row, PAIRS_PLACE, f"{pairs:.0f}", **look)


def _legend(grid: Grid) -> None:
    """Draw the legend below the panels."""
    looks = {
        "A system": LINE | KEPT | {"linestyle": "-"},
        "Rank differs from the reference": MOVED,
    }
    handles = [Line2D([], [], **look, label=name) for name, look in looks.items()]
    grid.below(handles, 0.25, ncols=1 if len(grid.axes) == 1 else 2)


def _moved(places: pd.DataFrame) -> pd.DataFrame:
    """Return whether each system has another place under each source than under the first.

    The places have a row for each source and a column for each system.
    """
    return places.ne(places.iloc[0]) & places.notna()


@style.style()
def turned(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw all definitions of each metric against one another, a matrix for each metric.

    Matrices stand side by side as far as the page is wide, and then in a further row.
    """
    parts = [_metrics(table, panel) for panel in panels]
    rows = [_lines(part) for part in parts]
    wide = max(sum(map(_width, row.values())) for own in rows for row in own)
    high = [_above(part) + sum(map(_height, own)) for part, own in zip(parts, rows, strict=True)]
    below = 3.5 * HEIGHT
    figure = blank((max(wide + MARGIN, PAGE), sum(high) + below))
    top = figure.get_figheight()
    for panel, part, own, height in zip(panels, parts, rows, high, strict=True):
        _panel(figure, panel, part, own, top)
        top -= height
    _write(figure, below - HEIGHT, EXPLANATION)
    return figure


def _metrics(table: pd.DataFrame, panel: Panel) -> dict[str, pd.DataFrame]:
    """Return the rows of each metric of a panel, as ordered in the table."""
    return dict([*select(table, panel, "dataset", "cutoff").groupby("metric", sort=False)])


def _width(rows: pd.DataFrame) -> float:
    """Return the width of a matrix with its labels, in inches."""
    names = _definitions(rows)
    return LETTER * max(len(_short(name)) + 6 for name in names) + CELL * len(names)


def _lines(metrics: dict[str, pd.DataFrame]) -> list[dict[str, pd.DataFrame]]:
    """Return the matrices line by line, each line as long as the page is wide."""
    lines: list[dict[str, pd.DataFrame]] = [{}]
    for metric, rows in metrics.items():
        if lines[-1] and sum(map(_width, [*lines[-1].values(), rows])) > PAGE:
            lines.append({})
        lines[-1][metric] = rows
    return lines


def _height(metrics: dict[str, pd.DataFrame]) -> float:
    """Return the height of a line of matrices with the text above them, in inches."""
    return CELL * max(map(len, map(_definitions, metrics.values()))) + 4 * HEIGHT


def _above(metrics: dict[str, pd.DataFrame]) -> float:
    """Return the height of a panel's title and sentences, in inches."""
    return HEIGHT * (1.3 * len(_sentences(metrics, None)) + 2) + MARGIN


def _panel(
    figure: Figure,
    panel: Panel,
    metrics: dict[str, pd.DataFrame],
    lines: list[dict[str, pd.DataFrame]],
    top: float,
) -> None:
    """Draw the matrices of one dataset below `top`, in inches from below, and their sentences."""
    _write(figure, top - MARGIN, panel["title"], fontsize=7.5, fontweight="bold")
    said = _sentences(metrics, panel["cutoff"])
    _write(figure, top - MARGIN - 1.3 * HEIGHT, "\n".join(said), linespacing=1.3)
    top -= _above(metrics)
    width, height = figure.get_size_inches()
    for line in lines:
        left, side = 0.0, 2.2 * HEIGHT
        for metric, rows in line.items():
            size = CELL * len(_definitions(rows))
            left += _width(rows)
            box = (left - size) / width, (top - side - size) / height, size / width, size / height
            _matrix(figure.add_axes(box), rows, label(metric, panel["cutoff"]))
        top -= _height(line)


def _write(figure: Figure, y: float, text: str, **look) -> None:
    """Write at the left margin, `y` inches from below."""
    width, height = figure.get_size_inches()
    figure.text(MARGIN / width, y / height, text, va="top", **look)


def _sentences(metrics: dict[str, pd.DataFrame], cutoff: int | None) -> list[str]:
    """Return sentences on the conclusions that definitions of each name reverse, if any."""
    names = {metric: label(metric, cutoff) for metric in metrics}
    worst = {metric: most_turned(rows) for metric, rows in metrics.items()}
    quiet = [names[metric] for metric, found in worst.items() if found is None]
    said = [_reversal(names[metric], found) for metric, found in worst.items() if found is not None]
    return said + ([f"{listed(quiet)}: no significant conclusion is reversed."] if quiet else [])


def _reversal(name: str, worst: Mapping) -> str:
    """Return which conclusion two definitions of one name reverse."""
    first, second = worst["pair"].split(", ")
    a, b = (_short(worst[key]) for key in ("definition_a", "definition_b"))
    return (
        f"{name}: {first} is significantly better than {second} under “{a}”, and significantly "
        f"worse under “{b}”."
    )


def _matrix(axes: Axes, rows: pd.DataFrame, name: str) -> None:
    """Draw the definitions of one metric against one another."""
    names = _definitions(rows)
    place = {definition: i for i, definition in enumerate(names)}
    for row in rows.itertuples():
        i, j = place[row.definition_a], place[row.definition_b]
        if i == j:
            _cell(axes, i, i, "1.0", f"{row.turned}", "0.45")
            continue
        share = min(row.turned_significantly / FULL, 1)
        shade = tuple(1 - share * (1 - part) for part in COLOUR)
        colour = "white" if share > 0.6 else "0.1"
        found = row.turned_significantly
        _cell(
            axes, i, j, shade if found else UNTURNED, f"{found}", colour, 8 if found else 6.5, -0.12
        )
        look = {"ha": "center", "va": "center", "fontsize": 5.5, "color": colour}
        axes.text(j, i + 0.26, f"of {row.turned}" if row.turned else "", **look)
        _cell(axes, j, i, "1.0", f"×{row.ratio:.2f}", "0.25")
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    labels = [f"{_short(name)}  {i}" for i, name in enumerate(names, start=1)]
    axes.set_yticks(range(len(names)), labels)
    axes.set_xticks(range(len(names)), range(1, len(names) + 1))
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title(name, loc="left", fontweight="bold")


def _cell(
    axes: Axes, row: int, column: int, shade, text: str, colour: str, size=6.0, up=0.0
) -> None:
    """Draw one cell with its text."""
    sides = [column - 0.48, column + 0.48]
    axes.fill_between(sides, row - 0.48, row + 0.48, color=shade, linewidth=0)
    weight = "bold" if size > 7 else "normal"
    look = {"color": colour, "fontsize": size, "fontweight": weight}
    axes.text(column, row + up, text, ha="center", va="center", **look)


def _definitions(rows: pd.DataFrame) -> list[str]:
    """Return the definitions in their order."""
    return list(dict.fromkeys([*rows["definition_a"], *rows["definition_b"]]))


def _short(definition: str) -> str:
    """Return a definition for readers: the values that it chooses.

    >>> print(_short("nDCG(gain='exp', ideal='retrieved', log_base=2.718281828459045)"))
    exp, retrieved, log base 2.72
    """
    texts = []
    for name, word, other in re.findall(r"(\w+)=(?:'(\w+)'|([\w.]+))", definition):
        number = f"{float(other):.3g}" if re.fullmatch(r"\d+\.\d+", other) else other
        texts.append(word.replace("_", " ") or f"{name.replace('_', ' ')} {number}")
    return ", ".join(texts) or "as it is"
