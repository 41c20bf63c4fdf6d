"""The claims of the papers as the page's tables show them: sentences, and the rows behind them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from rankassay.claims.conditions import (
    FAILS,
    GENERAL,
    NOT_ASKED,
    NOT_TESTABLE,
    OURS,
    QUESTIONS,
    REPRODUCED,
    UNDEFINED,
    WITHOUT,
)
from rankassay.claims.conditions import VERDICTS as ANSWERS
from rankassay.claims.words import interval, number, runs
from rankassay.drawing.text import Printed

# A page has more signs than the fonts of figures, whose are in `rankassay.claims.conditions`.
SIGNS = dict(zip((*ANSWERS, UNDEFINED, NOT_ASKED), "✓◐✗?·", strict=True))
UNTESTED = "–"
MISSED = 0.05  # the share of intervals of 95% that miss what they estimate


@dataclass(frozen=True)
class Row:
    """One claim about one dataset: the printed cells, and the values that order the rows."""

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
    general: str
    kind: str
    sign: str
    order: Mapping[str, float]


def rows(claims: pd.DataFrame, titles: Mapping[str, str]) -> list[Row]:
    """Return a row for each claim and dataset that was studied, those without a value at the end.

    `claims` are as `rankassay.claims.totals.collect` returns them, `titles` the datasets' names.
    """
    return [
        Row(
            study=row.study,
            id=row.id,
            where=row.where if row.source == OURS else row.source,
            claim=row.claim,
            dataset=titles.get(row.dataset, row.dataset),
            published=number(row.published),
            measured=number(row.mean),
            interval="exact" if row.exact else interval(row.low, row.high),
            expected=row.expected,
            verdict=row.reproduced,
            reason=row.reason if isinstance(row.reason, str) else "",
            general=_general(row.general, row.general_low, row.general_high),
            kind="decides its sentence" if row.decides else "a detail",
            sign=SIGNS.get(row.reproduced, UNTESTED),
            order={"published": row.published, "measured": row.mean, "low": row.low},
        )
        for row in claims[claims[REPRODUCED] != NOT_TESTABLE]
        .sort_values("mean", key=pd.isna, kind="stable")
        .itertuples()
    ]


def untested(claims: pd.DataFrame) -> int:
    """Return how many claims are about data that was not studied."""
    return int((claims[REPRODUCED] == NOT_TESTABLE).sum())


def printed_sentences(
    sentences: pd.DataFrame, titles: Mapping[str, str], variants: Mapping[str, Mapping]
) -> Printed:
    """Return each sentence about each dataset with both verdicts.

    `sentences` are as `rankassay.claims.totals.sentences` returns them; for `variants` see
    `rankassay.claims.verdicts.over_splits`. Runs with other settings come first.
    """
    names = ["Sentence, in our words", "Reproduced?", "General?", "Dataset", "Settings"]
    names += ["Rows that hold", "Where"]
    known = sentences[sentences[REPRODUCED] != NOT_TESTABLE]
    cells = []
    for head, own in runs(known[known["kind"] == "finding"], titles, variants):
        for row in own.itertuples():
            where = f"ours ({row.said_in})" if row.source == OURS else row.said_in
            said = [_word(getattr(row, question)) for question in QUESTIONS]
            texts = [*head.values(), f"{row.rows_hold} of {row.rows}", where]
            cells.append([(row.says, False)])
            cells[-1] += [(one or UNTESTED, one == FAILS) for one in said]
            cells[-1] += [(text, False) for text in texts]
    note = (
        "One number decides a sentence, and the rows are details. Reproduced: with the same "
        "systems, where users and, with several splits, splits are drawn anew. General: with "
        "systems drawn anew as well, a family at a time; a dash where this was not computed."
    )
    return Printed(names, cells, [False] * 5 + [True, False], note=note)


def printed_totals(
    sentences: pd.DataFrame, titles: Mapping[str, str], variants: Mapping[str, Mapping]
) -> Printed:
    """Return how many sentences have which verdicts; those of papers apart from our own."""
    known = sentences[(sentences[REPRODUCED] != NOT_TESTABLE) & (sentences["kind"] == "finding")]
    cells = []
    for study, part in known.groupby("study", sort=False):
        for ours in (False, True):
            for head, own in runs(part[(part["source"] == OURS) == ours], titles, variants):
                for question in QUESTIONS:
                    counts = own[question].value_counts()
                    shown = [int(counts.get(word, 0)) for word in (*ANSWERS, *WITHOUT[:2])]
                    said = [study, *head.values(), "our own" if ours else "of a paper"]
                    texts = [*said, f"{question}?", sum(shown), *shown]
                    cells += [[str(text) for text in texts]] if sum(shown) else []
    names = ["Study", "Dataset", "Settings", "Sentences", "Question", "Number"]
    names += [word.capitalize() for word in (*ANSWERS, *WITHOUT[:2])]
    return Printed.plain(names, cells, [False] * 5 + [True] * (len(names) - 5))


def over_all(conclusions: pd.DataFrame) -> list[str]:
    """Return the sentences with each verdict over all datasets, a text for each verdict.

    `conclusions` has sentence (a name), says and general; the first row of a sentence counts.
    """
    first = conclusions.drop_duplicates("sentence")
    said = {answer: first.loc[first[GENERAL] == answer, "says"] for answer in ANSWERS}
    return [f"{answer.capitalize()}: {' '.join(own)}" for answer, own in said.items() if len(own)]


def chance(claims: pd.DataFrame) -> str:
    """Return how many verdicts that were decided would miss by chance alone."""
    decided = claims[REPRODUCED].isin([ANSWERS[0], FAILS]) & (claims["source"] != OURS)
    n = int((decided & (claims["low"] < claims["high"])).sum())
    if not n:
        return ""
    return (
        f"{n} rows about papers are decided by an interval: at a level of {1 - MISSED:.0%}, at "
        f"most about {MISSED / 2 * n:.0f} of them would be decided wrongly by chance alone."
    )


def _general(verdict: object, low: float, high: float) -> str:
    """Return whether a claim is general, with the interval; empty where that was not computed."""
    word = _word(verdict)
    return f"{GENERAL}: {word} ({interval(low, high)})" if word else ""


def _word(verdict: object) -> str:
    """Return a text of a table, also one that a file has as empty."""
    return verdict if isinstance(verdict, str) else ""


def counts(rows: Sequence[Row], column: str) -> dict[str, int]:
    """Return how many rows have each value of a column, in the order of the rows."""
    values = [getattr(row, column) for row in rows]
    return {value: values.count(value) for value in dict.fromkeys(values)}
