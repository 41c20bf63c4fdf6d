"""Tables of average ranks across datasets, of systems by metric and of metrics by criterion."""

from collections.abc import Callable, Mapping

import pandas as pd

from rankassay.answers.average_ranks import average_ranks, metrics_at
from rankassay.answers.words import ACROSS
from rankassay.answers.words_across import BY, sentence
from rankassay.drawing.comparison_table import raised
from rankassay.drawing.measures import shown
from rankassay.drawing.table import Table
from rankassay.errors import listed
from rankassay.metrics.catalogue import label
from rankassay.statistics.across_datasets import ENOUGH
from rankassay.statistics.paired import letters


def systems_across(systems_across: pd.DataFrame, cutoff: int) -> Table:
    """Return the average ranks of the systems by each metric at the reference cut-off."""
    rows = shown(systems_across, cutoff)
    parts = {
        measure: (own, f"better under {measure}")
        for measure, own in rows.groupby("measure", sort=False)
    }
    return _table("system", parts, f"systems by the metrics at cut-off {cutoff}", str)


def metrics_across(metrics_across: pd.DataFrame, cutoff: int) -> Table:
    """Return the average ranks of the metrics by each criterion; see `systems_across`.

    `metrics_across` are those of `rankassay.answers.across.metrics_across`.
    """
    rows = metrics_at(metrics_across, cutoff)
    parts = {
        heading: (rows[rows["criterion"] == criterion], BY[criterion])
        for criterion, heading in ACROSS.items()
        if (rows["criterion"] == criterion).any()
    }
    of = f"metrics at cut-off {cutoff}" if rows["cutoff"].notna().any() else "metrics"
    return _table("metric", parts, of, label)


def _table(
    what: str,
    parts: Mapping[str, tuple[pd.DataFrame, str]],
    of: str,
    name: Callable[[str], str],
) -> Table:
    """Return a table with a row for each name, and a column of average ranks for each part."""
    found = {head: average_ranks(own, what) for head, (own, _) in parts.items()}
    # In the order of the first of them.
    names = dict.fromkeys(each for own in found.values() for each in own.index)
    ranks = pd.DataFrame(found, index=[*names])
    letter = dict(zip(ranks.index, letters(len(ranks)), strict=True))
    frame = ranks.reset_index(drop=True)
    frame.insert(0, what.capitalize(), [*map(name, ranks.index)])
    frame.insert(0, "", [*letter.values()])
    above = {}
    for head, (own, _) in parts.items():
        told = own.loc[own["apart"], [f"{what}_a", f"{what}_b"]].to_numpy()
        beaten = [[letter[b] for a, b in told if a == each] for each in ranks.index]
        above[head] = [raised(",".join(sorted(own, key=_place))) for own in beaten]
    said = {head: sentence(own, what, better, name) for head, (own, better) in parts.items()}
    heads = {each: [head for head in said if said[head] == each] for each in said.values()}
    notes = [f"{listed(of_these)}: {each}" for each, of_these in heads.items()]
    return Table(
        frame,
        f"Average ranks across datasets of the {of}; 1 is the best.",
        dict.fromkeys(parts, "{:.2f}".format),
        ranks.eq(ranks.min()).reset_index(drop=True),
        "Raised letters name those from which one differs significantly (Friedman's test with the "
        f"correction of Iman and Davenport, then Nemenyi's), which takes {ENOUGH} datasets or "
        f"more. {' '.join(notes) or NOTHING}",
        above,
    )


def _place(letter: str) -> tuple[int, str]:
    """Return what orders letters: z stands before aa."""
    return len(letter), letter


NOTHING = "No two can be compared on two datasets or more."
