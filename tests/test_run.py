"""The script `run` says in one clear sentence what a machine lacks."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]

SYSTEM_PATH = "/usr/bin:/bin"
pytestmark = pytest.mark.skipif(
    shutil.which("uv", path=SYSTEM_PATH) is not None, reason="uv is always there and comes first"
)

OLD = """#!/bin/sh
case "$1" in
-c) exit 1 ;;
-V) echo "Python 3.9.2" ;;
esac
"""
# A Python that makes an environment in which implicit finds no OpenMP library.
WITHOUT_OPENMP = """#!/bin/sh
case "$*" in
*"-m venv"*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
*"import implicit"*) echo "ImportError: libgomp.so.1: cannot open shared object file" >&2; exit 1 ;;
esac
"""
# A Python for which the lock has a package without a wheel, and no compiler.
WITHOUT_COMPILER = """#!/bin/sh
case "$*" in
-V) echo "Python 3.99.1" ;;
*"-m venv"*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
*"-m pip"*) echo "error: [Errno 2] No such file or directory: 'x86_64-linux-gnu-gcc'" >&2; exit 1 ;;
esac
"""


@pytest.fixture
def run(tmp_path):
    """Return a function that calls `run` in a copy of its own, with a stand-in for Python."""
    folder = tmp_path / "with a blank"
    folder.mkdir()
    for name in ("run", "requirements.lock"):
        shutil.copy(ROOT / name, folder / name)

    def call(python, *command, **more):
        stand_in = tmp_path / "python3"
        if python:
            stand_in.write_text(python)
            stand_in.chmod(0o755)
        environment = os.environ | {"PATH": SYSTEM_PATH, "PYTHON": str(stand_in)} | more
        return subprocess.run(
            [str(folder / "run"), *command],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            cwd=tmp_path,
        )

    call.stamp = folder / ".venv/requirements.lock"
    return call


@pytest.mark.parametrize(
    ("python", "message"),
    [
        (OLD, "Python 3.11 or newer is needed, '{}' is Python 3.9.2; set PYTHON="),
        (None, "'{}' was not found; install Python 3.11 or newer"),
        (
            WITHOUT_OPENMP,
            "libgomp.so.1 is missing; on Debian and Ubuntu: apt-get install libgomp1.",
        ),
        (
            WITHOUT_COMPILER,
            "no wheel for Python 3.99.1 and could not be built (",
        ),
        (WITHOUT_COMPILER, "on Debian and Ubuntu: apt-get install gcc python3-dev (or set PYTHON="),
        (
            WITHOUT_COMPILER.replace("x86_64-linux-gnu-gcc", "requirements.lock"),
            "could not be installed (see above).",
        ),
    ],
)
def test_what_is_missing_is_said(run, tmp_path, python, message):
    process = run(python, "true")
    assert process.returncode == 1
    assert len(process.stderr.splitlines()) <= 3
    assert message.format(tmp_path / "python3") in process.stderr
    # What is half installed is not taken for an environment the next time.
    assert not run.stamp.exists()


@pytest.mark.slow
def test_another_python_replaces_the_environment_of_the_first(run):
    run(WITHOUT_COMPILER, "true")
    (run.stamp.parents[1] / "requirements.lock").write_text("")  # which needs no index
    made = run(None, "true", PYTHON=sys.executable)
    assert "implicit cannot be imported" in made.stderr, made.stderr
    python = run.stamp.parent / "bin/python"
    assert python.resolve() == Path(sys.executable).resolve()


def test_a_command_must_be_named(run):
    process = run(WITHOUT_OPENMP.replace("exit 1", "exit 0"))
    assert process.returncode == 1
    assert "name a command to run" in process.stderr


@pytest.mark.parametrize("option", ["--configfile", "--configfiles"])
def test_a_configuration_that_is_not_there_is_named(run, option):
    python = WITHOUT_OPENMP.replace("exit 1", "exit 0")
    process = run(python, "echo", "--cores", "1", option, "requirements.lock", "--dry-run", "table")
    assert process.returncode == 0, process.stderr
    process = run(python, "echo", option, "requirements.lock", "config/dmo.yaml")
    assert process.returncode == 1
    assert len(process.stderr.splitlines()) == 1
    assert f"expected a file after {option}, found none at 'config/dmo.yaml'" in process.stderr


SHOWS = WITHOUT_OPENMP.replace("exit 1", "exit 0") + 'echo "$PWD $*"\n'


@pytest.mark.parametrize(
    ("command", "folder"),
    [("rankassay", ""), ("python", "with a blank")],
    ids=["rankassay", "python"],
)
@pytest.mark.parametrize("how", ["path", "relative", "link", "link to a link", "CDPATH"])
def test_commands_of_rankassay_run_in_the_current_folder(
    run, tmp_path, monkeypatch, how, command, folder
):
    here, script = tmp_path / "mine", run.stamp.parents[1] / "run"
    here.mkdir()
    (here / "link").symlink_to(f"../{script.parent.name}/run")
    (tmp_path / "bin").symlink_to(here)
    (tmp_path / "second").symlink_to("bin/link")
    called = {
        "path": script,
        "relative": f"../{script.parent.name}/run",
        "link": "./link",
        "link to a link": "../second",
        "CDPATH": f"../{script.parent.name}/run",
    }
    monkeypatch.setenv("CDPATH", str(tmp_path) if how == "CDPATH" else "")
    stand_in = tmp_path / "python3"
    stand_in.write_text(SHOWS)
    stand_in.chmod(0o755)
    environment = os.environ | {"PATH": SYSTEM_PATH, "PYTHON": str(stand_in)}
    words = [str(called[how]), command, "a b"]
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, cwd=here, env=environment
    )
    assert done.returncode == 0, done.stderr
    own = " -P -m rankassay" if command == "rankassay" else ""
    expected = tmp_path / folder if folder else here
    assert done.stdout.splitlines()[-1] == f"{expected}{own} a b"


def test_it_says_what_it_takes(run):
    process = run(None, "--help")
    assert process.returncode == 0
    assert "./run rankassay run --configfile demo" in process.stdout


def test_rankassay_is_a_command(run, tmp_path):
    process = run(
        WITHOUT_OPENMP.replace("exit 1", "exit 0") + 'echo "$@"', "rankassay", "guide", "a b"
    )
    assert process.stdout.splitlines()[-1] == "-P -m rankassay guide a b"


@pytest.mark.parametrize("command", ["", "evaluate", "guide"])
def test_help_shows_the_form_that_works_in_a_checkout(command):
    words = [ROOT / "run", "rankassay", *filter(None, [command]), "--help"]
    said = subprocess.run(words, capture_output=True, text=True, check=True, cwd="/").stdout
    assert f"usage: ./run rankassay {command}".strip() in said
    assert f"  ./run rankassay {command or 'compare'} " in said
    assert "-m rankassay" not in said


def test_a_configuration_behind_an_equals_sign_is_looked_at(run):
    process = run(
        WITHOUT_OPENMP.replace("exit 1", "exit 0"), "echo", "--configfile=config/dmo.yaml"
    )
    assert process.returncode == 1
    assert "expected a file after --configfile, found none at 'config/dmo.yaml'" in process.stderr


@pytest.mark.slow
def test_a_key_that_stands_twice_is_told_without_the_script_too(snakemake, tmp_path):
    (tmp_path / "mine.yaml").write_text("seed: 1\nsplit: {}\nseed: 2\n")
    done = snakemake(tmp_path, "--cores", 1, "-n", "--configfile", "mine.yaml")
    assert done.returncode == 1
    said = done.stdout + done.stderr
    assert "mine.yaml, line 3: the key 'seed' stands there twice; keep one." in said
    assert "Traceback" not in said


@pytest.mark.slow
def test_what_snakemake_would_drop_of_its_command_line_is_refused(snakemake, tmp_path):
    done = snakemake(tmp_path, "--cores", 1, "-n", "--config", "seed=1", "--config", "shards=2")
    assert done.returncode == 1
    said = "expected --config once, with all that it takes behind it, found it twice"
    assert said in done.stdout + done.stderr


def test_an_empty_entry_of_pythonpath_is_not_the_current_folder(run):
    shows = WITHOUT_OPENMP.replace("exit 1", "exit 0") + 'echo "$PYTHONPATH"\n'
    run(shows, "rankassay")
    for given, kept in (("", ""), (":", ""), (":/a b:", ":/a b"), ("/*::/c", ":/*:/c")):
        done = run(shows, "rankassay", PYTHONPATH=given)
        folder, source = done.stdout.splitlines()[-1].partition("/src")[::2]
        assert (folder, source) == (str(run.stamp.parents[1]), kept)
