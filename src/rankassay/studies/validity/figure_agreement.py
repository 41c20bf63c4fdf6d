"""Figure: agreement of metrics with the truth, by yardstick, on data with a truth."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rankassay.drawing import style
from rankassay.drawing.layout import Grid, Panel, select_at_cutoff, span
from rankassay.metrics.catalogue import label, ordered
from rankassay.studies.validity.candidates import on_all_items
from rankassay.studies.validity.words import AS_PUBLISHED, LIKED, NEW, OWN, reference

TITLES = {
    LIKED: "Liked: items that the user likes",
    NEW: "New: liked, and not known before",
    OWN: "Own truth: each metric by itself",
}
POINT = {"color": "#0072B2", "marker": "o", "markersize": 4, "linestyle": ""}
# What else is known of a metric: other utilities, and the truth with the observed test ratings.
OTHERS = {
    "DCG": {"color": "#009E73", "marker": "^", "label": "True DCG"},
    "rating": {"color": "#E69F00", "marker": "s", "label": "True mean rating"},
    AS_PUBLISHED: {"color": "#D55E00", "marker": "x", "label": "True P as published (biased)"},
}
SMALL = {"markersize": 3.5, "linestyle": "", "alpha": 0.9}
ROW = 0.14  # inches


@style.style()
def agreement(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the correlation of each metric's observed ranking with the true one, by yardstick.

    A dot with its interval is that with the true P, or with the metric's own truth; the other marks
    are other utilities, and P as the SIGIR 2018 paper counted it, with the observed test ratings as
    a part of the truth. Metrics are at the reference cut-off, on lists of all items.
    """
    rows = select_at_cutoff(on_all_items(table), panels[0])
    main = reference(rows, panels[0]["cutoff"])
    names = ordered(main["metric"])
    shown = [name for name in TITLES if (main["yardstick"] == name).any()]
    height = 0.6 + ROW * len(names)
    grid = Grid(len(shown), height=height, single=(4.2, height + 0.5), columns=len(shown))
    for axes, name in zip(grid.axes, shown, strict=True):
        own = main[main["yardstick"] == name].set_index("metric").reindex(names)
        _draw(axes, own, rows[rows["yardstick"] == name], main["estimator"].iloc[0])
        axes.set_yticks(range(len(names)), [label(metric) for metric in names])
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_xlim(*span(main[["tau", "low", "high"]].to_numpy().ravel(), (-0.05, 1)))
        axes.set_title(TITLES[name], loc="left")
    grid.label(f"τ of the ranking at cut-off {panels[0]['cutoff']} with the true ranking", "")
    grid.head(panels[0]["title"])
    utility = next(iter(main.loc[main["yardstick"] != OWN, "utility"]), "Metric")
    seen = {*rows["utility"], *rows["estimator"]}
    handles = [Line2D([], [], **POINT, label=f"True {utility}, with its 95% interval")]
    handles += [Line2D([], [], **SMALL | look) for key, look in OTHERS.items() if key in seen]
    grid.below(handles, 0.25, ncols=4)
    return grid.figure


def _draw(axes: Axes, own: pd.DataFrame, rows: pd.DataFrame, estimator: str) -> None:
    """Draw a yardstick: the points with their intervals, and further marks."""
    y = np.arange(len(own))
    axes.axvline(0, color="0.6", linewidth=0.5)
    axes.hlines(y, own["low"], own["high"], color=POINT["color"], linewidth=1)
    for key, look in OTHERS.items():
        of = rows["estimator"] == (key if key == AS_PUBLISHED else estimator)
        of &= rows["utility"] == ("P" if key == AS_PUBLISHED else key)
        other = rows[of].drop_duplicates("metric").set_index("metric").reindex(own.index)
        axes.plot(other["tau"], y, **SMALL | look)
    axes.plot(own["tau"], y, **POINT)
    axes.grid(True, axis="x")
