"""Words that analyses, figures, tables and sentences of the study share."""

import pandas as pd

from assayer.errors import number_of
from assayer.metrics.catalogue import KNOWN, bare

ALPHA = 0.05


def sign_name(metric: str) -> str:
    """Return the name of the sign of a metric's differences."""
    return f"sign of {metric}"


def is_metric(name: str) -> bool:
    """Say whether a name is that of a metric and not of a preference."""
    return ":" in name or bare(name) in KNOWN


def told_apart(differences: pd.DataFrame) -> str:
    """Return whether preferences are more discriminative than metrics, in a sentence.

    `differences` are rows of `assayer.studies.preferences.differences.power_differences` at one
    cut-off.

    >>> rows = pd.DataFrame({"difference": [-0.2, 0.1, 1.5], "p_holm": [0.4, 0.5, 0.01]})
    >>> told_apart(rows).partition("(p")[2]
    " < .05 after Holm's correction: in none and 1)."
    """
    if differences.empty:
        return "It is not known, as no preference can be compared with a metric."
    lower, higher = differences["difference"] < 0, differences["difference"] > 0
    found = (
        f"in {number_of(len(differences), 'comparison')} of a preference with a metric, the "
        f"preference has the lower DP (the sum of p-values) in {lower.sum() or 'none'}, and the "
        f"metric in {higher.sum() or 'none'}"
    )
    if differences["p_holm"].isna().any():
        return f"{found[0].upper()}{found[1:]}. Without resamples of the users none is tested."
    certain = differences["p_holm"] < ALPHA
    sure, other = ((side & certain).sum() for side in (lower, higher))
    start = "Some do" if sure else "Not significantly" if lower.any() else "No"
    tested = f"in {sure or 'none'} and {other or 'none'}"
    return f"{start}: {found} (p < .05 after Holm's correction: {tested})."
