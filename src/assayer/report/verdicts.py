"""The claims of the papers as the page's table shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from assayer.claims.table import interval, kind, number
from assayer.claims.totals import PARTS, TOTALS, totals
from assayer.claims.verdicts import NOT_TESTABLE, WORDS
from assayer.report.prose import Printed

# A sign beside the word, so that no verdict is told by its colour alone.
SIGNS = {
    "reproduced": "✓",
    "reproduced, uncertain": "◐",
    "not shown": "◌",
    "contradicted": "✗",
    "yes": "✓",
    "uncertain": "◐",
    "no": "✗",
    "undefined": "?",
    "not asked": "·",
}
UNTESTED = "–"


@dataclass(frozen=True)
class Row:
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


def rows(claims: pd.DataFrame, titles: Mapping[str, str]) -> list[Row]:
    """Return a row for each claim and dataset that was studied, those without a value at the end.

    Parameters
    ----------
    claims : DataFrame
        As `assayer.claims.totals.collect` returns it.
    titles : mapping
        The names of datasets for readers; those without keep their own.
    """
    return [
        Row(
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
        for row in claims[claims["verdict"] != NOT_TESTABLE]
        .sort_values("measured", key=pd.isna, kind="stable")
        .itertuples()
    ]


def untested(claims: pd.DataFrame) -> int:
    """Return how many claims are about data that was not studied."""
    return int((claims["verdict"] == NOT_TESTABLE).sum())


def printed_totals(claims: pd.DataFrame, titles: Mapping[str, str]) -> Printed:
    """Return how many claims of each study have which verdict, on datasets that were studied."""
    found = totals(claims)
    found = found[(found["claims"] > 0) & (found[NOT_TESTABLE] == 0)].drop(columns=NOT_TESTABLE)
    found["dataset"] = [titles.get(name, name) for name in found["dataset"]]
    cells = [
        [(str(cell), row.part == "finding" and place > 1) for place, cell in enumerate(row)]
        for row in found.itertuples(index=False)
    ]
    words = [
        verdict.rpartition(", ")[2].capitalize()
        for verdict in found.columns[len(TOTALS) - len(WORDS) :]
    ]
    names = ["Study", "Dataset", "Source", "Unit", "Counted as", "Claims", *words]
    meanings = "; ".join(f"{part}: {meaning}" for part, meaning in PARTS.items())
    note = f"Each claim is counted once, as the first that fits. {meanings.capitalize()}."
    return Printed(names, cells, [False] * 5 + [True] * (len(names) - 5), note=note)


def _words(expected: object) -> str:
    """Return the words for what was expected, none for the published number again."""
    again = not pd.isna(pd.to_numeric(expected, errors="coerce"))
    return expected if isinstance(expected, str) and not again else ""


def counts(rows: Sequence[Row], column: str) -> dict[str, int]:
    """Return how many rows have each value of a column, in the order of the rows."""
    values = [getattr(row, column) for row in rows]
    return {value: values.count(value) for value in dict.fromkeys(values)}
