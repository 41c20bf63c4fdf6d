"""Which way axes run, and that intervals are drawn whole: what holds of all figures."""

import re

import numpy as np
from matplotlib.collections import LineCollection

# Labels of axes that run backwards: what is left of the data, and where lower is better.
LEFTWARDS = re.compile("kept|lower is better|more power to the right")
DOWNWARDS = re.compile(
    "Rank of popularity|Place of the system|Cut-off"
)  # the best rank, and the first row, on top
NUMBER = re.compile(r"[−-]?[\d.,]+%?|")


def check_axes(figure, table=None):
    """Raise AssertionError for an axis that runs another way than its label or its rows say.

    With the table that is drawn, also for intervals that are not drawn whole.
    """
    assert figure.axes
    for axes in filter(lambda axes: axes.axison, figure.axes):
        if table is not None:
            check_bars(axes, table)
        left, right = axes.get_xlim()
        if label := axes.get_xlabel():
            assert (left > right) == bool(LEFTWARDS.search(label)), label
        rows = [row for text in axes.get_yticklabels() if (row := text.get_text())]
        words = any(not NUMBER.fullmatch(row) for row in rows)
        low, high = axes.get_ylim()
        if (label := axes.get_ylabel()) or rows:
            assert (low > high) == (words or bool(DOWNWARDS.search(label))), (label, rows)


def check_bars(axes, table):
    """Raise AssertionError for intervals that are drawn with one end twice, or cut off."""
    lines = [own for own in axes.collections if isinstance(own, LineCollection)]
    drawn = [[each for each in own.get_segments() if len(each)] for own in lines]
    for segments in filter(None, drawn):
        assert max(np.ptp(own, axis=0).max() for own in segments) > 0
    if {"low", "high"} <= {*table}:
        points = np.concatenate([np.zeros((0, 2)), *(own for each in drawn for own in each)])
        low, high = sorted(axes.get_ylim())
        known = points[~np.isnan(points).any(axis=1), 1]
        assert ((known >= low - 1e-9) & (known <= high + 1e-9)).all()
