"""Figures of the study of protocols: variance components of rankings, and agreement."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from rankassay.artifacts.replicate import ALL
from rankassay.drawing import style
from rankassay.drawing.layout import (
    PAGE,
    Panel,
    appearance,
    blank,
    correlation_label,
    handle,
    heading,
    select,
)
from rankassay.drawing.table import shown
from rankassay.studies.protocols.tables import FACTORS

# From light to dark, so that they can be distinguished without colour.
COLOURS = {"system": "#DCE9F2", "protocol": "#5B9BC8", "seed": "#F2A541", "fold": "#8C4A00"}
# The mark of what replicates of one protocol agree with.
LUCK = {"marker": "|", "linestyle": "", "color": "0.2", "markersize": 6, "markeredgewidth": 1}


@style.style()
def components(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw the shares of the variance of systems' ranks as bars, a bar for each metric.

    Estimates below 0 count as 0. Next to the bars are the shares of split and filter, where they
    can be estimated separately.
    """
    rows = select(table, panels[0], "dataset")
    rows = shown(rows[rows["protocol"] == ALL], panels[0]["cutoff"])
    shares = rows.pivot(index="measure", columns="factor", values="share").clip(lower=0)
    shares = 100 * shares.reindex(index=rows["measure"].unique())
    parts = [name for name in COLOURS if name in shares]
    figure = blank((PAGE, 0.9 + 0.28 * len(shares)), layout="constrained")
    axes = figure.add_subplot()
    places, left = np.arange(len(shares)), np.zeros(len(shares))
    for name in parts:
        widths = shares[name].fillna(0).to_numpy()
        axes.barh(places, widths, left=left, color=COLOURS[name], height=0.7)
        for place, start, width in zip(places, left, widths, strict=True):
            if width >= 4:
                dark = name == "fold"
                look = {"fontsize": 6, "color": "white" if dark else "0.1"}
                axes.text(
                    start + width / 2, place, f"{width:.0f}", ha="center", va="center", **look
                )
        left = left + widths
    others = [name for name in ("split", "filter") if name in shares]
    for k, name in enumerate(others):
        at = max(left.max(), 100) + 8 + 14 * k
        axes.text(at, -0.75, FACTORS[name], ha="center", va="center", fontsize=6)
        for place, share in zip(places, shares[name], strict=True):
            text = "–" if np.isnan(share) else f"{share:.0f}"
            axes.text(at, place, text, ha="center", va="center", fontsize=6)
    axes.set_xlim(0, max(left.max(), 100) + 16 * len(others))
    axes.set_xticks([0, 20, 40, 60, 80, 100])
    axes.set_yticks(places, shares.index)
    axes.set_ylim(len(shares) - 0.4, -1.1)
    axes.set_xlabel("Share of the variance (%)")
    axes.spines["bottom"].set_bounds(0, max(left.max(), 100))
    handles = [Patch(facecolor=COLOURS[name], label=FACTORS[name]) for name in parts]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(parts))
    heading(figure, panels[0]["title"], fontsize=8)
    return figure


@style.style()
def agreement(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw how far each protocol agrees with the reference, by metric, compared with chance.

    A dot with its interval is the agreement of the two protocols; the mark is what two replicates
    of one of them agree with.
    """
    rows = shown(select(table, panels[0], "dataset"), panels[0]["cutoff"])
    reference = rows["protocol_a"].iloc[0]
    rows = rows[(rows["protocol_a"] == reference) & (rows["protocol_b"] != reference)]
    others, looks = [*rows["protocol_b"].unique()], style.metrics(rows["metric"].unique())
    figure = blank((PAGE, 1.1 + 0.55 * len(others)), layout="constrained")
    axes = figure.add_subplot()
    step = 0.8 / max(len(looks), 1)
    for k, (metric, look) in enumerate(looks.items()):
        own = rows[rows["metric"] == metric].set_index("protocol_b").reindex(others)
        y = np.arange(len(others)) - 0.4 + step * (k + 0.5)
        axes.hlines(y, own["low"], own["high"], color=look.colour, linewidth=1)
        axes.plot(own["tau"], y, **appearance(look) | {"linestyle": ""})
        axes.plot(own["within"], y, **LUCK)
    axes.set_yticks(range(len(others)), others)
    axes.set_ylim(len(others) - 0.45, -0.55)
    axes.set_xlabel(f"{correlation_label(table)} with {reference}")
    axes.set_title(panels[0]["title"], loc="left")
    handles = [handle(look) for look in looks.values()]
    handles += [Line2D([], [], **LUCK, label="two replicates\nof one protocol")]
    figure.legend(handles=handles, loc="outside right center")
    return figure
