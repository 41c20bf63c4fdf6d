"""The claims of the papers as the page's table shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from assayer.claims.judge import VERDICTS
from assayer.claims.lists import NOT_TESTABLE
from assayer.claims.table import interval, kind, number
from assayer.claims.totals import PARTS, totals
from assayer.report.prose import Printed

# A sign beside the word, so that no verdict is told by its colour alone.
SIGNS = {
    "reproduced": "✓",
    "reproduced, uncertain": "◐",
    "not shown": "◌",
    "contradicted": "✗",
    "undefined": "?",
}
UNTESTED = "–"


@dataclass(frozen=True)
class Verdict:
    """One claim about one dataset: what is printed, and the values that order the rows."""

    study: str
    id: str
    where: str
    claim: str
    dataset: str
    published: str
    measured: str
    interval: str
    expected: str
    verdict: str
    reason: str
    kind: str
    sign: str
    order: Mapping[str, float]


def verdicts(claims: pd.DataFrame, titles: Mapping[str, str]) -> list[Verdict]:
    """Return a row for each claim and dataset, those that no data could test at the end.

    Parameters
    ----------
    claims : DataFrame
        As `assayer.jobs.collect_claims.collect` returns it.
    titles : mapping
        The names of datasets for readers; those without keep their own.
    """
    return [
        Verdict(
            study=row.study,
            id=row.id,
            where=row.where,
            claim=row.claim,
            dataset=titles.get(row.dataset, row.dataset),
            published=number(row.published),
            measured=number(row.measured),
            interval=interval(row.low, row.high),
            expected=_words(row.expected),
            verdict=row.verdict,
            reason=row.reason if isinstance(row.reason, str) else "",
            kind=kind(row._asdict()),
            sign=SIGNS.get(row.verdict, UNTESTED),
            order={name: getattr(row, name) for name in ("published", "measured", "low")},
        )
        for row in claims.sort_values("measured", key=pd.isna, kind="stable").itertuples()
    ]


def printed_totals(claims: pd.DataFrame, titles: Mapping[str, str]) -> Printed:
    """Return how many claims of each study have which verdict, on datasets that were studied."""
    found = totals(claims)
    found = found[(found["claims"] > 0) & (found[NOT_TESTABLE] == 0)]
    shown = [verdict for verdict in VERDICTS if verdict != NOT_TESTABLE]
    cells = []
    for _, row in found.iterrows():
        head = [row["study"], titles.get(row["dataset"], row["dataset"]), row["part"]]
        texts = [*head, row["claims"], *(row[verdict] for verdict in shown)]
        bold = row["part"] == "independent"
        cells.append([(str(text), bold and place > 1) for place, text in enumerate(texts)])
    words = [verdict.rpartition(", ")[2].capitalize() for verdict in shown]
    names = ["Study", "Dataset", "Counted as", "Claims", *words]
    meanings = "; ".join(f"{part}: {meaning}" for part, meaning in PARTS.items())
    note = f"Each claim is counted once, as the first that fits. {meanings.capitalize()}."
    return Printed(names, cells, [False] * 3 + [True] * (len(names) - 3), note=note)


def _words(expected: object) -> str:
    """Return what was expected, unless it is the published number again."""
    return expected if isinstance(expected, str) and not _is_number(expected) else ""


def _is_number(text: str) -> bool:
    return not pd.isna(pd.to_numeric(text, errors="coerce"))


def counts(rows: Sequence[Verdict], column: str) -> dict[str, int]:
    """Return how many rows have each value of a column, in the order of the rows."""
    values = [getattr(row, column) for row in rows]
    return {value: values.count(value) for value in dict.fromkeys(values)}
