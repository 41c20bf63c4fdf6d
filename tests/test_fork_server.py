"""Jobs that a server forks for: they end as if they had been processes of their own."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from assayer.cli import fork_client, fork_server

ROOT = Path(__file__).parents[1]
SECONDS = 60
TABLE = b"metric,value\nP,1\n"


@pytest.fixture
def run(monkeypatch):
    """Start the server of a run, and return what stands for it."""
    here = SimpleNamespace(deployment_method=set())
    run = SimpleNamespace(local_exec=True, deployment_settings=here, fork_server=None)
    monkeypatch.setenv(fork_client.VARIABLE, "")  # so that it is undone
    fork_server.start(run)
    yield run
    run.fork_server.stdin.close()
    run.fork_server.wait(SECONDS)


@pytest.fixture
def asked(tmp_path):
    """Return a function that starts a job as a rule does, in an empty folder."""

    def start(*words, **more):
        return subprocess.Popen(
            [sys.executable, "-m", "assayer", *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")} | more,
        )

    return start


def copies(run, n):
    """Return the processes of `n` jobs under way, once there are so many."""
    server = psutil.Process(run.fork_server.pid)
    end = time.monotonic() + SECONDS
    while len(found := server.children()) != n:
        assert time.monotonic() < end, found
        time.sleep(0.01)
    return found


@pytest.fixture
def waiting(asked, tmp_path):
    """Return a function that starts a job which waits for its input, and what writes that."""
    pipes = []

    def start(**more):
        os.mkfifo(tmp_path / "endless")
        words = ["figure", "a/b", "c=endless", "--panels", '{"panels": []}', "--output", "x.pdf"]
        job = asked(*words, **more)
        end = time.monotonic() + SECONDS
        while not pipes:
            assert time.monotonic() < end
            time.sleep(0.01)
            with contextlib.suppress(OSError):  # nobody reads yet
                pipes.append(os.open(tmp_path / "endless", os.O_WRONLY | os.O_NONBLOCK))
        return job, pipes[0]

    yield start
    for pipe in pipes:
        with contextlib.suppress(OSError):
            os.close(pipe)


def test_a_job_is_a_copy_of_the_server(run, waiting, tmp_path):
    job, pipe = waiting()
    [copy] = copies(run, 1)
    assert copy.cwd() == str(tmp_path)
    os.write(pipe, TABLE)
    os.close(pipe)
    assert job.communicate(timeout=SECONDS)[1].startswith("assayer figure: unknown figure 'a/b'")
    assert job.returncode == 1
    copies(run, 0)


def test_mistakes_end_alike_with_and_without_a_server(run, asked):
    for words in (["join", "table", "none.csv", "--output", "x"], ["figure"], ["jion"], ["--help"]):
        served = asked(*words)
        alone = asked(*words, **{fork_client.VARIABLE: ""})
        assert served.communicate(timeout=SECONDS) == alone.communicate(timeout=SECONDS)
        assert served.returncode == alone.returncode


def test_an_interrupted_job_ends_in_one_line(run, waiting):
    job, _ = waiting()
    [copy] = copies(run, 1)
    job.send_signal(signal.SIGINT)
    assert job.communicate(timeout=SECONDS)[1] == "assayer: interrupted.\n"
    assert job.returncode == 130
    assert not copy.is_running()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_job_that_nobody_waits_for_ends(run, asked, waiting, how):
    job, _ = waiting()
    [copy] = copies(run, 1)
    job.send_signal(how)
    job.communicate(timeout=SECONDS)
    psutil.wait_procs([copy], SECONDS)
    assert not copy.is_running()
    assert asked("--version").wait(SECONDS) == 0  # the server goes on


def test_a_killed_job_fails(run, waiting):
    job, _ = waiting()
    [copy] = copies(run, 1)
    copy.kill()
    job.communicate(timeout=SECONDS)
    assert job.returncode == -signal.SIGKILL


def test_of_a_killed_server_the_jobs_end_and_later_ones_need_none(run, asked, waiting):
    job, _ = waiting()
    [copy] = copies(run, 1)
    run.fork_server.kill()
    assert job.communicate(timeout=SECONDS)[1].startswith("assayer: the process that does the jobs")
    assert job.returncode == 1
    psutil.wait_procs([copy], SECONDS)
    assert not copy.is_running()
    assert asked("--version").wait(SECONDS) == 0


def test_a_server_of_another_environment_is_not_asked(run, waiting):
    path = os.environ[fork_client.VARIABLE].partition(":")[0]
    job, pipe = waiting(**{fork_client.VARIABLE: f"{path}:/another"})
    assert not psutil.Process(run.fork_server.pid).children()
    os.write(pipe, TABLE)
    os.close(pipe)
    job.communicate(timeout=SECONDS)
    assert job.returncode == 1


def test_it_ends_with_the_run_and_its_jobs(run, waiting):
    job, pipe = waiting()
    copies(run, 1)
    folder = Path(os.environ[fork_client.VARIABLE].partition(":")[0]).parent
    run.fork_server.stdin.close()
    os.write(pipe, TABLE)
    os.close(pipe)
    job.communicate(timeout=SECONDS)
    assert job.returncode == 1
    assert run.fork_server.wait(SECONDS) == 0
    assert not folder.exists()


def test_it_imports_what_jobs_have_imported(run, asked, tmp_path):
    (tmp_path / "table.csv").write_text("metric,value\nP,1\n")
    words = "join", "table", "table.csv", "--output", "joined.csv", "--usage", "usage.tsv"
    taken = []
    for _ in range(3):
        asked(*words).communicate(timeout=SECONDS)
        header, line = (tmp_path / "usage.tsv").read_text().splitlines()
        assert header.split("\t") == ["s", "max_rss", "cpu_time"]
        taken.append(float(line.split("\t")[2]))
    assert taken[2] < taken[0] / 2  # importing pandas is most of what the first one took


@pytest.mark.parametrize("change", ["cluster", "conda"])
def test_jobs_that_run_elsewhere_have_no_server(monkeypatch, change):
    monkeypatch.setenv(fork_client.VARIABLE, "")
    method = {"conda"} if change == "conda" else set()
    others = SimpleNamespace(deployment_method=method)
    run = SimpleNamespace(
        local_exec=change == "conda", deployment_settings=others, fork_server=None
    )
    fork_server.start(run)
    assert run.fork_server is None
    assert not os.environ[fork_client.VARIABLE]
