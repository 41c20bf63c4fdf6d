"""What the pages on one's own data, runs, recommenders and metrics say, done as they say it.

The configurations are those of the pages, with fewer recommenders; the targets are the means of the
systems, in place of all figures.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pages
import pandas as pd
import pytest

from rankassay.cli import demo_data

ROOT = Path(__file__).parents[2]
FEW = "recommenders: [random, popularity]\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the files of all pages."""
    folder = tmp_path_factory.mktemp("project")
    for page in ("own-data.md", "extending.md", "own-runs.md"):
        pages.write(page, folder)
    (folder / "few.yaml").write_text(FEW)
    return folder


@pytest.fixture(scope="module")
def python(folder):
    """Return a function that runs a script in the folder, or one of the project's."""

    def run(script, *arguments):
        path = folder / script if (folder / script).exists() else ROOT / script
        return subprocess.run(
            [sys.executable, str(path), *arguments],
            capture_output=True,
            text=True,
            check=True,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        ).stdout

    return run


@pytest.fixture(scope="module")
def run(folder, snakemake):
    """Return a function that makes targets with some configurations."""

    def make(targets, *configurations, **options):
        process = snakemake(
            folder,
            *(*targets, "--cores", 1, *options.get("more", ())),
            *("--configfile", *(folder / name for name in configurations)),
        )
        assert process.returncode == 0, process.stderr + process.stdout
        return process.stdout + process.stderr

    return make


def means(folder, dataset):
    return pd.read_csv(folder / f"results/{dataset}/means.csv")


def test_the_commands_of_the_pages_are_those_run_here():
    words = [
        command
        for page in ("own-data", "own-runs", "extending")
        for command in pages.commands(f"{page}.md")
    ]
    assert all(command[0] == "./run" for command in words)
    scripts = {command[2] for command in words if command[1] == "python"}
    written = {"make_ratings.py", "make_scores.py"}
    assert scripts == written | {"docs/examples/implicit_runs.py"}
    configurations = [
        command[command.index("--configfile") + 1 :]
        for command in words
        if command[1] == "snakemake"
    ]
    assert configurations == [
        ["mine.yaml"],
        ["judged.yaml"],
        ["mine.yaml"],
        ["mine.yaml", "added.yaml"],
        ["mine.yaml", "extending.yaml"],
    ]


@pytest.fixture(scope="module")
def extended(folder, python, run):
    """Return the folder after one's own data was split, and one's own metrics computed on it."""
    python("make_ratings.py")
    run(["splits", "results/mine/means.csv"], "mine.yaml", "extending.yaml")
    return folder


def test_a_recommender_and_metrics_of_ones_own_stand_among_the_others(extended):
    table = means(extended, "mine")
    assert set(table.system) == {"Random", "Popularity", "Damped popularity"}
    assert table.metric.nunique() == 5
    at_10 = table[table.cutoff == 10].pivot(index="system", columns="metric", values="mean")
    assert (at_10["mine:hit_rate(at_least=3)"] <= at_10["mine:hit_rate"]).all()
    # The mean of a hit rate is at least that of precision, and precision's tells the order.
    assert (at_10["mine:hit_rate"] >= at_10["P"]).all()
    assert at_10["P"]["Popularity"] > at_10["P"]["Random"]


def test_an_edit_of_the_file_reruns_what_depends_on_it(extended, run):
    path = extended / "mine.py"
    before = path.read_text()
    path.write_text(before + "\n# edited\n")
    said = run(["results/mine/means.csv"], "mine.yaml", "extending.yaml", more=["-n", "-p"])
    path.write_text(before)
    jobs = [line.split() for line in said.splitlines()]
    assert ["recommend", "1"] in jobs
    assert ["score", "1"] in jobs
    assert ["split", "1"] not in jobs


def test_what_the_page_says_is_printed_is_printed(extended, python):
    lines = python("evaluate.py").splitlines()
    (expected,) = pages.printed("extending.md")
    assert lines[: len(expected.splitlines())] == expected.splitlines()


def test_runs_of_another_library_stand_beside_the_recommenders(extended, python, run):
    python("docs/examples/implicit_runs.py", "results/mine/trec", "runs/mine")
    run(["results/mine/means.csv"], "mine.yaml", "added.yaml", "few.yaml")
    table = means(extended, "mine")
    names = {"implicit-als", "implicit-bpr", "implicit-bm25"}
    assert set(table.system) == {"Random", "Popularity", *names}
    assert set(table.metric) == {"P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"}
    ndcg = table[(table.metric == "nDCG") & (table.cutoff == 10)].set_index("system")["mean"]
    assert ndcg["implicit-als"] > ndcg["Random"]
    with np.load(extended / "results/mine/rankings/implicit-als.npz") as rankings:
        assert rankings["items"].shape == (200, 100)


def test_runs_and_judgements_alone_are_a_study(folder, run):
    (folder / "demo").mkdir()
    demo_data.write(folder / "demo", 0)
    said = run(["results/judged/means.csv"], "judged.yaml")
    assert "skipped" not in said  # nobody asked for a study
    assert "Left out" not in said
    table = means(folder, "judged")
    assert set(table.system) == {"ease", "popularity", "puresvd", "user-knn"}
    ndcg = table[(table.metric == "nDCG") & (table.cutoff == 10)].set_index("system")["mean"]
    assert ndcg["puresvd"] > ndcg["popularity"]
