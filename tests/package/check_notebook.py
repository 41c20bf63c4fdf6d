"""Run the notebook as Jupyter does, and hold what it shows against its page: a step of .ci/run.

Where they differ, the page and its pictures are written anew. It needs the packages of
requirements-docs.lock.
"""

import io
import re
import sys
from pathlib import Path

from PIL import Image

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "notebook.md"
sys.path.insert(0, str(DOCS))

from notebooks import CELL, shown  # noqa: E402


def said(page):
    """Return a page without the version, which its outputs name."""
    return re.sub(r"rankassay \d[\w.]*\d", "rankassay", page)


def main():
    """Run all cells in an empty folder; the first that fails ends it."""
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
