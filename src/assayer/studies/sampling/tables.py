"""The tables of the study of sampled metrics."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from assayer.drawing import style
from assayer.drawing.table import Table
from assayer.errors import AssayerError
from assayer.studies.sampling.constructed import ALGORITHMS
from assayer.studies.sampling.figures import measure

WAYS = {"together": "relevant items together", "alone": "each relevant item alone"}


def example(example: pd.DataFrame, published: pd.DataFrame) -> Table:
    """Return the paper's example: exact metrics, and those on samples, beside the printed ones.

    Parameters
    ----------
    example : pandas.DataFrame
        Columns algorithm, metric, cutoff, exact, expected, deviation, simulated and
        simulated_deviation.
    published : pandas.DataFrame
        Columns algorithm, metric, exact, mean, deviation.
    """
    joined = example.merge(published, on=["algorithm", "metric"], suffixes=("", "_printed"))
    names = {m: measure(m, own["cutoff"]) for m, own in joined.groupby("metric")}
    ranks = {name: ", ".join(map(str, of)) for name, of in ALGORITHMS.items()}
    frame = pd.DataFrame(
        {
            "Metric": joined["metric"].map(names),
            "Algorithm": joined["algorithm"],
            "Ranks": joined["algorithm"].map(ranks),
            "Exact": joined["exact"],
            "Printed": joined["exact_printed"],
            "Expected": joined["expected"],
            "Deviation": joined["deviation"],
            "Simulated": joined["simulated"],
            "Its deviation": joined["simulated_deviation"],
            "Printed mean": joined["mean"],
            "Printed deviation": joined["deviation_printed"],
        }
    )
    frame = frame.sort_values("Metric", kind="stable", key=lambda m: m.map(_order(joined, names)))
    best = pd.DataFrame(False, index=frame.index, columns=frame.columns)
    for column in ("Exact", "Printed", "Expected", "Simulated", "Printed mean"):
        best[column] = frame[column] == frame.groupby("Metric")[column].transform("max")
    numbers = list(frame.columns[3:])
    return Table(
        frame.reset_index(drop=True),
        "The example of sections 3.2 and 4.3: metrics of all items, and on samples of them; the "
        "best algorithm in bold.",
        dict.fromkeys(numbers, "{:.3f}".format),
        best.reset_index(drop=True),
        "Expected, Deviation: of one sampled evaluation, in closed form. Simulated: the mean over "
        "repeated evaluations, whose items were drawn one by one. The printed means are those of "
        "1,000 repetitions: their standard error is the deviation / 31.6.",
    )


def orders(orders: pd.DataFrame) -> Table:
    """Return how the size of the sample orders the three algorithms.

    Parameters
    ----------
    orders : pandas.DataFrame
        Columns metric, cutoff, order, first, last, exact, reliable_from.
    """
    names = {metric: measure(metric, own["cutoff"]) for metric, own in orders.groupby("metric")}
    wholes = ("first", "last", "reliable_from")
    first, last, reliable = (orders[name].astype("Int64") for name in wholes)
    frame = pd.DataFrame(
        {
            "Metric": orders["metric"].map(names),
            "From m": first,
            "To m": last,
            "Order": orders["order"],
            "Exact order": orders["exact"],
            "Reliable from m": reliable,
        }
    )
    wrong = pd.DataFrame(False, index=frame.index, columns=frame.columns)
    wrong["Order"] = frame["Order"] != frame["Exact order"]
    return Table(
        frame,
        "The order of the three algorithms by expected metrics on samples of every size; in bold "
        "where it is not the exact order.",
        {},
        wrong,
        "Values within 0.001 count as equal. Reliable: from this size on, all expected values are "
        "within 0.01 of the exact ones; a dash: no sample with replacement is. Sizes are every one "
        "to 100, every fifth to 1,000 and every 50th above.",
    )


def systems(systems: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return tau between the order of the systems by sampled metrics and the exact one.

    Parameters
    ----------
    systems : pandas.DataFrame
        Columns dataset, sampler, relevant, metric, cutoff, m, tau.
    cutoff : int
        The cut-off that is shown.
    titles : mapping
        By short name, the dataset's title; its order is that of the rows.
    """
    frame = _by_size(systems, "tau", cutoff, titles, ["sampler", "relevant"])
    numbers = list(frame.columns[3:])
    return Table(
        frame,
        f"Kendall's τ between the orders of the systems by sampled metrics at cut-off {cutoff} and "
        "by the exact ones, by the size of the sample.",
        dict.fromkeys(numbers, "{:.3f}".format),
        note="A dash: all systems have the same value. By popularity, the order is approximate for "
        "small samples: see the pairs that the table of wrong pairs calls open.",
    )


def wrong(systems: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return how many pairs of systems sampled metrics order wrongly; parameters as in `systems`.

    The table also has the columns wrong, contradicted, undecided and pairs.
    """
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
        "is significant by the sampled metric, and by the exact one the other way. In square "
        "brackets: all pairs whose order the bounds of samples by popularity leave open.",
    )


def corrections(corrections: pd.DataFrame, cutoff: int, titles: Mapping[str, str]) -> Table:
    """Return how many pairs of systems corrected metrics order wrongly.

    Parameters
    ----------
    corrections : pandas.DataFrame
        Columns dataset, correction, metric, cutoff, m, wrong, wrong_one_draw, pairs.
    cutoff, titles
        As in `systems`.
    """
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
        raise AssayerError(f"nothing to show: expected rows at cut-off {cutoff}, found none.")
    wide = shown.pivot(index=["dataset", *heads, "metric"], columns="m", values=value)
    wide = wide.reindex(sorted(wide.columns), axis=1)
    rows = list(dict.fromkeys(shown[["dataset", *heads, "metric"]].itertuples(index=False)))
    order = [titles_name for titles_name in titles if titles_name in set(shown["dataset"])]
    rows.sort(key=lambda row: order.index(row[0]))
    wide = wide.loc[[tuple(row) for row in rows]]
    head = pd.DataFrame(
        {
            "Dataset": [titles[row[0]] for row in rows],
            "Correction" if heads == ["correction"] else "Sampling": [
                ", ".join(WAYS.get(part, part) for part in row[1:-1]) for row in rows
            ],
            "Metric": [_measure(row[-1], cutoff) for row in rows],
        }
    )
    names = ["all" if m == np.inf else f"m = {m:g}" for m in wide.columns]
    return head.join(wide.set_axis(names, axis=1).reset_index(drop=True))


def _measure(metric: str, cutoff: int) -> str:
    """Return the name of a metric at a cut-off; AUC has none."""
    label = style.metric(metric).label
    return label if metric == "AUC" else f"{label}@{cutoff}"


def _order(table: pd.DataFrame, names: Mapping[str, str]) -> dict[str, int]:
    """Return the place of each metric's name, as they come in a table."""
    return {names[metric]: i for i, metric in enumerate(dict.fromkeys(table["metric"]))}
