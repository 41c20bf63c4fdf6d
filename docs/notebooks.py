"""The page of the notebook as a file that Jupyter opens by itself, and services such as Colab.

What a block of Python shows stands below it in the page: a picture, or a block of text. Whether it
is so, tests/package/check_notebook.py says.
"""

import json
import re

CELL = re.compile(
    r"^```python\n(?P<code>.*?)^```\n"
    r"(?:\n```text\n(?P<text>.*?)^```\n|\n!\[[^]]*\]\((?P<picture>[^)]*)\)\n)?",
    re.DOTALL | re.MULTILINE,
)
INSTALL = '%pip install --quiet "../..[pipeline]"'
FIRST = """# A notebook

Written from docs/notebook.md by `docs/render.py`: change that page, not this file. The first cell
installs the package from the checkout that this file is in; skip it where it is installed.
"""
# Of the page, and not of the file.
ABOUT_THE_PAGE = re.compile(r"# A notebook\n.*?(?=^## )", re.DOTALL | re.MULTILINE)
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def notebook(page: str) -> str:
    """Return the cells of the page as a notebook (nbformat 4.5), without what they show."""
    text = ABOUT_THE_PAGE.sub("", page)
    cells = [_cell("markdown", FIRST), _cell("code", INSTALL)]
    end = 0
    for match in CELL.finditer(text):
        cells += [_cell("markdown", text[end : match.start()]), _cell("code", match["code"])]
        end = match.end()
    cells = [cell for cell in [*cells, _cell("markdown", text[end:])] if cell["source"]]
    content = {
        "cells": [{"id": f"cell-{n}"} | cell for n, cell in enumerate(cells)],
        "metadata": {"kernelspec": KERNEL, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _cell(kind: str, text: str) -> dict:
    """Return a cell."""
    cell = {"cell_type": kind, "metadata": {}}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell | {"source": text.strip().splitlines(keepends=True)}
