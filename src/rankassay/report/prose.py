"""Captions and printed tables as HTML: from reStructuredText, and from our own Markdown."""

import re

from docutils import nodes
from docutils.core import publish_parts
from docutils.parsers.rst import Parser
from docutils.parsers.rst.states import Inliner
from docutils.writers.html5_polyglot import Writer
from markupsafe import Markup

from rankassay.drawing.text import Cell, Printed

# Captions are the project's own, and still may bring no file and no HTML into the page.
SETTINGS = {"file_insertion_enabled": False, "raw_enabled": False, "report_level": 2}


def caption(rst: str) -> Markup:
    """Return a caption as HTML."""
    inliner = Inliner()  # which cannot be inherited from
    # Markup is read, but no word is taken for an address: P@10 would be one of mail.
    inliner.implicit_inline = lambda text, _: [nodes.Text(text)] if text else []
    parser = Parser(inliner=inliner)
    parts = publish_parts(rst, parser=parser, writer=Writer(), settings_overrides=SETTINGS)
    return Markup(parts["body"])


def in_short(rst: str) -> str:
    """Return the first clause of a caption as plain text, which says what a figure shows.

    >>> in_short("Agreement between the ``a`` and *b*: Kendall's tau. More.")
    'Agreement between the a and b'
    """
    text = re.sub(r"[`*]+", "", " ".join(rst.split()))
    return re.split(r"[:.](?= |$)", text, maxsplit=1)[0]


def table(markdown: str) -> Printed:
    """Return a table that `rankassay.drawing.text.markdown` wrote.

    >>> lines = ["What.", "", "| a | b |", "| --- | ---: |", "| x | **1** |"]
    >>> table(chr(10).join(lines)).cells
    [[('x', False), ('1', True)]]
    """
    lines = markdown.splitlines()
    rows = [_cells(line) for line in lines if line.startswith("|")]
    first = next(i for i, line in enumerate(lines) if line.startswith("|"))
    head, rule, *body = rows
    return Printed(
        names=[text for text, _ in map(_cell, head)],
        cells=[[_cell(text) for text in row] for row in body],
        numeric=[text.endswith(":") for text in rule],
        caption=_plain(" ".join(lines[:first]).strip()),
        note=_plain(" ".join(lines[first + len(rows) :]).strip()),
    )


def _cells(line: str) -> list[str]:
    """Return the cells of a row, at whose bars without a backslash it is cut."""
    return [text.strip() for text in re.split(r"(?<!\\)\|", line)[1:-1]]


def _cell(text: str) -> Cell:
    bold = re.fullmatch(r"\*\*(.*)\*\*", text)
    return (_plain(bold[1]), True) if bold else (_plain(text), False)


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
