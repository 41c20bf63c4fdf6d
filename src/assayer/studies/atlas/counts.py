"""On how many datasets each finding holds, is uncertain and fails."""

import pandas as pd

HOLDS, UNCERTAIN, FAILS = "holds", "uncertain", "fails"
COUNTED = (HOLDS, UNCERTAIN, FAILS)


def counted(findings: pd.DataFrame) -> pd.DataFrame:
    """Return how many datasets each finding holds on, the one that holds on most first.

    Indexed by sentence, with the columns says, elsewhere, datasets (that judge it), holds,
    uncertain and fails (by the verdict over all settings), measured (on how many all rows hold for
    what was measured, with all settings) and changed (on how many other settings change the
    verdict).
    """
    both = findings["holds"].astype(bool) & findings["holds_other"].astype(bool)
    rows = findings.assign(measured=both, changed=findings["changed"].astype(bool))
    rows = rows.assign(datasets=1, **{name: rows["outcome"] == name for name in COUNTED})
    groups = rows.groupby("sentence", sort=False)
    found = groups[["says", "elsewhere"]].first()
    found = found.join(groups[["datasets", *COUNTED, "measured", "changed"]].sum())
    order = ["holds", "measured", "fails"]
    return found.sort_values(order, ascending=[False, False, True], kind="stable")
