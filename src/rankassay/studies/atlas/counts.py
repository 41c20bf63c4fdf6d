"""On how many datasets each finding holds, is uncertain and fails."""

import pandas as pd

HOLDS, UNCERTAIN, FAILS = "holds", "uncertain", "fails"
COUNTED = (HOLDS, UNCERTAIN, FAILS)


def as_measured(findings: pd.DataFrame) -> pd.Series:
    """Whether all rows of each finding hold for what was measured, with all settings, bool (n,)."""
    return findings["holds"].astype(bool) & findings["holds_other"].astype(bool)


def counted(findings: pd.DataFrame) -> pd.DataFrame:
    """Return how many datasets each finding holds on, the one that holds on most first.

    Indexed by sentence, with the columns says, elsewhere, datasets (that judge it), holds,
    uncertain and fails (by the verdict over all settings), measured (on how many all rows hold for
    what was measured, with all settings) and changed (on how many other settings change the
    verdict).
    """
    rows = findings.assign(measured=as_measured(findings), changed=findings["changed"].astype(bool))
    rows = rows.assign(datasets=1, **{name: rows["outcome"] == name for name in COUNTED})
    groups = rows.groupby("sentence", sort=False)
    found = groups[["says", "elsewhere"]].first()
    found = found.join(groups[["datasets", *COUNTED, "measured", "changed"]].sum())
    order = ["holds", "measured", "fails"]
    return found.sort_values(order, ascending=[False, False, True], kind="stable")
