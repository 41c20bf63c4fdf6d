"""Analyses: findings on metrics under each protocol, and whether they survive.

Under each protocol metrics are judged as the study of robustness judges them: robustness to
sparsity and to popularity bias, discriminative power, and the verdicts on what Valcarce et al.
(RecSys 2018) claim. Each is measured on the first replicate of the protocol, and on the second of
the reference, as `random-80-20/seed-2`: changes there are due to chance.
"""

import pandas as pd

from rankassay.claims.conditions import OURS, REPRODUCED

# What becomes of a finding; only what holds under the reference can survive.
SURVIVES, LOST, GAINED, STAYS, UNTOLD = (
    *("survives", "lost", "gained"),
    *("fails under both", "undefined"),
)
OUTCOMES = (SURVIVES, LOST, GAINED, STAYS, UNTOLD)


def criteria(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the metrics by all criteria under each protocol, compared with the first one.

    Returns
    -------
    DataFrame
        The columns protocol, metric, cutoff, criterion, value, low, high, rank (among the metrics
        at the cut-off), cutoff_rank (among the metric's cut-offs), and of the reference: reference,
        reference_rank.
    """
    key = ["metric", "cutoff", "criterion"]
    kept = ["protocol", *key, "value", "low", "high", "rank", "cutoff_rank"]
    of_reference = summary[summary["protocol"] == summary["protocol"].iloc[0]]
    names = {"value": "reference", "rank": "reference_rank"}
    return summary[kept].merge(of_reference[[*key, *names]].rename(columns=names), "left", key)


def conclusions(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Return the verdict on each finding of the paper under each protocol.

    Returns
    -------
    DataFrame
        The columns protocol, id (of the row that decides a sentence), claim, measured, low, high,
        holds, verdict (whether it is reproduced), reference (the verdict under the first protocol)
        and outcome: it `survives` where the claim holds for the measured number under both, is
        `lost` where only the reference has it, `gained` where only this protocol has it, and
        `fails under both`; `undefined` where either is. Facts about the dataset are excluded, and
        claims that the paper does not make.
    """
    findings = verdicts[(verdicts["kind"] == "finding") & (verdicts["source"] != OURS)]
    findings = findings[findings["decides"].astype(bool)].rename(columns={REPRODUCED: "verdict"})
    first = verdicts["protocol"].iloc[0] if len(verdicts) else None
    reference = findings[findings["protocol"] == first].set_index("sentence")
    kept = ["protocol", "id", "claim", "measured", "low", "high", "holds", "verdict"]
    found = findings[kept].assign(reference=findings["sentence"].map(reference["verdict"]))
    held = findings["sentence"].map(reference["holds"]).astype("boolean")
    pairs = zip(held, found["holds"].astype("boolean"), strict=True)
    return found.assign(outcome=[_outcome(*pair) for pair in pairs]).reset_index(drop=True)


def _outcome(held: object, holds: object) -> str:
    """Return the outcome of a finding, by whether it holds under the reference and here."""
    if pd.isna(held) or pd.isna(holds):
        return UNTOLD
    return (SURVIVES if holds else LOST) if held else (GAINED if holds else STAYS)
