"""Run the notebook as Jupyter does, but for the cell that installs the package: a step of .ci/run.

It needs the packages of requirements-docs.lock.
"""

import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "docs/examples/notebook.ipynb"


def main():
    """Run all cells in an empty folder; the first that fails ends it."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    install = next(cell for cell in notebook.cells if cell.cell_type == "code")
    assert install.source.startswith("%pip install"), install.source
    notebook.cells.remove(install)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
    shown = sum(bool(cell.get("outputs")) for cell in notebook.cells)
    print(f"notebook: {len(notebook.cells)} cells, of which {shown} show something: right")


if __name__ == "__main__":
    main()
