"""The workflow as a module of another one, which takes its rules, or some."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PART = """
configfile: "mine.yaml"

module rankassay:
    snakefile: "{root}/workflow/Snakefile"
    config: config["metrics"]

use rule * from rankassay exclude all, report_page as rankassay_*

rule mine:
    default_target: True
    input: "results/tiny/statistics.csv"
    output: "mine.txt"
    shell: "wc -l {{input}} > {{output}}"
"""
WHOLE = """
configfile: "mine.yaml"

config = config["metrics"]

module rankassay:
    snakefile: "{root}/Snakefile"
    config: config

use rule * from rankassay as rankassay_*
"""
# What it does not say is as it is shipped.
SETTINGS = """
metrics:
  datasets: [tiny, small]
  recommenders: [random, popularity]
  studies: [goals]
  metrics: { names: [P, nDCG] }
  dataset_catalogue:
    tiny: &tiny
      label: Tiny data
      kind: synthetic
      threshold: 4
      parameters: { users: 30, items: 40, ratings: 600, gini: 0.4, aspects: 3 }
    small: { <<: *tiny, label: Small data }
"""


@pytest.fixture
def snakemake(tmp_path):
    """Return a function that runs another workflow, in its folder, and returns what it said."""
    (tmp_path / "mine.yaml").write_text(SETTINGS)

    def run(workflow, *words):
        (tmp_path / "Snakefile").write_text(workflow.format(root=ROOT))
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        done = subprocess.run(
            [sys.executable, "-m", "snakemake", "--cores", "1", *words],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PATH": path},
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    return run


def test_another_workflow_can_import_this_one_and_take_a_part(snakemake, tmp_path):
    assert "rankassay_recommend" in snakemake(PART, "-n", "results/tables/goals/summary.csv")
    own = PART.replace("module", 'shell.prefix("MINE=1; ")\n\nmodule', 1)
    snakemake(own.replace('"wc', '"echo $MINE > prefix.txt; wc'), "--config", "seed=7", "other=1")
    assert (tmp_path / "mine.txt").is_file()
    assert (tmp_path / "prefix.txt").read_text() == "1\n"


def test_another_workflow_can_import_all_of_it_narrowed_by_its_own_configuration(
    snakemake, tmp_path
):
    planned = snakemake(WHOLE, "-n", "rankassay_goals")
    assert "rankassay_recommend " in planned
    assert "results/small/goals/" in planned
    assert "ml-1m" not in planned
    assert "results/tiny/robustness/" not in planned
    told = snakemake(WHOLE, "results/small/means.csv", "--logger", "rankassay")
    assert "Fit popularity on small and rank" in told
    assert (tmp_path / "results/small/means.csv").is_file()
    assert not (tmp_path / "results/tiny").exists()
