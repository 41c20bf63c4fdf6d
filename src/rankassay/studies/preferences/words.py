"""Words that analyses, figures, tables and sentences of the study share."""

import pandas as pd

from rankassay.errors import number_of
from rankassay.metrics.catalogue import KNOWN, bare


def sign_name(metric: str) -> str:
    """Return the name of the sign of a metric's differences."""
    return f"sign of {metric}"


def is_metric(name: str) -> bool:
    """Return whether a name is that of a metric and not of a preference."""
    return ":" in name or bare(name) in KNOWN


def told_apart(differences: pd.DataFrame) -> str:
    """Return whether preferences are more discriminative than metrics, in a sentence.

    `differences` are rows of `rankassay.studies.preferences.differences.power_differences` at one
    cut-off. A difference is significant if its interval (95%) is on one side of 0; that is not
    corrected for the number of comparisons.

    >>> rows = pd.DataFrame({"difference": [-2, 1, 3], "low": [-5, -2, 1], "high": [1, 4, 5]})
    >>> told_apart(rows).partition(". ")[2]
    'Metrics have the lower DP in 2 (1 significantly).'
    """
    if differences.empty:
        return "Unknown: no preference can be compared with a metric."
    lower, higher = differences["difference"] < 0, differences["difference"] > 0
    values = {"lower": lower.sum() or "none", "higher": higher.sum() or "none"}
    values |= {"all": number_of(len(differences), "comparison")}
    if differences[["low", "high"]].isna().any(axis=None):
        said = _SIDES.format(**values, sure="", other="")
        return f"{said} No difference is tested without resamples of the users."
    sure, other = (differences["high"] < 0).sum(), (differences["low"] > 0).sum()
    verdict = "Some do" if sure else "Not significantly" if lower.any() else "No"
    tested = {
        "sure": f" ({sure or 'none'} significantly)",
        "other": f" ({other or 'none'} significantly)",
    }
    said = _SIDES.format(**values, **tested)
    return f"{verdict}: {said[0].lower()}{said[1:]}"


_SIDES = (
    "Preferences have the lower DP (sum of p-values) in {lower} of {all} with metrics{sure}. "
    "Metrics have the lower DP in {higher}{other}."
)
