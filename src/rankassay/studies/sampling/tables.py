"""The tables of the study of sampled metrics."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from rankassay.drawing.table import Table, nothing
from rankassay.metrics.catalogue import label
from rankassay.studies.sampling.constructed import ALGORITHMS

EXAMPLE = {
    **{"algorithm": "Algorithm", "exact": "Exact", "exact_printed": "Printed"},
    **{"expected": "Expected", "deviation": "Deviation", "simulated": "Simulated"},
    **{"simulated_deviation": "Its deviation", "mean": "Printed mean"},
    "deviation_printed": "Printed deviation",
}
ORDERS = {"metric": "Metric", "first": "From m", "last": "To m", "order": "Order"}
ORDERS |= {"exact": "Exact order", "reliable_from": "Reliable from m"}
WAYS = {"together": "relevant items together", "alone": "each relevant item alone"}


def example(example: pd.DataFrame, published: pd.DataFrame) -> Table:
    """Return the paper's example: exact and sampled metrics, next to the printed ones."""
    joined = example.merge(published, on=["algorithm", "metric"], suffixes=("", "_printed"))
    names = of_single_lists(joined)
    joined = joined.sort_values("metric", kind="stable", key=lambda m: m.map([*names].index))
    ranks = {name: ", ".join(map(str, of)) for name, of in ALGORITHMS.items()}
    frame = joined[[*EXAMPLE]].rename(columns=EXAMPLE).reset_index(drop=True)
    frame.insert(0, "Metric", [*joined["metric"].map(names)])
    frame.insert(2, "Ranks", frame["Algorithm"].map(ranks))
    best = highest(frame, "Metric", ["Exact", "Printed", "Expected", "Simulated", "Printed mean"])
    return Table(
        frame,
        "The example of sections 3.2 and 4.3: metrics of all items, and on samples of them; the "
        "best algorithm in bold.",
        dict.fromkeys(frame.columns[3:], "{:.3f}".format),
        best,
        "Expected, Deviation: of one sampled evaluation, in closed form. Simulated: the mean over "
        "repeated evaluations, whose items were drawn one by one. The printed means are those of "
        "1,000 repetitions: their standard error is the deviation / 31.6.",
    )


def orders(orders: pd.DataFrame) -> Table:
    """Return the ranking of the three algorithms by size of the sample."""
    wholes = ["first", "last", "reliable_from"]
    shown = orders.assign(metric=orders["metric"].map(of_single_lists(orders)))
    return Table(
        shown.astype(dict.fromkeys(wholes, "Int64"))[[*ORDERS]].rename(columns=ORDERS),
        "The order of the three algorithms by expected metrics on samples of every size; in bold "
        "where it is not the exact order.",
        marked={"Order": orders["order"] != orders["exact"]},
        note="Values that differ by less than .001 count as equal. Reliable: from this size on, "
        "all expected values are within .01 of the exact ones; a dash: no sample's are. Sizes are "
        "every one to 100, every fifth to 1,000 and every 50th above.",
    )


def systems(systems: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return tau between the ranking under sampled metrics and the exact one."""
    frame = _by_size(systems, "tau", cutoff, titles, ["sampler", "relevant"])
    return Table(
        frame,
        f"Kendall's τ between the orders of the systems by sampled metrics at cut-off {cutoff} and "
        "by the exact ones, by the size of the sample.",
        dict.fromkeys(frame.columns[3:], "{:.3f}".format),
        note="A dash: all systems have the same value. By popularity, the order is approximate for "
        "small samples: see the pairs that the table of wrong pairs calls open.",
    )


def wrong(systems: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the number of pairs of systems that sampled metrics rank wrongly."""
    counts = systems["wrong"].astype(str) + " (" + systems["contradicted"].astype(str) + ")"
    opened = systems["undecided"].map(lambda n: f" [{n}]" if n else "")
    text = (counts + opened).where(systems["tau"].notna())
    shown = systems.assign(text=text)[systems["m"] != np.inf]
    pairs = int(systems["pairs"].max())
    return Table(
        _by_size(shown, "text", cutoff, titles, ["sampler", "relevant"]),
        f"Pairs of systems, of {pairs}, that metrics at cut-off {cutoff} put in the wrong order on "
        "samples of each size.",
        note="A dash: all systems have the same value. In brackets: those pairs whose difference "
        "is significant by the sampled metric, and in the opposite direction by the exact one. In "
        "square brackets: all pairs whose order the bounds of samples by popularity leave open.",
    )


def corrections(corrections: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return the number of pairs of systems that corrected metrics rank wrongly."""
    single = corrections["wrong_one_draw"].map("{:.1f}".format)
    shown = corrections.assign(text=corrections["wrong"].astype(str) + " (" + single + ")")
    pairs = int(corrections["pairs"].max())
    return Table(
        _by_size(shown, "text", cutoff, titles, ["correction"]),
        f"Pairs of systems, of {pairs}, that corrected metrics at cut-off {cutoff} put in the "
        "wrong order, in expectation, and in brackets on average in one evaluation.",
        note="Each relevant item is ranked alone among a sample of its own; the exact order is "
        "that of the same metric among all items.",
    )


def _by_size(
    table: pd.DataFrame, value: str, cutoff: int, titles: Mapping[str, str], heads: list[str]
) -> pd.DataFrame:
    """Return the rows of all metrics and ways, with a column of `value` for each size."""
    shown = table.query("cutoff == @cutoff and dataset in @titles")
    if shown.empty:
        raise nothing("sampled metrics", cutoff)
    keys = ["dataset", *heads, "metric"]
    wide = shown.pivot(index=keys, columns="m", values=value)
    rows = [*dict.fromkeys(shown[keys].itertuples(index=False, name=None))]
    rows.sort(key=lambda row: [*titles].index(row[0]))
    head = {
        "Dataset": [titles[dataset] for dataset, *_ in rows],
        "Correction" if heads == ["correction"] else "Sampling": [
            ", ".join(WAYS.get(part, part) for part in way) for _, *way, _ in rows
        ],
        "Metric": [over_users(metric, cutoff) for *_, metric in rows],
    }
    sizes = {m: "all" if m == np.inf else f"m = {m:g}" for m in sorted(wide.columns)}
    cells = wide.loc[rows, [*sizes]].set_axis([*sizes.values()], axis=1)
    return pd.DataFrame(head).join(cells.reset_index(drop=True))


def of_single_lists(table: pd.DataFrame) -> Mapping[str, str]:
    """Name the metrics of single lists, with the cut-off of those that have one.

    A single list has an AP and an RR; MAP and MRR are means over users. The table has one cut-off
    for each metric at most.
    """
    names = {}
    for metric, own in table.groupby("metric", sort=False):
        name = metric if metric in ("AP", "RR") else label(metric)
        known = own["cutoff"].dropna().unique()
        names[metric] = f"{name}@{known[0]:g}" if len(known) else name
    return names


def over_users(metric: str, cutoff: int) -> str:
    """Return the name of a metric at a cut-off; AUC has none."""
    return label(metric, None if metric == "AUC" else cutoff)


def highest(table: pd.DataFrame, by: str, columns: Sequence[str]) -> dict[str, pd.Series]:
    """Mark the values in some columns that are the highest of the rows with the same `by`."""
    return {name: table[name] == table.groupby(by)[name].transform("max") for name in columns}
