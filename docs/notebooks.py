"""The page of the notebook as a file that Jupyter opens, and what its cells show, in the page.

What a block of Python shows stands below it: a picture, or a block of text. Whether it is so, and
what it is to be, tests/package/check_notebook.py says.
"""

import base64
import json
import re
import tempfile

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


def shown(page: str) -> tuple[str, dict[str, bytes]]:
    """Run the notebook as Jupyter does; return the page with what it shows, and the pictures.

    It needs the packages of requirements-docs.lock. The cell that installs the package is left out.
    """
    import nbformat
    from nbclient import NotebookClient

    own = nbformat.reads(notebook(page), as_version=4)
    nbformat.validate(own)
    own.cells = [cell for cell in own.cells if not cell.source.startswith("%pip install")]
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(own, timeout=300, resources={"metadata": {"path": folder}}).execute()
    outputs = iter([cell.outputs for cell in own.cells if cell.cell_type == "code"])
    pictures = {}

    def filled(match: re.Match) -> str:
        text = ""
        for output in next(outputs):
            data = output.get("data", {})
            if match["picture"] and "image/png" in data:
                pictures[match["picture"]] = base64.b64decode(data["image/png"])
            elif output.get("name") != "stderr":
                text += output.get("text") or data["text/plain"] + "\n"
        code = f"```python\n{match['code']}```\n"
        if match["picture"]:
            return match[0]
        return f"{code}\n```text\n{text.strip(chr(10))}\n```\n" if text.strip() else code

    text = CELL.sub(filled, page)
    return "\n".join(line.rstrip() for line in text.split("\n")), pictures
