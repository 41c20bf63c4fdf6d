"""Critical-difference diagrams of systems by each metric, and of metrics by each criterion."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from rankassay.answers.average_ranks import average_ranks, groups, metrics_at
from rankassay.answers.words import ACROSS
from rankassay.drawing import critical_difference, style
from rankassay.drawing.layout import PAGE, Grid, Panel, saying
from rankassay.drawing.measures import shown
from rankassay.metrics.catalogue import label

MOST = 6  # diagrams
WIDER = 1.2  # a grid of two columns has panels higher by this factor than requested


@style.style()
def systems_across(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw a diagram of the systems for each metric at the reference cut-off."""
    rows = shown(table, panels[0]["cutoff"])
    parts = dict([*rows.groupby("measure", sort=False)][:MOST])
    return _diagrams(parts, "system", str)


@style.style()
def metrics_across(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw a diagram of the metrics for each criterion.

    The table has the column criterion in place of metric.
    """
    rows = metrics_at(table, panels[0]["cutoff"])
    parts = {head: rows[rows["criterion"] == name] for name, head in ACROSS.items()}
    return _diagrams(parts, "metric", label)


def _diagrams(parts: Mapping[str, pd.DataFrame], what: str, name: Callable[[str], str]) -> Figure:
    """Return a figure of a diagram for each part that has pairs, with its heading."""
    diagrams = [_diagram(heading, own, what, name) for heading, own in parts.items() if len(own)]
    if not diagrams:
        return saying(f"No two {what}s can be compared on two datasets or more.")
    high = max(critical_difference.height(len(own[0]), len(own[2])) for own in diagrams)
    several = len(diagrams) > 1
    grid = Grid(
        len(diagrams),
        height=high / WIDER,
        single=(0.7 * PAGE, high),
        columns=2 if several else 1,
    )
    for axes, own in zip(grid.axes, diagrams, strict=True):
        critical_difference.draw(axes, *own)
    return grid.figure


def _diagram(
    heading: str, rows: pd.DataFrame, what: str, name: Callable[[str], str]
) -> tuple[pd.Series, float, list[tuple[int, int]], str]:
    """Return what `rankassay.drawing.critical_difference.draw` takes."""
    ranks = average_ranks(rows, what).rename(index=name)
    critical, n = rows["critical_difference"].iloc[0], rows["datasets"].iloc[0]
    joined = groups(ranks.to_numpy(np.float64), critical)
    return ranks, critical, joined, f"{heading} ({n} datasets)"
