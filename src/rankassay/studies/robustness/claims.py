"""Further tables that the claims of Valcarce et al. are judged by."""

import hashlib

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.claims.conditions import is_statistic
from rankassay.claims.judge import judging, replicated
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
    test: sp.csr_matrix | None = None,
    families: Replicated | None = None,
    **results: Replicated | pd.DataFrame | None,
) -> Replicated:
    """Judge the study's claims, and name the identical systems that a DP is without.

    The column users has a checksum of the users of `test`: splits with the same ones resample them
    alike.
    """
    judged = replicated(DATA, claims, dataset, families=families, **results)
    if test is not None:
        users = np.flatnonzero(np.diff(test.indptr)).astype(np.int64)
        judged = judged.assign(users=hashlib.sha256(users.tobytes()).hexdigest()[:16])
    if identical is None or identical.empty:
        return judged
    found = judged.table
    pairs = zip(identical["system_a"], identical["system_b"], strict=True)
    excluded = f"without the identical systems {listed([f'{a} = {b}' for a, b in pairs])}"
    of_pairs = {
        claim["id"]
        for claim in claims
        if any(spec["table"] in OF_PAIRS for spec in specs(claim["value"]))
    }
    deciding = found["id"].map(is_statistic).astype(bool)
    of_sentences = {claim["sentence"] for claim in claims if claim["id"] in of_pairs}
    named = found["id"].isin(of_pairs) | (deciding & found["sentence"].isin(of_sentences))
    named &= found["measured"].notna()
    reasons = found["reason"].astype(object).fillna("")  # numbers where no row has one
    said = reasons.where(~named, reasons + f"; {excluded}")
    return judged.assign(reason=said.str.removeprefix("; "))
