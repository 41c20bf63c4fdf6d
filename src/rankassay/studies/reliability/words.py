"""Words that sentences, tables and figures of the study share."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from rankassay.errors import number_of

COUNTABLE = 10**12  # numbers of users from here on are given as "more than"

OF_PAIRS = {
    "median": "half of the {n:,} pairs of systems that vary",
    "neighbours": "half of the {n:,} pairs of neighbours by their means that vary",
    "worst": "each of the {n:,} pairs of systems that vary",
}


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
    found = f"{users} for {OF_PAIRS[row['pair']].format(n=row['pairs'])}."
    if row["pair"] == "worst":
        return found
    most, worst = row["required_90"], row["required_worst"]
    if most == worst:
        return f"{found} All pairs take {_count(worst)}."
    return f"{found} Nine of ten pairs take {_count(most)}, and all pairs {_count(worst)}."


def _count(users: float) -> str:
    return f"{users:,.0f}" if users < COUNTABLE else f"more than {COUNTABLE:,}"
