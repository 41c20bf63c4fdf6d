"""Figures as a page holds them: their SVG in the address of an image."""

import re
import urllib.parse
from dataclasses import dataclass

from assayer.errors import AssayerError

PIXELS = 4 / 3  # of CSS in a point
# What an attribute of an HTML page takes as it is; the rest is escaped as in any address.
PLAIN = " !$'()*+,-./:;=?@[]^_`{|}~"
SIDES = ("width", "height")
ROUNDED = r"(\.\d\d)\d+"  # digits of a place that no screen can show


@dataclass(frozen=True)
class Picture:
    """An image: its address, which holds all of it, and its size in pixels."""

    address: str
    width: int
    height: int


def picture(svg: str, name: str) -> Picture:
    """Return an SVG as an image, whose ids cannot clash with those of other figures.

    Parameters
    ----------
    svg : str
        As matplotlib writes it: with a width and a height in points.
    name : str
        Of the file, for the message.

    Raises
    ------
    AssayerError
        When it has no such size.
    """
    tag = re.search(r"<svg\b[^>]*>", svg)
    sizes = [re.search(rf'\b{side}="([\d.]+)pt"', tag[0] if tag else "") for side in SIDES]
    if not all(sizes):
        raise AssayerError(f"{name}: expected an SVG with width and height in pt; draw it again.")
    width, height = (round(float(size[1]) * PIXELS) for size in sizes)
    body = urllib.parse.quote(_shorter(svg[tag.start() :]), safe=PLAIN)
    return Picture(f"data:image/svg+xml,{body}", width, height)


def _shorter(svg: str) -> str:
    """Return an SVG without comments, indentation and idle digits, and with quotes to be kept."""
    text = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    text = re.sub(r"> <", "><", " ".join(text.split()))
    text = re.sub(r' (?:d|x|y)="[^"]*"', lambda part: re.sub(ROUNDED, r"\1", part[0]), text)
    return text if "'" in text else text.replace('"', "'")
