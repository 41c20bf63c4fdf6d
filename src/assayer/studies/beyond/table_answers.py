"""The table of answers: the study's findings on each dataset, in sentences."""

from collections.abc import Mapping

import pandas as pd

from assayer.answers.words import of_enough
from assayer.drawing.answers import ALIKE, answered_at
from assayer.drawing.measures import name_of, named, tenth, told
from assayer.drawing.sentences import fill
from assayer.drawing.table import Table
from assayer.errors import listed
from assayer.metrics.catalogue import BEYOND_METRICS, bare


def answers(
    redundancy: pd.DataFrame | None,
    robustness: pd.DataFrame | None,
    power: pd.DataFrame | None,
    cutoff: int,
    titles: Mapping[str, str],
) -> Table:
    """Return the findings on each dataset."""
    asked = [
        ("Do metrics beyond accuracy say what accuracy metrics say?", redundancy, of_enough(_new)),
        ("Does a tenth of the users show the same order?", robustness, of_enough(_stays)),
        ("Do they tell systems apart?", power, _apart),
    ]
    return answered_at(cutoff, asked, titles, "Metrics beyond accuracy, in short.")


def _new(rows: pd.DataFrame) -> str:
    """Return which metrics agree with an accuracy metric in the ranking, and which least so."""
    own = rows[_beyond(rows["metric_a"]) & ~_beyond(rows["metric_b"])]
    if own.empty:
        return "No metric beyond accuracy can be compared, as there is no accuracy metric."
    own = told(own, "metric_b")
    reference = name_of(own["metric_b"].iloc[0], own["cutoff"].min())
    own = named(own.dropna(subset="tau"))
    if own.empty:
        return (
            f"No metric beyond accuracy can be compared with {reference}, as all systems tie by "
            "one of the two."
        )
    text = fill(
        "Of {n:n metric} beyond accuracy, {alike} {alike:orders|order} the systems as {reference} "
        "does (τ of at least {bound:g}).",
        n=len(own),
        alike=own[own["tau"] >= ALIKE]["name"].tolist() or ["none"],
        reference=reference,
        bound=ALIKE,
    )
    # Where there are no resamples there is no interval, and nothing is said.
    against = own[own["high"] < 0]["name"].tolist()
    if not against:
        return text
    return (
        f"{text} By {listed(against)} the order is rather the opposite (the interval of τ over "
        "resampled users is below 0)."
    )


def _stays(rows: pd.DataFrame) -> str:
    """Return the metrics under which the ranking is robust to keeping a tenth of the users."""
    own = rows[(rows["removed"] == "users") & _beyond(rows["metric"])].dropna(subset="tau")
    if own.empty:
        return "It is not known, as all systems tie by all users or by a part of them."
    own = tenth(own)
    return fill(
        "With {level:g}% of the users, the order of the systems stays (mean τ of at least "
        "{bound:g}) by {stays} of {n:n metric} beyond accuracy; the lowest mean τ is {tau:.2f}, of "
        "{measure}.",
        own.loc[own["tau"].idxmin()],
        bound=ALIKE,
        stays=(own["tau"] >= ALIKE).sum(),
        n=len(own),
    )


def _apart(rows: pd.DataFrame) -> str:
    """Return the number of significant pairs of each metric, compared with an accuracy metric."""
    beyond, accuracy = rows[_beyond(rows["metric"])], rows[~_beyond(rows["metric"])]
    beyond = beyond[beyond["pairs"] > 0]
    if beyond.empty or accuracy.empty:
        return "It is not known, as no pair of systems has values to compare."
    reference = told(accuracy).iloc[0]
    more = (beyond["significant_05"] > reference["significant_05"]).sum()
    text = fill(
        "By {measure}, {significant_05} of {pairs:n pair} of systems {pairs:differs|differ} "
        "significantly (permutation test, p < .05, not corrected for the number of pairs).",
        reference,
    )
    least = beyond.loc[beyond["significant_05"].idxmin()]
    fewest = fill("the fewest are {significant_05} of {pairs}, by {measure}", least)
    return f"{text} {_more(more, len(beyond))}; {fewest}."


def _more(some: int, n: int) -> str:
    """Return under how many of n metrics more pairs differ."""
    if n == 1:
        return f"By the one metric beyond accuracy {'more' if some else 'no more'} pairs do"
    if not some:
        return f"By none of the {n} metrics beyond accuracy do more pairs"
    which = "each" if some == n else "one" if some == 1 else str(some)
    return f"By {which} of the {n} metrics beyond accuracy more pairs do"


def _beyond(metrics: pd.Series) -> pd.Series:
    """Return which metrics are beyond accuracy."""
    return metrics.map(lambda metric: bare(metric) in BEYOND_METRICS)
