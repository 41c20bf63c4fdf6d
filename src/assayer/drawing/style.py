"""How every figure looks, and how a figure becomes files: fonts, colours, markers, labels."""

import itertools
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import matplotlib.style
from matplotlib.figure import Figure

from assayer.artifacts.files import Pathlike, atomic
from assayer.metrics.catalogue import KNOWN, label

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


# Of metrics without a look of their own.
OTHER_COLOURS = ("#882255", "#117733", "#332288", "#999933", "#7F7F7F", "#8C510A")
OTHER_MARKERS = ("<", ">", "p", "h", "d", "*", "8")
OTHER_DASHES = ("-", (0, (5, 1)), (0, (2, 1)), (0, (4, 1, 1, 1)))

# A line that marks a value, such as no correlation.
RULE = {"color": "0.55", "linewidth": 0.6, "linestyle": (0, (4, 2)), "zorder": 1.5}
CUTOFF_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h")


def style():
    """Return the context in which figures are drawn and saved, whatever the user's settings.

    It decorates functions that draw, too.
    """
    return mpl.style.context(["default", RC])


def metric(name: str) -> Look:
    """Return the look of a metric, the same in all figures, also for names without an entry."""
    if name in KNOWN and KNOWN[name].look:
        return Look(label(name), *KNOWN[name].look)
    draw = zlib.crc32(name.encode())  # unlike hash(), the same in every process
    draw, colour = divmod(draw, len(OTHER_COLOURS))
    draw, marker = divmod(draw, len(OTHER_MARKERS))
    dashes = OTHER_DASHES[draw % len(OTHER_DASHES)]
    return Look(label(name), OTHER_COLOURS[colour], OTHER_MARKERS[marker], dashes)


def cutoffs(values: Iterable[int]) -> dict[int, Look]:
    """Return the looks of the given cut-offs, shallow ones dark and deep ones light."""
    marked = zip(shades(map(int, values)).items(), itertools.cycle(CUTOFF_MARKERS))
    return {cutoff: Look(f"@{cutoff}", colour, marker) for (cutoff, colour), marker in marked}


def shades(values: Iterable[float]) -> dict[float, str]:
    """Return a colour for each distinct value, in their order from dark to light."""
    distinct = sorted(set(values))
    # The light end of viridis is left out: it vanishes on white paper.
    stops = [0.85 * i / max(len(distinct) - 1, 1) for i in range(len(distinct))]
    colours = [mpl.colors.to_hex(mpl.colormaps["viridis"](stop)) for stop in stops]
    return dict(zip(distinct, colours, strict=True))


def save(figure: Figure, stem: Pathlike) -> None:
    """Write `<stem>.pdf`, `.svg` and `.png`; the same figure always gives the same bytes."""
    with style():
        for kind, metadata in METADATA.items():
            with atomic(f"{stem}.{kind}") as file:
                figure.savefig(file, format=kind, metadata=metadata)
