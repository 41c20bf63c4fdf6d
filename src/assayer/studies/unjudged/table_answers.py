"""The table of answers: what the study says of each dataset, in sentences."""

from collections.abc import Mapping

import pandas as pd

from assayer.answers.words import of_enough
from assayer.drawing.answers import ALIKE, answered_at
from assayer.drawing.measures import name_of, told
from assayer.drawing.table import Table
from assayer.errors import listed, number_of
from assayer.studies.unjudged.words import condensed_name


def answers(
    pairs: pd.DataFrame | None,
    orders: pd.DataFrame | None,
    cutoff: int,
    titles: Mapping[str, str],
) -> Table:
    """Return what comes out of each dataset."""
    asked = [
        ("Could judgements of unjudged items change values?", pairs, _hangs),
        ("Could they turn systems round?", pairs, _open),
        ("Do condensed lists order the systems alike?", orders, of_enough(_alike)),
    ]
    return answered_at(cutoff, asked, titles, "Unjudged items, in short.")


def _hangs(rows: pd.DataFrame) -> str:
    """Return how far values could move, beside how far systems are apart."""
    row = told(rows).iloc[0]
    return (
        f"The bounds of {row['measure']} are {row['residual']:.2f} apart on average; the best and "
        f"the worst system differ by {row['spread']:.2f}."
    )


def _open(rows: pd.DataFrame) -> str:
    """Return how many pairs have bounds that overlap, and how many are open."""
    row = told(rows).iloc[0]
    text = (
        f"By {row['measure']}, the bounds of {row['overlapping']} of "
        f"{number_of(row['pairs'], 'pair')} of systems overlap."
    )
    known = rows.dropna(subset="open")
    if known.empty:
        return text
    own = known.iloc[0]
    return (
        f"{text} By {own['measure']}, those of {number_of(own['overlapping'], 'pair')} do, of "
        f"which judgements can turn {own['open']:.0f} round: an item that both "
        "systems list counts for both."
    )


def _alike(rows: pd.DataFrame) -> str:
    """Return which metrics of condensed lists order the systems as those of usual lists do."""
    own = rows[rows["metric_b"] == rows["metric_a"].map(condensed_name)].dropna(subset="tau")
    if own.empty:
        return "It is not known, as by each metric all systems tie, of usual or of condensed lists."
    names = [*map(name_of, own["metric_a"], own["cutoff"])]
    own = own.assign(name=names)
    alike = own[own["tau"] >= ALIKE]["name"].tolist()
    order = "order the systems as usual lists do"
    some = f"By {listed(alike)}, condensed lists {order}"
    if not alike:
        some = f"By no metric do condensed lists {order}"
    worst = own.loc[own["tau"].idxmin()]
    return (
        f"{some} (τ of at least {ALIKE:g}); the lowest τ is {worst['tau']:.2f}, by {worst['name']}."
    )
