"""What a page holds once, whoever shows it: result tables, and figures as SVG."""

import io
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import pandas as pd
from matplotlib.figure import Figure

from rankassay.artifacts.tables import parsed
from rankassay.drawing import style
from rankassay.errors import RankassayError

WHOLE = 256 * 1024  # characters: of longer tables the page holds the first rows only
HEAD = 100  # rows


@dataclass(frozen=True)
class Held:
    """A table in the page: where it came from, its text (or its beginning), and all its rows."""

    path: str
    text: str
    rows: int
    whole: bool


@dataclass
class Shelf:
    """The tables of a page by the keys under which its script finds them."""

    read: Callable[[str], str]
    held: dict[str, Held] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)

    def key(self, path: str, whole: bool = False) -> str:
        """Return the key of a table, which is put on the shelf if it is not there.

        A long one is shortened, unless it must be `whole` because a chart is drawn from it.
        """
        key = self.keys.setdefault(path, f"table-{len(self.keys) + 1}")
        if key not in self.held or (whole and not self.held[key].whole):
            self.held[key] = held(path, self.read(path), whole)
        return key

    def frame(self, path: str) -> pd.DataFrame:
        """Return a table, all of it."""
        return parsed(io.StringIO(self.read(path)))


def held(path: str, text: str, whole: bool = False) -> Held:
    """Return a table as the page holds it."""
    rows = text.count("\n") - 1
    if whole or len(text) <= WHOLE:
        return Held(path, text, rows, True)
    return Held(path, "".join(text.splitlines(keepends=True)[: HEAD + 1]), rows, False)


PIXELS = 4 / 3  # of CSS in a point
SIDES = ("width", "height")
# The outline of a letter, as matplotlib draws it in each figure: most of what a figure takes.
LETTER = re.compile(r'<path id="[^">]*" d="[^">]*" transform="scale\(0\.015625\)"/>')
ROUNDED = r"(\.\d\d)\d+"  # digits of a place that no screen can show


@dataclass(frozen=True)
class Picture:
    """An image: the key of its SVG, and its size in pixels."""

    key: str
    width: int
    height: int


@dataclass
class Album:
    """The SVGs of a page, with the keys under which its script finds them.

    Outlines of letters are held once for all figures: `<letter-N/>` is the Nth of them.
    """

    keys: dict[str, str] = field(default_factory=dict)
    letters: dict[str, int] = field(default_factory=dict)

    def picture(self, svg: str, name: str) -> Picture:
        """Return an SVG of matplotlib as an image, which is put into the album if it is not there.

        `name` is that of its file; raises RankassayError if it has no size in points.
        """
        tag = re.search(r"<svg\b[^>]*>", svg)
        sizes = [re.search(rf'\b{side}="([\d.]+)pt"', tag[0] if tag else "") for side in SIDES]
        if not all(sizes):
            raise RankassayError(
                f"{name}: expected an SVG with width and height in pt; draw it again."
            )
        width, height = (round(float(size[1]) * PIXELS) for size in sizes)
        text = LETTER.sub(self._letter, _shorter(svg[tag.start() :]))
        key = self.keys.setdefault(text, f"picture-{len(self.keys) + 1}")
        return Picture(key, width, height)

    def _letter(self, outline: re.Match) -> str:
        return f"<letter-{self.letters.setdefault(outline[0], len(self.letters))}/>"


def text_of(figure: Figure) -> str:
    """Return a figure as the text of an SVG; the same figure always gives the same."""
    file = io.StringIO()
    style.lay_out(figure)
    with style.style():
        figure.savefig(file, format="svg", metadata=style.METADATA["svg"])
    text = file.getvalue()
    return _shorter(text[text.index("<svg") :])


def _shorter(svg: str) -> str:
    """Return an SVG without comments, indentation and idle digits."""
    text = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    text = re.sub(r"> <", "><", " ".join(text.split()))
    return re.sub(r' (?:d|x|y)="[^"]*"', lambda part: re.sub(ROUNDED, r"\1", part[0]), text)
