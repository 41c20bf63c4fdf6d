"""The table of answers: the study's findings on each dataset, in sentences."""

from collections.abc import Mapping

import pandas as pd

from rankassay.answers.words import of_enough
from rankassay.drawing.sentences import fill
from rankassay.drawing.table import ALIKE, Table, answered_at, name_of, named, tenth, told
from rankassay.metrics.catalogue import BEYOND_METRICS, bare


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
