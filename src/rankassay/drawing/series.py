"""The lines of a panel: one per cut-off of a metric, or one per metric at the reference cut-off."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes

from rankassay.declared.correlations import USUAL, titles
from rankassay.drawing import style
from rankassay.drawing.layout import Panel, appearance, select, select_at_cutoff
from rankassay.metrics.catalogue import ordered

Series = dict[str | int, pd.DataFrame]


def of_panel(table: pd.DataFrame, panel: Panel) -> Series:
    """Return the rows of each line of a panel, by cut-off or by metric, in the legend's order."""
    if panel.get("metric"):
        rows, by = select(table, panel, "dataset", "metric"), "cutoff"
        rows = rows.assign(cutoff=rows[by].fillna(style.WHOLE_LIST).astype(np.int64))
        order: Sequence = sorted(rows[by].unique())
    else:
        rows, by = select_at_cutoff(table, panel), "metric"
        order = ordered(rows[by])
    return {key: rows[rows[by] == key] for key in order}


def looks(panels: Sequence[Series]) -> tuple[dict[str | int, style.Look], str]:
    """Return the look of every line of a figure, and the legend's heading."""
    keys = [key for series in panels for key in series]
    if all(isinstance(key, str) for key in keys):
        return style.metrics(ordered(keys)), "Metric"
    return style.cutoffs(keys), "Cut-off"


def line(axes: Axes, x: npt.ArrayLike, y: npt.ArrayLike, look: style.Look, turn: int) -> None:
    """Draw one line of several; the lines alternate in which points get a marker."""
    y = np.asarray(y, dtype=float)
    # A point between two gaps has no line through it: without a marker it would be unseen.
    every = 1 if np.isnan(y).any() else max(1, math.ceil(len(y) / 9))
    axes.plot(x, y, **appearance(look), markevery=(turn % every, every), label=look.label)


def correlation_label(table: pd.DataFrame) -> str:
    """Return the name of the correlation that a table holds, tau-b unless it says so."""
    return titles(table["correlation"].unique() if "correlation" in table else [USUAL])


def span(values: Iterable[float], include: Sequence[float]) -> tuple[float, float]:
    """Return limits around all finite values and those to include, with a margin."""
    finite = [value for value in values if math.isfinite(value)]
    low, high = min([*finite, *include]), max([*finite, *include])
    margin = 0.04 * (high - low)
    return low - margin, high + margin
