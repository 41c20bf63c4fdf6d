"""The summary of the study: which metric, at which cut-off, can be trusted on which data."""

import textwrap
from collections.abc import Iterable, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from assayer.drawing import series, style
from assayer.drawing.layout import Grid, Panel, appearance, select
from assayer.drawing.robustness import EQUIVALENT, RULE
from assayer.titles import listed

WHAT = {
    "sparsity": "Robustness to sparsity",
    "popularity": "Robustness to popularity",
    "power": "Discriminative power",
}
OVERALL = "overall"
ROW = 0.21  # inches: the height of a metric
AROUND = 1.05  # inches: what stands above and below the rows
LINE = 9.5  # points: the height of a line of text
WIDEST = 118  # characters in a line above the panels
BELOW = 0.33  # rows: how far the cut-offs lie below their metric
SMALL = 2.0  # points: the dots of the cut-offs
TRAIL = {"color": "0.75", "linewidth": 0.5, "zorder": 1.6}
BEST_PLACE, RANK_PLACE = 1.2, 1.38  # of the columns beside a panel, in widths of the panel


def summary(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw all metrics by the three criteria, a row of panels for each dataset.

    The large marker is the metric at the reference cut-off, with its interval; the small dots below
    it are all its cut-offs. Further right is better in every panel. The metrics stand in the order
    of their mean ranks on the dataset, and above them what comes out best.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns dataset and those of `assayer.summary.criteria.run`.
    panels : list of dict
        dataset, title and cutoff: each makes one row.

    Returns
    -------
    matplotlib.figure.Figure
    """
    cutoffs = style.cutoffs(table["cutoff"].dropna().unique())
    datasets = [select(table, panel, "dataset") for panel in panels]
    with style.style():
        most = max(rows["metric"].nunique() for rows in datasets)
        grid = Grid(len(WHAT) * len(panels), height=ROW * most + AROUND)
        for i, (panel, rows) in enumerate(zip(panels, datasets, strict=True)):
            shown = select(rows, panel, "cutoff")
            order = _order(shown)
            own = grid.axes[len(WHAT) * i : len(WHAT) * (i + 1)]
            for axes, criterion in zip(own, WHAT, strict=True):
                _panel(axes, _of(shown, criterion), _of(rows, criterion), order, cutoffs)
                axes.set_xlabel(f"{WHAT[criterion]}\n{_measured(shown, criterion)}")
            own[0].set_yticklabels([style.metric(metric).label for metric in order])
            _ranks(own[-1], shown, order)
            _headline(own[0], panel["title"], verdict(rows, panel["cutoff"]))
        _legend(grid, cutoffs, {panel["cutoff"] for panel in panels})
        # The columns' places depend on the panels' widths: a second pass makes room for them.
        grid.figure.draw_without_rendering()
        return grid.finish()


def verdict(rows: pd.DataFrame, cutoff: int) -> str:
    """Say in words which metrics come out best on a dataset at a cut-off.

    Parameters
    ----------
    rows : pandas.DataFrame
        The rows of one dataset; see `draw`.
    cutoff : int
    """
    shown = rows[rows["cutoff"] == cutoff]
    tau = _symbol(shown)
    said = {
        "sparsity": f"Robustness to sparsity: {_winner(shown, 'sparsity', f'mean {tau}')}",
        "popularity": f"Robustness to popularity: {_winner(shown, 'popularity', f'mean {tau}')}",
        "power": f"Discriminative power: {_winner(shown, 'power', 'DP')}",
        OVERALL: f"Mean rank: {_winner(shown, OVERALL, 'rank')}",
    }
    at = _best_cutoffs(rows, _of(shown[shown["rank"] == 1], OVERALL))
    return f"At @{cutoff}. {'. '.join(said.values())}. Best cut-off: {at}."


def _winner(shown: pd.DataFrame, criterion: str, what: str) -> str:
    """Say which metric is best by a criterion, and which ones are not told apart from it."""
    rows = _of(shown, criterion)
    best, others = rows[rows["rank"] == 1], rows[rows["rank"] > 1]
    value = best["value"].iloc[0]
    number = f"{value:.1f}" if criterion in ("power", OVERALL) else _number(value)
    several = len(best) > 1
    words = f"{names(best['metric'])} {'are' if several else 'is'} best ({what} {number})"
    if not len(others) or others["apart"].isna().all():
        return words
    tied = rivals(rows)
    if len(tied) == len(others):
        return f"{words}, and no other can be told apart from {'them' if several else 'it'}"
    if tied:
        them = "them" if several else "it"
        return f"{words}, and {names(tied)} cannot be told apart from {them}"
    return f"{words}, told apart from all others"


def _number(value: float) -> str:
    """Return a correlation for readers."""
    return f"{value:.3f}".replace("-", "−")


def _best_cutoffs(rows: pd.DataFrame, best: pd.DataFrame) -> str:
    """Name the best metrics, each with the cut-offs at which it is best itself."""
    said = []
    for metric in best["metric"]:
        own = _of(rows[rows["metric"] == metric], OVERALL)
        at = listed([f"@{cutoff}" for cutoff in own.loc[own["cutoff_rank"] == 1, "cutoff"]])
        unclear = (own["cutoff_rank"] > 1) & ~_known_apart(own["cutoff_apart"])
        tied = [f"@{cutoff}" for cutoff in own.loc[unclear, "cutoff"]]
        also = f" (not told apart: {listed(tied)})" if tied else ""
        said.append(f"{style.metric(metric).label} at {at}{also}")
    return "; ".join(said)


def rivals(shown: pd.DataFrame) -> list[str]:
    """Return the metrics that cannot be told apart from the best one.

    Parameters
    ----------
    shown : pandas.DataFrame
        The rows of one criterion at one cut-off, whose column `apart` decides.
    """
    return [*shown.loc[(shown["rank"] > 1) & ~_known_apart(shown["apart"]), "metric"]]


def _known_apart(apart: pd.Series) -> pd.Series:
    """Return a column of true, false and nothing as a mask: what is not known is passed over."""
    return apart.astype("boolean").fillna(True).astype(bool)


def _of(rows: pd.DataFrame, criterion: str) -> pd.DataFrame:
    """Return the rows of one criterion."""
    return rows[rows["criterion"] == criterion]


def names(metrics: Iterable[str]) -> str:
    """Return metrics as words, by the labels of their looks."""
    return listed([style.metric(metric).label for metric in style.metric_order([*metrics])])


def _order(shown: pd.DataFrame) -> list[str]:
    """Return the metrics, that with the best mean rank first."""
    overall = _of(shown, OVERALL).set_index("metric")["value"]
    return list(
        overall.loc[style.metric_order(list(overall.index))].sort_values(kind="stable").index
    )


def _symbol(shown: pd.DataFrame) -> str:
    """Return the sign of the correlation that a summary holds."""
    names = shown["correlation"].dropna().unique()
    return "τ" if all(name.startswith("tau") for name in names) else "correlation"


def _measured(shown: pd.DataFrame, criterion: str) -> str:
    """Return what the axis of a criterion measures."""
    if criterion == "power":
        return "DP (lower is better, axis reversed)"
    return f"mean of {series.correlation_label(_of(shown, criterion))}"


def _panel(
    axes: Axes,
    shown: pd.DataFrame,
    every: pd.DataFrame,
    order: list[str],
    cutoffs: dict[int, style.Look],
) -> None:
    """Draw one criterion: `shown` at the reference cut-off, `every` at all of them."""
    for y, metric in enumerate(order):
        look = style.metric(metric)
        row = shown[shown["metric"] == metric].iloc[0]
        axes.plot([row["low"], row["high"]], [y, y], color=look.colour, linewidth=1.2, alpha=0.5)
        axes.plot(row["value"], y, **appearance(look) | {"markersize": 4.6}, zorder=3)
        own = every[(every["metric"] == metric) & every["cutoff"].notna()].sort_values("cutoff")
        _trail(axes, own, y + BELOW, cutoffs)
        _beside(axes, y, BEST_PLACE, _best(own))
    _beside(axes, None, BEST_PLACE, "best\ncut-off")
    values = pd.concat([shown[["value", "low", "high"]].stack(), every["value"]])
    limits = series.span(values, ())
    reverse = shown["criterion"].iloc[0] == "power"
    axes.set_xlim(*(limits[::-1] if reverse else limits))
    axes.set_ylim(len(order) - 0.4, -0.5)
    axes.set_yticks(range(len(order)), [""] * len(order))
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.grid(axis="y")
    for value in () if reverse else (0.0, EQUIVALENT):
        if limits[0] < value < limits[1]:
            axes.axvline(value, **RULE)


def _trail(axes: Axes, own: pd.DataFrame, y: float, cutoffs: dict[int, style.Look]) -> None:
    """Draw one metric at all its cut-offs."""
    dot = {"marker": "o", "markersize": SMALL, "markeredgewidth": 0}
    axes.plot(own["value"], [y] * len(own), **TRAIL)
    for cutoff, value in zip(own["cutoff"], own["value"], strict=True):
        axes.plot(value, y, color=cutoffs[cutoff].colour, **dot)


def _best(own: pd.DataFrame) -> str:
    """Return a metric's best cut-off; dots stand for more that are as good."""
    best = own.loc[own["cutoff_rank"] == 1, "cutoff"]
    return f"@{best.iloc[0]:.0f}{'…' if len(best) > 1 else ''}" if len(best) else "–"


def _ranks(axes: Axes, shown: pd.DataFrame, order: list[str]) -> None:
    """Write the mean ranks beside the last panel."""
    ranks = _of(shown, OVERALL).set_index("metric")["value"]
    _beside(axes, None, RANK_PLACE, "mean\nrank")
    for y, metric in enumerate(order):
        _beside(axes, y, RANK_PLACE, f"{ranks[metric]:.1f}")


def _beside(axes: Axes, row: float | None, place: float, text: str) -> None:
    """Write a text in a column at the right of a panel: at a row, or without one above them."""
    look = {"ha": "right", "fontsize": 6, "color": "0.25", "annotation_clip": False}
    if row is None:
        look |= {"xytext": (0, 3), "textcoords": "offset points", "va": "bottom"}
        axes.annotate(text, (place, 1), xycoords="axes fraction", **look)
    else:
        look |= {"xycoords": ("axes fraction", "data"), "va": "center"}
        axes.annotate(text, (place, row), **look)


def _headline(axes: Axes, title: str, words: str) -> None:
    """Write a dataset's name and what came out above its row of panels."""
    lines = textwrap.wrap(words, WIDEST)
    axes.set_title(title, loc="left", fontweight="bold", fontsize=8, pad=LINE * len(lines) + 22)
    said = axes.annotate(
        "\n".join(lines),
        (0, 1),
        xytext=(0, 20),
        xycoords="axes fraction",
        textcoords="offset points",
        va="bottom",
        linespacing=1.25,
    )
    said.set_in_layout(False)  # it is wider than its panel; the title above it keeps its place


def _legend(grid: Grid, cutoffs: dict[int, style.Look], reference: set[int]) -> None:
    """Draw the legend of the cut-offs, and say what the large markers are."""
    looks = [
        style.Look(look.label, look.colour, "o", "none", SMALL + 1) for look in cutoffs.values()
    ]
    at = " or ".join(f"@{cutoff}" for cutoff in sorted(reference))
    grid.legend(
        looks,
        f"Large: the metric at {at}, its line the interval over resampled users. "
        "Small: at every cut-off. Right is better.",
    )
