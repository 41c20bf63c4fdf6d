"""Measured results on one metric: its values, metrics that agree, meanings of its name."""

import pandas as pd

from rankassay.answers.cutoffs import OVERALL, at, best_cutoff
from rankassay.answers.validity import BY_YARDSTICK, VALIDITY, YARDSTICKS, has_truth
from rankassay.answers.words import most_turned
from rankassay.drawing.text import sum_of_p_values
from rankassay.errors import listed

SAME = 0.99  # from this tau on, two metrics are said to agree
CRITERIA = {"sparsity": "sparsity", "popularity": "popularity", "power": "DP"}
COLUMNS = (
    "sparsity, popularity: mean correlation with the ranking on all test ratings, higher is "
    "better; DP: sum of p-values, lower is better; place: by average rank over the three "
    "criteria, among the study's metrics at this cut-off; best cut-off: the metric's smallest "
    "that is tied with its best (95%); validity: τ with the true ranking, for what users like "
    "(liked) and for what of it is new to them (new), from judgements of random items"
)
UNKNOWN = "no truth in the data"  # without such judgements
UNASKED = "not computed"  # without the study of validity


def row(summary: pd.DataFrame, metric: str, length: int | None) -> dict[str, str] | None:
    """Return a metric's values, place and best cut-off as texts, or None if it was not studied.

    Parameters
    ----------
    summary : DataFrame
        As `rankassay.answers.criteria.summary` returns it; it may be empty.
    metric : str
    length : int or None
        The cut-off next to it is shown; None stands for the deepest.
    """
    own = summary[summary["metric"] == metric] if len(summary) else summary
    if not len(own):
        return None
    cutoff = nearest(own["cutoff"], length)
    by = _at(own, cutoff).set_index("criterion")
    shown = {"metric": _measure(metric, cutoff)}
    shown |= {name: f"{by.loc[key, 'value']:.3f}" for key, name in CRITERIA.items()}
    total = _at(summary[summary["criterion"] == OVERALL], cutoff)
    place, ranked = by.loc[OVERALL, "rank"], total["rank"].notna().sum()
    shown["place"] = f"{place:g} of {ranked}" if pd.notna(place) else "–"
    shown["best cut-off"] = at(best_cutoff(own, metric))
    if VALIDITY not in by.index:
        return shown | {"validity": UNASKED}
    known = [name for name in BY_YARDSTICK if name in by.index and pd.notna(by.loc[name, "value"])]
    called = {criterion: name for name, criterion in YARDSTICKS.items()}
    truths = [f"{called[name]} {by.loc[name, 'value']:.3f}" for name in known]
    unknown = UNASKED if has_truth(own) else UNKNOWN
    return shown | {"validity": ", ".join(truths) or unknown}


def same_order(correlation: pd.DataFrame, metric: str, length: int | None) -> str | None:
    """Return a sentence that names the metrics whose ranking agrees with this one's, or None.

    Parameters
    ----------
    correlation : DataFrame
        Columns metric_a, metric_b, cutoff, tau; it may be empty.
    metric, length
        As in `row`.
    """
    if not len(correlation):
        return None
    own = correlation[(correlation["metric_a"] == metric) & (correlation["metric_b"] != metric)]
    if not len(own):
        return None
    own = _at(own, nearest(own["cutoff"], length))
    alike = list(own.loc[own["tau"] >= SAME, "metric_b"])
    if not alike:
        return None
    return (
        f"The ranking of systems under {metric} agrees with {listed(alike)} (tau at least {SAME})."
    )


def deeper(summary: pd.DataFrame, metric: str, length: int | None) -> str | None:
    """Return the deeper cut-off at which a metric has significantly more power, or None.

    Parameters are those of `row`.
    """
    own = summary[summary["metric"] == metric] if len(summary) else summary
    own = own[own["criterion"] == "power"] if len(own) else own
    best = best_cutoff(own, metric, "power") if len(own) else None
    cutoff = nearest(own["cutoff"], length) if len(own) else None
    if best is None or cutoff is None or best <= cutoff:
        return None
    by = own.set_index("cutoff")
    if not by["cutoff_apart"].astype("boolean").fillna(False)[cutoff]:
        return None
    here, there = (sum_of_p_values(by.loc[k, "value"], 2) for k in (cutoff, best))
    return (
        f"{_measure(metric, best)} has more discriminative power than {_measure(metric, cutoff)} "
        f"(DP {there} against {here}): look at it as well."
    )


def turned(orders: pd.DataFrame, metric: str, length: int | None) -> str | None:
    """Return which definitions of a metric contradict each other significantly, or None.

    Parameters
    ----------
    orders : DataFrame
        As `rankassay.studies.definitions.choices.orders` returns it; it may be empty.
    metric, length
        As in `row`.
    """
    own = orders[orders["metric"] == metric] if len(orders) else orders
    if not len(own):
        return None
    cutoff = nearest(own["cutoff"], length)
    worst = most_turned(_at(own, cutoff))
    if worst is None:
        return None
    return (
        f"Say which {_measure(metric, cutoff)}: {worst['definition_a']} and "
        f"{worst['definition_b']} contradict each other on {worst['turned_significantly']} of "
        f"{worst['pairs']} pairs of systems, both with significance."
    )


def nearest(cutoffs: pd.Series, length: int | None) -> int | None:
    """Return the cut-off next to a length, or the deepest; None if there are only whole lists."""
    known = sorted({int(cutoff) for cutoff in cutoffs.dropna()})
    if not known:
        return None
    return known[-1] if length is None else min(known, key=lambda k: abs(k - length))


def _at(table: pd.DataFrame, cutoff: int | None) -> pd.DataFrame:
    """Return the rows at a cut-off, or of whole lists."""
    return table[table["cutoff"].isna() if cutoff is None else table["cutoff"] == cutoff]


def _measure(metric: str, cutoff: int | None) -> str:
    return metric if cutoff is None else f"{metric}@{cutoff}"
