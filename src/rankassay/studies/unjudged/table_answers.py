"""The table of answers: the study's findings on each dataset, in sentences."""

from collections.abc import Mapping

import pandas as pd

from rankassay.answers.words import of_enough
from rankassay.drawing.sentences import fill
from rankassay.drawing.table import ALIKE, Table, answered_at, named, told
from rankassay.errors import listed
from rankassay.studies.unjudged.words import condensed_name


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
