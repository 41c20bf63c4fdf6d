"""Tables of average ranks across datasets, of systems by metric and of metrics by criterion."""

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from rankassay.answers.average_ranks import average_ranks, metrics_at
from rankassay.answers.words import ACROSS
from rankassay.answers.words_across import sentence
from rankassay.drawing.comparison_table import raised
from rankassay.drawing.measures import shown
from rankassay.drawing.table import Table
from rankassay.errors import listed
from rankassay.metrics.catalogue import label
from rankassay.statistics.across_datasets import ENOUGH
from rankassay.statistics.paired import letters

LETTERS = (
    "Raised letters name those from which one differs significantly (Friedman's test with the "
    f"correction of Iman and Davenport, then Nemenyi's), which takes {ENOUGH} sources or more. "
)
SOURCES = "Datasets of one source count as one. "
NOTHING = "No two can be compared on two sources of data or more."


def systems_across(systems_across: pd.DataFrame, cutoff: int) -> Table:
    """Return the average ranks of the systems by each metric at the reference cut-off."""
    parts = dict([*shown(systems_across, cutoff).groupby("measure", sort=False)])
    said = {measure: sentence(own, measure) for measure, own in parts.items()}
    ranks = {measure: average_ranks(own) for measure, own in parts.items()}
    found = _table("System", f"systems by the metrics at cut-off {cutoff}", ranks, said)
    names = found.frame["System"]
    letter = dict(zip(names, letters(len(names)), strict=True))
    above = {}
    for measure, own in parts.items():
        told = own.loc[own["apart"], ["system_a", "system_b"]].to_numpy()
        beaten = [[letter[b] for a, b in told if a == each] for each in names]
        above[measure] = [raised(",".join(sorted(each, key=_place))) for each in beaten]
    found.frame.insert(0, "", [*letter.values()])
    return replace(found, raised=above, note=LETTERS + found.note)


def metrics_across(metrics_across: pd.DataFrame, cutoff: int) -> Table:
    """Return the average ranks of the metrics by each criterion; see `systems_across`.

    `metrics_across` are those of `rankassay.answers.across.metrics_across`.
    """
    rows = metrics_at(metrics_across, cutoff)
    own = {head: rows[rows["criterion"] == criterion] for criterion, head in ACROSS.items()}
    parts = {head: each for head, each in own.items() if len(each)}
    said = {head: sentence(each) for head, each in parts.items()}
    ranks = {head: each.set_index("metric")["rank"].rename(label) for head, each in parts.items()}
    of = f"metrics at cut-off {cutoff}" if rows["cutoff"].notna().any() else "metrics"
    return _table("Metric", of, ranks, said)


def _table(what: str, of: str, ranks: Mapping[str, pd.Series], said: Mapping[str, str]) -> Table:
    """Return a table with a row for each name, and a column of average ranks for each part.

    `ranks` are these by part, in the order of the first of them, and `said` is what they say.
    """
    names = [*dict.fromkeys(each for own in ranks.values() for each in own.index)]
    frame = pd.DataFrame({head: own.reindex(names) for head, own in ranks.items()}, index=names)
    heads = {each: [head for head in said if said[head] == each] for each in said.values()}
    notes = [f"{listed(of_these)}: {each}" for each, of_these in heads.items()]
    return Table(
        frame.rename_axis(what).reset_index(),
        f"Average ranks across datasets of the {of}; 1 is the best.",
        dict.fromkeys(ranks, "{:.2f}".format),
        frame.eq(frame.min()).reset_index(drop=True),
        SOURCES + (" ".join(notes) or NOTHING),
    )


def _place(letter: str) -> tuple[int, str]:
    """Return what orders letters: z stands before aa."""
    return len(letter), letter
