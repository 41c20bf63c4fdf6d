"""The tables that claims about protocols ask for, beside results with replicates."""

from collections.abc import Iterator, Mapping

import pandas as pd

from assayer.claims.judge import judging
from assayer.claims.measure import Column
from assayer.statistics.replicated import Replicated

DATA = {
    "criteria": Column("value"),
    "winners": Column("place"),
}
_judge = judging(DATA)


def run(claims: list[dict], dataset: str, **results: Replicated | pd.DataFrame) -> pd.DataFrame:
    """Judge the study's claims about the protocols that are compared; others are passed over.

    See `assayer.claims.judge.judge`. A run compares the protocols that its configuration names, so
    that a claim about another one is no mistake; nor is one about filters where there are none.
    """
    known = {*results["winners"]["protocol"], "*"}
    factors = {*results["components"].table["factor"]}
    possible = [
        claim
        for claim in claims
        if known.issuperset(_named(claim["value"], "protocol", "protocol_a", "protocol_b"))
        and factors.issuperset(_named(claim["value"], "factor"))
    ]
    return _judge(possible, dataset, **results)


def _named(value: Mapping, *columns: str) -> Iterator[str]:
    """Yield what the rows that a claim asks for have in some columns."""
    for column in columns:
        wanted = value.get("rows", {}).get(column, [])
        yield from wanted if isinstance(wanted, list) else [wanted]
    if "minus" in value:
        yield from _named(value["minus"], *columns)
