"""What effect sizes say, in a sentence."""

import pandas as pd

from assayer.drawing.sentences import fill
from assayer.drawing.text import bound

CORRECTIONS = {"max-t": "max-T", "holm": "Holm's method"}


FOUND = (
    "With {users:n user}, {significant} of {pairs:n pair} of systems {pairs:differs|differ} "
    "significantly under {measure} (p < {alpha:g}, corrected for all pairs by {method})"
)
SMALL = "; of these, {n} {are} shown to differ by less than {least}"
EQUIVALENT = ". Without being significant, {n} {are} shown to differ by less than {least}"
OPEN = ". Inconclusive {open:is|are} {open:n pair}: neither different nor equivalent"


def sentence(row: pd.Series) -> str:
    """Return a row of `effect_sizes` in words; its `measure` is the metric's name for readers."""
    least = bound(row["equivalence"])
    said = fill(FOUND, row, method=CORRECTIONS[row["correction"]])
    if row["significant"]:
        said += fill(SMALL, _some(row["small"]), least=least)
    others = row["equivalent"] - row["small"]
    if others:
        said += fill(EQUIVALENT, _some(others), least=least)
    if row["open"]:
        said += fill(OPEN, row)
    return f"{said}."


def _some(number: int) -> dict[str, object]:
    return {"n": number or "none", "are": "is" if number <= 1 else "are"}
