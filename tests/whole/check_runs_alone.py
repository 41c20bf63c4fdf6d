"""The page on one's own runs, as it stands: all of a study of run files and judgements alone."""

import subprocess
import sys

import pages


def test_the_study_of_runs_and_judgements_alone_is_made_whole(snakemake, tmp_path):
    pages.write("own-runs.md", tmp_path)
    subprocess.run([sys.executable, "make_runs.py"], check=True, cwd=tmp_path)
    process = snakemake(tmp_path, "robustness", "--cores", 2, "--configfile", "judged.yaml")
    assert process.returncode == 0, process.stderr + process.stdout
    assert (tmp_path / "figures/robustness/summary.png").is_file()
    assert (tmp_path / "results/judged/robustness/sparsity.csv").is_file()
