"""The figure of unbiased estimators: what does unbiasedness cost?"""

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from rankassay.drawing import style
from rankassay.drawing.layout import Grid, Panel, appearance, select, span

LOOKS = {
    "plain": style.Look("Plain", "#000000", "o", "-"),
    "IPS": style.Look("IPS", "#D55E00", "h", (0, (4, 1))),
    "clipped IPS": style.Look("Clipped IPS", "#E69F00", "^", (0, (2, 1))),
    "SNIPS": style.Look("SNIPS", "#0072B2", "s", (0, (6, 1, 1, 1))),
    "stratified": style.Look("Stratified", "#009E73", "<", (0, (1, 1))),
}


ROWS = {"relative_error": "Relative standard error", "dp": "DP, the sum of p-values"}


@style.style()
def estimators(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the error of means and discriminative power by cut-off, a line for each estimator.

    A column of panels is a gain. The bars of DP are its intervals.
    """
    rows = select(table, panels[0], "dataset")
    gains = list(dict.fromkeys(rows["gain"]))
    grid = Grid(2 * len(gains), columns=len(gains))
    places = [(number, gain) for number in ROWS for gain in gains]
    for axes, (number, gain) in zip(grid.axes, places, strict=True):
        own = rows[rows["gain"] == gain]
        for estimator, look in LOOKS.items():
            line = own[own["estimator"] == estimator]
            ends = [line["dp"] - line["low"], line["high"] - line["dp"]] if number == "dp" else None
            axes.errorbar(line["cutoff"], line[number], ends, **appearance(look), elinewidth=0.4)
        shown = ["dp", "low", "high"] if number == "dp" else [number]
        axes.set_ylim(*span(rows[shown].to_numpy().ravel(), (0,)))
        axes.grid(True, axis="y")
        if number != "dp":
            axes.set_title(gain, loc="left")
    grid.label("Cut-off", "")
    grid.head(panels[0]["title"])
    for axes, text in zip(grid.axes[:: len(gains)], ROWS.values(), strict=True):
        axes.set_ylabel(text)
    grid.legend([look for name, look in LOOKS.items() if (rows["estimator"] == name).any()], "")
    return grid.figure
