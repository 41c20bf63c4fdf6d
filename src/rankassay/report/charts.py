"""Interactive charts: result tables, and how the page's script draws their columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import matplotlib as mpl
import pandas as pd

from rankassay.declared.correlations import of_each
from rankassay.drawing import layout, style
from rankassay.metrics.catalogue import ordered

# What the script's library calls the markers of matplotlib, and letters that look like them.
SYMBOLS = {
    **{"o": ("circle", "●"), "s": ("square", "■"), "D": ("diamond", "◆")},
    **{"^": ("triangle-up", "▲"), "v": ("triangle-down", "▼")},
    **{"<": ("triangle-left", "◀"), ">": ("triangle-right", "▶")},
    **{"P": ("cross", "✚"), "X": ("x", "✖"), "p": ("pentagon", "⬟"), "h": ("hexagon", "⬢")},
    **{"d": ("diamond-tall", "♦"), "*": ("star", "★"), (4, 1, 0): ("star-diamond", "✦")},
}
WIDTH = 2  # of a line, in pixels; the lengths of dashes are multiples of it
DARK = "#15181c"  # the page's background in the dark, which style.css names, too
READABLE = 4.0  # the least contrast of a colour with it


@dataclass(frozen=True)
class Control:
    """A choice that the reader has: the values of a column, and with which one to begin."""

    column: str
    label: str
    begin: float | str


@dataclass(frozen=True)
class Panel:
    """One chart: the columns on its axes, its rows, and the controls that it follows.

    `kind` is "lines", a line for each metric, or "dots", a row for each. `keep` are the values that
    columns must have. Where less is better the axis of the values is reversed; `falling` turns the
    other one, so that it begins with all that there is, as in the figures.
    """

    title: str
    kind: str
    x: str
    x_label: str
    y: str
    y_label: str
    by: Sequence[str] = ()
    keep: Mapping[str, str] | None = None
    less_is_better: bool = False
    falling: bool = False


@dataclass(frozen=True)
class Chart:
    """Panels that share their metrics and controls, drawn from the tables of some datasets."""

    id: str
    title: str
    words: str
    series: str
    controls: Sequence[Control]
    panels: Sequence[Panel]
    tables: Mapping[str, str]
    looks: Mapping[str, Mapping[str, Any]]


def looks(metrics: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return how each metric is drawn: as in the figures, and in a lighter colour in the dark."""
    found = {}
    for name, look in style.metrics(ordered(metrics)).items():
        symbol, letter = SYMBOLS[look.marker]
        found[name] = {
            "label": look.label,
            "colour": look.colour,
            "dark": on_dark(look.colour),
            "symbol": symbol,
            "letter": letter,
            "dash": "solid" if look.dashes == "-" else _dash(look.dashes[1]),
        }
    return found


def on_dark(colour: str) -> str:
    """Return a metric's colour on the dark page, or one with so much white that it can be read."""
    if colour in style.DARK:
        return style.DARK[colour]
    start = mpl.colors.to_rgb(colour)
    for step in range(21):
        mixed = tuple(part + (1 - part) * step / 20 for part in start)
        if _contrast(mixed, mpl.colors.to_rgb(DARK)) >= READABLE:
            break
    return mpl.colors.to_hex(mixed)


def _contrast(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2, section 1.4.3)."""
    light, dark = sorted(map(_luminance, (first, second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Sequence[float]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _dash(lengths: Sequence[float]) -> str:
    return ",".join(f"{WIDTH * length:g}px" for length in lengths)


def chart(
    place: str,
    analysis: str,
    frames: Mapping[str, pd.DataFrame],
    keys: Mapping[str, str],
    cutoff: int,
) -> Chart:
    """Return the charts of an analysis, one of `EXPLORED`, under the id `place`.

    `frames` are its tables by the datasets' titles, and `keys` what the page calls these.
    """
    table = pd.concat(frames.values())
    build = EXPLORED[analysis]
    title, words, column, controls, panels = build(layout.correlation_label(_named(table)), cutoff)
    if "tau" in table and len(names := of_each(table)) > 1:
        first = names[0]["correlation"].iloc[0]
        controls = [*controls, Control("correlation", "Correlation", first)]
        panels = [replace(panel, by=(*panel.by, "correlation")) for panel in panels]
    present = ordered(table[column].dropna())
    return Chart(place, title, words, column, controls, panels, keys, looks(present))


def _named(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that name their correlation, or the table if it has no such column."""
    return table.dropna(subset="correlation") if "correlation" in table else table


def _summary(correlation: str, cutoff: int) -> tuple:
    mean = f"mean of {correlation}"
    power = "DP (lower is better)"  # short: names of metrics leave little of a narrow panel
    measured = {
        "sparsity": ("Robustness to sparsity", mean, False),
        "popularity": ("Robustness to popularity", mean, False),
        "power": ("Discriminative power", power, True),
    }
    panels = [
        Panel(title, "dots", "value", label, "metric", "", ("cutoff",), {"criterion": name}, less)
        for name, (title, label, less) in measured.items()
    ] + [
        Panel(f"{title} by cut-off", *LINES, label, (), {"criterion": name}, less)
        for name, (title, label, less) in measured.items()
    ]
    words = (
        "Above, the metrics at one cut-off with their bands or intervals, further right is better; "
        "below, all cut-offs, higher is better."
    )
    return "Which metric, at which cut-off", words, "metric", [_cutoffs(cutoff)], panels


def _cutoff_correlation(correlation: str, cutoff: int) -> tuple:
    controls = [Control("cutoff_b", "Compared with cut-off", cutoff)]
    panel = Panel("", "lines", "cutoff_a", "cut-off", "tau", correlation, ("cutoff_b",))
    words = "Agreement of a metric's rankings of the systems at two cut-offs."
    return "Agreement between cut-offs", words, "metric", controls, [panel]


def _metric_correlation(correlation: str, cutoff: int) -> tuple:
    controls = [Control("metric_b", "Compared with", "nDCG")]
    panel = Panel("", *LINES[:3], "tau", correlation, ("metric_b",))
    words = "Agreement of the metrics' rankings of the systems with the ranking under one of them."
    return "Agreement between metrics", words, "metric_a", controls, [panel]


def _sparsity(correlation: str, cutoff: int) -> tuple:
    words = "Is the ranking of systems robust to sparsity (test ratings removed at random)?"
    of = ("level", "test ratings kept (%)", 50, "Test ratings kept (%)")
    return "Robustness to sparsity", words, "metric", *_removed(*of, correlation, cutoff)


def _popularity(correlation: str, cutoff: int) -> tuple:
    words = "Is the ranking of systems robust to popularity bias (without the most popular items)?"
    of = ("percentage", "items kept (%), the most popular removed", 90, "Items kept (%)")
    return "Robustness to popularity", words, "metric", *_removed(*of, correlation, cutoff)


def _removed(
    column: str, label: str, begin: int, chosen: str, correlation: str, cutoff: int
) -> tuple[list[Control], list[Panel]]:
    """Return controls and two panels, for a choice of the part kept and for one of the cut-off."""
    title = f"At every {column}"
    panels = [
        Panel("At every cut-off", *LINES[:3], "tau", correlation, (column,)),
        Panel(title, "lines", column, label, "tau", correlation, ("cutoff",), falling=True),
    ]
    return [Control(column, chosen, begin), _cutoffs(cutoff)], panels


def _power(correlation: str, cutoff: int) -> tuple:
    panel = Panel("", *LINES[:3], "dp", "DP, lower is better (axis reversed)", less_is_better=True)
    words = "Discriminative power of each metric: the sum of the p-values over all pairs."
    return "Discriminative power", words, "metric", [], [panel]


def _cutoffs(cutoff: int) -> Control:
    return Control("cutoff", "Cut-off", cutoff)


LINES = ("lines", "cutoff", "cut-off", "value")
EXPLORED = {
    "summary": _summary,
    "cutoff-correlation": _cutoff_correlation,
    "metric-correlation": _metric_correlation,
    "sparsity": _sparsity,
    "popularity": _popularity,
    "discriminative-power": _power,
}
