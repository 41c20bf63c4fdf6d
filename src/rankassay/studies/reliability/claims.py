"""Further tables that claims about reliability are judged by."""

import pandas as pd

from rankassay.claims.judge import judging
from rankassay.claims.measure import Column


def _type_1(type_errors: pd.DataFrame) -> pd.DataFrame:
    """Return the rates of errors of type I."""
    return type_errors[(type_errors["delta"] == 0) & (type_errors["error"] == "I")]


def _promised(split_half: pd.DataFrame) -> pd.DataFrame:
    """Return by how much gt4ireval's mapping is above the correlation of the largest two sets."""
    halves = split_half[split_half["against"] == "half"]
    most = halves.groupby(["metric", "cutoff"], dropna=False)["users"].transform("max")
    largest = halves[halves["users"] == most]
    return largest.assign(promised=largest["mapped"] - largest["mean"])


def _resampled(required_users: pd.DataFrame) -> pd.DataFrame:
    """Return how far resampling is from the formula, as a share of the formula's users."""
    share = required_users["resampled"] / required_users["required"]
    return required_users.assign(apart=(share - 1).abs())


DATA = {
    "type-1": Column("rate", "type_errors", made=_type_1),
    "mapping": Column("promised", "split_half", made=_promised),
    "planning": Column("apart", "required_users", made=_resampled),
}
run = judging(DATA)
