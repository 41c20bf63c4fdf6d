"""The table of answers: what the study says of each dataset, in sentences."""

from collections.abc import Mapping

import pandas as pd

from assayer.drawing.answers import ALIKE, answered_at
from assayer.drawing.measures import FIRST, name_of
from assayer.drawing.table import Table
from assayer.drawing.text import listed
from assayer.metrics.catalogue import KNOWN, bare


def answers(
    power: pd.DataFrame | None,
    orders: pd.DataFrame | None,
    sparsity: pd.DataFrame | None,
    aggregation: pd.DataFrame | None,
    cutoff: int,
    titles: Mapping[str, str],
) -> Table:
    """Return what comes out of each dataset.

    Parameters
    ----------
    power, orders, sparsity, aggregation : pandas.DataFrame or None
        What the analyses of these names return, with a column dataset; None leaves the answer out.
    cutoff, titles
        See `assayer.drawing.table`.
    """
    asked = [
        ("Do preferences tell systems apart better than metrics?", power, _apart),
        ("How often do users see no difference?", power, _tied),
        ("Do they order the systems as metrics do?", orders, _alike),
        ("Does the order stay when test ratings are missing?", sparsity, _stays),
        ("Does it matter how an order is made of preferences?", aggregation, _made),
    ]
    return answered_at(cutoff, asked, titles, "Preferences between lists, in short.")


def _apart(rows: pd.DataFrame) -> str:
    """Return which preferences have a lower sum of p-values than the best metric."""
    own, metrics = _sides(rows.dropna(subset="dp"))
    if own.empty or metrics.empty:
        return "It is not known, as no pair of systems has values to compare."
    best = metrics.loc[metrics["dp"].idxmin()]
    better = own[own["dp"] < best["dp"]]["measure"].tolist()
    some = f"It is lower by {listed(better)}" if better else "By no preference is it lower"
    return (
        f"Of the metrics, {best['measure']} tells systems apart best: the p-values of its "
        f"{best['pairs']} pairs add up to {best['dp']:.2f} (low is good). {some}."
    )


def _tied(rows: pd.DataFrame) -> str:
    """Return the preference and the metric with the most and the fewest ties."""
    known = rows.dropna(subset="tied")
    if known.empty:
        return "It is not known, as no user has relevant items."
    most, fewest = known.loc[known["tied"].idxmax()], known.loc[known["tied"].idxmin()]
    if most["tied"] == fewest["tied"]:
        return f"{100 * most['tied']:.1f}% of the users' preferences are ties by each of them."
    return (
        f"{100 * most['tied']:.1f}% of the users' preferences between two systems are ties by "
        f"{most['measure']}, and {100 * fewest['tied']:.1f}% by {fewest['measure']}: the most and "
        "the fewest."
    )


def _alike(rows: pd.DataFrame) -> str:
    """Return which preferences order the systems as a metric does."""
    known = rows.dropna(subset="tau")
    is_metric = known["metric_b"].map(_is_metric).astype(bool)
    own = known[~known["metric_a"].map(_is_metric).astype(bool) & is_metric]
    if own.empty:
        return "It is not known, as all systems tie."
    metric = FIRST if (own["metric_b"] == FIRST).any() else own["metric_b"].iloc[0]
    own = own[own["metric_b"] == metric]
    names = [*map(name_of, own["metric_a"], own["cutoff"])]
    own = own.assign(name=names)
    alike = own[own["tau"] >= ALIKE]["name"].tolist()
    some = f"{listed(alike)} {'order' if len(alike) > 1 else 'orders'}" if alike else "none orders"
    least = own.loc[own["tau"].idxmin()]
    return (
        f"Of {_preferences(len(own))}, {some} the systems as {name_of(metric, least['cutoff'])} "
        f"does (τ of at least {ALIKE:g}); the lowest τ is {least['tau']:.2f}, of {least['name']}."
    )


def _stays(rows: pd.DataFrame) -> str:
    """Return how well a tenth of the test ratings, or what is next to it, shows the order."""
    known = rows.dropna(subset="tau")
    if known.empty:
        return "It is not known, as all systems tie."
    level = min(known["level"].unique(), key=lambda level: abs(level - 10))
    own, metrics = _sides(known[known["level"] == level])
    if own.empty or metrics.empty:
        return "It is not known, as all systems tie."
    first, other = (side.loc[side["tau"].idxmax()] for side in (own, metrics))
    return (
        f"With {level:g}% of the test ratings, the order stays best by {first['measure']} of the "
        f"preferences (mean τ of {first['tau']:.3f}) and by {other['measure']} of the metrics "
        f"({other['tau']:.3f})."
    )


def _made(rows: pd.DataFrame) -> str:
    """Return the least agreement of two ways to make an order, and whether preferences go round."""
    own, _ = _sides(rows[rows["method"] != "mean"].dropna(subset="tau"))
    if own.empty:
        return "It is not known, as all systems tie."
    least = own.loc[own["tau"].idxmin()]
    went = own.drop_duplicates("measure")
    went = went[went["circular"] > 0]
    triples = (
        f"Preferences go round in triples of systems by {listed(went['measure'].tolist())}."
        if len(went)
        else "No three systems go round."
    )
    return (
        f"The orders have a τ of at least {least['tau']:.2f} with that by mean preferences; the "
        f"least is by {_NAMES[least['method']]} of {least['measure']}. {triples}"
    )


_NAMES = {"wins": "the win rate", "borda": "Borda", "copeland": "Copeland", "mc4": "MC4"}


def _sides(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rows of preferences, and those of metrics."""
    metric = rows["metric"].map(_is_metric).astype(bool)
    return rows[~metric], rows[metric]


def _is_metric(name: str) -> bool:
    """Say whether a name is that of a metric and not of a preference."""
    return ":" in name or bare(name) in KNOWN


def _preferences(n: int) -> str:
    return "1 preference" if n == 1 else f"{n} preferences"
