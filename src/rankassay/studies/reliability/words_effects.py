"""A sentence on effect sizes."""

import pandas as pd

from rankassay.drawing.sentences import fill
from rankassay.drawing.text import bound

CORRECTIONS = {"max-t": "max-T", "holm": "Holm's method"}


FOUND = (
    "{significant} of {pairs:n pair} of systems {pairs:differs|differ} significantly under "
    "{measure} (p < {alpha:g}, corrected for all pairs by {method})."
)
SMALL = "{n} of these {are} shown to differ by less than {least}."
EQUIVALENT = "{n} other {pairs} {are} equivalent: shown to differ by less than {least}."
OPEN = "{open:n pair} {open:is|are} inconclusive: neither different nor equivalent."
USERS = "The sample is {users:n user}."


def sentence(row: pd.Series) -> str:
    """Return a row of `effect_sizes` in words; its `measure` is the metric's name for readers."""
    least = bound(row["equivalence"])
    said = [fill(FOUND, row, method=CORRECTIONS[row["correction"]])]
    if row["significant"]:
        said.append(fill(SMALL, _some(row["small"]), least=least))
    if others := row["equivalent"] - row["small"]:
        said.append(fill(EQUIVALENT, _some(others), least=least))
    if row["open"]:
        said.append(fill(OPEN, row))
    return " ".join([*said, fill(USERS, row)])


def _some(number: int) -> dict[str, object]:
    return {
        "n": number or "None",
        "are": "is" if number <= 1 else "are",
        "pairs": "pair" if number == 1 else "pairs",
    }
