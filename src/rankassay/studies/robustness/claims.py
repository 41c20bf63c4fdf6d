"""Further tables that the claims of Valcarce et al. are judged by."""

import pandas as pd

from rankassay.claims.judge import judging
from rankassay.claims.lists import specs
from rankassay.claims.measure import Column
from rankassay.errors import listed
from rankassay.statistics.replicated import Replicated

DATA = {
    "statistics": Column("value", exact=True),
    "sparsity-errors": Column("standard_error", of="sparsity"),
}
OF_PAIRS = ("discriminative-power", "as-run")  # tables that exclude pairs of identical systems

CONSTRUCTED = {"p-value-errors": Column("standard_error", exact=True)}
constructed_claims = judging(CONSTRUCTED)


def run(
    claims: list[dict],
    dataset: str,
    identical: pd.DataFrame | None = None,
    **results: Replicated | pd.DataFrame | None,
) -> pd.DataFrame:
    """Judge the study's claims, and name the identical systems that a DP is without.

    See `rankassay.claims.judge.judging`. `identical` has the columns system_a and system_b; without
    it, or without such pairs, nothing is added to the reasons.
    """
    found = judging(DATA)(claims, dataset, **results)
    if identical is None or identical.empty:
        return found
    pairs = zip(identical["system_a"], identical["system_b"], strict=True)
    excluded = f"without the identical systems {listed([f'{a} = {b}' for a, b in pairs])}"
    of_pairs = {
        claim["id"]
        for claim in claims
        if any(spec["table"] in OF_PAIRS for spec in specs(claim["value"]))
    }
    named = found["id"].isin(of_pairs) & found["measured"].notna()
    said = found["reason"].fillna("").where(~named, found["reason"].fillna("") + f"; {excluded}")
    return found.assign(reason=said.str.removeprefix("; "))
