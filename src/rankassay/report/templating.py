"""The environment of the templates of pages, and texts as a page holds them."""

import base64
import functools
import zlib
from importlib.resources import files

import jinja2
from markupsafe import Markup


@functools.cache
def environment() -> jinja2.Environment:
    """Return the environment of the templates, in which every value is escaped."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("rankassay.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"source": _source, "packed": packed}
    made.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    return made


def _source(package: str, path: str) -> Markup:
    """Return a script or a style sheet unescaped: it is a file of the package."""
    return Markup(files(package).joinpath(path).read_text(encoding="utf-8"))


LEVEL = 9  # the smallest, at a second for the whole page


def packed(text: str) -> str:
    """Return a text as base64 of its zlib stream (RFC 1950), which templates/blocks.js unpacks."""
    return base64.b64encode(zlib.compress(text.encode("utf-8"), LEVEL)).decode("ascii")


def unpacked(block: str) -> str:
    """Return the text that `packed` was given."""
    return zlib.decompress(base64.b64decode(block)).decode("utf-8")
