"""The tables of the study of diversity: axioms, counterexamples, and correlations with truth."""

from collections.abc import Mapping

import pandas as pd

from assayer.drawing import style
from assayer.drawing.table import Table
from assayer.studies.diversity.figures import SCENARIOS

YES, NO = "yes", "no"
NOTATION = (
    "A list is written item by item: its rating and its aspects (- is not rated, 0 is rated 0), "
    "and the value behind it."
)


def axioms(axioms: pd.DataFrame, published: pd.DataFrame | None) -> Table:
    """Return table 1, computed, beside the published one.

    Parameters
    ----------
    axioms : pandas.DataFrame
        As `assayer.studies.diversity.axioms.run` returns it.
    published : pandas.DataFrame
        Columns metric, axiom, holds (1 or 0).
    """
    found = axioms.pivot(
        index="metric", columns="axiom", values=["holds", "satisfied", "instances"]
    )
    metrics, names = dict.fromkeys(axioms["metric"]), list(dict.fromkeys(axioms["axiom"]))
    said = published.set_index(["metric", "axiom"])["holds"] if published is not None else {}
    rows, marks = [], []
    for metric in metrics:
        row, marked = {"Metric": _label(metric)}, {"Metric": False}
        for axiom in names:
            holds, satisfied, n = (
                found.loc[metric, (key, axiom)] for key in ("holds", "satisfied", "instances")
            )
            cell = YES if holds else NO if not satisfied else f"{NO} ({100 * satisfied / n:.0f}%)"
            other = (metric, axiom) in said and int(said[metric, axiom]) != int(holds)
            row[axiom] = f"{cell}, published {NO if holds else YES}" if other else cell
            marked[axiom] = other
        rows.append(row)
        marks.append(marked)
    return Table(
        pd.DataFrame(rows),
        "Which metric satisfies which axiom, on random instances; in bold where table 1 of the "
        "paper says otherwise.",
        marked=pd.DataFrame(marks),
        note=f"{YES}: in every instance. {NO}: not in all; in brackets, in how many. "
        "MoreAspSuperset and metrics with parameters are not in the paper, nor is ERR-IA. A "
        "counterexample of each: table counterexamples.",
    )


def counterexamples(axioms: pd.DataFrame) -> Table:
    """Return an instance for every axiom and metric that does not satisfy it.

    Parameters
    ----------
    axioms : pandas.DataFrame
        As `assayer.studies.diversity.axioms.run` returns it.
    """
    shown = axioms[axioms["holds"] == 0]
    frame = pd.DataFrame(
        {
            "Axiom": shown["axiom"],
            "Metric": shown["metric"].map(_label),
            "Satisfied": shown["satisfied"],
            "Instances": shown["instances"],
            "Should be better, but is not": shown["counterexample"],
        }
    )
    return Table(
        frame.reset_index(drop=True),
        "For each axiom that a metric does not satisfy, the instance furthest from it.",
        note=NOTATION,
    )


def greedy(greedy: pd.DataFrame) -> Table:
    """Return how near greedy ideal lists come to the best ones.

    Parameters
    ----------
    greedy : pandas.DataFrame
        As `assayer.studies.diversity.greedy.run` returns it.
    """
    headings = {"metric": "Metric", "items": "Items", "instances": "Users", "best": "Best"}
    headings |= {"mean": "Mean share", "lowest": "Lowest share"}
    frame = greedy.assign(metric=greedy["metric"].map(_label))[list(headings)]
    return Table(
        frame.rename(columns=headings),
        "The greedy ideal list beside the best of all orders of a user's rated items.",
        dict.fromkeys(["Mean share", "Lowest share"], "{:.4f}".format),
        note="Made-up users. Best: of how many users the greedy list is the best. Shares: of the "
        "best list's discounted gain.",
    )


def order_correlation(order_correlation: pd.DataFrame, titles: Mapping[str, str]) -> Table:
    """Return how far each metric orders ever worse systems as they are.

    Parameters
    ----------
    order_correlation : pandas.DataFrame
        As `assayer.studies.diversity.experiments.order_correlation` returns it, with dataset.
    titles : mapping
        By short name, the dataset's title; its order is that of the rows.
    """
    columns = [name for name in SCENARIOS if name in set(order_correlation["scenario"])]
    frames = []
    for name, title in titles.items():
        own = order_correlation[order_correlation["dataset"] == name]
        if own.empty:
            continue
        wide = own.pivot(index=["metric", "cutoff"], columns="scenario", values="tau")
        wide = wide.reindex(list(dict.fromkeys(zip(own["metric"], own["cutoff"], strict=True))))
        wide = wide[columns].reset_index()
        wide["metric"] = [
            f"{style.metric(m).label}@{c}"
            for m, c in zip(wide["metric"], wide["cutoff"], strict=True)
        ]
        frames.append(wide.drop(columns="cutoff").assign(dataset=title))
    frame = pd.concat(frames, ignore_index=True)
    headings = {"dataset": "Dataset", "metric": "Metric"} | {c: SCENARIOS[c] for c in columns}
    return Table(
        frame[list(headings)].rename(columns=headings),
        "Kendall's τ between the order of the systems by a metric and the order in which they "
        "were made worse.",
        dict.fromkeys([SCENARIOS[c] for c in columns], "{:.3f}".format),
        note="No value: the metric ties all systems. Steps beyond a cut-off change nothing above "
        "it, so that a τ of 1 is out of reach at small cut-offs.",
    )


def _label(metric: str) -> str:
    """Return a metric's name for readers, with its parameters."""
    name, bracket, parameters = metric.partition("(")
    return style.metric(name).label + (f" ({parameters}" if bracket else "")
