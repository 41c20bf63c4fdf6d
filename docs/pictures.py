"""The pictures of the pages that show measured things, drawn from the tables in docs/measured.

Each picture holds the checksums of its tables as the text `Source`, so it can be told that a table
has changed since. `docs/render.py` draws what is out of date, and all of them with `--pictures`.
"""

import importlib
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from measured import ADVICE, ATLAS, FOLDER, SPLITS, Tables, advice
from PIL import Image
from PIL.PngImagePlugin import PngInfo

import rankassay
from rankassay.advice.figure import slopes
from rankassay.artifacts.files import atomic, checksum
from rankassay.artifacts.tables import read_table
from rankassay.drawing import style
from rankassay.errors import RankassayError

HERE = Path(__file__).parent
IMAGES = HERE / "images"
BENCHMARKS = HERE.parent / "benchmarks"
TITLES = {"ml-1m": "MovieLens 1M"}
OF_SETTINGS = {"ml-1m-tuned": "By validation", "ml-1m": "Calibrated"}  # validation first
REPORT_SIZE = 1280, 1220  # pixels
COLOURS = 256  # of a file, which takes a third of what all colours take, and looks the same
MOUSE = "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"


@dataclass(frozen=True)
class Picture:
    """A figure of a study, and the rows of a table that it shows.

    Attributes
    ----------
    figure : str
        Its name, as `rankassay.draw` takes it.
    table : str
        The table's name in docs/measured/ml-1m, or as `atlas/...` in docs/measured.
    rows : mapping
        The rows by column, as `measured.Rows.rows` takes them; empty for all.
    options : mapping
        More arguments of `rankassay.draw`, such as the cut-off if it is not the deepest.
    """

    figure: str
    table: str
    rows: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


PICTURES = {
    "summary-ml-1m.png": Picture("robustness/summary", "robustness/summary"),
    "sparsity-ml-1m.png": Picture("robustness/figure-6", "robustness/sparsity"),
    "popularity-ml-1m.png": Picture("robustness/figure-7", "robustness/popularity"),
    "p-values-ml-1m.png": Picture("robustness/figure-8", "robustness/p-values"),
    "metrics-ml-1m.png": Picture("robustness/figure-5", "robustness/metric-correlation"),
    "cutoffs-ml-1m.png": Picture(
        "robustness/figure-1", "robustness/cutoff-correlation", options={"metrics": "nDCG"}
    ),
    "claims-ml-1m.png": Picture(
        "robustness/claims", "splits/claims", {"kind": "finding"}, {"titles": OF_SETTINGS}
    ),
    "definitions-ml-1m.png": Picture("definitions/turned", "definitions/orders"),
    "sampling-ml-1m.png": Picture("sampling/systems", "sampling/systems"),
    "validity-power.png": Picture("validity/power", "constructed/validity/worlds"),
    "atlas-findings.png": Picture("atlas/findings", "atlas/findings"),
    "atlas-ranks.png": Picture("atlas/metrics-across", "atlas/metrics-across", {"cutoff": 10}),
}
REPORT, GROWTH, SLOPES = "report.png", "scaling.png", "slopes-ml-1m.png"
OTHERS = {
    GROWTH: BENCHMARKS / "scaling.csv",  # of benchmarks/scaling.py
    SLOPES: ADVICE,
    REPORT: FOLDER / "robustness/summary.csv",  # the page begins with what it says
}
NAMES = [*PICTURES, *OTHERS]
OTHER_RUNS = (f"{ATLAS}/", f"{SPLITS}/")  # whose tables have several datasets


def stale() -> list[str]:
    """Return the names of the pictures that are not of the present tables."""
    return [name for name in NAMES if held(IMAGES / name) != source(name)]


def source(name: str) -> str:
    """Return what a picture of the present table holds: the table and its SHA-256."""
    path = _table(PICTURES[name].table) if name in PICTURES else OTHERS[name]
    return f"{path.relative_to(HERE.parent).as_posix()} {checksum(path)}"


def _table(name: str) -> Path:
    """Return the file of a table."""
    folder = FOLDER.parent if name.startswith(OTHER_RUNS) else FOLDER
    return folder / f"{name}.csv"


def held(path: Path) -> str | None:
    """Return the source that a picture holds, if there is one."""
    if not path.is_file():
        return None
    with Image.open(path) as image:
        return image.info.get("Source")


def write(name: str, run: Path | None = None) -> None:
    """Draw a picture from its table; that of the report from the page in the folder of a run."""
    if name in PICTURES:
        content = drawn(PICTURES[name], Tables(FOLDER))
    elif name == GROWTH:
        content = scaling()
    elif name == SLOPES:
        content = _png(slopes(advice()))
    elif run is None:
        raise RankassayError(f"{name}: its table has changed since; draw it with --from FOLDER.")
    else:
        content = photographed(run / "results/report.html")
    said = PngInfo()
    said.add_text("Source", source(name))
    with atomic(IMAGES / name, record=False) as file, Image.open(io.BytesIO(content)) as image:
        palette = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        palette.save(file, "png", pnginfo=said, optimize=True)


def drawn(picture: Picture, tables: Tables) -> bytes:
    """Return a figure of a study as PNG."""
    table = tables.rows(picture.table, **picture.rows).frame()
    if not picture.table.startswith(OTHER_RUNS):
        table = table.assign(dataset="ml-1m")
    options = {"titles": TITLES} | picture.options
    order = [*options["titles"]]
    if picture.table.startswith(f"{SPLITS}/"):
        table = table.sort_values("dataset", key=lambda own: own.map(order.index), kind="stable")
    return _png(rankassay.draw(picture.figure, table, **options))


def scaling() -> bytes:
    """Return how time and memory grow as PNG."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return _png(importlib.import_module("scaling").drawn(read_table(OTHERS[GROWTH])))
    finally:
        sys.path.remove(str(BENCHMARKS))


def _png(figure) -> bytes:
    buffer = io.BytesIO()
    with style.style():
        figure.savefig(buffer, format="png")
    return buffer.getvalue()


def photographed(report: Path) -> bytes:
    """Return the top of a report as PNG; it takes Chromium (`CHROMIUM`, or /usr/bin/chromium)."""
    if not report.is_file():
        raise RankassayError(f"{report}: expected the report of the run, found none.")
    with tempfile.TemporaryDirectory() as folder:
        command = [
            os.environ.get("CHROMIUM", "/usr/bin/chromium"),
            *("--headless", "--no-sandbox", "--hide-scrollbars", f"--user-data-dir={folder}"),
            f"--window-size={REPORT_SIZE[0]},{REPORT_SIZE[1]}",
            f"--blink-settings={MOUSE}",  # without one, charts show their buttons
            "--virtual-time-budget=30000",  # milliseconds, for the charts
            f"--screenshot={folder}/report.png",
            report.resolve().as_uri(),
        ]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=300)
            return Path(folder, "report.png").read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise RankassayError(
                f"report.png: expected a Chromium at {command[0]} that takes a picture of the "
                f"page, found none ({error!r:.200}); name one in CHROMIUM."
            ) from error
