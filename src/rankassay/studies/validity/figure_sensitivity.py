"""Figure: how much selection it takes until each rival overtakes the winner."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator

from rankassay.answers.validity import down
from rankassay.drawing import style
from rankassay.drawing.layout import PAGE, Panel, blank, heading, select_at_cutoff
from rankassay.drawing.style import BLUE, VERMILION

REFERENCE = "P"
TICKS = (1, 1.5, 2, 3, 4, 6, 10, 20)
LAST = 20  # the greatest Γ that is drawn; longer lines end there
BEYOND = 1.25  # how far the axis goes beyond the greatest finite Γ, and beyond the default one
BELOW, ABOVE = VERMILION, BLUE
ITEMS = {"color": "0.4", "linewidth": 0.9}


@style.style()
def sensitivity(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the least Γ at which each rival overtakes the winner, the best rival at the top.

    A bar goes to the free form, which stands behind the rival's name, and the line at its end to
    the one of one weight per item. The dashed line is the default Γ.
    """
    rows = select_at_cutoff(table, panels[0])
    metric = REFERENCE if (rows["metric"] == REFERENCE).any() else rows["metric"].iloc[0]
    rows = rows[rows["metric"] == metric]
    leader, measure = rows[["leader", "measure"]].iloc[0]
    rivals = rows[rows["leader"] == leader]
    figure = blank((PAGE * 0.7, 1.3 + 0.17 * len(rivals)), layout="constrained")
    axes, places = figure.add_subplot(), np.arange(len(rivals))
    default = rivals["default"].iloc[0]
    known = rivals[["gamma", "gamma_item"]].replace(np.inf, np.nan)
    end = min(BEYOND * known.max().fillna(default).max(), LAST)
    end = max(end, BEYOND * default)
    free, by_item = (rivals[name].fillna(1).clip(upper=end).to_numpy() for name in known)
    colours = np.where(rivals["gamma"] < default, BELOW, ABOVE)
    axes.hlines(places, free, by_item, **ITEMS)
    axes.barh(places, free - 1, left=1, height=0.62, color=colours)
    axes.axvline(default, **style.RULE)
    axes.set_xscale("log")
    axes.set_xlim(1, end)
    axes.set_xticks([tick for tick in TICKS if tick <= end])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter("{:g}".format))
    names = zip(rivals["other"], rivals["gamma"], strict=True)
    axes.set_yticks(places, [f"{name}  {_written(gamma)}" for name, gamma in names])
    axes.set_ylim(len(rivals) - 0.4, -0.6)
    axes.set_xlabel(f"Γ at which a rival overtakes {leader} under {measure}")
    handles = [
        Line2D([], [], marker="s", linestyle="none", color=BELOW, label=f"below Γ = {default:g}"),
        Line2D([], [], marker="s", linestyle="none", color=ABOVE, label="at or above"),
        Line2D([], [], **ITEMS, label="one weight an item"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    heading(figure, panels[0]["title"], fontsize=8)
    return figure


def _written(gamma: float) -> str:
    """Return a Γ as it is printed after the name of a rival."""
    return "same hits" if np.isnan(gamma) else "∞" if np.isinf(gamma) else down(gamma)
