"""Verdicts on what the blog post says of the definitions of metrics, on its example and on data."""

import pandas as pd

from assayer.claims.judge import Cube, judge


def run(
    claims: list[dict], orders: pd.DataFrame, labels: pd.DataFrame, dataset: str
) -> pd.DataFrame:
    """Judge the claims about one dataset.

    Parameters
    ----------
    claims : list of dict
    orders, labels : DataFrame
        The results of the study's other analyses. In a claim, `orders` has the pairs of systems
        that are turned as its value, `significant-orders` those turned significantly by p-values
        that hold for all pairs at once, `value-ratios` the ratio of the means, `labels` the
        correlation with the number of relevant items, and `empty-users` the share of users
        without any.
    dataset : str

    Returns
    -------
    DataFrame
        As `assayer.claims.judge.judge` returns it; there are no intervals.
    """
    tables = {
        "orders": Cube.of(orders, "turned"),
        "significant-orders": Cube.of(orders, "turned_adjusted"),
        "value-ratios": Cube.of(orders, "ratio"),
        "labels": Cube.of(labels, "correlation"),
        "empty-users": Cube.of(labels, "empty_share"),
    }
    return judge(claims, tables, dataset)


def constructed_claims(claims: list[dict], examples: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Judge the claims about the post's example, as `run` does those about data.

    In a claim, `examples` has our number of a cell as its value, and `agreements` 1 where that is
    what was printed and 0 where it is not.
    """
    tables = {
        "examples": Cube.of(examples, "measured", exact=True),
        "agreements": Cube.of(examples, "agrees", exact=True),
    }
    return judge(claims, tables, dataset)
