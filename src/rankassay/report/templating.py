"""The environment of the templates of pages."""

import functools
from importlib.resources import files

import jinja2
from markupsafe import Markup

from rankassay.report.blocks import packed


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
