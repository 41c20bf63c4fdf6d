"""Words that analyses, figures, tables and sentences of the study share."""

import pandas as pd

from assayer.errors import number_of
from assayer.metrics.catalogue import KNOWN, bare


def sign_name(metric: str) -> str:
    """Return the name of the sign of a metric's differences."""
    return f"sign of {metric}"


def is_metric(name: str) -> bool:
    """Return whether a name is that of a metric and not of a preference."""
    return ":" in name or bare(name) in KNOWN


def told_apart(differences: pd.DataFrame) -> str:
    """Return whether preferences are more discriminative than metrics, in a sentence.

    `differences` are rows of `assayer.studies.preferences.differences.power_differences` at one
    cut-off. A difference is significant if its interval (95%) is on one side of 0; that is not
    corrected for the number of comparisons.

    >>> rows = pd.DataFrame({"difference": [-2, 1, 3], "low": [-5, -2, 1], "high": [1, 4, 5]})
    >>> told_apart(rows).partition("(the sum of p-values) in ")[2]
    '1 (none significantly), and the metric in 2 (1 significantly).'
    """
    if differences.empty:
        return "It is not known, as no preference can be compared with a metric."
    lower, higher = differences["difference"] < 0, differences["difference"] > 0
    start = f"in {number_of(len(differences), 'comparison')} of a preference with a metric"
    told = (start, *(side.sum() or "none" for side in (lower, higher)))
    if differences[["low", "high"]].isna().any(axis=None):
        found = _SIDES.format(*told, "", "")
        return f"{found[0].upper()}{found[1:]} Without resamples of the users none is tested."
    sure, other = (differences["high"] < 0).sum(), (differences["low"] > 0).sum()
    verdict = "Some do" if sure else "Not significantly" if lower.any() else "No"
    found = _SIDES.format(*told, *(f" ({n or 'none'} significantly)" for n in (sure, other)))
    return f"{verdict}: {found}"


_SIDES = (
    "{0}, the preference has the lower DP (the sum of p-values) in {1}{3}, and the metric in {2}"
    "{4}."
)
