"""Tables of definitions: where sources differ, what a choice changes, the blog post's values."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from rankassay.drawing.table import MISSING, Table, by_dataset, nothing
from rankassay.metrics.catalogue import label, ordered

OF_SOURCES = (
    "Sources with the same value for every user and system share a row; the first of a metric is "
    "the reference. Mean: of the systems' values. Largest difference: of one user's value from the "
    "reference. Users differing, excluded: the most for any one system; excluded are those who "
    "have a value under one of the two only. τ: Kendall's, between the two orders of the systems; "
    "pairs reversed: pairs of systems in opposite order. Why: the parameters that are not those of "
    "the reference; users without relevant items, or without a list, are counted with 0 (value) or "
    "excluded from the mean (nan); what a library's known behaviour does not explain is called "
    "unexplained. "
)
COUNTS = ["Users differing", "Users excluded", "Pairs reversed"]
DIFFERENCES = {
    "Largest difference": "max_difference",
    **{"Users differing": "differing", "Users excluded": "left_out"},
    **{"τ": "tau", "Pairs reversed": "reordered", "Why": "reasons"},
}
SOURCES = ["Dataset", "Metric", "Sources", "Mean", "Best system", *DIFFERENCES]
OF_CHOICES = (
    "Ratio: of the mean over all systems to that under the reference, the first definition of a "
    "metric. τ: Kendall's, between the two orders of the systems. Reversed: pairs of systems in "
    "opposite order; significantly: those for which each order is significant by a paired "
    "permutation test (p below the setting `alpha`, .05 unless changed), of which one is named, "
    "better under the reference first; adjusted: those significant for all pairs at once (max-T). "
    "Empty users: pairs reversed when users without relevant items are excluded instead of "
    "counted. Labels: Spearman's correlation of a user's value with the user's number of relevant "
    "items, mean over the systems."
)
CHANGES = {
    **{"Ratio": "ratio", "τ": "tau", "Reversed": "turned"},
    **{"Significantly": "turned_significantly", "Adjusted": "turned_adjusted"},
}
REFERENCE = dict.fromkeys([*CHANGES.values(), "pair"]) | {"ratio": 1.0, "tau": 1.0}
WHOLE = ["Reversed", "Significantly", "Adjusted", "Empty users"]
EXAMPLE = (
    "The worked example of the blog post, its eight tables in one: each cell as printed and as "
    "measured under the profile blog. In bold: what does not agree."
)
OF_EXAMPLE = (
    "Users #4 and #5 have no relevant items and no value; the means are over the other three. The "
    "post cuts some numbers after three decimals and rounds others, so that .001 is allowed. It "
    "prints 1/3 for the mean reciprocal rank at 3 and 5; the mean of its own 1, 1/2 and 0 is 1/2. "
    "DCG and IDCG are printed as sums, and without means. Its formula of recall has TN where FN is "
    "meant, and those of DCG and IDCG the user's index where the place's is meant; its numbers are "
    "right."
)
MEANS = {
    "system": "System",
    **{"first": "MRR", "place_first": "Place"},
    **{"all": "Of all relevant items", "place_all": "Its place"},
}


def discrepancies(discrepancies: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the table of discrepancies: a row for each distinct definition of a metric."""
    shown = discrepancies.query("cutoff == @cutoff and dataset in @titles")
    if shown.empty:
        raise nothing("discrepancies", cutoff)
    rows = []
    for title, own in by_dataset(shown[shown["system"].notna()], titles):
        for metric in ordered(own["metric"]):
            groups = own[own["metric"] == metric].groupby("same_as", sort=False)
            head = {"Dataset": title, "Metric": label(metric, cutoff)}
            rows += [head | _source(_distinct(own), i == 0) for i, (_, own) in enumerate(groups)]
    frame = pd.DataFrame(rows, columns=SOURCES).astype(dict.fromkeys(COUNTS, "Int64"))
    absent = "; ".join(_absences(shown))
    return Table(
        frame,
        f"One name, several metrics: the same lists under every definition at cut-off {cutoff}. "
        "In bold: the order of the systems changes.",
        {"Mean": "{:.4f}".format, "Largest difference": "{:.4f}".format, "τ": "{:.3f}".format},
        dict.fromkeys(["τ", "Pairs reversed"], frame["Pairs reversed"].gt(0).fillna(False)),
        OF_SOURCES + (f"Not compared: {absent}." if absent else "All sources have all metrics."),
    )


def _source(found: dict, reference: bool) -> dict:
    """Return the cells of a definition; those of the reference have no comparison."""
    row = {"Sources": found["sources"], "Mean": found["mean"]}
    row["Best system"] = found["best"] or MISSING
    if reference:
        return row | {"Why": "the reference"}
    return row | {name: found[key] for name, key in DIFFERENCES.items()}


def _distinct(sources: pd.DataFrame) -> dict:
    """Sum up sources that give the same values, the rows of `discrepancies` for them."""
    one = sources[sources["source"] == sources["source"].iloc[0]]
    best = one.sort_values("place", kind="stable").iloc[0]
    names = (sources["source"] + " " + sources["version"].fillna("")).str.strip()
    parts = [part for reason in dict.fromkeys(sources["reason"]) for part in reason.split("; ")]
    return {
        "sources": ", ".join(dict.fromkeys(names)),
        "mean": one["value"].mean(),
        "best": None if pd.isna(best["value"]) else best["system"],
        "max_difference": one["max_difference"].max(),
        "differing": one["differing"].max(),
        "left_out": one["left_out"].max(),
        "tau": best["tau"],
        "reordered": best["reordered"],
        "reasons": "; ".join(dict.fromkeys(parts)),
    }


def _absences(rows: pd.DataFrame) -> list[str]:
    """Return which sources have no values of which metrics, and why."""
    parts = []
    absent = rows[rows["system"].isna()]
    for (source, reason), own in absent.groupby(["source", "reason"], sort=False):
        metrics = [*map(label, dict.fromkeys(own["metric"]))]
        everywhere = set(metrics) == {*map(label, rows["metric"])}
        parts.append(f"{source}: {reason}" + ("" if everywhere else f" ({', '.join(metrics)})"))
    return parts


def choices(
    orders: pd.DataFrame, labels: pd.DataFrame, cutoff: int, titles: Mapping[str, str]
) -> Table:
    """Return a row for each dataset, metric and definition, against the metric's reference."""
    rows = []
    labels = labels[labels["cutoff"] == cutoff]
    for title, own in by_dataset(orders[orders["cutoff"] == cutoff], titles):
        correlations = labels[labels["dataset"] == own["dataset"].iloc[0]]
        for metric, compared in own.groupby("metric", sort=False):
            head = {"Dataset": title, "Metric": label(metric, cutoff)}
            known = correlations[correlations["metric"] == metric].set_index("definition")
            rows += [head | row for row in _definitions(compared, known["correlation"].to_dict())]
    frame = pd.DataFrame(rows).astype(dict.fromkeys(WHOLE, "Int64"))
    return Table(
        frame,
        f"What one choice in the definition of a metric changes at cut-off {cutoff}, on the same "
        "lists. In bold: two papers could draw opposite conclusions, each significant.",
        {"Ratio": "{:.2f}".format, "τ": "{:.3f}".format, "Labels": "{:.2f}".format},
        {"Significantly": frame["Significantly"].gt(0).fillna(False)},
        OF_CHOICES,
    )


def _definitions(compared: pd.DataFrame, correlations: Mapping[str, float]) -> list[dict]:
    """Return the rows of one metric, the reference first; not all need to have a correlation."""
    same = compared[compared["definition_a"] == compared["definition_b"]]
    empty = same.set_index("definition_a")["turned"]
    reference = empty.index[0]
    against = compared[compared["definition_a"] == reference]
    against = against[against["definition_b"] != reference].set_index("definition_b")
    rows = []
    for definition in empty.index:
        one = REFERENCE if definition == reference else against.loc[definition]
        row = {"Definition": definition} | {name: one[key] for name, key in CHANGES.items()}
        row["For instance"] = one["pair"] if isinstance(one["pair"], str) else MISSING
        known = {"Labels": correlations.get(definition, np.nan)}
        rows.append(row | {"Empty users": empty[definition]} | known)
    return rows


def reciprocal_ranks(
    reciprocal_ranks: pd.DataFrame, cutoff: int, titles: Mapping[str, str]
) -> Table:
    """Return a row for each system, with its mean and place under both definitions."""
    shown = reciprocal_ranks[reciprocal_ranks["cutoff"] == cutoff]
    parts, said = [], []
    for title, own in by_dataset(shown, titles):
        part = own[[*MEANS]].rename(columns=MEANS)
        part.insert(0, "Dataset", title)
        parts.append(part)
        tau, reordered = own[["tau", "reordered"]].iloc[0]
        said.append(f"{title}: τ {tau:.3f}, {int(reordered)} pairs in opposite order")
    if not parts:
        raise nothing("reciprocal-ranks", cutoff)
    frame = pd.concat(parts, ignore_index=True)
    moved = frame["Place"] != frame["Its place"]
    return Table(
        frame,
        f"Two means of reciprocal ranks at cut-off {cutoff}: MRR, and the one that takes all "
        "relevant items of a user, which the blog post calls wrong. In bold: another place.",
        {"MRR": "{:.4f}".format, "Of all relevant items": "{:.4f}".format},
        {"Its place": moved},
        f"Between the two orders of the systems: {'; '.join(said)}.",
    )


def examples(examples: pd.DataFrame) -> Table:
    """Return a row for each quantity and user, and a pair of columns for each cut-off."""
    frame, wrong = [], []
    for (section, quantity, user), own in examples.groupby(
        ["section", "quantity", "user"], sort=False
    ):
        who = user if user == "mean" else f"#{user}"
        row = {"Section": f"{section}", "Metric": label(quantity), "User": who}
        bad = dict.fromkeys(row, False)
        for cell in own.itertuples():
            row[f"@{cell.cutoff} printed"] = cell.printed
            row[f"@{cell.cutoff} measured"] = cell.measured
            bad[f"@{cell.cutoff} printed"] = bad[f"@{cell.cutoff} measured"] = not cell.agrees
        frame.append(row)
        wrong.append(bad)
    table, marked = pd.DataFrame(frame), pd.DataFrame(wrong)
    measured = [column for column in table if column.endswith("measured")]
    return Table(table, EXAMPLE, dict.fromkeys(measured, "{:.3f}".format), marked, OF_EXAMPLE)
