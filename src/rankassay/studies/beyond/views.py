"""The study's figures, tables and sentences."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rankassay.answers.identical import power as power_of_pairs
from rankassay.answers.words import of_enough
from rankassay.drawing import style
from rankassay.drawing.layout import PAGE, Panel, blank, heading, power_bars, rows_of, select
from rankassay.drawing.sentences import fill
from rankassay.drawing.table import (
    ALIKE,
    Table,
    answered_at,
    by_dataset,
    name_of,
    named,
    shown,
    spread,
    stacked,
    tenth,
    told,
)
from rankassay.errors import listed
from rankassay.metrics.catalogue import BEYOND_METRICS, bare, entry
from rankassay.statistics.set_measures import TAIL
from rankassay.studies.beyond.comparisons import REMOVED

# By what is removed: colour and marker.
MARKS = {"users": ("#0072B2", "o"), "sparsity": ("#D55E00", "s"), "popularity": ("#000000", "^")}


@style.style()
def robustness(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the mean correlation over all levels, a row for each metric."""
    rows = shown(select(table, panels[0], "dataset"), panels[0]["cutoff"])
    # Where all systems tie, nothing of their order is left: as in the answers by all criteria.
    known = rows.assign(tau=rows["tau"].fillna(0))
    means = known.groupby(["measure", "removed"], sort=False)["tau"].mean().unstack("removed")
    means = means.reindex(index=rows["measure"].unique())
    kinds = [kind for kind in MARKS if kind in means]
    figure, axes = _rows(means.index, panels[0]["title"])
    for kind in kinds:
        colour, marker = MARKS[kind]
        look = {"color": colour, "marker": marker, "linestyle": "", "markersize": 4}
        axes.plot(means[kind], np.arange(len(means)), **look)
    axes.set_xlabel("Mean τ with the ranking on all users and test ratings")
    handles = [
        Line2D(
            [], [], color=MARKS[kind][0], marker=MARKS[kind][1], linestyle="", label=REMOVED[kind]
        )
        for kind in kinds
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(kinds))
    return figure


@style.style()
def power(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the share of pairs of systems that differ significantly under each metric, as bars."""
    rows = shown(select(table, panels[0], "dataset"), panels[0]["cutoff"])
    figure, axes = _rows(rows["measure"], panels[0]["title"])
    power_bars(axes, rows, 1.12)
    return figure


def _rows(names: Sequence[str], title: str):
    """Return a figure and its axes, with a row for each name from the top."""
    figure = blank((PAGE * 0.7, 1.1 + 0.2 * len(names)), layout="constrained")
    axes = figure.add_subplot()
    rows_of(axes, names)
    axes.set_axisbelow(True)
    heading(figure, title, fontsize=8)
    return figure, axes


def values(values: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the value of each system by each metric, and the best ones bold."""
    rows = shown(values, cutoff, "values")
    lower = {name: entry(name).lower_is_better for name in rows["metric"]}
    heads = {
        measure: f"{measure} {'↓' if lower[metric] else '↑'}"
        for measure, metric in zip(rows["measure"], rows["metric"], strict=True)
    }
    parts, best = [], []
    for title, own in by_dataset(rows, titles):
        wide = own.pivot(index="system", columns="measure", values="value")
        wide = wide.reindex(index=own["system"].unique(), columns=[*heads]).rename(columns=heads)
        least = pd.Series(
            {heads[m]: lower[n] for m, n in zip(own["measure"], own["metric"], strict=True)}
        )
        extreme = wide.min().where(least.reindex(wide.columns), wide.max())
        best.append(wide.eq(extreme).reset_index(drop=True))
        part = wide.reset_index(names="System")
        part.insert(0, "Dataset", title)
        parts.append(part)
    frame, bold = pd.concat(parts, ignore_index=True), pd.concat(best, ignore_index=True)
    return Table(
        frame,
        f"The systems at cut-off {cutoff} under metrics of accuracy and beyond.",
        dict.fromkeys(heads.values(), "{:.4g}".format),
        {column: bold[column].tolist() for column in bold},
        note="Bold: the best value. ↑: higher is better; ↓: lower is better.",
    )


def power_table(power: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the number of pairs of systems that differ significantly under each metric."""
    rows = shown(power, cutoff, "power")
    return power_of_pairs(
        rows,
        titles,
        "Metric",
        "Pairs of systems that differ significantly under each metric.",
        _drawn(rows),
        "Equal: pairs of different systems with the same value under the metric, which count.",
        {"equal": "Equal"},
    )


def _drawn(rows: pd.DataFrame) -> str:
    """Return the number of permutations, and the note on swaps of lists."""
    swapped = rows["swapped"].astype(bool)
    numbers = [f"{own['permutations'].max():,}" for own in (rows[~swapped], rows[swapped])]
    if not swapped.any():
        return f"There are {numbers[0]} permutations."
    others = "" if swapped.all() else f"{numbers[0]} permutations, and "
    names = listed([*dict.fromkeys(rows.loc[swapped, "measure"])])
    return (
        f"There are {others}{numbers[1]} of whole lists for {names}: these are no means over "
        f"users, have no interval, and their p below {TAIL:g} is that of a normal distribution if "
        "that is less."
    )


def robustness_table(robustness: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the robustness of the ranking, a row for each metric and kind of removal."""
    rows = shown(robustness, cutoff, "robustness")
    levels = sorted(rows["level"].unique(), reverse=True)
    wide = spread(rows, ["measure", "removed"], "level", "tau")
    wide["removed"] = wide["removed"].map(REMOVED)
    heads = {level: f"{level:g} %" for level in levels}
    names = {"measure": "Metric", "removed": "Removed"} | heads
    return Table(
        stacked(wide, names, titles),
        "Robustness of the ranking of systems to the removal of users or test ratings.",
        dict.fromkeys(heads.values(), "{:.3f}".format),
        note="Mean Kendall's τ-b with the full ranking, by how much is left: users, test "
        "ratings, or items. Metrics that read no test ratings have no rows for these.",
    )


def answers(
    redundancy: pd.DataFrame | None,
    robustness: pd.DataFrame | None,
    power: pd.DataFrame | None,
    cutoff: int,
    titles: Mapping[str, str],
) -> Table:
    """Return the findings on each dataset."""
    asked = [
        (
            "Do metrics beyond accuracy agree with accuracy metrics?",
            redundancy,
            of_enough(_agreeing),
        ),
        ("Does a tenth of the users give the same ranking?", robustness, of_enough(_robustness)),
        ("Do they have discriminative power?", power, _significant_pairs),
    ]
    return answered_at(cutoff, asked, titles, "Metrics beyond accuracy, in short.")


def _agreeing(rows: pd.DataFrame) -> str:
    """Return which metrics agree with an accuracy metric in the ranking, and which least so."""
    own = rows[_is_beyond(rows["metric_a"]) & ~_is_beyond(rows["metric_b"])]
    if own.empty:
        return "No metric beyond accuracy can be compared: there is no accuracy metric."
    own = told(own, "metric_b")
    reference = name_of(own["metric_b"].iloc[0], own["cutoff"].min())
    own = named(own.dropna(subset="tau"))
    if own.empty:
        return (
            f"No metric beyond accuracy can be compared with {reference}: all systems tie under "
            "one of the two."
        )
    alike = own[own["tau"] >= ALIKE]["name"].tolist()
    start = "{alike} {alike:agrees|agree}" if alike else "No metric beyond accuracy agrees"
    text = fill(
        f"{start} with the ranking of systems under {{reference}} (τ of at least {{bound:g}}; "
        "{n:n metric} beyond accuracy compared).",
        n=len(own),
        alike=alike,
        reference=reference,
        bound=ALIKE,
    )
    # Without resamples there is no interval, and no sentence.
    against = own[own["high"] < 0]["name"].tolist()
    if not against:
        return text
    return fill(
        "{text} {against} rather {against:reverses|reverse} it (the interval of τ over resampled "
        "users is below 0).",
        text=text,
        against=against,
    )


def _robustness(rows: pd.DataFrame) -> str:
    """Return the metrics under which the ranking is robust to keeping a tenth of the users."""
    own = rows[(rows["removed"] == "users") & _is_beyond(rows["metric"])].dropna(subset="tau")
    if own.empty:
        return "Unknown: all systems tie for all users, or for a part of them."
    own = tenth(own)
    return fill(
        "{stays} of {n:n metric} beyond accuracy {stays:keeps|keep} the ranking of systems with "
        "{level:g}% of the users. The mean τ is then at least {bound:g}; the lowest of all is "
        "{tau:.2f}, of {measure}.",
        own.loc[own["tau"].idxmin()],
        bound=ALIKE,
        stays=(own["tau"] >= ALIKE).sum(),
        n=len(own),
    )


def _significant_pairs(rows: pd.DataFrame) -> str:
    """Return the number of significant pairs of each metric, compared with an accuracy metric."""
    beyond, accuracy = rows[_is_beyond(rows["metric"])], rows[~_is_beyond(rows["metric"])]
    beyond = beyond[beyond["pairs"] > 0]
    if beyond.empty or accuracy.empty:
        return "Unknown: no pair of systems has values to compare."
    reference = told(accuracy).iloc[0]
    more = (beyond["significant_05"] > reference["significant_05"]).sum()
    text = fill(
        "{measure} finds {significant_05} of {pairs:n pair} of systems significant (permutation "
        "test, p < .05, not corrected for the number of pairs).",
        reference,
    )
    least = beyond.loc[beyond["significant_05"].idxmin()]
    fewest = fill("{measure} finds the fewest ({significant_05} of {pairs}).", least)
    return f"{_more(more, len(beyond), reference['measure'])} {text} {fewest}"


def _more(some: int, n: int, reference: str) -> str:
    """Return how many of n metrics find more pairs than the metric that they are compared with."""
    if n == 1:
        which = f"The one metric beyond accuracy finds {'more' if some else 'no more'}"
    elif some in (0, n):
        which = f"{'All' if some else 'None of the'} {n} metrics beyond accuracy find more"
    else:
        which = f"{some} of the {n} metrics beyond accuracy {'finds' if some == 1 else 'find'} more"
    return f"{which} significant pairs than {reference}."


def _is_beyond(metrics: pd.Series) -> pd.Series:
    """Return which metrics are beyond accuracy."""
    return metrics.map(lambda metric: bare(metric) in BEYOND_METRICS)
