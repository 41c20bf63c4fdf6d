"""Words that sentences, tables and figures of the study share."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from rankassay.drawing.sentences import fill
from rankassay.drawing.text import bound
from rankassay.errors import number_of

COUNTABLE = 10**12  # numbers of users from here on are given as "more than"

PAIRS = {
    "median": "half of the {n:,} pairs of systems that vary",
    "neighbours": "half of the {n:,} pairs of neighbours by their means that vary",
    "worst": "each of the {n:,} pairs of systems that vary",
}

TESTS = {
    **{"t": "t", "wilcoxon": "Wilcoxon", "sign": "sign"},
    **{"bootstrap": "bootstrap", "permutation": "permutation"},
}
# By how much a measured rate may be off a published one, by the type of the error.
NEAR = {"I": 0.01, "II": 0.05, "III": 0.01}
# The ways to a true null hypothesis.
NULLS = {
    "exchange": "labels exchanged",
    "control": "simulated from exchanged labels",
    "simulation": "simulated from the systems",
}


def bin_name(low: float, high: float) -> str:
    """Return a bin of differences for readers.

    >>> bin_name(1, 2), bin_name(50, float("inf"))
    ('1–2%', 'over 50%')
    """
    return f"{low:g}–{high:g}%" if np.isfinite(high) else f"over {low:g}%"


def users_needed(row: Mapping[str, Any], measure: str) -> str:
    """Return how many users a difference takes, for which pairs of systems, and how many there are.

    Parameters
    ----------
    row : mapping
        The keys percent (None or NaN where the difference is absolute), difference, tests, power,
        pair, pairs, required, required_90, required_worst and users, as in
        `rankassay.statistics.power_analysis.required_users`.
    measure : str
        Its name for readers.
    """
    what = f"a difference of {row['difference']:g}"
    if pd.notna(row["percent"]):
        what = f"a {row['percent']:g}% difference"
    many = f" The level is corrected for {row['tests']:,} tests." if row["tests"] > 1 else ""
    return (
        f"Detecting {what} under {measure} with {100 * row['power']:g}% power takes "
        f"{_for_pairs(row)}{many} You have {number_of(row['users'], 'user')}."
    )


def _for_pairs(row: Mapping[str, Any]) -> str:
    """Return the users that a difference takes, and for which pairs they are enough."""
    users = number_of(row["required"], "user")
    if row["required"] >= COUNTABLE:
        users = f"{_count(row['required'])} users"
    if row["pairs"] == 1:
        return f"{users} for the one pair of systems that varies."
    found = f"{users} for {PAIRS[row['pair']].format(n=row['pairs'])}."
    if row["pair"] == "worst":
        return found
    most, worst = row["required_90"], row["required_worst"]
    if most == worst:
        return f"{found} All pairs take {_count(worst)}."
    return f"{found} Nine of ten pairs take {_count(most)}, and all pairs {_count(worst)}."


def _count(users: float) -> str:
    return f"{users:,.0f}" if users < COUNTABLE else f"more than {COUNTABLE:,}"


CORRECTIONS = {"max-t": "max-T", "holm": "Holm's method"}


SIGNIFICANT = (
    "{significant} of {pairs:n pair} of systems {pairs:differs|differ} significantly under "
    "{measure} (p < {alpha:g}, corrected for all pairs by {method})."
)
SMALL = "{n} of these {are} shown to differ by less than {least}."
EQUIVALENT = "{n} other {pairs} {are} equivalent: shown to differ by less than {least}."
OPEN = "{open:n pair} {open:is|are} inconclusive: neither different nor equivalent."
SAMPLE = "The sample is {users:n user}."


def of_effects(row: pd.Series) -> str:
    """Return a row of `effect_sizes` in words; its `measure` is the metric's name for readers."""
    least = bound(row["equivalence"])
    said = [fill(SIGNIFICANT, row, method=CORRECTIONS[row["correction"]])]
    if row["significant"]:
        said.append(fill(SMALL, _number_of(row["small"]), least=least))
    if others := row["equivalent"] - row["small"]:
        said.append(fill(EQUIVALENT, _number_of(others), least=least))
    if row["open"]:
        said.append(fill(OPEN, row))
    return " ".join([*said, fill(SAMPLE, row)])


def _number_of(number: int) -> dict[str, object]:
    return {
        "n": number or "None",
        "are": "is" if number <= 1 else "are",
        "pairs": "pair" if number == 1 else "pairs",
    }
