"""What several tests share: running the workflow as a user would."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def snakemake():
    """Return a function that runs Snakemake in a folder and returns the finished process."""

    def run(folder, *arguments, snakefile=ROOT / "Snakefile"):
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        command = [sys.executable, "-m", "snakemake", "--snakefile", str(snakefile)]
        return subprocess.run(
            [*command, "--directory", str(folder), *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PATH": path},
            cwd=folder,
        )

    return run
