"""What the verdicts add up to: claims that say something, apart from those that do not.

A hundred rows are no hundred findings. A fact of the data says nothing of metrics, a claim that
follows from others is no further one, some could hardly have failed, and some are about numbers
that the systems' settings were chosen to match.
"""

from collections.abc import Mapping, Sequence

import pandas as pd

from assayer.claims import judge
from assayer.claims.judge import FAILS, HOLDS, VERDICTS
from assayer.claims.lists import untested

COLUMNS = ["study", *judge.COLUMNS, "counted_as"]

# What a claim is counted as: the first that fits.
PARTS = {
    "fact": "a fact of the data",
    "implied": "it follows from other claims, which hold or fail",
    "easy": "it could hardly have failed",
    "calibrated": "it is made of what the systems' settings were chosen to match",
    "independent": "a finding of its own",
}


def collect(
    lists: Mapping[str, list[dict]],
    verdicts: Sequence[tuple[str, pd.DataFrame]],
    left_out: Sequence[tuple[str, str]] = (),
) -> pd.DataFrame:
    """Return the verdicts study by study and claim by claim, with claims that were not tested.

    `lists` are the claims of each study, `verdicts` those of a study on one dataset, and
    `left_out` the analyses that would have judged them on a dataset, with its name. The columns are
    study, those of `assayer.claims.judge.judge`, and counted_as, one of `PARTS`.
    """
    frames = []
    for study, claims in lists.items():
        tested = [table for name, table in verdicts if name == study]
        datasets = {dataset for table in tested for dataset in table["dataset"]}
        own = {dataset: name for name, dataset in left_out if name.partition("/")[0] == study}
        table = pd.concat([*tested, untested(claims, datasets, own)], ignore_index=True)
        order = {claim["id"]: place for place, claim in enumerate(claims)}
        table = table.sort_values("id", key=lambda ids, order=order: ids.map(order), kind="stable")
        counted = [parts(rows) for _, rows in table.groupby("dataset", sort=False)]
        counted_as = pd.concat(counted) if counted else pd.Series(dtype=object)
        frames.append(table.assign(study=study, counted_as=counted_as))
    return pd.concat(frames).reindex(columns=COLUMNS)


def totals(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Count the claims of each study about each dataset, by what they are and by verdict.

    `verdicts` are what `collect` returns. Columns study, dataset, part (see `PARTS`), claims (their
    number), and a column for each of `assayer.claims.judge.VERDICTS`.
    """
    rows = []
    for (study, dataset), own in verdicts.groupby(["study", "dataset"], sort=False):
        for name in PARTS:
            counts = own.loc[own["counted_as"] == name, "verdict"].value_counts()
            found = {verdict: int(counts.get(verdict, 0)) for verdict in VERDICTS}
            head = {"study": study, "dataset": dataset, "part": name}
            rows.append(head | {"claims": sum(found.values())} | found)
    return pd.DataFrame(rows, columns=["study", "dataset", "part", "claims", *VERDICTS])


def parts(verdicts: pd.DataFrame) -> pd.Series:
    """Return the part that each claim of a study about one dataset is counted as; see `PARTS`.

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
