"""The page of the notebook as a file that Jupyter opens by itself, and services such as Colab."""

import json
import re

CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$\n?", re.DOTALL | re.MULTILINE)
TAGS = re.compile(r":tags: \[(.*?)\]\n")
INSTALL = '%pip install --quiet "../..[pipeline]"'
FIRST = """# A notebook

Written from docs/notebook.md by `docs/render.py`: change that page, not this file. The first cell
installs the package from the checkout that this file is in; skip it where it is installed.
"""
# Of the page, and not of the file.
ABOUT_THE_PAGE = re.compile(r"# A notebook\n.*?(?=^## )", re.DOTALL | re.MULTILINE)
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def notebook(page: str) -> str:
    """Return the cells of a page in MyST's form as a notebook (nbformat 4.5)."""
    text = ABOUT_THE_PAGE.sub("", page.split("---\n", 2)[2])
    cells = [_cell("markdown", FIRST), _cell("code", INSTALL)]
    end = 0
    for match in CELL.finditer(text):
        cells += _prose(text[end : match.start()])
        source = match[1]
        tags = TAGS.match(source)
        cells.append(_cell("code", TAGS.sub("", source, count=1), tags[1] if tags else ""))
        end = match.end()
    cells += _prose(text[end:])
    content = {
        "cells": [{"id": f"cell-{n}"} | cell for n, cell in enumerate(cells)],
        "metadata": {"kernelspec": KERNEL, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _prose(text: str) -> list[dict]:
    """Return a cell of what stands between two of code, if anything does."""
    return [_cell("markdown", text)] if text.strip() else []


def _cell(kind: str, text: str, tags: str = "") -> dict:
    """Return a cell."""
    cell = {"cell_type": kind, "metadata": {"tags": tags.split(", ")} if tags else {}}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell | {"source": text.strip().splitlines(keepends=True)}
