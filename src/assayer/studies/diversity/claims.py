"""The claims of Parapar and Radlinski, RecSys 2021, judged."""

import pandas as pd

from assayer.claims.judge import Cube, judge


def run(
    claims: list[dict],
    perturbations: pd.DataFrame,
    order_correlation: pd.DataFrame,
    incompleteness: pd.DataFrame,
    dataset: str,
) -> pd.DataFrame:
    """Judge the claims about a dataset; there are no replicates, and so no intervals.

    Parameters
    ----------
    claims : list of dict
        As `assayer.claims.judge.read` returns them.
    perturbations, order_correlation, incompleteness : DataFrame
        The results of the study's other analyses. In a claim, `perturbations` have value as their
        value, `order-correlation` and `incompleteness` tau, and `reversals` those of the
        correlation.
    dataset : str

    Returns
    -------
    DataFrame
        As `assayer.claims.judge.judge` returns it.
    """
    tables = {
        "perturbations": Cube.of(perturbations, "value"),
        "order-correlation": Cube.of(order_correlation, "tau"),
        "reversals": Cube.of(order_correlation, "reversals"),
        "incompleteness": Cube.of(incompleteness, "tau"),
    }
    return judge(claims, tables, dataset)


def constructed_claims(claims: list[dict], axioms: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Judge the claims about axioms, as `run` does those about data; `axioms` have holds."""
    return judge(claims, {"axioms": Cube.of(axioms, "holds", exact=True)}, dataset)
