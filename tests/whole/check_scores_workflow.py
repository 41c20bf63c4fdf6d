"""A run on values of metrics alone, as its page says it, from the tables to a result."""

import subprocess
import sys

import pages
import pandas as pd
import pytest

from rankassay.artifacts.arrays import Scores

# Shards are for rankings and measures of lists; values are as they are.
FEW = """
shards: 2
studies: [robustness]
robustness: { cutoff: 10, analyses: { p-values: { samples: 200 } } }
"""
POWER = "results/my-topics/robustness/discriminative-power.csv"


@pytest.fixture(scope="module")
def finished(tmp_path_factory, snakemake):
    """Return the folder of a finished run on the page's data."""
    folder = pages.write("own-runs.md", tmp_path_factory.mktemp("scores"))
    subprocess.run([sys.executable, "make_scores.py"], cwd=folder, check=True)
    (folder / "few.yaml").write_text(FEW)
    words = ("--cores", 1, "--configfile", folder / "scores.yaml", folder / "few.yaml", "--")
    process = snakemake(folder, *words, POWER)
    assert process.returncode == 0, process.stderr + process.stdout
    return folder


def test_the_commands_of_the_page_are_those_run_here():
    *_, scripts, run = pages.commands("own-runs.md")
    assert scripts == ["./run", "python", "make_scores.py"]
    assert run == ["./run", "rankassay", "run", "--configfile", "scores.yaml"]


def test_the_values_are_those_of_the_tables(finished):
    scores = Scores.load(finished / "results/my-topics/scores.npz")
    assert scores.values.shape == (50, 8, 2)
    for name, values in zip(("p10", "ap"), scores.values.transpose(2, 0, 1), strict=True):
        table = pd.read_csv(finished / f"{name}.csv", index_col="topic")
        assert (table.to_numpy() == values).all()


def test_all_metrics_have_a_result_whether_they_have_a_cutoff_or_not(finished):
    power = pd.read_csv(finished / POWER)
    assert power["metric"].tolist() == ["P", "AP"]
    assert power["cutoff"].fillna(0).tolist() == [10, 0]
    assert (power["pairs"] == 28).all()
