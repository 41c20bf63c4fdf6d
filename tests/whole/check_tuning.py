"""The target `tune` on the smallest data: what it writes, and that it never sees the test set."""

import hashlib
import io
import re
from pathlib import Path

import pandas as pd
import pytest
import yaml

from rankassay.artifacts.files import atomic

ROOT = Path(__file__).parents[2]

# One of the grids holds what config/test.yaml says already, so that choosing it changes nothing,
# and more factors than the data can take.
CONFIG = """
datasets: [tiny]
recommenders: [random, rocchio, puresvd]
tuning:
  measure: nDCG@10
  grids:
    rocchio: {neighbours: [5, 20]}
    puresvd: {factors: [4, 500]}
"""
POINTS = [
    *("rocchio/neighbours~5", "rocchio/neighbours~20"),
    *("puresvd/factors~4", "puresvd/factors~500"),
]
TABLES = [f"results/tiny/tuning/{name}.csv" for name in [*POINTS, "rocchio", "puresvd"]]
FIGURES = [
    f"figures/tuning/tiny/{name}.{kind}"
    for name in ("rocchio", "puresvd")
    for kind in ("pdf", "svg", "png")
]
CHOSEN = "results/tiny/tuning/chosen.yaml"
TEST = "results/tiny/split/test.npz"


@pytest.fixture(scope="module")
def run(tmp_path_factory, snakemake):
    """Return a function that runs Snakemake on the two grids, always in the same folder."""
    folder = tmp_path_factory.mktemp("tuning")
    (folder / "grids.yaml").write_text(CONFIG)

    def call(*arguments, config=()):
        files = [ROOT / "config/test.yaml", folder / "grids.yaml", *config]
        process = snakemake(folder, *arguments, "--cores", 1, "--configfile", *files)
        assert process.returncode == 0, process.stderr + process.stdout
        return process.stdout + process.stderr

    call.folder = folder
    return call


@pytest.fixture(scope="module")
def finished(run):
    """Return the folder of a finished search."""
    run("tune")
    return run.folder


def checksums(folder):
    """Return the checksums of all that tuning writes."""
    return {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in [*TABLES, *FIGURES, CHOSEN]
    }


def commands(output):
    """Return the commands of a dry run."""
    return set(re.findall(r"^.*python -P -m rankassay .*$", output, re.MULTILINE))


def test_every_point_has_a_score_and_every_grid_a_table_and_a_figure(finished):
    assert all((finished / name).stat().st_size > 10 for name in [*TABLES, *FIGURES])
    table = pd.read_csv(finished / "results/tiny/tuning/rocchio.csv")
    assert list(table.columns) == ["point", "neighbours", "measure", "score", "error"]
    assert table["score"].is_monotonic_decreasing
    assert table["score"].nunique() == 2
    for neighbours, score in zip(table["neighbours"], table["score"], strict=True):
        path = finished / f"results/tiny/tuning/rocchio/neighbours~{neighbours}.csv"
        assert pd.read_csv(path)["score"].item() == score


def test_a_point_that_the_data_cannot_take_is_a_row_and_a_warning(finished):
    table = pd.read_csv(finished / "results/tiny/tuning/puresvd.csv")
    assert list(table["factors"]) == [4, 500]
    assert list(table["score"].isna()) == list(table["error"].notna()) == [False, True]
    lines = (finished / "logs/tune/tiny/puresvd/factors~500.log").read_text().splitlines()
    (line,) = [line for line in lines if "warning" in line]
    assert line.endswith(table["error"].iloc[1])
    assert "1 of 2 points" in (finished / "logs/order-grid/tiny/puresvd.log").read_text()


def test_a_grid_without_any_score_is_one_line(run, snakemake, tmp_path):
    (tmp_path / "none.yaml").write_text("tuning: {grids: {puresvd: {factors: [400, 500]}}}")
    files = [ROOT / "config/test.yaml", run.folder / "grids.yaml", tmp_path / "none.yaml"]
    target = "results/tiny/tuning/puresvd.csv"
    process = snakemake(tmp_path, target, "--cores", 1, "--configfile", *files)
    assert process.returncode == 1
    output = process.stdout + process.stderr
    (line,) = [line for line in output.splitlines() if line.startswith("rankassay order-grid: ")]
    assert "expected a score for one of the grid's 2 points, found none" in line
    assert "Traceback" not in output


def test_the_best_points_are_a_configuration_that_changes_just_them(finished, run):
    best = int(pd.read_csv(finished / "results/tiny/tuning/rocchio.csv")["neighbours"].iloc[0])
    assert yaml.safe_load((finished / CHOSEN).read_text()) == {
        "recommender_catalogue": {
            "rocchio": {"datasets": {"tiny": {"neighbours": best}}},
            "puresvd": {"datasets": {"tiny": {"factors": 4}}},
        }
    }
    words = ("--dry-run", "--printshellcmds", "all", "tune")
    plain, with_best = commands(run(*words)), commands(run(*words, config=[finished / CHOSEN]))
    # The report tells the whole configuration, and completed data have the systems trained again.
    (before,), (after,) = (
        [line for line in lines if not re.search("rankassay report|validity/semi-synth", line)]
        for lines in (plain - with_best, with_best - plain)
    )
    assert "rankings/rocchio.npz" in before
    assert after == before.replace('"neighbours": 10', f'"neighbours": {best}')


def test_no_job_reads_the_test_matrix_and_none_misses_it(finished, run):
    (finished / TEST).unlink()
    summary = run("--detailed-summary", "tune")
    jobs = pd.read_csv(io.StringIO(summary[summary.index("output_file") :]), sep="\t")
    jobs = jobs[jobs["plan"].notna()].set_index("output_file")
    assert {*TABLES, *FIGURES, CHOSEN} < set(jobs.index)
    assert set(jobs["rule"]) == {"tune_point", "order_grid", "write_best", "split", "prepare"}
    files = jobs["input-file(s)"].str.split(",")
    assert all("results/tiny/split/train.npz" in files[table] for table in TABLES[: len(POINTS)])
    assert TEST not in set(files.explode())
    assert set(jobs["plan"]) == {"no update"}


def test_a_corrupt_test_matrix_changes_nothing(finished, run):
    before = checksums(finished)
    with atomic(finished / TEST) as file:  # as if a job had written it
        file.write(b"nothing that could be read")
    run("tune", "--forcerun", f"results/tiny/tuning/{POINTS[0]}.csv")
    assert checksums(finished) == before
    assert (finished / TEST).read_bytes() == b"nothing that could be read"
