"""What several tests share: running the workflow as a user would."""

import gc
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rankassay.cli import process

process.use_one_thread()  # else BLAS takes a hundred times as long for some small products

from rankassay import kernels  # noqa: E402

ROOT = Path(__file__).parents[1]
sys.dont_write_bytecode = False  # pytest's rewriting of 300 files takes 7 s, if it is not kept


def pytest_collection_modifyitems(items):
    """Begin with the files that run the workflow: the shorter ones then fill the processes."""
    long = {item.path for item in items if "snakemake" in item.fixturenames}
    items.sort(key=lambda item: item.path not in long)


def pytest_collection_finish():
    """Leave the tests themselves to no collection of garbage: it took a twelfth of the time."""
    gc.collect()
    gc.freeze()
    process.collect_rarely()


@pytest.fixture(scope="session", autouse=True)
def compiled():
    """Compile all kernels: what small data is run as has a test of its own (`test_kernels`)."""
    before, kernels.FEW = kernels.FEW, -1
    yield
    kernels.FEW = before


@pytest.fixture(scope="session")
def snakemake():
    """Return a function that runs Snakemake in a folder and returns the finished process.

    It is a fork of this one, but of a copy of the code, and where it has to be new.
    """
    from called import forked
    from snakemake.cli import main

    def run(folder, *arguments, snakefile=ROOT / "workflow/Snakefile", new=False):
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        # Of a copy, the console is the copy's own, too.
        copied = next(folder for folder in snakefile.parents if (folder / "src").is_dir())
        source = os.pathsep.join([str(copied / "src"), os.environ.get("PYTHONPATH", "")])
        words = ["--snakefile", str(snakefile), "--directory", str(folder), *map(str, arguments)]
        own = {"PATH": path, "PYTHONPATH": source}
        if not new and copied == ROOT:
            return forked(folder, ["snakemake", *words], main, **own)
        return subprocess.run(
            [sys.executable, "-m", "snakemake", *words],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | own,
            cwd=folder,
        )

    return run


@pytest.fixture(scope="session")
def copy_of_the_code():
    """Return a function that copies the project's code into a folder.

    What Python and numba compile is kept in the same place for all copies: the copied files have
    the same times and sizes, so that it is valid there, and nothing is compiled once a copy.
    """

    def copy(folder):
        folder.mkdir()
        for name in ("Snakefile", "environment.yml"):
            shutil.copy2(ROOT / name, folder / name)
        for name in ("config", "workflow", "src"):
            ignore = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(ROOT / name, folder / name, ignore=ignore)
        for package in {path.parent for path in (folder / "src").rglob("*.py")}:
            compiled = ROOT / package.relative_to(folder) / "__pycache__"
            compiled.mkdir(exist_ok=True)
            (package / "__pycache__").symlink_to(compiled)

    return copy
