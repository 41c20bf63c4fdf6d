"""The verdicts on the sentences of a paper as a matrix."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from rankassay.claims.conditions import QUESTIONS, SIGNS
from rankassay.drawing import style
from rankassay.drawing.layout import Panel, blank

# From light to dark, and with signs, so that they can be distinguished without colour.
COLOURS = {
    "holds": "#BFE3CF",
    "inconclusive": "#F4E2B0",
    "does not hold": "#B34700",
    "undefined": "#BBBBBB",
    "not asked": "#EFEFEF",
}
DARK = ("does not hold",)
ROW, COLUMN = 0.15, 0.2  # inches: a sentence, a question about a dataset
NAMES, TITLES = 1.9, 1.9  # inches: the sentences' names, the datasets' titles and the legend


def claims(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw a matrix of verdicts, a row for each sentence and two columns for each dataset.

    The first of these says whether the sentence is reproduced, the second whether it is general.
    Each verdict is that of the dataset's own run, so that splits and settings can be compared; the
    table of sentences has those over all splits. The table is that of
    `rankassay.claims.judge` on several datasets; the panels are these. Where a sentence has
    no verdict on a dataset, its cell is white.
    """
    found = table[table["decides"].astype(bool)]
    names = [*dict.fromkeys(found["sentence"])]
    found = found.drop_duplicates(["sentence", "dataset"]).set_index(["sentence", "dataset"])
    columns = [(panel["dataset"], question) for panel in panels for question in QUESTIONS]
    verdicts = [
        [found[asked].get((name, dataset), "") for dataset, asked in columns] for name in names
    ]
    titles = [f"{panel['title']}: {asked}?" for panel in panels for asked in QUESTIONS]
    return matrix(names, titles, verdicts)


def matrix(
    names: Sequence[str], titles: Sequence[str], verdicts: Sequence[Sequence[str]]
) -> Figure:
    """Draw a matrix of verdicts: its rows have these names, and its columns these titles.

    A cell is white where there is no verdict, which is an empty text.
    """
    if not names:
        return _nothing()
    cells = np.array(verdicts, dtype=object)
    with style.style():
        size = (NAMES + max(COLUMN * len(titles), 1.2), ROW * len(names) + TITLES)
        figure = blank(size, layout="constrained")
        axes = figure.add_subplot()
        place = {verdict: code for code, verdict in enumerate(COLOURS)}
        codes = [[place.get(verdict, np.nan) for verdict in row] for row in cells]
        axes.pcolormesh(
            np.ma.masked_invalid(np.array(codes, dtype=np.float64)),
            cmap=ListedColormap([*COLOURS.values()]),
            vmin=-0.5,
            vmax=len(COLOURS) - 0.5,
            edgecolors="white",
            linewidth=0.5,
        )
        for (row, column), verdict in np.ndenumerate(cells):
            colour = "white" if verdict in DARK else "0.1"
            text = {"ha": "center", "va": "center", "fontsize": 5, "color": colour}
            axes.text(column + 0.5, row + 0.53, SIGNS.get(verdict, ""), **text)
        axes.set_ylim(len(names), 0)
        axes.set_yticks(np.arange(len(names)) + 0.5, names, fontsize=5.5)
        axes.set_xticks(np.arange(len(titles)) + 0.5, titles, rotation=90, fontsize=5.5)
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        handles = [
            Patch(facecolor=colour, label=f"{SIGNS[name]} {name}")
            for name, colour in COLOURS.items()
            if (cells == name).any()
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=3)
        return figure


def _nothing() -> Figure:
    """Return a figure that says that there is none: a dataset of one's own is in no paper."""
    with style.style():
        figure = blank((3.5, 0.5))
        figure.text(0.5, 0.5, "No claim is about these datasets.", ha="center", va="center")
        return figure
