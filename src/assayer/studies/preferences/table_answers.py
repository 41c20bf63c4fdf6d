"""The table of answers: the study's findings on each dataset, in sentences."""

from collections.abc import Mapping

import pandas as pd

from assayer.answers.words import of_enough
from assayer.drawing.answers import ALIKE, answered_at
from assayer.drawing.measures import name_of, named, tenth, told
from assayer.drawing.sentences import fill
from assayer.drawing.table import Table
from assayer.drawing.text import sum_of_p_values
from assayer.errors import listed
from assayer.studies.preferences.words import is_metric, told_apart


def answers(
    power: pd.DataFrame | None,
    orders: pd.DataFrame | None,
    sparsity: pd.DataFrame | None,
    aggregation: pd.DataFrame | None,
    power_differences: pd.DataFrame | None,
    cutoff: int,
    titles: Mapping[str, str],
) -> Table:
    """Return the findings on each dataset."""
    asked = [
        ("Do preferences tell systems apart better than metrics?", power_differences, told_apart),
        ("Which metric tells systems apart best, and which preference better?", power, _apart),
        ("How often do users see no difference?", power, _tied),
        ("Do they order the systems as metrics do?", orders, of_enough(_alike)),
        ("Does the order stay when test ratings are missing?", sparsity, of_enough(_stays)),
        ("Does it matter how an order is made of preferences?", aggregation, of_enough(_made)),
    ]
    return answered_at(cutoff, asked, titles, "Preferences between lists, in short.")


def _apart(rows: pd.DataFrame) -> str:
    """Return which preferences have a lower sum of p-values than the best metrics.

    Sums over fewer pairs than others have are not compared. It is said of the sums as they are;
    `assayer.studies.preferences.words.told_apart` says which differences are significant.
    """
    known = rows.dropna(subset="dp")
    own, metrics = _sides(known[known["pairs"] == known["pairs"].max()])
    if own.empty or metrics.empty:
        return "It is not known, as no pair of systems has values to compare."
    dp = metrics["dp"].min()
    best = metrics[metrics["dp"] == dp]
    n = best["pairs"].iloc[0]
    value = fill(
        "the {n:p-value|p-values} of the {pairs} of systems {n:is|add up to} {dp}",
        n=n,
        pairs="one pair" if n == 1 else f"{n} pairs",
        dp=sum_of_p_values(dp, 2),
    )
    better = own[own["dp"] < dp]["measure"].tolist()
    some = f"It is lower by {listed(better)}" if better else "By no preference is it lower"
    if len(best) == len(_sides(rows)[1]) > 1:
        return f"By all metrics, {value} (low is good). {some}."
    start = fill(
        "Of the metrics, {names} {names:tells|tell} systems apart best",
        names=best["measure"].tolist(),
    )
    return f"{start}: {value} (low is good). {some}."


def _tied(rows: pd.DataFrame) -> str:
    """Return the preference and the metric with the most and the fewest ties."""
    known = rows.dropna(subset="tied")
    if known.empty:
        return "It is not known, as no user has relevant items."
    most, fewest = known.loc[known["tied"].idxmax()], known.loc[known["tied"].idxmin()]
    share, least = (f"{100 * row['tied']:.1f}%" for row in (most, fewest))
    if share == least:
        who = f"by {most['measure']}" if len(known) == 1 else "by each preference and metric"
        return f"{share} of the users' preferences between two systems are ties {who}."
    return (
        f"{share} of the users' preferences between two systems are ties by {most['measure']}, and "
        f"{least} by {fewest['measure']}: the most and the fewest."
    )


def _alike(rows: pd.DataFrame) -> str:
    """Return which preferences agree with a metric in the ranking of systems."""
    known = rows.dropna(subset="tau")
    of_metric = known["metric_b"].map(is_metric).astype(bool)
    own = known[~known["metric_a"].map(is_metric).astype(bool) & of_metric]
    if own.empty:
        return "It is not known, as no preference and metric both tell some systems apart."
    own = named(told(own, "metric_b"))
    least = own.loc[own["tau"].idxmin()]
    return fill(
        "Of {n:n preference}, {alike} {alike:orders|order} the systems as {reference} does (τ of "
        "at least {bound:g}); the lowest τ is {tau:.2f}, of {name}.",
        least,
        n=len(own),
        alike=own[own["tau"] >= ALIKE]["name"].tolist() or ["none"],
        reference=name_of(least["metric_b"], least["cutoff"]),
        bound=ALIKE,
    )


def _stays(rows: pd.DataFrame) -> str:
    """Return how well the ranking by about a tenth of the test ratings agrees with the whole."""
    known = rows.dropna(subset="tau")
    if known.empty:
        return _ALL_TIE
    known = tenth(known)
    own, metrics = _sides(known)
    if own.empty or metrics.empty:
        return _ALL_TIE
    first, other = (side[side["tau"] == side["tau"].max()] for side in (own, metrics))
    return fill(
        "With {level:g}% of the test ratings, the order stays best by {preferences} of the "
        "preferences (mean τ of {tau:.3f}) and by {metrics} of the metrics ({other:.3f}).",
        first.iloc[0],
        preferences=_of(first, own),
        metrics=_of(other, metrics),
        other=other["tau"].iloc[0],
    )


def _of(some: pd.DataFrame, rows: pd.DataFrame) -> str:
    """Name some of the measures of a table."""
    every = len(some) == len(rows) > 1
    return "each" if every else listed(some["measure"].tolist())


def _made(rows: pd.DataFrame) -> str:
    """Return the least agreement of two ranking methods, and if preferences are intransitive."""
    made, _ = _sides(rows[rows["method"] != "mean"])
    own = made.dropna(subset="tau")
    if own.empty:
        return "It is not known, as each order, or that by mean preferences, ties all systems."
    least = own[own["tau"] == own["tau"].min()]
    went = made.drop_duplicates("measure")
    went = went[went["circular"] > 0]
    triples = (
        f"Preferences go round in triples of systems by {listed(went['measure'].tolist())}."
        if len(went)
        else "No three systems go round."
    )
    tau = f"{least['tau'].iloc[0]:.2f}"
    if len(least) == len(own) > 1:
        return f"All orders have a τ of {tau} with that by mean preferences. {triples}"
    who = [f"{_NAMES[row.method]} of {row.measure}" for row in least.itertuples()]
    some = f"by {who[0]}" if len(who) == 1 else f"shared by {len(who)} of {len(own)} orders"
    return (
        f"The orders have a τ of at least {tau} with that by mean preferences; the least is "
        f"{some}. {triples}"
    )


_ALL_TIE = (
    "It is not known, as by all preferences, or by all metrics, all systems tie on the test set or "
    "on its parts."
)
_NAMES = {"wins": "the win rate", "borda": "Borda", "copeland": "Copeland", "mc4": "MC4"}


def _sides(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rows of preferences, and those of metrics."""
    metric = rows["metric"].map(is_metric).astype(bool)
    return rows[~metric], rows[metric]
