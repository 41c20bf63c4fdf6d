"""Figures 4, 5 and 8 as the paper's authors made them: their definitions, pairs in both orders."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from rankassay.drawing import correlation, incomplete
from rankassay.drawing.layout import Panel, select


def as_run_correlation(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw tau between the metrics of whole lists, one heat map per dataset.

    The cut-off is that of the table.
    """
    return correlation.metric_correlation(table, _with(table, panels, "cutoff"))


def as_run_p_values(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the p-values of all ordered pairs of systems, a line per metric of whole lists.

    The cut-off is that of the table.
    """
    return _ordered_pairs(table, _with(table, panels, "cutoff"))


def as_run_cutoffs(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the p-values of all ordered pairs of systems, a line per cut-off of one metric.

    The metric is that of the table.
    """
    return _ordered_pairs(table, _with(table, panels, "metric"))


def _ordered_pairs(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw p-values with those of identical systems, which the authors' form does not exclude."""
    return incomplete.p_values(table.assign(identical=False), panels, "ordered pair")


def _with(table: pd.DataFrame, panels: Sequence[Panel], column: str) -> list[Panel]:
    """Return panels that show what the table has of each dataset, in a column of one value."""
    return [panel | {column: select(table, panel, "dataset")[column].iloc[0]} for panel in panels]
