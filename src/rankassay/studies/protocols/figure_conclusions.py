"""Figure: the verdicts on the paper's claims, under each protocol."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from rankassay.claims.figure import matrix
from rankassay.drawing.layout import Panel, heading


def conclusions(table: pd.DataFrame, panels: Sequence[Panel]) -> Figure:
    """Draw a matrix of verdicts, a row for each finding and a column for each protocol."""
    rows = table[table["dataset"] == panels[0]["dataset"]]  # of data that no paper is about: none
    names, protocols = ([*dict.fromkeys(rows[name])] for name in ("id", "protocol"))
    verdicts = rows.set_index(["id", "protocol"])["verdict"]
    cells = [[verdicts.get((name, protocol), "") for protocol in protocols] for name in names]
    figure = matrix(names, protocols, cells)
    heading(figure, panels[0]["title"], fontsize=7.5, fontweight="bold")
    return figure
