"""What effect sizes say, in a sentence."""

import pandas as pd

from assayer.drawing.text import bound
from assayer.errors import number_of

CORRECTIONS = {"max-t": "max-T", "holm": "Holm's method"}


def sentence(row: pd.Series) -> str:
    """Return what a row of `effect_sizes` says; its `measure` is the metric's name for readers."""
    least = bound(row["equivalence"])
    differ = "differs" if row["pairs"] == 1 else "differ"
    found = (
        f"With {number_of(row['users'], 'user')}, {row['significant']} of "
        f"{number_of(row['pairs'], 'pair')} of systems {differ} significantly under "
        f"{row['measure']} (p < {row['alpha']:g}, corrected for all pairs by "
        f"{CORRECTIONS[row['correction']]})"
    )
    if row["significant"]:
        found += f"; of these, {_are(row['small'])} shown to differ by less than {least}"
    others = row["equivalent"] - row["small"]
    if others:
        found += f". Without being significant, {_are(others)} shown to differ by less than {least}"
    if row["open"]:
        are = "is" if row["open"] == 1 else "are"
        found += (
            f". Inconclusive {are} {number_of(row['open'], 'pair')}: neither different nor "
            "equivalent"
        )
    return f"{found}."


def _are(number: int) -> str:
    return f"{number or 'none'} {'is' if number <= 1 else 'are'}"
