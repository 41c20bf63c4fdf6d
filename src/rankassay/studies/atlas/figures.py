"""The figure of the atlas: the verdicts on the findings as a matrix."""

import textwrap
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from rankassay.claims.conditions import REPRODUCED, SIGNS, VERDICTS
from rankassay.claims.figure import COLOURS, DARK
from rankassay.drawing import style
from rankassay.drawing.layout import CHARACTERS, PAGE, Panel, blank, saying
from rankassay.studies.atlas.words import EMPTY, short

ROW, COLUMN = 0.19, 0.3  # inches: a finding, a dataset
NAMES, ABOVE = 2.6, 2.1  # inches: the findings; titles of datasets and legend
GAP = 0.4  # datasets: between the datasets and what is said of all
CORNER = 0.42  # of a cell, where other settings have another verdict


@style.style()
def findings(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw a matrix of verdicts: a row for each finding, a column for each dataset, one for all.

    A cell shows the verdict where the systems are the same and users are drawn anew, with the
    settings that were chosen by validation if there are any; its lower right corner that with the
    dataset's own settings, where it differs. The last column shows the verdict over all datasets.
    Findings that the paper reports for other datasets alone have a †. The table is that of
    `rankassay.studies.atlas.findings.findings`, which says in what order its datasets are.
    """
    if table.empty:
        return saying(EMPTY)
    rank = {verdict: place for place, verdict in enumerate(VERDICTS)}
    ordered = table.assign(own=table["settings"].isna() | (table["settings"] == ""))
    ordered = ordered.assign(rank=ordered["over_all"].map(rank).fillna(len(rank)))
    names = [*dict.fromkeys(ordered.sort_values(["own", "rank"], kind="stable")["sentence"])]
    datasets = dict(zip(table["dataset"], table["title"], strict=True))
    at = {name: float(i) for i, name in enumerate(datasets)} | {"": len(datasets) + GAP}
    columns = len(datasets) + GAP + 1
    size = (max(NAMES + COLUMN * columns, PAGE), ABOVE + ROW * len(names))
    figure = blank(size, layout="constrained")
    axes = figure.add_subplot()
    known = ["settings", "sentence"]
    both = [table[["dataset", *known, REPRODUCED]], table[[*known, "over_all"]].drop_duplicates()]
    both = [own.set_axis([*own.columns[:-1], "verdict"], axis=1) for own in both]
    cells = pd.concat([both[0], both[1][both[1]["verdict"].isin(VERDICTS)].assign(dataset="")])
    for (dataset, sentence), own in cells.groupby(["dataset", "sentence"], sort=False):
        own = own.fillna({"settings": ""}).sort_values("settings", ascending=False)
        said = own["verdict"].tolist()
        _cell(axes, at[dataset], names.index(sentence), said)
    axes.set_xlim(0, columns)
    axes.set_ylim(len(names), 0)
    elsewhere = {*table.loc[table["elsewhere"].astype(bool), "sentence"]}
    labels = [f"{short(name)}{' †' * (name in elsewhere)}" for name in names]
    axes.set_yticks(np.arange(len(names)) + 0.5, labels, fontsize=6.5)
    heads = [*datasets.values(), "All datasets"]
    axes.set_xticks(np.array([*at.values()]) + 0.5, heads, rotation=90, fontsize=6.5)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    _legend(figure, {*cells["verdict"]}, bool(elsewhere))
    return figure


def _cell(axes: Axes, column: float, row: int, said: Sequence[str]) -> None:
    """Draw a verdict, and in its corner that with other settings, where it differs."""
    look = {"edgecolor": "white", "linewidth": 0.8}
    axes.add_patch(Rectangle((column, row), 1, 1, facecolor=COLOURS[said[0]], **look))
    differs = len({*said}) > 1
    middle = (column + (0.36 if differs else 0.5), row + (0.46 if differs else 0.53))
    ink = "white" if said[0] in DARK else "0.1"
    axes.text(*middle, SIGNS[said[0]], ha="center", va="center", fontsize=6.5, color=ink)
    if differs:
        right, low = column + 1, row + 1
        corner = [(right, low), (right - CORNER * 1.25, low), (right, low - CORNER * 1.6)]
        axes.fill(*zip(*corner, strict=True), facecolor=COLOURS[said[1]], **look)


def _legend(figure: Figure, found: set, elsewhere: bool) -> None:
    """Explain colours, corners and the last column below the matrix."""
    handles = [
        Patch(facecolor=colour, label=f"{SIGNS[name]} {name}")
        for name, colour in COLOURS.items()
        if name in found
    ]
    said = "Cells: with the same systems, users drawn anew. All datasets: datasets, a source at a "
    said += "time, and systems, a family at a time, drawn anew. Corner: with the systems' usual "
    said += "settings, where that differs from settings chosen by validation."
    said += " † The paper reports it for other datasets." * elsewhere
    width = round(1.2 * CHARACTERS * figure.get_figwidth())
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=4,
        title=textwrap.fill(said, width),
        title_fontsize=6,
    )
