"""Layout that figures share: small multiples under one legend, and the rows of a panel."""

import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from rankassay.declared.correlations import USUAL, titles
from rankassay.drawing import style
from rankassay.drawing.table import at_cutoff
from rankassay.errors import NothingToShowError, RankassayError
from rankassay.metrics.catalogue import label, ordered

COLUMN = 3.5  # inches: one column of print
PAGE = 7.1  # inches: two columns
CHARACTERS = 14  # of a heading, to an inch
MOST_COLUMNS = 3
MOST_BELOW = 4  # entries of a legend below a single panel
SINGLE = (COLUMN, 2.6)
BARS = "#5B9BC8"

Panel = dict[str, Any]
Series = dict[str | int, pd.DataFrame]


def select(table: pd.DataFrame, panel: Panel, *columns: str) -> pd.DataFrame:
    """Return the rows of a panel, those that equal it in `columns`; it is an error if none do.

    Raises NothingToShowError.
    """
    rows = table
    for column in columns:
        rows = rows[rows[column] == panel[column]]
    if rows.empty:
        wanted = ", ".join(f"{column} {panel[column]}" for column in columns)
        raise NothingToShowError(f"nothing to draw: expected rows for {wanted}, found none.")
    return rows


def select_at_cutoff(table: pd.DataFrame, panel: Panel) -> pd.DataFrame:
    """Return the rows of a panel at its cut-off, and of metrics of whole lists, which have none."""
    rows = at_cutoff(table, panel["cutoff"])
    return select(rows.assign(cutoff=panel["cutoff"]), panel, "dataset", "cutoff")


def title(panel: Panel) -> str:
    """Return a panel's title, which names its metric where the panel shows only one."""
    metric = [label(panel["metric"])] if panel.get("metric") else []
    return textwrap.fill(" · ".join([*metric, panel["title"]]), 36)


def blank(size: tuple[float, float], **more: Any) -> Figure:
    """Return a figure of a size in inches, on which to draw without a window."""
    figure = Figure(figsize=size, **more)
    FigureCanvasAgg(figure)
    return figure


@style.style()
def saying(text: str) -> Figure:
    """Return a figure of nothing but a text."""
    figure = blank(SINGLE)
    lines = textwrap.fill(text, round(CHARACTERS * COLUMN))
    figure.text(0.5, 0.5, lines, ha="center", va="center")
    return figure


def heading(figure: Figure, text: str, **look: Any) -> None:
    """Write a heading above all panels, in as many lines as the figure's width asks for."""
    width = round(CHARACTERS * figure.get_figwidth())
    figure.suptitle("\n".join(textwrap.fill(line, width) for line in text.splitlines()), **look)


def ticks(n: int, **more: Any) -> MaxNLocator:
    """Return a locator of about `n` ticks, at round numbers."""
    return MaxNLocator(n, steps=[1, 2, 5, 10], **more)


def margin_text(axes: Axes, row: float, place: float, text: str, **look: Any) -> None:
    """Write a text in a column at the right of a panel, whose `place` is in widths of the panel."""
    where = {"xycoords": ("axes fraction", "data"), "ha": "right", "va": "center"}
    axes.annotate(text, (place, row), **where | {"fontsize": 6, "annotation_clip": False} | look)


def rows_of(axes: Axes, names: Sequence[str]) -> None:
    """Give a panel a row for each name, from the top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(axis="x", color="0.9", linewidth=0.5)


def power_bars(axes: Axes, rows: pd.DataFrame, place: float) -> None:
    """Draw the share of the pairs of systems that differ significantly as bars, with DP."""
    share = 100 * rows["significant_05"] / rows["pairs"].where(rows["pairs"] > 0)
    axes.barh(range(len(rows)), share.fillna(0), height=0.6, color=BARS)
    for row, dp in enumerate(rows["dp"]):
        margin_text(axes, row, place, "–" if pd.isna(dp) else f"{dp:.2f}")
    margin_text(axes, -1, place, "DP")
    axes.set_xlim(0, 100)
    axes.set_xlabel("Pairs of systems with p < .05 (%)")


class Grid:
    """A figure of `n` panels of equal size; `axes` are in reading order.

    One panel makes a figure as wide as a column of print, of the size `single` (inches); more fill
    the page's width, each `height` high, in `columns`. With `square` they keep a fixed shape.
    """

    def __init__(
        self,
        n: int,
        height: float = 1.85,
        single: tuple[float, float] = SINGLE,
        square: bool = False,
        columns: int | None = None,
    ) -> None:
        if n == 0:
            raise RankassayError("nothing to draw: expected one panel at least, found none.")
        self.columns = min(n, columns or (2 if n == 4 and not square else MOST_COLUMNS))
        rows = math.ceil(n / self.columns)
        high = height * rows * (1.2 if self.columns == 2 and not square else 1)
        size = single if n == 1 else (PAGE, high)
        self.figure = blank(size, layout="compressed" if square else "constrained")
        self.figure.get_layout_engine().set(w_pad=0.04, h_pad=0.04, hspace=0.03, wspace=0.03)
        self.cells = GridSpec(rows, self.columns, figure=self.figure)
        self.axes: list[Axes] = [self.figure.add_subplot(self.cells[i]) for i in range(n)]

    def label(self, x: str, y: str, share_x: bool = True, share_y: bool = True) -> None:
        """Label the outer axes; those that are shared have tick labels there only."""
        for i, axes in enumerate(self.axes):
            lowest = i + self.columns >= len(self.axes)
            axes.set_xlabel(x if lowest else "")
            axes.set_ylabel("" if i % self.columns else y)
            axes.tick_params(
                labelbottom=lowest or not share_x,
                labelleft=i % self.columns == 0 or not share_y,
            )
        self.figure.align_ylabels(self.axes[:: self.columns])

    def legend(self, looks: Iterable[style.Look], heading: str) -> None:
        """Draw the shared legend where no panel is: next to one, in a vacant cell, or below.

        A few entries next to a single panel would leave a column of white, so they go below it.
        """
        handles = [handle(look) for look in looks]
        vacant = -len(self.axes) % self.columns
        if len(self.axes) == 1 and len(handles) > MOST_BELOW:
            self.figure.legend(handles=handles, title=heading, loc="outside right center")
        elif vacant:
            spare = self.figure.add_subplot(self.cells[-1, -vacant:])
            spare.axis("off")
            columns = min(math.ceil(len(handles) / 6), 2 * vacant)
            spare.legend(handles=handles, title=heading, loc="center", ncols=columns)
        else:
            columns = min(len(handles), 11 if len(handles) > 8 else 8)
            spaced = {"handlelength": 2.2, "columnspacing": 1.1, "handletextpad": 0.5}
            self.below(handles, 0.35, title=heading, ncols=columns, **spaced)

    def below(self, handles: list[Line2D], inches: float, **look: Any) -> None:
        """Draw a legend below the panels, by whose height the figure grows."""
        self.heighten(inches)
        self.figure.legend(handles=handles, loc="outside lower center", **look)

    def head(self, text: str) -> None:
        """Write a heading above all panels."""
        heading(self.figure, text, fontsize=7.5, fontweight="bold")

    def heighten(self, inches: float) -> None:
        """Make the figure higher, for what is drawn below its panels."""
        self.figure.set_figheight(self.figure.get_figheight() + inches)


def handle(look: style.Look) -> Line2D:
    """Return the legend's sample of a look."""
    return Line2D([], [], **appearance(look), label=look.label)


def appearance(look: style.Look) -> dict[str, Any]:
    """Return matplotlib's arguments for a look; a white rim keeps crossing markers apart."""
    return {
        "color": look.colour,
        "marker": look.marker,
        "linestyle": look.dashes,
        "markersize": look.size,
        "markeredgecolor": "white",
    }


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
