"""Which way axes run: the best is at the top or at the right, and what is kept shrinks rightwards.

Each function that draws a figure of a study draws the measured tables of the pages, where they have
what it shows.
"""

from pathlib import Path

import pandas as pd
import pytest
from axes_checked import check_axes

from rankassay.lookup import load
from rankassay.studies import FIGURES

pytestmark = pytest.mark.slow

MEASURED = Path(__file__).parents[3] / "docs/measured"


def table_of(entry, study):
    name = entry.analysis if "/" in entry.analysis else f"{study}/{entry.analysis}"
    paths = [path for path in sorted(MEASURED.rglob("*.csv")) if f"{path}".endswith(f"/{name}.csv")]
    return paths[0] if paths else None


DRAWN = {}
for name, entry in FIGURES.items():
    path = table_of(entry, name.partition("/")[0])
    # The pages keep some of their columns.
    partial = {"perturbations", "values", "agreement", "claims"}
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
    check_axes(figure, table)
