"""What effect sizes say, in a sentence."""

import pandas as pd

from assayer.drawing.text import bound
from assayer.errors import number_of


def sentence(row: pd.Series) -> str:
    """Return what a row of `effect_sizes` says; its `measure` is the metric's name for readers."""
    least = bound(row["equivalence"])
    of = f"of these, {_are(row['small'])}" if row["significant"] else "none"
    differ = "differs" if row["pairs"] == 1 else "differ"
    how = f"p < {row['alpha']:g}, corrected for all pairs: {row['correction']}"
    found = (
        f"With {number_of(row['users'], 'user')}, {row['significant']} of "
        f"{number_of(row['pairs'], 'pair')} of systems {differ} significantly by {row['measure']} "
        f"({how})"
    )
    if row["significant"]:
        found += f"; {of} shown to differ by less than {least}"
    others = row["equivalent"] - row["small"]
    if others:
        found += f". Without being significant, {_are(others)} shown to differ by less than {least}"
    if row["open"]:
        found += f". Of {number_of(row['open'], 'pair')} neither is shown"
    return f"{found}."


def _are(number: int) -> str:
    return f"{number or 'none'} {'is' if number <= 1 else 'are'}"
