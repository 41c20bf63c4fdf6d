"""How every figure looks, and how a figure becomes files: fonts, colours, markers, labels."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import matplotlib.style
from matplotlib.figure import Figure

from assayer import titles
from assayer.artifacts.files import Pathlike, atomic

RC: dict[str, Any] = {
    "figure.dpi": 200,
    "savefig.dpi": 200,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib, so it is the same everywhere
    "font.size": 7,
    "axes.titlesize": 7,
    "axes.titlepad": 4,
    "axes.labelsize": 7,
    "axes.labelpad": 3,
    "axes.linewidth": 0.5,
    "axes.edgecolor": "0.3",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": False,
    "axes.unicode_minus": True,
    "grid.color": "0.9",
    "grid.linewidth": 0.4,
    "xtick.labelsize": 6,
    "ytick.labelsize": 6,
    "xtick.color": "0.3",
    "ytick.color": "0.3",
    "xtick.labelcolor": "0.0",
    "ytick.labelcolor": "0.0",
    "xtick.major.size": 2,
    "ytick.major.size": 2,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "xtick.major.pad": 2,
    "ytick.major.pad": 2,
    "lines.linewidth": 1.0,
    "lines.markersize": 3.6,
    "lines.markeredgewidth": 0.25,
    "legend.fontsize": 6,
    "legend.title_fontsize": 6.5,
    "legend.frameon": False,
    "legend.handlelength": 2.6,
    "legend.labelspacing": 0.35,
    "legend.columnspacing": 1.4,
    "legend.borderaxespad": 0.2,
    "hatch.linewidth": 0.4,
    "hatch.color": "0.7",
    "pdf.fonttype": 42,
    "pdf.compression": 9,
    "svg.fonttype": "path",
    "svg.hashsalt": "assayer",
}

# What the formats' backends would write of their own accord: dates and version numbers.
METADATA = {
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}


@dataclass(frozen=True)
class Look:
    """How one line is drawn; `label` is its legend entry."""

    label: str
    colour: str
    marker: str
    dashes: Any = "-"
    size: float = RC["lines.markersize"]


# The colours of Okabe and Ito without their yellow, which vanishes on white paper.
METRICS = {
    name: Look(titles.metric_name(name), *look)
    for name, look in {
        "P": ("#0072B2", "o"),
        "R": ("#56B4E9", "s", (0, (4, 1))),
        "AP": ("#009E73", "^", (0, (6, 1, 1, 1))),
        "nDCG": ("#D55E00", "D"),
        "RR": ("#CC79A7", "v", (0, (3, 1, 1, 1))),
        "Bpref": ("#E69F00", "P", (0, (2, 1))),
        "infAP": ("#000000", "X", (0, (1, 1))),
        "alpha_nDCG": ("#332288", "o", (0, (4, 1))),
        "alpha_beta_nDCG": ("#AA3377", "D"),
        "S_Recall": ("#999933", "^", (0, (2, 1))),
        "S_RR": ("#8C510A", "v", (0, (1, 1))),
        "S_RR(aspects='judged')": ("#8C510A", "v", (0, (1, 1))),
        "ERR_IA": ("#7F7F7F", "s", (0, (3, 1, 1, 1))),
        "NRBP": ("#117733", "P", (0, (6, 1, 1, 1))),
        "EU": ("#E69F00", "X", (0, (5, 1))),
        "RBU": ("#56B4E9", "p"),
    }.items()
}
OTHER_COLOURS = ("#882255", "#117733", "#332288", "#999933", "#7F7F7F", "#8C510A")
OTHER_MARKERS = ("<", ">", "p", "h", "d", "*", "8")
OTHER_DASHES = ("-", (0, (5, 1)), (0, (2, 1)), (0, (4, 1, 1, 1)))

CUTOFF_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h")


def style():
    """Return the context in which figures are drawn and saved, whatever the user's settings."""
    return mpl.style.context(["default", RC])


def metric(name: str) -> Look:
    """Return the look of a metric, the same in all figures, also for names not listed above."""
    if name in METRICS:
        return METRICS[name]
    draw = zlib.crc32(name.encode())  # unlike hash(), the same in every process
    draw, colour = divmod(draw, len(OTHER_COLOURS))
    draw, marker = divmod(draw, len(OTHER_MARKERS))
    dashes = OTHER_DASHES[draw % len(OTHER_DASHES)]
    return Look(titles.metric_name(name), OTHER_COLOURS[colour], OTHER_MARKERS[marker], dashes)


def metric_order(names: Sequence[str]) -> list[str]:
    """Return the distinct names, the known metrics first, in the papers' order."""
    known = [name for name in METRICS if name in set(names)]
    return known + sorted(set(names) - set(METRICS))


def cutoffs(values: Sequence[int]) -> dict[int, Look]:
    """Return the looks of the given cut-offs, shallow ones dark and deep ones light."""
    ordered = sorted({int(value) for value in values})
    # The light end of viridis is left out: it vanishes on white paper.
    stops = [0.85 * i / max(len(ordered) - 1, 1) for i in range(len(ordered))]
    colours = [mpl.colors.to_hex(mpl.colormaps["viridis"](stop)) for stop in stops]
    return {
        cutoff: Look(f"@{cutoff}", colours[i], CUTOFF_MARKERS[i % len(CUTOFF_MARKERS)])
        for i, cutoff in enumerate(ordered)
    }


def save(figure: Figure, stem: Pathlike) -> None:
    """Write `<stem>.pdf`, `.svg` and `.png`; the same figure always gives the same bytes."""
    with style():
        for kind, metadata in METADATA.items():
            with atomic(f"{stem}.{kind}") as file:
                figure.savefig(file, format=kind, metadata=metadata)
