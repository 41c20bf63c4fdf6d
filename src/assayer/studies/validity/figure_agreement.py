"""Figure: validity against discriminative power, on data with a truth."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from assayer.drawing import style
from assayer.drawing.layout import Grid, Panel, appearance, select
from assayer.drawing.series import span
from assayer.metrics.catalogue import ordered

PATH = {"linewidth": 0.5, "markersize": 2.2, "alpha": 0.8}
INTERVAL = {"linewidth": 0.8, "alpha": 0.5, "zorder": 1.5}


@style.style()
def agreement(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw every metric at every cut-off, a panel for each set of candidates.

    A line goes from the shallowest cut-off to the deepest; the large marker is the reference
    cut-off, with the interval of its correlation over resampled users.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns dataset and those of `assayer.studies.validity.agreement.run`.
    panels : list of dict
        One: dataset, title and cutoff.
    """
    rows = select(table, panels[0], "dataset")
    looks = style.metrics(ordered(rows["metric"]))
    grid = Grid(rows["candidates"].nunique(), height=2.6)
    for axes, (candidates, own) in zip(
        grid.axes, rows.groupby("candidates", sort=False), strict=True
    ):
        for metric, look in looks.items():
            path = own[own["metric"] == metric].sort_values("cutoff")
            at = path[path["cutoff"] == panels[0]["cutoff"]]
            axes.plot(path["power"], path["tau"], **appearance(look) | PATH)
            axes.vlines(at["power"], at["low"], at["high"], color=look.colour, **INTERVAL)
            axes.plot(at["power"], at["tau"], **appearance(look) | {"markersize": 1.3 * look.size})
        axes.axhline(0, color="0.6", linewidth=0.5)
        axes.set_xlim(*reversed(span(rows["power"], ())))
        axes.set_ylim(*span(rows[["tau", "low", "high"]].to_numpy().ravel(), (0, 1)))
        axes.set_title(f"Candidates: {candidates}", loc="left")
        axes.grid(True)
    grid.label("DP: more power to the right", "τ with the true order")
    grid.head(panels[0]["title"])
    grid.legend(looks.values(), f"Metric; large: @{panels[0]['cutoff']}")
    return grid.figure
