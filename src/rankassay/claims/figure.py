"""Figure: the verdicts on a study's claims, dataset by dataset."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from rankassay.claims.verdicts import SIGNS
from rankassay.drawing import style
from rankassay.drawing.layout import Panel, blank

# From light to dark, and with signs, so that they can be distinguished without colour.
COLOURS = {
    "reproduced": "#BFE3CF",
    "reproduced, uncertain": "#E6F2EA",
    "not shown": "#F2C14E",
    "contradicted": "#B34700",
    "yes": "#C3D7EE",
    "uncertain": "#E8EFF8",
    "no": "#4A6FA5",
    "undefined": "#BBBBBB",
    "not asked": "#EFEFEF",
}
DARK = ("contradicted", "no")
ROW, COLUMN = 0.125, 0.2  # inches: a claim, a dataset
NAMES, TITLES = 1.9, 1.9  # inches: the claims' names, the datasets' titles and the legend


def claims(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw a matrix of verdicts, a row for each claim and a column for each dataset.

    Each verdict is that of the dataset's own run, so that splits and settings can be compared; the
    table of claims has the one over all of them. The table has the columns dataset, id and verdict;
    the panels are the columns of the matrix. Where a claim is not about a dataset, its cell is
    white.
    """
    claims = list(dict.fromkeys(table["id"]))
    if not claims:
        return _nothing()
    matrix = table.pivot(index="id", columns="dataset", values="verdict").reindex(
        index=claims, columns=[panel["dataset"] for panel in panels]
    )
    with style.style():
        size = (NAMES + max(COLUMN * len(panels), 1.2), ROW * len(claims) + TITLES)
        figure = blank(size, layout="constrained")
        axes = figure.add_subplot()
        codes = matrix.apply(lambda column: column.map({name: i for i, name in enumerate(COLOURS)}))
        axes.pcolormesh(
            np.ma.masked_invalid(codes.to_numpy(np.float64)),
            cmap=ListedColormap([*COLOURS.values()]),
            vmin=-0.5,
            vmax=len(COLOURS) - 0.5,
            edgecolors="white",
            linewidth=0.5,
        )
        for (row, column), verdict in np.ndenumerate(matrix.to_numpy(object)):
            sign, colour = SIGNS.get(verdict, ""), "white" if verdict in DARK else "0.1"
            place = (column + 0.5, row + 0.53)
            axes.text(*place, sign, ha="center", va="center", fontsize=5, color=colour)
        axes.set_ylim(len(claims), 0)
        axes.set_yticks(np.arange(len(claims)) + 0.5, claims, fontsize=5.5)
        titles = [panel["title"] for panel in panels]
        axes.set_xticks(np.arange(len(panels)) + 0.5, titles, rotation=90, fontsize=5.5)
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        found = set(table["verdict"])
        handles = [
            Patch(facecolor=colour, label=f"{SIGNS.get(name, '')} {name}".strip())
            for name, colour in COLOURS.items()
            if name in found
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=2)
        return figure


def _nothing() -> Figure:
    """Return a figure that says that there is none: a dataset of one's own is in no paper."""
    with style.style():
        figure = blank((3.5, 0.5))
        figure.text(0.5, 0.5, "No claim is about these datasets.", ha="center", va="center")
        return figure
