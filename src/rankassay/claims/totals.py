"""Totals of the verdicts: informative claims, and separately all others.

A hundred rows are not a hundred findings. One sentence of a paper can make dozens of them, so that
sentences are counted. Of the rows, a fact of the data is not about metrics, a claim that follows
from others adds none, some could hardly have failed, and some are about numbers that the systems'
settings were chosen to match. No paper answers a question of ours: these are counted separately.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import pandas as pd

from rankassay.claims import judge
from rankassay.claims.lists import untested
from rankassay.claims.runs import COLUMNS as OVER_RUNS
from rankassay.claims.runs import over_runs
from rankassay.claims.verdicts import (
    NOT_ASKED,
    NOT_TESTABLE,
    OURS,
    UNDEFINED,
    VERDICTS,
    WORDS,
    told,
)
from rankassay.claims.verdicts import SOURCES as DECIDING

# The columns of a row about its sentence, which are in a separate table.
OF_SENTENCE = ["says", "said_in"]
OWN = [name for name in judge.COLUMNS if name not in ("verdict", "reason", *OF_SENTENCE)]
COLUMNS = ["study", *OWN, *OVER_RUNS, "reason", "counted_as"]

# What a claim is counted as: the first that fits.
PARTS = {
    "fact": "a fact of the data",
    "implied": "it follows from other claims, which hold or fail",
    "easy": "it could hardly have failed",
    "calibrated": "it is made of what the systems' settings were chosen to match",
    "finding": "none of these",
}
KINDS = {"paper": "of a paper", OURS: "questions of ours"}
# From the best to the worst verdict; a sentence has the worst of its rows.
ORDER = [VERDICTS[0], "yes", VERDICTS[1], "uncertain", UNDEFINED, VERDICTS[2], VERDICTS[3], "no"]
SENTENCES = ["study", "dataset", "sentence", "source", "said_in", "says", "part", "rows"]
SENTENCES += ["rows_hold", "rows_reproduced", "verdict", "run_verdict", "decides"]
TOTALS = ["study", "dataset", "source", "unit", "part", "claims", *WORDS]


def collect(
    lists: Mapping[str, list[dict]],
    verdicts: Sequence[tuple[str, pd.DataFrame]],
    left_out: Sequence[tuple[str, str]] = (),
    variants: Mapping[str, Mapping] | None = None,
) -> pd.DataFrame:
    """Return the verdicts study by study and claim by claim, with claims that were not tested.

    `lists` are the claims of each study, `verdicts` those of a study on one dataset, `left_out` the
    analyses that would have judged them on a dataset, with its name, and `variants` the datasets
    that are others in a different form, see `rankassay.claims.runs.over_runs`. The columns are
    those of `COLUMNS` and `OF_SENTENCE`: study, those of `rankassay.claims.judge.judge` and of
    `over_runs`, and counted_as, one of `PARTS`.
    """
    frames = []
    for study, claims in lists.items():
        tested = [table for name, table in verdicts if name == study]
        datasets = {dataset for table in tested for dataset in table["dataset"]}
        own = {dataset: name for name, dataset in left_out if name.partition("/")[0] == study}
        rows = [*tested, untested(claims, datasets, own)]
        table = pd.concat(rows, ignore_index=True).reindex(columns=judge.COLUMNS)
        order = {claim["id"]: place for place, claim in enumerate(claims)}
        table = table.sort_values("id", key=lambda ids, order=order: ids.map(order), kind="stable")
        table = over_runs(table, variants or {})
        counted = [parts(rows) for _, rows in table.groupby("dataset", sort=False)]
        counted_as = pd.concat(counted) if counted else pd.Series(dtype=object)
        frames.append(table.assign(study=study, counted_as=counted_as))
    return pd.concat(frames).reindex(columns=[*COLUMNS, *OF_SENTENCE])


def sentences(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Return the verdict on each sentence of a paper about each dataset, and on our own questions.

    `verdicts` are what `collect` returns. A sentence holds if all its rows do, so that its verdict
    is the worst of theirs (in the order of `ORDER`); facts, and rows that were not asked or could
    not be tested, count where there are no others. Questions of ours that share the name of a
    paper's sentence are a separate row. Columns study, dataset, sentence, source (of the first
    row), said_in (its place), says (its words), part (finding, or fact if no row is a finding),
    rows (those that count), rows_hold (for what was measured), rows_reproduced (with the best
    verdict), verdict, run_verdict (of the run alone), and decides (the sources that decide over
    some of its rows).
    """
    found = []
    ours = (verdicts["source"] == OURS).rename("ours")  # a paper's sentence never has our answers
    by = ["study", "dataset", "sentence", ours]
    for key, own in verdicts.groupby(by, sort=False):
        unasked = own["verdict"].isin([NOT_ASKED, NOT_TESTABLE])
        findings = own["kind"] == "finding"
        rows = own[findings & ~unasked] if (findings & ~unasked).any() else own[~unasked]
        rows = own if rows.empty else rows
        first = own.iloc[0]
        found.append(
            dict(zip(SENTENCES, key[:3], strict=False))
            | {name: first[name] for name in ("source", *OF_SENTENCE) if name in own}
            | {
                "part": "finding" if findings.any() else "fact",
                "rows": len(rows),
                "rows_hold": told(rows["holds"]).count(True),
                "rows_reproduced": int(rows["verdict"].isin(ORDER[:2]).sum()),
                "verdict": worst(rows["verdict"]),
                "run_verdict": worst(rows["run_verdict"]),
                "decides": _deciding(rows["decides"]),
            }
        )
    return pd.DataFrame(found, columns=SENTENCES)


def worst(verdicts: pd.Series) -> str:
    """Return the worst of several verdicts, or the first where none was asked or tested."""
    known = [verdict for verdict in ORDER if (verdicts == verdict).any()]
    return known[-1] if known else verdicts.iloc[0]


def _deciding(sources: pd.Series) -> str:
    """Return the sources that decide the verdicts of some rows, each once, as in `SOURCES`."""
    named = {name for own in sources.dropna() for name in own.replace(" and ", ", ").split(", ")}
    return ", ".join(name for name in DECIDING.values() if name in named)


def totals(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Count the claims of each study about each dataset, by what they are and by verdict.

    `verdicts` are what `collect` returns. Sentences are counted, and the rows that they are made
    of; those of papers apart from questions of ours. Columns study, dataset, source (paper or
    ours), unit (sentence or row), part (of sentences finding or fact, of rows see `PARTS`), claims
    (their number), and a column for each verdict and answer (`rankassay.claims.verdicts.WORDS`).
    """
    units = {"sentence": sentences(verdicts), "row": verdicts.assign(part=verdicts["counted_as"])}
    parts_of = {"sentence": ("finding", "fact"), "row": tuple(PARTS)}
    tables = {
        name: table.groupby(["study", "dataset"], sort=False) for name, table in units.items()
    }
    rows = []
    for study, dataset in tables["row"].groups:
        for source, (unit, groups) in product(KINDS, tables.items()):
            own = groups.get_group((study, dataset))
            own = own[(own["source"] == OURS) == (source == OURS)]
            for part in parts_of[unit] if len(own) else ():
                counts = own.loc[own["part"] == part, "verdict"].value_counts()
                found = {verdict: int(counts.get(verdict, 0)) for verdict in WORDS}
                head = dict(zip(TOTALS, (study, dataset, source, unit, part), strict=False))
                rows.append(head | {"claims": sum(found.values())} | found)
    return pd.DataFrame(rows, columns=TOTALS)


def parts(verdicts: pd.DataFrame) -> pd.Series:
    """Return the part that each claim of a study about one dataset is counted as; see `PARTS`.

    What holds is implied where all the claims that it follows from hold; what fails, where a claim
    fails that it and claims that hold would imply.
    """
    known = [*zip(verdicts["id"], told(verdicts["holds"]), strict=True)]
    holds = {name for name, hold in known if hold}
    fails = {name for name, hold in known if hold is False}
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
        if row["demanding"] is False:
            return "easy"
        return "calibrated" if row["calibrated"] else "finding"

    said = {name: told(verdicts[name]) for name in ("demanding", "calibrated")}
    verdicts = verdicts.assign(
        **{name: pd.Series(own, verdicts.index, dtype=object) for name, own in said.items()}
    )
    return pd.Series([part(row) for _, row in verdicts.iterrows()], verdicts.index, dtype=object)
