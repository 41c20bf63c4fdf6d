"""Which way axes run: the best is at the top or at the right, and what is kept shrinks rightwards.

Each function that draws a figure of a study draws the measured tables of the pages, where they have
what it shows.
"""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection

from rankassay.lookup import load
from rankassay.studies import FIGURES

pytestmark = pytest.mark.slow

MEASURED = Path(__file__).parents[3] / "docs/measured"
# Labels of axes that run backwards: what is left of the data, and where lower is better.
LEFTWARDS = re.compile("kept|lower is better|more power to the right")
DOWNWARDS = re.compile("Rank of popularity|Cut-off")  # the best rank, and the first row, on top
NUMBER = re.compile(r"[−-]?[\d.,]+%?|")


def table_of(entry, study):
    name = entry.analysis if "/" in entry.analysis else f"{study}/{entry.analysis}"
    paths = [path for path in sorted(MEASURED.rglob("*.csv")) if f"{path}".endswith(f"/{name}.csv")]
    return paths[0] if paths else None


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


DRAWN = {}
for name, entry in FIGURES.items():
    path = table_of(entry, name.partition("/")[0])
    partial = {"perturbations", "values", "agreement"}  # the pages keep some of their columns
    if path is not None and path.stem not in partial and name != "goals/bias":
        DRAWN.setdefault((entry.function, entry.panels), (name, path))


def test_most_figures_are_drawn():
    assert len(DRAWN) > 30


@pytest.mark.parametrize(("name", "path"), DRAWN.values(), ids=lambda value: str(value)[-40:])
def test_axes_run_as_their_labels_say(name, path):
    table = pd.read_csv(path, low_memory=False)
    if "dataset" not in table:
        table.insert(0, "dataset", "mine")
    entry, datasets = FIGURES[name], {own: own for own in table["dataset"]}
    cutoff = int(table["cutoff"].max()) if "cutoff" in table else None
    metrics = [table["metric"].iloc[0]] if entry.panels == "metrics" else ()
    figure = load(entry.function)(table, entry.shown(datasets, cutoff, metrics))
    assert figure.axes
    for axes in filter(lambda axes: axes.axison, figure.axes):
        check_bars(axes, table)
        left, right = axes.get_xlim()
        if label := axes.get_xlabel():
            assert (left > right) == bool(LEFTWARDS.search(label)), label
        rows = [row for text in axes.get_yticklabels() if (row := text.get_text())]
        words = any(not NUMBER.fullmatch(row) for row in rows)
        low, high = axes.get_ylim()
        if (label := axes.get_ylabel()) or rows:
            assert (low > high) == (words or bool(DOWNWARDS.search(label))), (label, rows)
