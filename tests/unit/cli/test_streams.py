"""Closed outputs: a result that nobody gets is an error of one line, and nothing else changes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


@pytest.fixture
def shell(tmp_path):
    """Return a function that runs a line of shell in a folder with judgements and two runs."""
    (tmp_path / "qrels").write_text("u 0 a 5\nu 0 b 1\nv 0 a 4\n")
    (tmp_path / "run").write_text("u Q0 b 1 0.9 t\nu Q0 a 2 0.5 t\nv Q0 a 1 0.1 t\n")
    (tmp_path / "better").write_text("u Q0 a 1 0.9 t\nv Q0 a 1 0.1 t\n")

    def call(line):
        return subprocess.run(
            ["bash", "-c", re.sub("^rankassay", f"{sys.executable} -m rankassay", line)],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    return call


@pytest.mark.parametrize(
    "words",
    [
        "evaluate qrels run --threshold 4 --csv",
        "completion bash",
    ],
)
def test_a_result_that_nobody_gets_is_one_line(shell, words):
    done = shell(f"rankassay {words} >&-")
    assert done.returncode == 1
    assert "expected an open standard output, found it closed" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_without_standard_error_the_result_is_the_same(shell):
    expected = shell("rankassay compare qrels run better")
    found = shell("rankassay compare qrels run better 2>&- <&-")
    assert (found.returncode, found.stdout) == (0, expected.stdout)
    assert expected.stdout
    assert expected.stderr


def test_errors_are_no_part_of_the_result_where_standard_error_is_closed(shell):
    done = shell("rankassay evaluate qrels nothing 2>&-")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_python_works_without_outputs(shell):
    code = "import numpy, rankassay as a; p = a.permutation_test(numpy.eye(3)[:, :2]).p_values"
    done = shell(f'{sys.executable} -c \'{code}; open("said", "w").write(str(p))\' >&- 2>&- <&-')
    assert done.returncode == 0
    assert "1." in shell("cat said").stdout


def test_names_that_an_output_cannot_show_are_escaped(shell):
    shell("mv run 'rún'")
    line = f"PYTHONUTF8=0 PYTHONIOENCODING=ascii {sys.executable} -m rankassay"
    for words in ("evaluate qrels rún --threshold 4", "compare qrels better rún --threshold 4"):
        done = shell(f"{line} {words}")
        assert "r\\xfan" in done.stdout, done.stderr
    found = json.loads(shell(f"{line} evaluate qrels rún --json --threshold 4").stdout)
    assert found[0]["run"] == "rún"
