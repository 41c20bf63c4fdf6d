"""Figure of corrected metrics on real systems: how many pairs each puts in the wrong order."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rankassay.drawing import style
from rankassay.drawing.layout import Grid, Panel, appearance, handle, select
from rankassay.metrics.catalogue import label, ordered
from rankassay.studies.sampling.figures import size_ticks

LOOKS = {
    "uncorrected": style.Look("uncorrected", "0.45", "o"),
    "rank estimate": style.Look("rank estimate", "#E69F00", "s"),
    "least squares": style.Look("least squares", "#56B4E9", "^", (0, (5, 2))),
    "bias-variance 0.1": style.Look("bias–variance, γ = 0.1", "#009E73", "D"),
    "bias-variance 0.01": style.Look("bias–variance, γ = 0.01", "#D55E00", "v"),
}
SINGLE = {"color": "0.3", "linestyle": (0, (2, 1.5)), "linewidth": 0.7}


@style.style()
def corrections(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the pairs of systems in the wrong order against the size of the sample.

    A panel for each metric; solid is the expectation, dashed the average of single evaluations.
    """
    rows = select(table, panels[0], "dataset", "cutoff")
    metrics = ordered(rows["metric"])
    shown = {name: look for name, look in LOOKS.items() if name in set(rows["correction"])}
    grid = Grid(len(metrics), height=2.3)
    for axes, metric in zip(grid.axes, metrics, strict=True):
        for name, look in shown.items():
            own = rows[(rows["metric"] == metric) & (rows["correction"] == name)]
            own = own.sort_values("m")
            axes.plot(own["m"], own["wrong"], **appearance(look) | {"clip_on": False})
            axes.plot(own["m"], own["wrong_one_draw"], **SINGLE | {"color": look.colour})
        axes.set_xscale("log")
        sizes = size_ticks(rows["m"])
        axes.set_xticks(sizes, [f"{size:,.0f}" for size in sizes])
        axes.minorticks_off()
        axes.set_ylim(0, 1.05 * rows[["wrong", "wrong_one_draw"]].max(axis=None) or 1)
        axes.grid(axis="y")
        axes.set_title(label(metric, panels[0]["cutoff"]), loc="left")
    grid.label("Sampled items, m", "Pairs in the wrong order", share_x=False)
    single = Line2D([], [], **SINGLE, label="in one evaluation")
    grid.below([*map(handle, shown.values()), single], 0.3, ncols=6, title="Correction")
    grid.head(panels[0]["title"])
    return grid.figure
