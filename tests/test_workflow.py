"""The workflow before its jobs, which `tests/whole/check_workflow.py` runs."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
TEST = ["--configfile", ROOT / "config/test.yaml"]


def test_planning_loads_little(snakemake, tmp_path, monkeypatch):
    """Of a run that is not begun: else Snakemake itself imports pandas, to compare parameters."""
    monkeypatch.setenv("PYTHONPROFILEIMPORTTIME", "1")
    process = snakemake(tmp_path, "robustness", "--cores", 1, "-n", *TEST, new=True)
    assert process.returncode == 0
    loaded = {*re.findall(r"^import time: .*\| +(\S+)$", process.stderr, re.MULTILINE)}
    assert "rankassay.plan.steps" in loaded
    assert {"pandas", "numba", "matplotlib", "scipy.special"} & loaded == set()


@pytest.mark.parametrize("asked", [["--summary"], ["--report", "x.html"], ["--dag"], ["-n"]])
def test_the_folder_of_an_earlier_program_is_refused_whatever_is_asked(snakemake, tmp_path, asked):
    (tmp_path / "results").mkdir()
    (tmp_path / "results/manifest.json").write_text(
        '{"former": "0.4", "config_sha256": "a", "artifacts": {}, "config": {}, "code": {}}'
    )
    process = snakemake(tmp_path, "--cores", 1, *asked, *TEST)
    assert process.returncode == 1
    assert "which is of an earlier program" in process.stderr.splitlines()[-1]


def test_the_workflow_passes_snakemakes_linter(snakemake, tmp_path):
    process = snakemake(tmp_path, "--lint")
    assert process.returncode == 0, process.stderr + process.stdout


def test_the_rulegraph_shows_the_study(snakemake, tmp_path):
    demo = ["--configfile", ROOT / "config/demo.yaml", "--config", 'studies=["robustness"]']
    process = snakemake(tmp_path, "robustness", "--rulegraph", *demo)
    assert process.returncode == 0, process.stderr
    names = dict(re.findall(r'^\s*(\d+)\[label = "(\w+)"', process.stdout, re.MULTILINE))
    edges = {(names[a], names[b]) for a, b in re.findall(r"(\d+) -> (\d+)", process.stdout)}
    assert {"robustness_sparsity", "robustness_popularity", "robustness_figures"} < {
        *names.values()
    }
    assert len(names) <= 15
    assert not edges & {(b, a) for a, b in edges}, "rules point at each other, or at themselves"


def test_the_file_at_the_top_makes_the_same_with_the_same_options(snakemake, tmp_path):
    found = []
    for name in ("Snakefile", "workflow/Snakefile"):
        process = snakemake(tmp_path, "-n", "-p", *TEST, snakefile=ROOT / name)
        assert "profiles/default for setting default command line arguments" in process.stderr
        jobs = re.search(r"^job +count\n(.*?)\n\n", process.stdout, re.MULTILINE | re.DOTALL)
        words = re.sub("^default ", "all ", jobs[1], flags=re.MULTILINE).split()
        found.append(dict(zip(words[::2], words[1::2], strict=True)))
    assert found[0] == found[1]
    assert len(found[0]) > 10
