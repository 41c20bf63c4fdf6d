"""Verdicts on what is claimed of averages over users."""

import pandas as pd

from assayer.claims.judge import Cube, judge
from assayer.statistics.replicated import Replicated


def run(claims: list[dict], groups: Replicated, dataset: str) -> pd.DataFrame:
    """Judge the claims about one dataset.

    Parameters
    ----------
    claims : list of dict
    groups : Replicated
        As `assayer.studies.aggregation.groups.run` returns it.
    dataset : str

    Returns
    -------
    DataFrame
        As `assayer.claims.judge.judge` returns it.
    """
    return judge(claims, {"groups": Cube.of(groups, "value")}, dataset)
