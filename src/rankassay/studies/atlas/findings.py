"""Findings of a paper on every dataset of a run, with the datasets' own settings and with others.

A finding is a sentence of the paper; its verdict is that of the worst of its rows
(`rankassay.claims.totals`). What needs a published number can be judged on the paper's data alone,
and takes no part: the same rows are judged on all datasets.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from rankassay.claims.runs import over_runs
from rankassay.claims.totals import sentences
from rankassay.claims.verdicts import ANSWERS, NOT_ASKED, NOT_TESTABLE, OURS
from rankassay.studies.atlas.counts import FAILS, HOLDS, UNCERTAIN

# The sentences that the paper says of LibraryThing or BeerAdvocate, and not of MovieLens 1M.
ELSEWHERE = (
    *("metrics-all-alike", "metrics-bpref-apart", "metrics-bpref-map"),
    *("sparsity-map", "popularity-negative"),
)
OUTCOMES = {"yes": HOLDS, "uncertain": UNCERTAIN, "no": FAILS}  # by the answers of verdicts
COLUMNS = ["dataset", "title", "sentence", "says", "said_in", "elsewhere", "verdict", "outcome"]
COLUMNS += ["own", "rows", "rows_hold", "holds", "settings", "other", "holds_other", "changed"]


def findings(verdicts: pd.DataFrame, runs: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """Return the verdict on each finding on each dataset.

    Parameters
    ----------
    verdicts : DataFrame
        As `rankassay.claims.judge.judge` returns it for each run of `runs`, by the column dataset.
    runs : mapping
        The run's datasets and their variants by name: title, of (the dataset whose data it is),
        label, settings and split, see `rankassay.claims.runs.over_runs`.

    Returns
    -------
    DataFrame
        A row for each dataset and finding, with the columns

        - dataset, title
        - sentence, says, said_in: its name, its words, its place in the paper
        - elsewhere: whether the paper says it of other datasets than MovieLens 1M alone
        - verdict: over users, systems and all settings; outcome: holds, uncertain or fails by it
          (`OUTCOMES`), empty where it is undefined
        - own, rows, rows_hold, holds: the verdict of the dataset's own run, its rows, how many of
          these hold for what was measured, and whether all do
        - settings, other, holds_other: the label of the first variant with other settings, the
          verdict of its run and whether all rows hold; empty without one
        - changed: whether these settings have another verdict
    """
    asked = ~verdicts["verdict"].isin([NOT_ASKED, NOT_TESTABLE])
    known = verdicts[asked & (verdicts["kind"] == "finding") & (verdicts["source"] != OURS)]
    data = known["dataset"].map({name: run["of"] for name, run in runs.items()})
    common = data.groupby(known["id"]).transform("nunique") > 1
    if not common.any():
        return pd.DataFrame(columns=COLUMNS)
    variants = {name: run for name, run in runs.items() if run["of"] != name}
    judged = sentences(over_runs(known[common], variants).assign(study=""))
    rows = [
        row
        for name, run in runs.items()
        if run["of"] == name
        for row in _of_data(name, run["title"], judged, _others(name, runs))
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _others(dataset: str, runs: Mapping[str, Mapping[str, Any]]) -> Mapping[str, str]:
    """Return the variants of a dataset with other settings on the same split, with their labels."""
    return {
        name: run["label"]
        for name, run in runs.items()
        if run["of"] == dataset and run["settings"] != dataset and not run["split"]
    }


def _of_data(
    dataset: str, title: str, judged: pd.DataFrame, others: Mapping[str, str]
) -> Sequence[dict[str, Any]]:
    """Return the rows of one dataset."""
    own = judged[judged["dataset"] == dataset]
    name = next((name for name in others if (judged["dataset"] == name).any()), "")
    other = judged[judged["dataset"] == name].set_index("sentence")
    found = []
    for row in own.itertuples():
        known = row.sentence in other.index
        holds = row.rows_hold == row.rows
        found.append(
            {name: getattr(row, name) for name in ("dataset", "sentence", "says", "said_in")}
            | {"title": title, "elsewhere": row.sentence in ELSEWHERE}
            | {"verdict": row.verdict, "outcome": OUTCOMES.get(ANSWERS[row.verdict], "")}
            | {"own": row.run_verdict, "rows": row.rows, "rows_hold": row.rows_hold}
            | {"holds": holds, "settings": "", "other": "", "holds_other": holds, "changed": False}
        )
        if known:
            tuned = other.loc[row.sentence]
            found[-1] |= {"settings": others[name], "other": tuned["run_verdict"]}
            found[-1] |= {"holds_other": tuned["rows_hold"] == tuned["rows"]}
            found[-1] |= {"changed": tuned["run_verdict"] != row.run_verdict}
    return found
