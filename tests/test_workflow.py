"""The workflow before its jobs, which `tests/whole/check_workflow.py` runs."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEST = ["--configfile", ROOT / "config/test.yaml"]


def test_planning_loads_little(snakemake, tmp_path, monkeypatch):
    """Of a run that is not begun: else Snakemake itself imports pandas, to compare parameters."""
    monkeypatch.setenv("PYTHONPROFILEIMPORTTIME", "1")
    process = snakemake(tmp_path, "robustness", "--cores", 1, "-n", *TEST)
    assert process.returncode == 0
    loaded = {*re.findall(r"^import time: .*\| +(\S+)$", process.stderr, re.MULTILINE)}
    assert "assayer.plan.whole" in loaded
    assert {"pandas", "numba", "matplotlib", "scipy.special"} & loaded == set()


def test_the_workflow_passes_snakemakes_linter(snakemake, tmp_path):
    process = snakemake(tmp_path, "--lint")
    assert process.returncode == 0, process.stderr + process.stdout
