"""Tables of the study of metrics beyond accuracy."""

from collections.abc import Mapping

import pandas as pd

from rankassay.answers.identical import power as power_of_pairs
from rankassay.drawing.table import Table, by_dataset, shown, spread, stacked
from rankassay.errors import listed
from rankassay.metrics.catalogue import entry
from rankassay.statistics.set_measures import TAIL
from rankassay.studies.beyond.words import REMOVED


def values(values: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the value of each system by each metric, and the best ones bold."""
    rows = shown(values, cutoff, "values")
    lower = {name: entry(name).lower_is_better for name in rows["metric"]}
    heads = {
        measure: f"{measure} {'↓' if lower[metric] else '↑'}"
        for measure, metric in zip(rows["measure"], rows["metric"], strict=True)
    }
    parts, best = [], []
    for title, own in by_dataset(rows, titles):
        wide = own.pivot(index="system", columns="measure", values="value")
        wide = wide.reindex(index=own["system"].unique(), columns=[*heads]).rename(columns=heads)
        least = pd.Series(
            {heads[m]: lower[n] for m, n in zip(own["measure"], own["metric"], strict=True)}
        )
        extreme = wide.min().where(least.reindex(wide.columns), wide.max())
        best.append(wide.eq(extreme).reset_index(drop=True))
        part = wide.reset_index(names="System")
        part.insert(0, "Dataset", title)
        parts.append(part)
    frame, bold = pd.concat(parts, ignore_index=True), pd.concat(best, ignore_index=True)
    return Table(
        frame,
        f"The systems at cut-off {cutoff} under metrics of accuracy and beyond.",
        dict.fromkeys(heads.values(), "{:.4g}".format),
        {column: bold[column].tolist() for column in bold},
        note="Bold: the best value. ↑: higher is better; ↓: lower is better.",
    )


def power(power: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the number of pairs of systems that differ significantly under each metric."""
    rows = shown(power, cutoff, "power")
    return power_of_pairs(
        rows,
        titles,
        "Metric",
        "Pairs of systems that differ significantly under each metric.",
        _drawn(rows),
        "Equal: pairs of different systems with the same value under the metric, which count.",
        {"equal": "Equal"},
    )


def _drawn(rows: pd.DataFrame) -> str:
    """Return the number of permutations, and the note on swaps of lists."""
    swapped = rows["swapped"].astype(bool)
    numbers = [f"{own['permutations'].max():,}" for own in (rows[~swapped], rows[swapped])]
    if not swapped.any():
        return f"There are {numbers[0]} permutations."
    others = "" if swapped.all() else f"{numbers[0]} permutations, and "
    names = listed([*dict.fromkeys(rows.loc[swapped, "measure"])])
    return (
        f"There are {others}{numbers[1]} of whole lists for {names}: these are no means over "
        f"users, have no interval, and their p below {TAIL:g} is that of a normal distribution if "
        "that is less."
    )


def robustness(robustness: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the robustness of the ranking, a row for each metric and kind of removal."""
    rows = shown(robustness, cutoff, "robustness")
    levels = sorted(rows["level"].unique(), reverse=True)
    wide = spread(rows, ["measure", "removed"], "level", "tau")
    wide["removed"] = wide["removed"].map(REMOVED)
    heads = {level: f"{level:g} %" for level in levels}
    names = {"measure": "Metric", "removed": "Removed"} | heads
    return Table(
        stacked(wide, names, titles),
        "Robustness of the ranking of systems to the removal of users or test ratings.",
        dict.fromkeys(heads.values(), "{:.3f}".format),
        note="Mean Kendall's τ-b with the full ranking, by how much is left: users, test "
        "ratings, or items. Metrics that read no test ratings have no rows for these.",
    )
