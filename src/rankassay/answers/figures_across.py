"""Diagrams of average ranks across datasets, of systems by metric and of metrics by criterion."""

from collections.abc import Sequence

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
    found = []
    for measure, own in [*rows.groupby("measure", sort=False)][:MOST]:
        ranks, critical = average_ranks(own), own["critical_difference"].iloc[0]
        joined = groups(ranks.to_numpy(np.float64), critical)
        found.append((ranks, critical, joined, _heading(measure, own)))
    return _diagrams(found, "systems")


@style.style()
def metrics_across(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw a diagram of the metrics for each criterion, which names no pairs that differ."""
    rows = metrics_at(table, panels[0]["cutoff"]).set_index("metric").rename(index=label)
    parts = [(head, rows[rows["criterion"] == name]) for name, head in ACROSS.items()]
    found = [(own["rank"], None, [], _heading(head, own)) for head, own in parts if len(own)]
    return _diagrams(found, "metrics")


def _heading(heading: str, rows: pd.DataFrame) -> str:
    return f"{heading} ({rows['sources'].iloc[0]} sources)"


def _diagrams(diagrams: Sequence[tuple], what: str) -> Figure:
    """Return a figure of what `rankassay.drawing.critical_difference.draw` takes for each part."""
    if not diagrams:
        return saying(f"No two {what} can be compared on two sources of data or more.")
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
