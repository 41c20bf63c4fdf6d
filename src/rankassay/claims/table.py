"""The tables of a study's claims and sentences, with both verdicts."""

from collections.abc import Iterator, Mapping

import pandas as pd

from rankassay.claims import totals
from rankassay.claims.conditions import FAILS
from rankassay.claims.runs import Run, over_splits
from rankassay.claims.verdicts import GENERAL, NOT_ASKED, OURS, REPRODUCED
from rankassay.drawing.table import MISSING, Table

VERDICTS = (
    "Reproduced: with the same systems, where users and splits are drawn anew. General: with "
    "systems drawn anew as well, a family at a time. Holds: the interval of 95% lies on the right "
    "side of the bound. Does not hold: it lies on the wrong side, or leaves no difference of the "
    "margin. Inconclusive: the data allow both. Interval: of users, and of the splits where there "
    "are several, of which the number is the mean; then of systems as well. Calibrated: the "
    "systems' settings were chosen to match the paper's means. In bold: does not hold."
)
NOTE = (
    f"{VERDICTS} Rows whose name ends in :share, :least or :distance decide a sentence of several "
    "rows, and so do those marked with an asterisk; the others are details, and decide nothing. "
    "Not asked: the run did not compute what the claim is about. A fact says nothing of metrics."
)
NOTE_OF_SENTENCES = (
    f"One number decides a sentence. Rows: how many of the sentence's rows hold for what was "
    f"measured. {VERDICTS}"
)

JUDGED = ["Expected", "Measured", "Splits", "Interval", "Reproduced", "Interval of systems"]
JUDGED += ["General"]
COLUMNS = ["Dataset", "Settings", "Claim", "Source", "In words", "Published", *JUDGED]
SENTENCES = ["Dataset", "Settings", "Sentence", "Source", "In words", "Decided by", *JUDGED, "Rows"]


def claims(
    claims: pd.DataFrame, titles: Mapping[str, str], variants: Mapping[str, Mapping]
) -> Table:
    """Return a row for each claim about each dataset, with each of its settings.

    `claims` are as `rankassay.claims.judge.judge` returns them, of several datasets; `titles` and
    `variants` are by short name: of (the dataset whose data it is), label, settings and split, see
    `rankassay.claims.runs.over_splits`. The rows are in the order of `runs`.
    """
    found = over_splits(claims, variants)
    rows = [
        head
        | {
            "Claim": row["id"] + ("*" if row["decides"] and ":" not in row["id"] else ""),
            "Source": row["source"] if row["source"] != OURS else f"ours ({row['where']})",
            "In words": row["claim"],
            "Published": number(row["published"]),
        }
        | _judged(row)
        for head, own in runs(found, titles, variants)
        for row in own.to_dict("records")
    ]
    return _table(rows, COLUMNS, "Claims and their verdicts.", NOTE)


def claims_sentences(
    claims: pd.DataFrame, titles: Mapping[str, str], variants: Mapping[str, Mapping]
) -> Table:
    """Return a row for each sentence that makes claims about a dataset; see `claims`."""
    found = totals.sentences(over_splits(claims, variants).assign(study=""))
    rows = [
        head
        | {
            "Sentence": row["sentence"],
            "Source": f"ours ({row['said_in']})" if row["source"] == OURS else row["said_in"],
            "In words": row["says"],
            "Decided by": row["claim"] if row["rows"] > 1 else MISSING,
            "Rows": f"{row['rows_hold']} of {row['rows']}",
        }
        | _judged(row)
        for head, own in runs(found, titles, variants)
        for row in own.to_dict("records")
    ]
    return _table(rows, SENTENCES, "Sentences of the paper and their verdicts.", NOTE_OF_SENTENCES)


def runs(
    found: pd.DataFrame, titles: Mapping[str, str], variants: Mapping[str, Mapping]
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Yield dataset and settings of each run in words, and its rows.

    Runs with settings that were chosen by validation, or otherwise, come before those with the
    dataset's own; those of further splits have no rows.
    """
    there = {*found["dataset"]}
    names = dict.fromkeys([*(name for name in titles if name in there), *found["dataset"]])
    known = {name: Run.of(name, variants) for name in names}
    data = [*dict.fromkeys(run.data for run in known.values())]
    order = sorted(known, key=lambda name: (data.index(known[name].data), name not in variants))
    for name in order:
        own = found[found["dataset"] == name]
        settings = variants[name]["label"] if name in variants else MISSING
        if own["calibrated"].any():
            settings = "calibrated"
        title = titles.get(known[name].data, known[name].data)
        yield {"Dataset": title, "Settings": settings}, own


def _table(rows: list[dict], columns: list[str], caption: str, note: str) -> Table:
    """Return the rows as a table in which what does not hold is marked."""
    frame = pd.DataFrame([dict.fromkeys(columns, MISSING) | row for row in rows], columns=columns)
    marked = pd.DataFrame(False, index=frame.index, columns=frame.columns)
    for name in ("Reproduced", "General"):
        marked[name] = frame[name] == FAILS
    return Table(frame, caption, {}, marked, note)


def _judged(row: Mapping) -> dict:
    """Return the number measured for a claim, and both verdicts with their intervals."""
    verdict = row[REPRODUCED]
    if verdict == NOT_ASKED and isinstance(row["reason"], str):
        verdict = f"{verdict} ({row['reason']})"
    return {
        "Expected": row["expected"],
        "Measured": number(row["mean"]),
        "Splits": MISSING if pd.isna(row["splits"]) else f"{row['splits']:.0f}",
        "Interval": interval(row["low"], row["high"]),
        "Reproduced": verdict,
        "Interval of systems": interval(row["general_low"], row["general_high"]),
        "General": row[GENERAL] if isinstance(row[GENERAL], str) and row[GENERAL] else MISSING,
    }


def interval(low: float, high: float) -> str:
    """Return an interval for readers, or a dash for none."""
    return MISSING if pd.isna(low) else f"{number(low)} to {number(high)}"


def number(value: float) -> str:
    """Return a number with four significant digits, whole numbers in full."""
    if pd.isna(value):
        return MISSING
    text = f"{value:.0f}" if float(value).is_integer() else f"{value:.4g}"
    return text.replace("-", "−")
