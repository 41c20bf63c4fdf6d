"""The study's figure, tables and sentences."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from rankassay.answers.words import of_enough
from rankassay.drawing import style
from rankassay.drawing.layout import BARS, PAGE, Panel, blank, heading, rows_of, select
from rankassay.drawing.sentences import fill
from rankassay.drawing.table import ALIKE, Table, answered_at, named, shown, stacked, told
from rankassay.errors import listed
from rankassay.studies.unjudged.incomplete import condensed_name


@style.style()
def bounds(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the bounds of each system by one metric, the best value at the top."""
    rows = told(shown(select(table, panels[0], "dataset"), panels[0]["cutoff"]))
    rows = rows.sort_values("value", ascending=False, kind="stable")
    figure = blank((PAGE * 0.7, 1.1 + 0.17 * len(rows)), layout="constrained")
    axes, places = figure.add_subplot(), np.arange(len(rows))
    axes.hlines(places, rows["least"], rows["greatest"], color=BARS, linewidth=4)
    axes.plot(rows["value"], places, color="#000000", marker="|", linestyle="", markersize=7)
    rows_of(axes, rows["system"])
    axes.set_axisbelow(True)
    # Below the figure and not the axes, to which long names of systems leave little room.
    what = f"{rows['measure'].iloc[0]}: value, and bounds over all judgements"
    figure.supxlabel(what, fontsize=style.RC["axes.labelsize"])
    heading(figure, panels[0]["title"], fontsize=8)
    return figure


def pairs(pairs: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return how much depends on unjudged items, a row for each metric."""
    rows = shown(pairs, cutoff, "pairs")
    heads = {"measure": "Metric", "residual": "Residual", "spread": "Spread", "pairs": "Pairs"}
    heads |= {"overlapping": "Overlapping", "open": "Open"}
    three = "{:.3f}".format
    return Table(
        stacked(rows, heads, titles),
        "What the judgements of unjudged items could change.",
        {"Residual": three, "Spread": three, "Open": "{:.0f}".format},
        note="Residual: the greatest less the least value, a mean over systems. Spread: the best "
        "system's value less the worst one's. Overlapping: pairs of systems whose bounds overlap. "
        "Open: pairs whose difference can have either sign, known for sums of weights of places.",
    )


def answers(
    pairs: pd.DataFrame | None,
    orders: pd.DataFrame | None,
    cutoff: int,
    titles: Mapping[str, str],
) -> Table:
    """Return the findings on each dataset."""
    asked = [
        ("Could judgements of unjudged items change values?", pairs, _hangs),
        ("Could they reverse pairs of systems?", pairs, _open),
        ("Do condensed lists give the same ranking?", orders, of_enough(_agreeing)),
    ]
    return answered_at(cutoff, asked, titles, "Unjudged items, in short.")


def _hangs(rows: pd.DataFrame) -> str:
    """Return how far values could move, compared with how far systems are apart."""
    return fill(
        "Unjudged items leave {measure} undetermined by {residual:.2f} on average. The best and "
        "the worst system differ by {spread:.2f}.",
        told(rows).iloc[0],
    )


def _open(rows: pd.DataFrame) -> str:
    """Return how many pairs have bounds that overlap, and how many are open."""
    text = fill(
        "The bounds of {overlapping} of {pairs:n pair} of systems overlap under {measure}.",
        told(rows).iloc[0],
    )
    known = rows.dropna(subset="open")
    if known.empty:
        return text
    some = fill(
        "Judging the missing items could reverse {open:.0f} of the {overlapping:n pair} that "
        "{overlapping:overlaps|overlap} under {measure}. An item that both systems list counts for "
        "both.",
        known.iloc[0],
    )
    return f"{text} {some}"


def _agreeing(rows: pd.DataFrame) -> str:
    """Return which metrics of condensed lists agree with those of usual lists in the ranking."""
    own = rows[rows["metric_b"] == rows["metric_a"].map(condensed_name)].dropna(subset="tau")
    if own.empty:
        return "Unknown: all systems tie under every metric of usual lists, or of condensed lists."
    own = named(own)
    alike = own[own["tau"] >= ALIKE]["name"].tolist()
    which = listed(alike) if alike else "no metric"
    worst = own.loc[own["tau"].idxmin()]
    return (
        f"Condensed lists give the ranking of usual lists under {which} (τ of at least "
        f"{ALIKE:g}). The lowest τ is {worst['tau']:.2f}, under {worst['name']}."
    )
