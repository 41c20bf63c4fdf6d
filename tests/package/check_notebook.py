"""Run the notebook as Jupyter does, and hold what it shows against its page: a step of .ci/run.

Where they differ, the page and its pictures are written anew. It needs the packages of
requirements-docs.lock.
"""

import base64
import io
import re
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from PIL import Image

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "notebook.md"
sys.path.insert(0, str(DOCS))

from notebooks import CELL, notebook  # noqa: E402


def said(page):
    """Return a page without the version, which its outputs name."""
    return re.sub(r"rankassay \d[\w.]*\d", "rankassay", page)


def shown(page):
    """Run the notebook in an empty folder; return the page with what it shows, and the pictures.

    The cell that installs the package is left out. The first cell that fails ends it.
    """
    own = nbformat.reads(notebook(page), as_version=4)
    nbformat.validate(own)
    own.cells = [cell for cell in own.cells if not cell.source.startswith("%pip install")]
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(own, timeout=300, resources={"metadata": {"path": folder}}).execute()
    outputs = iter([cell.outputs for cell in own.cells if cell.cell_type == "code"])
    pictures = {}

    def filled(match):
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


def main():
    """Say whether the page shows what the notebook does."""
    page = PAGE.read_text(encoding="utf-8")
    text, pictures = shown(page)
    missing = [name for name in pictures if not (DOCS / name).is_file()]
    if said(text) != said(page) or missing:
        PAGE.write_text(text, encoding="utf-8")
        for name, content in pictures.items():
            with Image.open(io.BytesIO(content)) as image:
                image.convert("RGB").quantize(256).save(DOCS / name, optimize=True)
        sys.exit("docs/notebook.md did not show what the notebook shows; it is written anew.")
    print(f"notebook: {len(CELL.findall(page))} blocks of Python, {len(pictures)} pictures: right")


if __name__ == "__main__":
    main()
