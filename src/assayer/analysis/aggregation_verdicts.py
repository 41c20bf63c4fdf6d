"""Verdicts on what is claimed of averages over users."""

import pandas as pd

from assayer.analysis.claims import Cube, judge
from assayer.analysis.replicated import Replicated


def run(claims: list[dict], groups: Replicated, dataset: str) -> pd.DataFrame:
    """Judge the claims about one dataset.

    Parameters
    ----------
    claims : list of dict
    groups : Replicated
        As `assayer.analysis.aggregation.run` returns it.
    dataset : str

    Returns
    -------
    DataFrame
        As `assayer.analysis.claims.judge` returns it.
    """
    return judge(claims, {"groups": Cube.of(groups, "value")}, dataset)
