"""What the sentences, tables and figures of the study have in common."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from assayer.errors import number_of

COUNTABLE = 10**12  # more users than that are not told apart

OF_PAIRS = {
    "median": "enough for half of the {n:,} pairs of systems that vary",
    "neighbours": "enough for half of the {n:,} pairs of neighbours by their means that vary",
    "worst": "enough for each of the {n:,} pairs of systems that vary",
}


def of_pairs(pair: str, n: int) -> str:
    """Return for how many of n pairs of systems the users are enough, of which one stands for all.

    >>> of_pairs("median", 1)
    'enough for the one pair of systems that varies'
    """
    return OF_PAIRS[pair].format(n=n) if n > 1 else "enough for the one pair of systems that varies"


def users_needed(row: Mapping[str, Any], measure: str) -> str:
    """Return how many users a difference takes, and how many there are.

    Parameters
    ----------
    row : mapping
        The keys percent (None or NaN where the difference is absolute), difference, tests, power,
        required and users, as in `assayer.statistics.power_analysis.required_users`.
    measure : str
        Its name for readers.
    """
    what = f"a difference of {row['difference']:g}"
    if pd.notna(row["percent"]):
        what = f"a {row['percent']:g}% difference"
    found = row["required"]
    users = number_of(found, "user")
    if found >= COUNTABLE:
        users = f"more than {COUNTABLE:,} users"
    many = f"in {row['tests']:,} tests " if row["tests"] > 1 else ""
    return (
        f"Detecting {what} under {measure} {many}with {100 * row['power']:g}% power takes "
        f"{users}; you have {row['users']:,}."
    )


def metrics_at(table: pd.DataFrame, cutoff: int) -> pd.DataFrame:
    """Return the pairs of metrics at a cut-off; those of whole lists, where all are of these.

    `table` is that of `assayer.studies.reliability.across.metrics_across`.
    """
    return table[(table["cutoff"] == cutoff) | table["cutoff"].isna()]
