"""The tables of the study of diversity: axioms, counterexamples, and correlations with truth."""

from collections.abc import Mapping

import pandas as pd

from rankassay.drawing.table import Table, by_dataset
from rankassay.metrics.catalogue import label
from rankassay.studies.diversity.comparisons import SCENARIOS, beside_published

YES, NO = "yes", "no"
NOTATION = (
    "A list is written item by item: its rating and its aspects (- is not rated, 0 is rated 0), "
    "and the value behind it."
)


def axioms(axioms: pd.DataFrame, published: pd.DataFrame | None) -> Table:
    """Return table 1, computed, next to the published one."""
    rows: dict[str, dict] = {metric: {"Metric": _label(metric)} for metric in axioms["metric"]}
    marked: dict[str, dict] = {metric: {"Metric": False} for metric in axioms["metric"]}
    for one in beside_published(axioms, published).itertuples():
        share = f" ({100 * one.satisfied / one.instances:.0f}%)" if one.satisfied else ""
        cell = YES if one.holds else NO + share
        other = f", published {NO if one.holds else YES}" if one.otherwise else ""
        rows[one.metric][one.axiom] = cell + other
        marked[one.metric][one.axiom] = one.otherwise
    return Table(
        pd.DataFrame(rows.values()),
        "Which metric satisfies which axiom, on random instances; in bold where table 1 of the "
        "paper says otherwise.",
        marked=pd.DataFrame(marked.values()),
        note=f"{YES}: in every instance. {NO}: not in all; in brackets, in how many. "
        "MoreAspSuperset and metrics with parameters are not in the paper, nor is ERR-IA. A "
        "counterexample of each: table counterexamples.",
    )


def counterexamples(axioms: pd.DataFrame) -> Table:
    """Return an instance for every axiom and metric that does not satisfy it."""
    shown = axioms[axioms["holds"] == 0]
    headings = {"axiom": "Axiom", "metric": "Metric", "satisfied": "Satisfied"}
    headings |= {"instances": "Instances", "counterexample": "Should be better, but is not"}
    return Table(
        _headed(shown, headings),
        "For each axiom that a metric does not satisfy, the instance furthest from it.",
        note=NOTATION,
    )


def greedy(greedy: pd.DataFrame) -> Table:
    """Return how near greedy ideal lists come to the best ones."""
    headings = {"metric": "Metric", "items": "Items", "instances": "Users", "best": "Best"}
    headings |= {"mean": "Mean share", "lowest": "Lowest share"}
    return Table(
        _headed(greedy, headings),
        "The greedy ideal list compared with the best of all orders of a user's rated items.",
        dict.fromkeys(["Mean share", "Lowest share"], "{:.4f}".format),
        note="Simulated users. Best: of how many users the greedy list is the best. Shares: of the "
        "best list's discounted gain.",
    )


def order_correlation(order_correlation: pd.DataFrame, titles: Mapping[str, str]) -> Table:
    """Return how well each metric ranks ever worse systems."""
    scenarios = {k: v for k, v in SCENARIOS.items() if k in set(order_correlation["scenario"])}
    frames = []
    for title, own in by_dataset(order_correlation, titles):
        wide = own.pivot(index=["metric", "cutoff"], columns="scenario", values="tau")
        wide = wide.reindex(list(dict.fromkeys(zip(own["metric"], own["cutoff"], strict=True))))
        frame = wide[[*scenarios]].rename(columns=scenarios).reset_index(drop=True)
        frame.insert(0, "Dataset", title)
        frame.insert(1, "Metric", [label(*measure) for measure in wide.index])
        frames.append(frame)
    return Table(
        pd.concat(frames, ignore_index=True),
        "Kendall's τ between the ranking of systems under a metric and the order in which they "
        "were made worse.",
        dict.fromkeys(scenarios.values(), "{:.3f}".format),
        note="Undefined: the metric ties all systems. Steps beyond a cut-off change nothing above "
        "it, so that a τ of 1 is out of reach at small cut-offs.",
    )


def _headed(table: pd.DataFrame, headings: Mapping[str, str]) -> pd.DataFrame:
    """Return columns under their headings, the metrics by their labels."""
    frame = table.assign(metric=table["metric"].map(_label)).reset_index(drop=True)
    return frame[[*headings]].rename(columns=headings)


def _label(metric: str) -> str:
    """Return a metric's name for readers, with its parameters."""
    name, bracket, parameters = metric.partition("(")
    return label(name) + (f" ({parameters}" if bracket else "")
