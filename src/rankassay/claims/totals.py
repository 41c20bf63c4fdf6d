"""All claims of a run, the sentences that they are rows of, and the totals of the sentences.

A hundred rows are not a hundred findings: sentences are counted, those of papers apart from ours.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import pandas as pd

from rankassay.claims import judge
from rankassay.claims.conditions import OURS, QUESTIONS, WORDS, is_statistic
from rankassay.claims.lists import SOURCES, places, untested
from rankassay.claims.verdicts import COLUMNS as VERDICTS
from rankassay.claims.verdicts import over_splits
from rankassay.statistics.replicated import Replicated

# The columns of a row about its sentence, which are in a separate table.
OF_SENTENCE = ["says", "said_in"]
COLUMNS = ["study", *(name for name in judge.COLUMNS if name not in OF_SENTENCE)]
SENTENCES = ["study", "dataset", "sentence", "source", "said_in", "says", "kind", "calibrated"]
SENTENCES += ["decided_by", "claim", "expected", "measured", "mean", "splits", *VERDICTS]
SENTENCES += ["rows", "rows_hold", "exceptions", "reason"]
TOTALS = ["study", "dataset", "source", "kind", "question", "sentences", *WORDS]


def collect(
    lists: Mapping[str, list[dict]],
    verdicts: Sequence[tuple[str, pd.DataFrame | Replicated]],
    left_out: Sequence[tuple[str, str]] = (),
    variants: Mapping[str, Mapping] | None = None,
) -> pd.DataFrame:
    """Return the verdicts study by study and claim by claim, with claims that were not tested.

    `lists` are the claims of each study, `verdicts` those of a study on one dataset, `left_out` the
    analyses that would have judged them on a dataset, with its name; for `variants` see
    `over_splits`.
    """
    frames = []
    for study, claims in lists.items():
        tested = [_drawn(verdict) for name, verdict in verdicts if name == study]
        datasets = {dataset for table in tested for dataset in table["dataset"]}
        own = {dataset: name for name, dataset in left_out if name.partition("/")[0] == study}
        rows = [*tested, untested(claims, datasets, own)]
        table = pd.concat(rows, ignore_index=True).reindex(columns=[*judge.COLUMNS, "draws"])
        order = places(claims)
        by = {"key": lambda names, order=order: names.map(order), "kind": "stable"}
        frames.append(over_splits(table.sort_values("sentence", **by), variants or {}))
        frames[-1].insert(0, "study", study)
    return pd.concat(frames).reindex(columns=[*COLUMNS, *OF_SENTENCE])


def _drawn(verdict: pd.DataFrame | Replicated) -> pd.DataFrame:
    """Return the verdicts on a dataset with their numbers of resampled users as a column."""
    if isinstance(verdict, Replicated):
        return verdict.table.assign(draws=[*verdict.replicates])
    return verdict


def sentences(claims: pd.DataFrame) -> pd.DataFrame:
    """Return both verdicts on each sentence about each dataset.

    `claims` are what `collect` returns. Columns study, dataset, sentence, source (of the deciding
    row), said_in (its place), says (its words), kind, calibrated; decided_by, the id of the row
    that decides, and what this says of it: claim (in words), expected, measured, mean, splits, the
    verdicts with their intervals, and reason; and rows, of the sentence, rows_hold, how many hold
    for what was measured, and exceptions, the ids of those that do not, which decide nothing.
    """
    found = []
    ours = (claims["source"] == OURS).rename("ours")
    for _, own in claims.groupby(["study", "dataset", "sentence", ours], sort=False):
        [decides] = own.index[own["decides"].astype(bool)]
        row = own.loc[decides]
        rows = own[~own["id"].map(is_statistic)]
        holds = rows["holds"].astype("boolean")
        found.append(
            {name: row[name] for name in SENTENCES if name in row}
            | {"decided_by": row["id"], "rows": len(rows), "rows_hold": int(holds.sum())}
            | {"exceptions": " ".join(rows.loc[(~holds).fillna(False), "id"])}
        )
    return pd.DataFrame(found, columns=SENTENCES)


def totals(claims: pd.DataFrame) -> pd.DataFrame:
    """Count the sentences of each study about each dataset by both verdicts.

    `claims` are what `collect` returns. Columns study, dataset, source (paper or ours), kind
    (finding or fact), question (reproduced or general), sentences (that have an answer to it), and
    a column for each verdict (`rankassay.claims.conditions.WORDS`).
    """
    rows = []
    for (study, dataset), own in sentences(claims).groupby(["study", "dataset"], sort=False):
        for source, kind in product(SOURCES, ("finding", "fact")):
            part = own[((own["source"] == OURS) == (source == OURS)) & (own["kind"] == kind)]
            for question in QUESTIONS if len(part) else ():
                counts = part[question].value_counts()
                found = {word: int(counts.get(word, 0)) for word in WORDS}
                head = dict(zip(TOTALS, (study, dataset, source, kind, question), strict=False))
                rows.append(head | {"sentences": sum(found.values())} | found)
    return pd.DataFrame(rows, columns=TOTALS)
