"""The tables of a study's claims and sentences: the findings, and what decides the verdicts."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from rankassay.claims import totals
from rankassay.claims.runs import Run, over_runs
from rankassay.claims.verdicts import FIRM, NOT_ASKED, OURS, told
from rankassay.drawing.table import MISSING, Table

VERDICTS = (
    "Verdict: over resampled users, other splits, random subsets of the systems, and systems with "
    "other settings, as far as the run has them. Reproduced: the claim holds for what was "
    "measured, and all of these sources agree; reproduced, uncertain: it holds, and not all agree. "
    "Not shown: it does not hold for what was measured, and not all sources agree; "
    "contradicted: it does not hold, and all agree. Questions that no paper answers have an "
    "answer: yes, uncertain or no. This run: the verdict of the dataset's own run alone; other "
    "settings: that of the same data with systems that have other settings. Decides: the sources "
    "that do not agree with what was measured. In bold: contradicted."
)
NOTE = (
    "Interval: 95 %, over resampled users, or, of claims about simulated worlds, over resampled "
    f"worlds. {VERDICTS} Not asked: the run did not compute what the claim is about. "
    "Kind: a fact says nothing of metrics; implied claims follow from others; "
    "calibrated ones are made of what the systems' settings were chosen to match. Users: whether "
    "the claim holds in the whole interval, in a part of it (mixed) or nowhere (fails). Splits: in "
    "how many of them the claim holds for what was measured, and the range of that. Systems: in "
    "how many random subsets of the systems it holds. A source holds, or fails, where at least "
    "95 % of its draws do, beyond their Monte Carlo error."
)
NOTE_OF_SENTENCES = (
    "A sentence is reproduced if all rows that it makes are: its verdict is that of the worst of "
    f"them. Rows: how many hold for what was measured, and how many are reproduced. {VERDICTS}"
)

DECIDED = ["Verdict", "Other settings", "This run"]
COLUMNS = ["Dataset", "Claim", "Source", "Kind", "In words", "Published", "Expected", "Measured"]
COLUMNS += ["Interval", *DECIDED, "Users", "Splits", "Systems", "Decides"]
SENTENCES = ["Dataset", "Sentence", "Source", "In words", *DECIDED, "Rows", "Decides"]


def claims(
    claims: pd.DataFrame, titles: Mapping[str, str], variants: Mapping[str, Mapping]
) -> Table:
    """Return a row for each claim and dataset, with the verdicts on its variants.

    `claims` are as `rankassay.claims.judge.judge` returns them, of several datasets; `titles` and
    `variants` are by short name: of (the dataset whose data it is), label, settings and split, see
    `rankassay.claims.runs.over_runs`. The rows are in the order of the titles.
    """
    found = over_runs(claims, variants)
    rows = [
        {
            "Dataset": title,
            "Claim": first["id"],
            "Source": first["source"] if first["source"] != OURS else f"ours ({first['where']})",
            "Kind": kind(first),
            "In words": first["claim"],
            "Published": number(first["published"]),
            "Expected": first["expected"],
        }
        | (_measured(own.iloc[0], alike) if len(own) else {})
        | _decided(own, others)
        for title, first, own, others, alike in _by_data(found, "id", titles, variants)
    ]
    return _table(rows, COLUMNS, "Claims and their verdicts.", NOTE)


def claims_sentences(
    claims: pd.DataFrame, titles: Mapping[str, str], variants: Mapping[str, Mapping]
) -> Table:
    """Return a row for each sentence that makes claims about a dataset; see `claims`."""
    found = totals.sentences(over_runs(claims, variants).assign(study=""))
    rows = [
        {
            "Dataset": title,
            "Sentence": first["sentence"],
            "Source": f"ours ({first['said_in']})" if first["source"] == OURS else first["said_in"],
            "In words": first["says"],
        }
        | (_counted(own.iloc[0]) if len(own) else {})
        | _decided(own, others)
        for title, first, own, others, _ in _by_data(found, "sentence", titles, variants)
    ]
    return _table(rows, SENTENCES, "Sentences of the paper and their verdicts.", NOTE_OF_SENTENCES)


def _table(rows: list[dict], columns: list[str], caption: str, note: str) -> Table:
    """Return the rows as a table in which contradictions are marked."""
    frame = pd.DataFrame([dict.fromkeys(columns, MISSING) | row for row in rows], columns=columns)
    marked = pd.DataFrame(False, index=frame.index, columns=frame.columns)
    marked["Verdict"] = frame["Verdict"] == FIRM[1]
    return Table(frame, caption, {}, marked, note)


def _by_data(
    found: pd.DataFrame, column: str, titles: Mapping[str, str], variants: Mapping[str, Mapping]
) -> Iterator[tuple[str, pd.Series, pd.DataFrame, pd.DataFrame, pd.DataFrame]]:
    """Yield by dataset and claim the title, a row, and those of three kinds of runs.

    These are the dataset's own, of which there is none where it is studied as its variants only;
    those of the usual split with other settings, with their label; and all with the dataset's
    settings, on any split.
    """
    runs = {name: Run.of(name, variants) for name in titles}
    labels = {name: variant["label"] for name, variant in variants.items()}
    known = found[found["dataset"].isin(runs)]
    data = known["dataset"].map({name: run.data for name, run in runs.items()})
    for dataset in dict.fromkeys(run.data for run in runs.values()):
        for _, rows in known[data == dataset].groupby(column, sort=False):
            own = rows[rows["dataset"] == dataset]
            usual = [runs[name].settings == dataset for name in rows["dataset"]]
            split = [runs[name].split for name in rows["dataset"]]
            others = rows[~np.array(usual) & ~np.array(split)]
            others = others.assign(label=others["dataset"].map(labels))
            first = pd.concat([own, rows]).iloc[0]
            yield titles.get(dataset, dataset), first, own, others, rows[usual]


def _decided(own: pd.DataFrame, others: pd.DataFrame) -> dict:
    """Return the verdicts, the quoted one and those of runs, and what decides them."""
    said = [f"{row.label}: {row.run_verdict}" for row in others.itertuples()]
    found = {"Other settings": "; ".join(said) or MISSING}
    if own.empty:
        return found
    row = own.iloc[0]
    verdict = row["verdict"]
    if verdict == NOT_ASKED and isinstance(row.get("reason"), str):
        verdict = f"{verdict} ({row['reason']})"
    return found | {
        "Verdict": verdict,
        "This run": row["run_verdict"],
        "Decides": row["decides"]
        if isinstance(row["decides"], str) and row["decides"]
        else MISSING,
    }


def _measured(row: pd.Series, alike: pd.DataFrame) -> dict:
    """Return the number measured for a claim, and the state under each source of luck."""
    values = alike["measured"]
    return {
        "Measured": number(row["measured"]),
        "Interval": interval(row["low"], row["high"]),
        "Users": row["users"] if isinstance(row["users"], str) and row["users"] else MISSING,
        "Splits": f"{row['splits_hold']} of {row['n_splits']} "
        f"({number(values.min())} to {number(values.max())})"
        if pd.notna(row["n_splits"])
        else MISSING,
        "Systems": f"{row['subsets_hold']:.0f} of {row['subsets']:.0f}"
        if pd.notna(row["subsets"])
        else MISSING,
    }


def _counted(row: pd.Series) -> dict:
    """Return how many rows of a sentence hold, and are reproduced."""
    held = f"{row['rows_hold']} of {row['rows']} hold, {row['rows_reproduced']} "
    return {"Rows": held + ("are sure" if row["source"] == OURS else "reproduced")}


def kind(claim: Mapping) -> str:
    """Return a claim's kind in a few words: a fact or a finding, and its qualifications."""
    words = [claim["kind"]]
    if isinstance(claim["implied_by"], str) and claim["implied_by"]:
        words.append(f"implied by {claim['implied_by'].replace(' ', ', ')}")
    if told([claim["calibrated"]]) == [True]:
        words.append("calibrated")
    return "; ".join(words)


def interval(low: float, high: float) -> str:
    """Return an interval for readers, or a dash for none."""
    return MISSING if pd.isna(low) else f"{number(low)} to {number(high)}"


def number(value: float) -> str:
    """Return a number with four significant digits, whole numbers in full."""
    if pd.isna(value):
        return MISSING
    text = f"{value:.0f}" if float(value).is_integer() else f"{value:.4g}"
    return text.replace("-", "−")
