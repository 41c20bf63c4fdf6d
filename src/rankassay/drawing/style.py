"""How every figure looks, and how one becomes files: fonts, colours, markers, labels.

Each metric has the same colour, marker and dashes in all figures.
"""

import io
import itertools
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import matplotlib.style
from matplotlib.figure import Figure

from rankassay.artifacts.files import Pathlike, atomic
from rankassay.metrics.catalogue import KNOWN, bare, label

# The colours of Okabe and Ito, with indigo in the place of yellow, which vanishes on white paper.
BLUE, SKY, GREEN, VERMILION = "#0072B2", "#56B4E9", "#009E73", "#D55E00"
PINK, ORANGE, BLACK, INDIGO = "#CC79A7", "#E69F00", "#000000", "#332288"
SOLID, DASHED, SHORT, DOTTED = "-", (0, (4, 1)), (0, (2, 1)), (0, (1, 1))
LONG_DOT, DASH_DOT = (0, (6, 1, 1, 1)), (0, (3, 1, 1, 1, 1, 1))
LONG, LONG_SHORT = (0, (9, 2)), (0, (9, 2, 3, 2))

# No two metrics have the same marker and dashes, for print in grey; those of one colour differ in
# both; and those that a study shows together have different markers. Those beyond accuracy have
# none: figures name them on their axes.
LOOKS = {
    "P": (BLUE, "o", SOLID),
    "R": (SKY, "s", DASHED),
    "AP": (GREEN, "^", LONG_DOT),
    "nDCG": (VERMILION, "D", SOLID),
    "RR": (PINK, "v", DASH_DOT),
    "Bpref": (ORANGE, "P", SHORT),
    "infAP": (BLACK, "X", DOTTED),
    "F1": (INDIGO, "d", DASHED),
    "F": (ORANGE, (4, 1, 0), DASH_DOT),
    "DCG": (GREEN, "*", SHORT),
    "ERR": (BLACK, "<", SHORT),
    "Q": (SKY, "P", DOTTED),
    "RBP": (BLUE, "h", LONG_DOT),
    "Rprec": (PINK, "s", LONG),
    "NCG": (VERMILION, "o", LONG_SHORT),
    "SDCG": (INDIGO, "*", LONG),
    "INST": (SKY, "d", LONG),
    "Compat": (ORANGE, "^", LONG),
    "Success": (ORANGE, ">", SOLID),
    "Judged": (INDIGO, (4, 1, 0), SOLID),
    "FP": (GREEN, "X", LONG_SHORT),
    "CP": (BLUE, "^", LONG_SHORT),
    "Fallout": (BLACK, "v", SOLID),
    "MissRate": (ORANGE, "D", DOTTED),
    "InversePrecision": (PINK, "X", SHORT),
    "InverseRecall": (BLACK, "P", DASH_DOT),
    "Markedness": (SKY, "h", SHORT),
    "Informedness": (GREEN, (4, 1, 0), DOTTED),
    "MCC": (BLUE, "*", DASHED),
    "KendallTau": (VERMILION, ">", SHORT),
    "AverageMarkedness": (PINK, ">", LONG_DOT),
    "AverageInformedness": (SKY, "v", LONG_DOT),
    "AUC": (INDIGO, "p", LONG_DOT),
    "LAUC": (VERMILION, "<", DASH_DOT),
    "MPR": (BLACK, "D", LONG),
    "MAE": (PINK, "h", SOLID),
    "MSE": (INDIGO, "^", SHORT),
    "RMSE": (BLUE, "<", DOTTED),
    "NMAE": (VERMILION, "d", LONG_DOT),
    "IPS": (VERMILION, "h", LONG),
    "SNIPS": (BLUE, "p", LONG),
    "Stratified": (GREEN, "<", LONG),
    "alpha_nDCG": (INDIGO, "h", DOTTED),
    "alpha_beta_nDCG": (SKY, ">", DASH_DOT),
    "S_Recall": (PINK, "p", DASHED),
    "S_RR": (ORANGE, "X", LONG_DOT),
    "ERR_IA": (BLACK, (4, 1, 0), DASHED),
    "NRBP": (BLUE, "d", SHORT),
    "EU": (VERMILION, "*", DOTTED),
    "RBU": (GREEN, "s", DASH_DOT),
}

# Looks of metrics that are not listed above, of which the same holds.
SPARE = (
    (GREEN, "p", SOLID),
    (VERMILION, "v", DASHED),
    (INDIGO, "X", DASH_DOT),
    (GREEN, "h", DASHED),
    (PINK, "d", DOTTED),
    (SKY, "^", SOLID),
    (BLACK, "s", LONG_DOT),
    (ORANGE, "o", DASHED),
    (BLUE, "D", DASH_DOT),
)


RC: dict[str, Any] = {
    "figure.dpi": 200,
    "savefig.dpi": 200,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib, so it is the same everywhere
    "font.size": 7,
    "text.parse_math": False,  # a $ in the name of a system is one
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
    "ps.fonttype": 42,  # matplotlib's PDFs go by this one, too: else letters as τ are a second font
    "pdf.compression": 9,
    "svg.fonttype": "path",
    "svg.hashsalt": "assayer",
}

# Metadata that the formats' backends would add: dates and version numbers.
METADATA = {
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}
# The colours of metrics on a dark page, as far apart as those on paper.
DARK = {
    BLUE: "#337ad0",
    SKY: "#96d0f8",
    GREEN: "#00ae7f",
    VERMILION: "#d55e00",
    PINK: "#c682b9",
    ORANGE: "#f0b040",
    BLACK: "#f2f2f2",
    INDIGO: "#805ef5",
}
WHOLE_LIST = 0  # in place of a cut-off
STARS = ("*", (4, 1, 0))
# A line that marks a value, such as no correlation.
RULE = {"color": "0.55", "linewidth": 0.6, "linestyle": (0, (4, 2)), "zorder": 1.5}
CUTOFF_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h")


@dataclass(frozen=True)
class Look:
    """How one line is drawn; `label` is its legend entry."""

    label: str
    colour: str
    marker: Any
    dashes: Any = "-"
    size: float = RC["lines.markersize"]


def style():
    """Return the context in which figures are drawn and saved, which overrides the user's settings.

    It decorates functions that draw, too.
    """
    return mpl.style.context(["default", RC])


def metrics(names: Iterable[str]) -> dict[str, Look]:
    """Return the looks of metrics that are shown together, in the order given.

    Those of the catalogue look the same in all figures. Each other one, with parameters or of the
    user's own, begins with the look that follows from its name, and takes the next that none of
    the others has; only when there are more metrics than looks do two have the same.
    """
    wanted = [*dict.fromkeys(names)]
    found = {name: LOOKS[bare(name)] for name in wanted if name in KNOWN and bare(name) in LOOKS}
    for name in sorted(set(wanted) - {*found}):
        first = zlib.crc32(name.encode()) % len(SPARE)  # unlike hash(), the same in every process
        turned = (*SPARE[first:], *SPARE[:first], *LOOKS.values())
        taken = {*found.values()}
        found[name] = next((look for look in turned if look not in taken), turned[0])
    return {name: _look(label(name), *found[name]) for name in wanted}


def _look(text: str, colour: str, marker: Any, dashes: Any) -> Look:
    """Return a look whose marker seems as large as all others: a star is mostly its rays."""
    larger = 1.5 if marker in STARS else 1
    return Look(text, colour, marker, dashes, larger * RC["lines.markersize"])


def metric(name: str) -> Look:
    """Return the look of a metric that is shown alone, or is one of the catalogue."""
    return metrics([name])[name]


def cutoffs(values: Iterable[int]) -> dict[int, Look]:
    """Return the looks of the given cut-offs, shallow ones dark and deep ones light."""
    marked = zip(shades(map(int, values)).items(), itertools.cycle(CUTOFF_MARKERS))
    return {
        cutoff: Look(f"@{cutoff}" if cutoff else "whole lists", colour, marker)
        for (cutoff, colour), marker in marked
    }


def shades(values: Iterable[float]) -> dict[float, str]:
    """Return a colour for each distinct value, in their order from dark to light."""
    distinct = sorted(set(values))
    # The light end of viridis is not used: it vanishes on white paper.
    stops = [0.85 * i / max(len(distinct) - 1, 1) for i in range(len(distinct))]
    colours = [mpl.colors.to_hex(mpl.colormaps["viridis"](stop)) for stop in stops]
    return dict(zip(distinct, colours, strict=True))


def save(figure: Figure, stem: Pathlike) -> None:
    """Write `<stem>.pdf`, `.svg` and `.png`; the same figure always gives the same bytes."""
    lay_out(figure)
    with style():
        for kind, metadata in METADATA.items():
            with atomic(f"{stem}.{kind}") as file:
                figure.savefig(file, format=kind, metadata=metadata)


@style()
def lay_out(figure: Figure) -> None:
    """Lay a figure out once, so that every format has the same layout."""
    if engine := figure.get_layout_engine():
        engine.execute(figure)
        figure.set_layout_engine(None)  # with "none", each format is drawn twice


def in_notebooks(figure: Figure) -> Figure:
    """Return a figure that is laid out, and that notebooks show as it is."""
    lay_out(figure)

    def png() -> bytes:
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png")
        return buffer.getvalue()

    figure._repr_png_ = png  # what notebooks ask an object for
    return figure
