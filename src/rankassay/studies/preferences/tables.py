"""Tables of the study of preferences between lists."""

from collections.abc import Mapping

import pandas as pd

from rankassay.answers.identical import power as power_of_pairs
from rankassay.drawing.table import Table, shown, spread, stacked


def power(power: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the number of significantly different pairs under each preference and metric."""
    rows = shown(power, cutoff, "power")
    return power_of_pairs(
        rows,
        titles,
        "Preference",
        "Pairs of systems that differ significantly under each preference between lists and each "
        "metric.",
        f"There are {rows['permutations'].max():,} permutations.",
        "Ties: the share of the users' comparisons of two systems without a preference. Different "
        "systems that tie under a preference or metric stay a pair, with p = 1.",
        {"tied": "Ties"},
        {"Ties": _share},
    )


def robustness(
    sparsity: pd.DataFrame, popularity: pd.DataFrame, cutoff: int, titles: Mapping[str, str]
) -> Table:
    """Return the robustness of the ranking, a row for each preference and metric."""
    parts = []
    for table, column, what in (
        (sparsity, "level", "ratings"),
        (popularity, "percentage", "items"),
    ):
        rows = shown(table, cutoff, "robustness")
        levels = sorted(rows[column].unique(), reverse=True)
        wide = spread(rows, ["measure"], column, "tau").set_index(["dataset", "measure"])
        parts.append(wide[levels].rename(columns={x: f"{x:g} % of {what}" for x in levels}))
    wide = pd.concat(parts, axis=1).reset_index()
    heads = {"measure": "Preference"} | {head: head for head in wide.columns[2:]}
    return Table(
        stacked(wide, heads, titles),
        "Robustness of the ranking of systems to the removal of test ratings.",
        dict.fromkeys([*heads.values()][1:], "{:.3f}".format),
        note="Kendall's τ-b with the ranking on all test ratings, by what is left: random ratings "
        "(the mean over samples), or the ratings of the least popular items.",
    )


def aggregation(aggregation: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the agreement of the rankings by different methods from the same preferences."""
    rows = shown(aggregation, cutoff, "aggregation")
    wide = spread(rows, ["measure", "circular"], "method", "tau")
    heads = {"measure": "Preference"} | METHODS | {"circular": "Circular"}
    heads = {name: head for name, head in heads.items() if name in wide}
    return Table(
        stacked(wide, heads, titles),
        "Rankings by win rates, Borda, Copeland and MC4, compared with the ranking by mean "
        "preferences.",
        dict.fromkeys(METHODS.values(), "{:.3f}".format),
        note="Kendall's τ-b with the ranking by the mean preference over users and other systems. "
        "Circular: intransitive triples of systems (most users prefer A to B, B to C and C to A).",
    )


METHODS = {"wins": "Win rate", "borda": "Borda", "copeland": "Copeland", "mc4": "MC4"}


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"
