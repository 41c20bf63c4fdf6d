"""What the verdicts add up to: claims that say something, apart from those that do not.

A hundred rows are no hundred findings. A fact of the data says nothing of metrics, a claim that
follows from others is no further one, some could hardly have failed, and some are about numbers
that the systems' settings were chosen to match.
"""

import pandas as pd

from assayer.claims.judge import FAILS, HOLDS, VERDICTS

# What a claim is counted as: the first that fits.
PARTS = {
    "fact": "a fact of the data",
    "implied": "it follows from other claims, which hold or fail",
    "easy": "it could hardly have failed",
    "calibrated": "it is made of what the systems' settings were chosen to match",
    "independent": "a finding of its own",
}


def totals(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Count the claims of each study about each dataset, by what they are and by verdict.

    Parameters
    ----------
    verdicts : DataFrame
        As `assayer.jobs.collect_claims.collect` returns it.

    Returns
    -------
    DataFrame
        Columns study, dataset, part (see `PARTS`), claims (their number), and a column for each of
        `assayer.claims.judge.VERDICTS`.
    """
    rows = []
    for (study, dataset), own in verdicts.groupby(["study", "dataset"], sort=False):
        part = parts(own)
        for name in PARTS:
            counts = own.loc[part == name, "verdict"].value_counts()
            found = {verdict: int(counts.get(verdict, 0)) for verdict in VERDICTS}
            head = {"study": study, "dataset": dataset, "part": name}
            rows.append(head | {"claims": sum(found.values())} | found)
    return pd.DataFrame(rows, columns=["study", "dataset", "part", "claims", *VERDICTS])


def parts(verdicts: pd.DataFrame) -> pd.Series:
    """Return what each claim about one dataset is counted as; see `PARTS`.

    What holds is implied where all the claims that it follows from hold; what fails, where a claim
    fails that it and claims that hold would imply.
    """
    holds = set(verdicts.loc[verdicts["verdict"].isin(HOLDS.values()), "id"])
    fails = set(verdicts.loc[verdicts["verdict"].isin(FAILS.values()), "id"])
    premises = {
        row["id"]: set(str(row["implied_by"]).split()) if pd.notna(row["implied_by"]) else set()
        for _, row in verdicts.iterrows()
    }
    must_fail = {
        next(iter(others - holds))
        for name, others in premises.items()
        if name in fails and len(others - holds) == 1
    }

    def part(row: pd.Series) -> str:
        follows = premises[row["id"]] and holds.issuperset(premises[row["id"]])
        if row["kind"] == "fact":
            return "fact"
        if (follows and row["id"] in holds) or (row["id"] in must_fail & fails):
            return "implied"
        if not row["demanding"]:
            return "easy"
        return "calibrated" if row["calibrated"] else "independent"

    return pd.Series([part(row) for _, row in verdicts.iterrows()], verdicts.index, dtype=object)
