"""The figure and the table: metrics under each average, for users with few and many ratings."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from rankassay.drawing import layout, style
from rankassay.drawing.layout import Grid, Panel, appearance, select
from rankassay.drawing.table import Table, by_dataset
from rankassay.metrics.catalogue import label, ordered

NAMES = {
    "mean": "Arithmetic mean",
    "geometric": "Geometric mean",
    "harmonic": "Harmonic mean",
    "quadratic": "Quadratic mean",
    "median": "Median",
}
CRITERIA = {
    "agreement": "Agreement (τ)",
    "sparsity": "Robustness to\nsparsity (τ)",
    "popularity": "Robustness to\npopularity (τ)",
    "power": "Discriminative power\n(sum of p; lower is better)",
}
ALL = 0.0  # the position of all users; the groups are at 1, 2, ...
SPREAD = 0.5  # of the step between groups: the dots of all users stand side by side
HEADINGS = [(name, name.capitalize()) for name in ("agreement", "sparsity", "popularity", "power")]
NOTE = (
    "Agreement: Kendall's τ with the ranking under the arithmetic mean over all users. Sparsity, "
    "popularity: mean τ of parts of the test set with the whole, same users and same average. "
    "Power: the sum of the p-values of all pairs of systems, lower is better. In brackets: the "
    "interval of 95 % over resampled users. In bold: the best average of a metric for the same "
    "users."
)


@style.style()
def groups(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw every criterion under every aggregate against the size of the users' profiles.

    A row for each criterion, a column for each aggregate, a line for each metric; the dots on the
    grey ground are all users, side by side so that none hides another.
    """
    rows = select(table, panels[0], "dataset", "cutoff")
    rows = rows[rows["statistic"] == "value"]
    aggregates = list(dict.fromkeys(rows["aggregate"]))
    looks = style.metrics(ordered(rows["metric"]))
    grid = Grid(len(CRITERIA) * len(aggregates), height=1.7, columns=len(aggregates))
    cells = [(criterion, how) for criterion in CRITERIA for how in aggregates]
    for axes, (criterion, how) in zip(grid.axes, cells, strict=True):
        shown = rows[rows["criterion"] == criterion]
        _panel(axes, shown[shown["aggregate"] == how], looks)
        if criterion == "power":  # at least 1 / (B + 1) for each pair, so never 0
            axes.set_yscale("log")
            axes.set_ylim(shown["value"].min() / 1.2, shown["value"].max() * 1.2)
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_minor_locator(NullLocator())
            axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
        else:
            axes.set_ylim(*layout.span(shown["value"], (1.0,)))
    grid.label("Ratings in the user's profile", "", share_x=True)
    for axes, how in zip(grid.axes, aggregates, strict=False):
        axes.set_title(NAMES[how])
    for axes, name in zip(grid.axes[:: len(aggregates)], CRITERIA.values(), strict=True):
        axes.set_ylabel(name)
    grid.legend(looks.values(), "Metric")
    grid.head(panels[0]["title"])
    return grid.figure


def _panel(axes: Axes, rows: pd.DataFrame, looks: dict[str, style.Look]) -> None:
    """Draw one criterion under one aggregate."""
    groups = rows.drop_duplicates("group").sort_values("group")
    axes.axvspan(ALL - 0.4, ALL + 0.4, color="0.95", linewidth=0, zorder=0)
    for turn, (metric, shown) in enumerate(looks.items()):
        own = rows[rows["metric"] == metric].sort_values("group")
        look = appearance(shown)
        alone = own["group"] == 0
        place = ALL + SPREAD * (turn / max(len(looks) - 1, 1) - 0.5)
        axes.plot([place] * alone.sum(), own["value"][alone], **look | {"linestyle": "none"})
        axes.plot(own["group"][~alone], own["value"][~alone], linewidth=0.8, **look)
    names = [
        "all" if group == 0 else f"{low}–{high}" if low < high else f"{low}"
        for group, low, high in groups[["group", "smallest", "largest"]].itertuples(index=False)
    ]
    axes.set_xticks(groups["group"].where(groups["group"] > 0, ALL), names)
    axes.set_xlim(ALL - 0.45, groups["group"].max() + 0.35)
    axes.grid(axis="y")


def groups_table(groups: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return every metric's criteria under every average, for all users and by profile size."""
    shown = groups.query("cutoff == @cutoff and statistic == 'value'")
    shown = shown.assign(best=_best(shown))
    rows, bold = [], []
    for title, own in by_dataset(shown, titles):
        for metric in ordered(own["metric"]):
            for group, users in own[own["metric"] == metric].groupby("group"):
                one = users.iloc[0]
                of_users = {"Dataset": title, "Metric": label(metric, cutoff)}
                of_users["Profile"] = f"{one.smallest}–{one.largest}" if group else "all"
                of_users["Users"] = one.users
                for how, average in users.groupby("aggregate", sort=False):
                    by = average.drop_duplicates("criterion").set_index("criterion").loc
                    cells = {name: _cell(criterion, by[criterion]) for criterion, name in HEADINGS}
                    rows.append(of_users | {"Average": NAMES[how]} | cells)
                    bold.append({name: by[criterion, "best"] for criterion, name in HEADINGS})
    return Table(
        pd.DataFrame(rows),
        "Averages over all users and over groups by the size of their profiles: agreement, "
        "robustness and power.",
        marked=pd.DataFrame(bold),
        note=NOTE,
    )


def _cell(criterion: str, one: pd.Series) -> str:
    """Return a value with its interval in words."""
    ends = "" if pd.isna(one.low) else f" ({one.low:.3f} to {one.high:.3f})".replace("-", "−")
    return f"{one.value:.{2 if criterion == 'power' else 3}f}{ends}"


def _best(values: pd.DataFrame) -> pd.Series:
    """Mark the rows whose average no other one surpasses, for the same metric and users.

    `values` has the columns dataset, metric, group, criterion, value, at one cut-off. The agreement
    with the arithmetic mean is no merit.
    """
    good = values["value"].where(values["criterion"] != "power", -values["value"])
    same = [values[name] for name in ("dataset", "metric", "group", "criterion")]
    return (good == good.groupby(same).transform("max")) & (values["criterion"] != "agreement")
