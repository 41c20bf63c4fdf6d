"""The workflow as a module of another one, which takes some of its rules."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
OTHER = """
configfile: "mine.yaml"

module assayer:
    snakefile: "{root}/Snakefile"
    config: config["metrics"]

use rule * from assayer exclude all, report_page as assayer_*

rule mine:
    default_target: True
    input: "results/tiny/statistics.csv"
    output: "mine.txt"
    shell: "wc -l {{input}} > {{output}}"
"""
# What it does not say is as it is shipped.
SETTINGS = """
metrics:
  datasets: [tiny]
  recommenders: [random, popularity]
  studies: [goals]
  metrics: { names: [P, nDCG] }
  dataset_catalogue:
    tiny:
      label: Tiny data
      kind: synthetic
      threshold: 4
      parameters: { users: 30, items: 40, ratings: 600, gini: 0.4, aspects: 3 }
"""


def test_another_workflow_can_import_this_one_and_take_a_part(tmp_path):
    (tmp_path / "Snakefile").write_text(OTHER.format(root=ROOT))
    (tmp_path / "mine.yaml").write_text(SETTINGS)

    def snakemake(*words):
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        return subprocess.run(
            [sys.executable, "-m", "snakemake", "--cores", "1", *words],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PATH": path},
            cwd=tmp_path,
        )

    planned = snakemake("-n", "results/tables/goals/summary.csv")
    assert planned.returncode == 0, planned.stderr
    assert "assayer_recommend" in planned.stdout + planned.stderr
    done = snakemake()
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "mine.txt").is_file()
