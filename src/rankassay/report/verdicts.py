"""The claims of the papers as the page's tables show them: sentences, and the rows behind them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from rankassay.claims.table import interval, kind, number
from rankassay.claims.totals import PARTS
from rankassay.claims.verdicts import ALL, ANSWERS, NONE, NOT_TESTABLE, OURS, SOURCES, VERDICTS
from rankassay.report.prose import Printed

# A sign next to the word, so that no verdict is shown by its colour alone.
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
MISSED = 0.05  # the share of intervals of 95 % that miss what they estimate
WORDS = [verdict for verdict in VERDICTS if verdict != NOT_TESTABLE]
SAID = [*dict.fromkeys(ANSWERS[verdict] for verdict in WORDS)]


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
    sources: str
    kind: str
    sign: str
    order: Mapping[str, float]


def rows(claims: pd.DataFrame, titles: Mapping[str, str]) -> list[Row]:
    """Return a row for each claim and dataset that was studied, those without a value at the end.

    Parameters
    ----------
    claims : DataFrame
        As `rankassay.claims.totals.collect` returns it.
    titles : mapping
        The names of datasets for readers; those without keep their own.
    """
    return [
        Row(
            study=row.study,
            id=row.id,
            where=row.where if row.source == OURS else row.source,
            claim=row.claim,
            dataset=titles.get(row.dataset, row.dataset),
            published=number(row.published),
            measured=number(row.measured),
            interval=interval(row.low, row.high),
            expected=_words(row.expected),
            verdict=row.verdict,
            reason=row.reason if isinstance(row.reason, str) else "",
            sources=_sources(row._asdict()),
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


def printed_sentences(
    sentences: pd.DataFrame, titles: Mapping[str, str], variants: Mapping[str, Mapping]
) -> Printed:
    """Return each sentence of a paper about each dataset, with the share of its rows that hold.

    `sentences` are as `rankassay.claims.totals.sentences` returns them; for `variants` see
    `rankassay.claims.runs.over_runs`. Other splits have a part in the verdict, and no rows.
    """
    found = _ordered(_findings(sentences), variants)
    cells = [
        [
            (row.says, False),
            (row.said_in, False),
            (titles.get(row.dataset, row.dataset), False),
            (f"{row.rows_hold} of {row.rows}", False),
            (row.run_verdict, False),
            (row.verdict, row.verdict == VERDICTS[3]),
            (row.decides if isinstance(row.decides, str) and row.decides else UNTESTED, False),
        ]
        for row in found.itertuples()
    ]
    names = ["Sentence, in our words", "Where", "Dataset", "Rows that hold", "This run", "Verdict"]
    numeric = [False] * 3 + [True] + [False] * 3
    note = (
        "A sentence has the verdict of the worst of its rows. This run: over its users and "
        "systems. Verdict: over other splits and other settings of the same data as well, where "
        "there are any. Decides: the sources that do not agree with what was measured."
    )
    return Printed([*names, "Decides"], cells, numeric, note=note)


def printed_totals(
    claims: pd.DataFrame,
    sentences: pd.DataFrame,
    titles: Mapping[str, str],
    variants: Mapping[str, Mapping],
) -> Printed:
    """Return how many sentences of papers, and how many rows, have which verdict.

    Runs with other settings come first, see `printed_sentences`. Where a dataset has variants, the
    verdicts of its run come with those over all runs. Our own questions are not among them.
    """
    tables = {
        "sentences": _findings(sentences),
        **{part: claims[claims["counted_as"] == part] for part in PARTS},
    }
    cells = []
    places = _ordered(claims, variants).groupby(["study", "dataset"], sort=False).groups
    for study, dataset in places:
        runs = any(variant["of"] == dataset for variant in variants.values())
        for name, table in tables.items():
            own = table[(table["study"] == study) & (table["dataset"] == dataset)]
            own = own[(own["source"] != OURS) & (own["verdict"] != NOT_TESTABLE)]
            for column, over in [("run_verdict", "this run"), ("verdict", "all runs")][: 1 + runs]:
                counts = own[column].value_counts().reindex(WORDS, fill_value=0)
                texts = [study, titles.get(dataset, dataset), name, over, len(own), *counts]
                marked = name == "sentences"
                row = [(str(text), marked and at > 1) for at, text in enumerate(texts)]
                cells += [row] if len(own) else []
    words = [verdict.rpartition(", ")[2].capitalize() for verdict in WORDS]
    names = ["Study", "Dataset", "Counted", "Over", "Number", *words]
    meanings = "; ".join(f"{part}: {meaning}" for part, meaning in PARTS.items())
    note = (
        "A sentence of a paper counts once, with the verdict of the worst of its rows. A row "
        f"counts once, as the first that fits. {meanings.capitalize()}. {_chance(claims)}"
    )
    return Printed(names, cells, [False] * 4 + [True] * (len(names) - 4), note=note.strip())


def printed_answers(
    claims: pd.DataFrame, titles: Mapping[str, str], variants: Mapping[str, Mapping]
) -> Printed:
    """Return how many of our own questions have which answer."""
    ours = claims[(claims["source"] == OURS) & (claims["verdict"] != NOT_TESTABLE)]
    cells = [
        [study, titles.get(dataset, dataset), str(len(own))]
        + [str(int((own["verdict"] == answer).sum())) for answer in SAID]
        for (study, dataset), own in _ordered(ours, variants).groupby(
            ["study", "dataset"], sort=False
        )
    ]
    names = ["Study", "Dataset", "Questions", *(answer.capitalize() for answer in SAID)]
    return Printed.plain(names, cells, [False] * 2 + [True] * (len(names) - 2))


def _findings(sentences: pd.DataFrame) -> pd.DataFrame:
    """Return the sentences of papers that say something of metrics, about data of the run."""
    papers = (sentences["source"] != OURS) & (sentences["part"] == "finding")
    return sentences[papers & (sentences["verdict"] != NOT_TESTABLE)]


def _ordered(table: pd.DataFrame, variants: Mapping[str, Mapping]) -> pd.DataFrame:
    """Return rows by dataset, other settings before the data's own, without other splits."""
    names = [*dict.fromkeys(table["dataset"])]
    data = {name: variants[name]["of"] if name in variants else name for name in names}
    places = {of: place for place, of in enumerate(dict.fromkeys(data.values()))}
    splits = [name for name in names if name in variants and variants[name]["split"]]
    own = table[~table["dataset"].isin(splits)]
    key = [2 * places[data[name]] + (name not in variants) for name in own["dataset"]]
    studies = {name: place for place, name in enumerate(dict.fromkeys(own["study"]))}
    by = own.assign(_study=own["study"].map(studies), _place=key)
    return by.sort_values(["_study", "_place"], kind="stable").drop(columns=["_study", "_place"])


def _chance(claims: pd.DataFrame) -> str:
    """Return how many intervals that leave no doubt would miss by chance alone."""
    sure = (claims["source"] != OURS) & claims["users"].isin([ALL, NONE])
    n = int((sure & (claims["low"] < claims["high"])).sum())
    if not n:
        return ""
    return (
        f"{n} intervals of rows about papers lie wholly on one side of their bound: about "
        f"{MISSED * n:.0f} of them would miss by chance alone, at a level of {1 - MISSED:.0%}."
    )


def _sources(row: Mapping) -> str:
    """Return the state of a claim under each source of luck, with the numbers of draws."""
    drawn = {"systems": ("subsets_hold", "subsets"), "splits": ("splits_hold", "n_splits")}
    words = []
    for column, name in SOURCES.items():
        state = row.get(column)
        if isinstance(state, str) and state:
            part, whole = (row.get(key) for key in drawn.get(column, ("", "")))
            counted = f" ({part:.0f} of {whole:.0f})" if pd.notna(whole) else ""
            words.append(f"{name}: {state}{counted}")
    return "; ".join(words)


def _words(expected: object) -> str:
    """Return the expectation in words, empty if it is the published number."""
    again = not pd.isna(pd.to_numeric(expected, errors="coerce"))
    return expected if isinstance(expected, str) and not again else ""


def counts(rows: Sequence[Row], column: str) -> dict[str, int]:
    """Return how many rows have each value of a column, in the order of the rows."""
    values = [getattr(row, column) for row in rows]
    return {value: values.count(value) for value in dict.fromkeys(values)}
