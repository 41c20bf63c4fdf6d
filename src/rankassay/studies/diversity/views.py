"""Figures and tables: axioms, ideal lists made worse, and missing ratings."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rankassay.drawing import layout, style
from rankassay.drawing.layout import Grid, Panel, appearance, select, ticks
from rankassay.drawing.table import Table, by_dataset
from rankassay.metrics.catalogue import label, ordered

SCENARIOS = {
    "relevance": "Items swapped, bottom to top",
    "redundancy": "Items of a redundant aspect",
    "aspects": "Aspects swapped",
}
OTHERS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#000000", "#56B4E9")
MARKERS = ("o", "D", "^", "v", "P", "X", "s")
DASHES = ("-", (0, (4, 1)), (0, (2, 1)), (0, (6, 1, 1, 1)), (0, (1, 1)), (0, (5, 1)), "-")
ROW = 0.17  # inches: the height of a metric
UNDEFINED = "all equal"
SWAPPED = {
    "relevance": "Swaps, bottom to top",
    "redundancy": "Items of a redundant aspect",
    "aspects": "Swaps of aspects",
}
CHANGE = 0.001  # of the largest value: a smaller change cannot be seen
CERTAIN = 0.5  # in panels with no smaller p-value, the least is written
SAID = {"fontsize": 7, "color": "0.3", "ha": "center", "va": "center"}
YES, NO = "yes", "no"
NOTATION = (
    "A list is written item by item: its rating and its aspects (- is not rated, 0 is rated 0), "
    "and the value behind it."
)


@style.style()
def figure_1(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the values of alpha-beta-nDCG against the number of swaps, a line for each definition.

    Beside them is how far each is from the first: all fall by much more than they lie apart. Both
    panels, a row for each scenario, end soon after the last value that still changes.
    """
    looks = _looks(dict.fromkeys(table["metric"]), "alpha_beta_nDCG")
    panel = panels[0]
    scenarios = select(table, panel, "dataset", "cutoff").groupby("scenario", sort=False)
    grid = Grid(2 * len(scenarios), height=2.1, columns=2)
    grid.label("", "", share_x=False, share_y=False)
    for row, (scenario, shown) in enumerate(scenarios):
        values = shown.pivot(index="step", columns="metric", values="value").sort_index()
        changes = values.diff().abs().max(axis=1) > CHANGE * (values.max(axis=None) or 1)
        last = min(changes[changes].index.max() + 3, values.index.max()) if changes.any() else None
        shown = shown[shown["step"] <= last] if last else shown
        first = shown["step"].map(values[next(iter(looks))])
        left, right = grid.axes[2 * row : 2 * row + 2]
        _lines(left, shown, "metric", "value", looks)
        _lines(right, shown.assign(value=shown["value"] - first), "metric", "value", looks)
        left.set_title("Mean over users", loc="left")
        right.set_title(f"Difference from “{next(iter(looks.values())).label}”", loc="left")
        for axes in (left, right):
            axes.set_xlabel(SWAPPED[scenario])
    grid.legend(looks.values(), "Parameters")
    grid.head(f"{label('alpha_beta_nDCG', panel['cutoff'])} · {panel['title']}")
    return grid.figure


@style.style()
def figure_2(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw how well metrics rank ever worse systems: a panel for each scenario.

    A row for each metric, a marker for each cut-off.
    """
    panel = panels[0]
    shown = select(table, panel, "dataset")
    metrics = ordered(shown["metric"])
    looks = style.cutoffs(shown["cutoff"])
    looks = {cutoff: replace(look, dashes="none") for cutoff, look in looks.items()}
    scenarios = [name for name in SCENARIOS if name in set(shown["scenario"])]
    grid = Grid(len(scenarios), height=ROW * len(metrics) + 0.8)
    for axes, scenario in zip(grid.axes, scenarios, strict=True):
        rows = shown[shown["scenario"] == scenario]
        wide = rows.pivot(index="metric", columns="cutoff", values="tau").reindex(metrics)
        for turn, (cutoff, look) in enumerate(looks.items()):
            places = [row + 0.2 * (turn - (len(looks) - 1) / 2) for row in range(len(metrics))]
            axes.plot(wide[cutoff], places, **appearance(look), clip_on=False)
        for row, missing in enumerate(wide.isna().to_numpy()):
            which = "" if missing.all() else f" @{wide.columns[missing.argmax()]}"
            text = {"fontsize": 5, "color": "0.4", "ha": "center", "va": "center"}
            place = 0.5 if (wide.iloc[row] < 0).any() else -0.5  # next to the points
            axes.text(place, row, UNDEFINED + which if missing.any() else "", **text)
        _rows(axes, metrics)
        axes.set_title(SCENARIOS[scenario])
    grid.label("Kendall's τ with the true order", "", share_x=False)
    for axes in grid.axes[:: grid.columns]:
        axes.set_yticklabels(map(label, metrics))
    grid.legend(looks.values(), "Cut-off")
    grid.head(panel["title"])
    return grid.figure


@style.style()
def figure_3(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the p-values of each perturbed system against the ideal one.

    A column for each scenario, a row for each cut-off, a line for each metric. Where no metric is
    near to taking a loss for a gain, lines lie together at 1, and the least p-value is written.
    """
    panel = panels[0]
    shown = select(table, panel, "dataset").query("step > 0")
    looks = style.metrics(ordered(shown["metric"]))
    scenarios = [name for name in SCENARIOS if name in set(shown["scenario"])]
    parts = [(cutoff, name) for cutoff in sorted(set(shown["cutoff"])) for name in scenarios]
    grid = Grid(len(parts), columns=len(scenarios))
    for axes, (cutoff, scenario) in zip(grid.axes, parts, strict=True):
        rows = shown[(shown["cutoff"] == cutoff) & (shown["scenario"] == scenario)]
        _lines(axes, rows, "metric", "p_value", looks)
        least = rows["p_value"].min()
        if least >= CERTAIN:
            said = f"all p ≥ {math.floor(100 * least) / 100:.2f}"  # not rounded up
            axes.text(0.5, 0.5, said, **SAID, transform=axes.transAxes)
        axes.set_ylim(-0.04, 1.04)
        axes.set_title(f"{SCENARIOS[scenario]} · @{cutoff}")
    grid.label("Step", "p-value of “better than ideal”", share_x=False)
    grid.legend(looks.values(), "Metric")
    grid.head(panel["title"])
    return grid.figure


@style.style()
def figure_4(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the correlation of rankings against the share of ratings kept.

    A panel for each cut-off, the deepest first as in the paper; a line for each beta, with a band
    that holds 95 % of the samples.
    """
    panel = panels[0]
    shown = select(table, panel, "dataset")
    looks = _looks([f"β {beta:g}" for beta in sorted(set(shown["beta"]))])
    cutoffs = sorted(set(shown["cutoff"]), reverse=True)
    span = layout.span(shown[["low", "high"]].to_numpy().ravel(), (0.0, 1.0))
    grid = Grid(len(cutoffs), single=(3.5, 2.4))
    for axes, cutoff in zip(grid.axes, cutoffs, strict=True):
        rows = shown[shown["cutoff"] == cutoff]
        for beta, own in rows.sort_values("level").groupby("beta"):
            look = looks[f"β {beta:g}"]
            colour = {"color": look.colour, "alpha": 0.1, "linewidth": 0}
            axes.fill_between(own["level"], own["low"], own["high"], **colour)
            axes.plot(own["level"], own["tau"], **appearance(look))
        axes.set_xlim(100, 0)
        axes.set_ylim(*span)
        axes.axhline(0.0, **style.RULE)
        axes.grid(axis="y")
        axes.set_title(label("alpha_beta_nDCG", cutoff))
    grid.label("Ratings kept (%)", "Kendall's τ")
    grid.legend(looks.values(), "Definition")
    grid.head(panel["title"])
    return grid.figure


def _looks(names: Sequence[str], metric: str = "") -> dict[str, style.Look]:
    """Return looks of several definitions of one metric; labels leave out the metric's name."""
    looks = {}
    for turn, name in enumerate(names):
        i = turn % len(OTHERS)
        label = name.removeprefix(metric).strip("()") or "as in the paper"
        label = label.replace("alpha=", "α ").replace("beta=", "β ")
        looks[name] = style.Look(label, OTHERS[i], MARKERS[i], DASHES[i])
    return looks


def _lines(axes: Axes, rows: pd.DataFrame, by: str, y: str, looks: dict[str, style.Look]) -> None:
    """Draw one line for each look against the steps."""
    for turn, (key, look) in enumerate(looks.items()):
        own = rows[rows[by] == key].sort_values("step")
        layout.line(axes, own["step"], own[y], look, turn)
    axes.xaxis.set_major_locator(ticks(6, integer=True))
    axes.yaxis.set_major_locator(ticks(6))
    axes.grid(axis="y")


def _rows(axes: Axes, metrics: Sequence[str]) -> None:
    """Prepare a panel of correlations with a row for each metric."""
    axes.set_xlim(-1.04, 1.04)
    axes.set_ylim(len(metrics) - 0.5, -0.5)
    axes.set_yticks(range(len(metrics)))
    axes.axvline(0.0, **style.RULE)
    axes.grid(axis="y")


def axioms(axioms: pd.DataFrame, published: pd.DataFrame | None) -> Table:
    """Return table 1, computed, next to the published one."""
    rows: dict[str, dict] = {metric: {"Metric": _label(metric)} for metric in axioms["metric"]}
    marked: dict[str, dict] = {metric: {"Metric": False} for metric in axioms["metric"]}
    for one in beside_published(axioms, published).itertuples():
        share = f" ({100 * one.satisfied / one.instances:.0f}%)" if one.satisfied else ""
        cell = YES if one.holds else NO + share
        other = f", published {NO if one.holds else YES}" if one.otherwise else ""
        rows[one.metric][one.axiom] = cell + other
        marked[one.metric][one.axiom] = one.otherwise
    return Table(
        pd.DataFrame(rows.values()),
        "Which metric satisfies which axiom, on random instances; in bold where table 1 of the "
        "paper says otherwise.",
        marked=pd.DataFrame(marked.values()),
        note=f"{YES}: in every instance, which proves nothing. {NO}: not in all; in brackets, in "
        "how many. One counterexample proves that a metric does not satisfy an axiom. "
        "MoreAspSuperset and metrics with parameters are not in the paper, nor is ERR-IA. A "
        "counterexample of each: table counterexamples.",
    )


def counterexamples(axioms: pd.DataFrame) -> Table:
    """Return an instance for every axiom and metric that does not satisfy it."""
    shown = axioms[axioms["holds"] == 0]
    headings = {"axiom": "Axiom", "metric": "Metric", "satisfied": "Satisfied"}
    headings |= {"instances": "Instances", "counterexample": "Should be better, but is not"}
    return Table(
        _headed(shown, headings),
        "For each axiom that a metric does not satisfy, the instance furthest from it.",
        note=NOTATION,
    )


def greedy(greedy: pd.DataFrame) -> Table:
    """Return how near greedy ideal lists come to the best ones."""
    headings = {"metric": "Metric", "items": "Items", "instances": "Users", "best": "Best"}
    headings |= {"mean": "Mean share", "lowest": "Lowest share"}
    return Table(
        _headed(greedy, headings),
        "The greedy ideal list compared with the best of all orders of a user's rated items.",
        dict.fromkeys(["Mean share", "Lowest share"], "{:.4f}".format),
        note="Simulated users. Best: of how many users the greedy list is the best. Shares: of the "
        "best list's discounted gain. The normalised metrics divide by that of the greedy list: "
        "where it is not the best, a list can have a value above 1.",
    )


def order_correlation(order_correlation: pd.DataFrame, titles: Mapping[str, str]) -> Table:
    """Return how well each metric ranks ever worse systems."""
    scenarios = {k: v for k, v in SCENARIOS.items() if k in set(order_correlation["scenario"])}
    frames = []
    for title, own in by_dataset(order_correlation, titles):
        wide = own.pivot(index=["metric", "cutoff"], columns="scenario", values="tau")
        wide = wide.reindex(list(dict.fromkeys(zip(own["metric"], own["cutoff"], strict=True))))
        frame = wide[[*scenarios]].rename(columns=scenarios).reset_index(drop=True)
        frame.insert(0, "Dataset", title)
        frame.insert(1, "Metric", [label(*measure) for measure in wide.index])
        frames.append(frame)
    return Table(
        pd.concat(frames, ignore_index=True),
        "Kendall's τ between the ranking of systems under a metric and the order in which they "
        "were made worse.",
        dict.fromkeys(scenarios.values(), "{:.3f}".format),
        note="Undefined: the metric ties all systems. Steps beyond a cut-off change nothing above "
        "it, so that a τ of 1 is out of reach at small cut-offs.",
    )


def _headed(table: pd.DataFrame, headings: Mapping[str, str]) -> pd.DataFrame:
    """Return columns under their headings, the metrics by their labels."""
    frame = table.assign(metric=table["metric"].map(_label)).reset_index(drop=True)
    return frame[[*headings]].rename(columns=headings)


def _label(metric: str) -> str:
    """Return a metric's name for readers, with its parameters."""
    name, bracket, parameters = metric.partition("(")
    return label(name) + (f" ({parameters}" if bracket else "")


def beside_published(axioms: pd.DataFrame, published: pd.DataFrame | None) -> pd.DataFrame:
    """Add to the table of axioms a column `otherwise`: whether the paper says otherwise."""
    if published is None:
        return axioms.assign(otherwise=False)
    said = axioms.merge(published, how="left", on=["metric", "axiom"], suffixes=("", "_said"))
    other = said["holds_said"].notna() & (said["holds_said"] != said["holds"])
    return axioms.assign(otherwise=other.to_numpy())
