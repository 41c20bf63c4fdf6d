"""Jobs that a server forks for: they end as if they had been processes of their own."""

import contextlib
import errno
import importlib
import inspect
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import psutil
import pytest
import scipy.sparse as sp

from rankassay.artifacts.arrays import write_matrix
from rankassay.cli import fork_client, fork_server

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is a server on Linux alone")

ROOT = Path(__file__).parents[2]
SECONDS = 60
TABLE = b"metric,value\nP,1\n"
ENDLESS = {"join": {"kind": "table", "parts": ["endless"], "output": "x.csv"}}
DRAWING = """
import numpy as np
from rankassay.recommenders.base import Recommender

class Drawing(Recommender):
    def fit(self, train, seed):
        self.n_items = train.shape[1]
        with open("drawn", "a") as file:
            print(np.random.random(), file=file)
        return self

    def score(self, users):
        return np.zeros((len(users), self.n_items))
"""


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


def until(holds):
    """Wait until something holds."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, inspect.getsource(holds)
        time.sleep(0.01)


@pytest.fixture
def asked(tmp_path):
    """Return a function that starts a job as a rule does, in an empty folder."""

    def start(*words, given=None, **more):
        job = subprocess.Popen(
            [sys.executable, "-m", "rankassay", *map(str, words)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")} | more,
        )
        job.stdin.write(json.dumps(given or {}))
        job.stdin.close()
        job.stdin = None  # for `communicate`
        return job

    return start


def copies(run, n):
    """Return the processes of `n` jobs under way, once there are `n`."""
    server = psutil.Process(run.fork_server.pid)
    until(lambda: len(server.children()) == n)
    return server.children()


@pytest.fixture
def waiting(asked, tmp_path):
    """Return a function that starts a job which waits for its input, and what writes that."""
    pipes = []

    def start(**more):
        os.mkfifo(tmp_path / "endless")
        job = asked("job", given=ENDLESS, **more)
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
    assert "done in" in job.communicate(timeout=SECONDS)[1]
    assert job.returncode == 0
    assert (tmp_path / "x.csv").read_bytes() == TABLE
    copies(run, 0)


def test_mistakes_end_alike_with_and_without_a_server(run, asked):
    missing = {"join": {"kind": "table", "parts": ["none.csv"], "output": "x"}}
    for words, given in (
        (["job"], missing),
        (["job"], {"figure": {}}),
        (["job"], {"jion": {}}),
        (["jbo"], None),
        (["--help"], None),
    ):
        served = asked(*words, given=given)
        alone = asked(*words, given=given, **{fork_client.VARIABLE: ""})
        assert served.communicate(timeout=SECONDS) == alone.communicate(timeout=SECONDS)
        assert served.returncode == alone.returncode


def test_an_interrupted_job_ends_in_one_line(run, waiting):
    job, _ = waiting()
    [copy] = copies(run, 1)
    job.send_signal(signal.SIGINT)
    assert job.communicate(timeout=SECONDS)[1] == "rankassay: interrupted.\n"
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


@pytest.mark.parametrize("interrupted", [False, True])
def test_a_job_for_which_there_is_no_room_is_done_by_who_asks(
    server, asked, monkeypatch, interrupted
):
    def no_room():
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", no_room)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])  # what starts jobs is no server
    job = asked("--version", **{fork_client.VARIABLE: f"{sys.prefix}\n{os.path.abspath('jobs')}"})
    server._accept()
    if interrupted:
        job.send_signal(signal.SIGINT)
        time.sleep(0.5)
    asking = server.connected[0]
    while server.connected:
        server._receive(asking)
    said, error = job.communicate(timeout=SECONDS)
    if interrupted:
        assert (job.returncode, said, error) == (130, "", "rankassay: interrupted.\n")
    else:
        assert (job.returncode, error) == (0, "")
        assert said.startswith("rankassay ")
    assert not server.asking


def test_a_folder_may_have_any_name(tmp_path_factory):
    folder = tmp_path_factory.mktemp("a:b")  # a socket has a name of 107 bytes at most
    call = """
from types import SimpleNamespace as Made
from rankassay.cli import fork_client, fork_server
here = Made(deployment_method=set())
fork_server.start(run := Made(local_exec=True, deployment_settings=here))
assert fork_client.elsewhere(["--version"]) == 0
if {kill}:
    run.fork_server.kill()
"""
    for kill in (False, True):
        environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "TMPDIR": str(folder)}
        words = [sys.executable, "-c", call.format(kill=kill)]
        got = subprocess.run(words, env=environment, capture_output=True, timeout=SECONDS)
        assert (got.returncode, got.stderr) == (0, b"")
        assert got.stdout.startswith(b"rankassay ")
        until(lambda: not [*folder.iterdir()])  # nothing is left, even by a server that was killed


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
    assert job.communicate(timeout=SECONDS)[1].startswith(
        "rankassay: the process that does the jobs"
    )
    assert job.returncode == 1
    psutil.wait_procs([copy], SECONDS)
    assert not copy.is_running()
    assert asked("--version").wait(SECONDS) == 0


def test_a_server_of_another_environment_is_not_asked(run, waiting):
    path = os.environ[fork_client.VARIABLE].partition("\n")[2]
    job, pipe = waiting(**{fork_client.VARIABLE: f"/another\n{path}"})
    assert not psutil.Process(run.fork_server.pid).children()
    os.write(pipe, TABLE)
    os.close(pipe)
    job.communicate(timeout=SECONDS)
    assert job.returncode == 0


def test_it_ends_with_the_run_and_its_jobs(run, waiting):
    job, pipe = waiting()
    copies(run, 1)
    folder = Path(os.environ[fork_client.VARIABLE].partition("\n")[2]).parent
    run.fork_server.stdin.close()
    os.write(pipe, TABLE)
    os.close(pipe)
    job.communicate(timeout=SECONDS)
    assert job.returncode == 0
    assert run.fork_server.wait(SECONDS) == 0
    assert not folder.exists()


def test_it_imports_what_jobs_have_imported(run, asked, tmp_path):
    (tmp_path / "table.csv").write_text("metric,value\nP,1\n")
    given = {"join": {"kind": "table", "parts": ["table.csv"], "output": "joined.csv"}}
    taken = []
    for _ in range(3):
        asked("job", "--log", "logs/join.log", given=given).communicate(timeout=SECONDS)
        header, line = (tmp_path / "results/benchmarks/join.tsv").read_text().splitlines()
        assert header.split("\t") == ["s", "max_rss", "cpu_time"]
        taken.append(float(line.split("\t")[2]))
    assert taken[2] < taken[0] / 2  # importing pandas is most of what the first one took


def test_a_job_finds_the_users_modules_and_draws_numbers_of_its_own(run, asked, tmp_path):
    matrix = sp.csr_matrix(np.ones((3, 4), dtype=np.float32))
    for name in ("train", "test"):
        write_matrix(matrix, tmp_path / f"{name}.npz")
    (tmp_path / "own").mkdir()
    (tmp_path / "own/drawing.py").write_text(DRAWING)
    given = {"train": "train.npz", "test": "test.npz", "output": "lists.npz", "settings": {}}
    given |= {"method": "drawing:Drawing", "depth": 2, "seed": 1, "candidates": "all_items"}
    path = os.pathsep.join([str(ROOT / "src"), str(tmp_path / "own")])
    for _ in range(2):
        job = asked("job", given={"recommend": given}, PYTHONPATH=path)
        said = job.communicate(timeout=SECONDS)[1]
        assert job.returncode == 0, said
    first, second = (tmp_path / "drawn").read_text().split()
    assert first != second


@pytest.mark.parametrize("change", ["cluster", "conda", "macOS"])
def test_jobs_that_run_elsewhere_have_no_server(monkeypatch, change):
    monkeypatch.setenv(fork_client.VARIABLE, "")
    method = {"conda"} if change == "conda" else set()
    others = SimpleNamespace(deployment_method=method)
    run = SimpleNamespace(
        local_exec=change != "cluster", deployment_settings=others, fork_server=None
    )
    if change == "macOS":
        monkeypatch.setattr(sys, "platform", "darwin")
    fork_server.start(run)
    assert run.fork_server is None
    assert not os.environ[fork_client.VARIABLE]


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-"])
def test_a_job_whose_input_or_output_is_closed(run, closed):
    call = f'exec "{sys.executable}" -m rankassay --version {closed}'
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    job = subprocess.run(call, shell=True, env=environment, capture_output=True, timeout=SECONDS)
    assert (job.returncode, job.stderr) == (0, b"")
    assert job.stdout.startswith(b"rankassay ") == (">" not in closed)


def test_ctrl_c_is_not_lost_while_the_server_is_busy(run, asked, tmp_path):
    server = psutil.Process(run.fork_server.pid)
    asked("--version").wait(SECONDS)  # it is up
    server.suspend()
    os.mkfifo(tmp_path / "endless")
    job = asked("job", given=ENDLESS)
    end = time.monotonic() + SECONDS
    while "unix_stream" not in (said := Path(f"/proc/{job.pid}/wchan").read_text()):
        assert time.monotonic() < end, said
        time.sleep(0.01)
    job.send_signal(signal.SIGINT)
    time.sleep(0.1)
    server.resume()
    assert job.communicate(timeout=SECONDS)[1] == "rankassay: interrupted.\n"
    assert job.returncode == 130


def test_a_job_has_no_connections_and_outputs_of_others(run, waiting):
    path = os.environ[fork_client.VARIABLE].partition("\n")[2]
    theirs, ours = os.pipe()
    with socket.socket(socket.AF_UNIX) as half:
        half.connect(path)
        socket.send_fds(half, [fork_client.SIZE.pack(1000)], [ours] * 3)
        os.close(ours)
        job, pipe = waiting()
        [copy] = copies(run, 1)
        mine = os.readlink(f"/proc/self/fd/{theirs}")
        assert mine not in {os.readlink(f) for f in Path(f"/proc/{copy.pid}/fd").iterdir()}
        assert not copy.net_connections("unix")
    os.close(pipe)
    job.communicate(timeout=SECONDS)
    # Nor does the server keep the outputs of one that is gone.
    reader = threading.Thread(target=os.read, args=(theirs, 1), daemon=True)
    reader.start()
    reader.join(SECONDS)
    assert not reader.is_alive()


@pytest.fixture
def server(tmp_path, monkeypatch):
    """Return a server in this process, which does not serve by itself."""
    handlers = [(each, signal.getsignal(each)) for each in (signal.SIGCHLD, signal.SIGINT)]
    with socket.socket(socket.AF_UNIX) as listening:
        monkeypatch.chdir(tmp_path)
        listening.bind("jobs")
        listening.listen()
        yield fork_server.Server(listening)
    signal.set_wakeup_fd(-1)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    for each, handler in handlers:
        signal.signal(each, handler)


def test_a_process_that_hangs_up_when_its_job_has_just_ended(server, monkeypatch):
    found = iter([(77, 3 << 8), (0, 0)])
    monkeypatch.setattr(os, "waitpid", lambda *_: next(found))
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("jobs")
        server._accept()
        [key] = server.selector.get_map().values()
        then, asked = key.data, inspect.getclosurevars(key.data).nonlocals["asked"]
        asked.process, server.asking[77] = 77, asked
        signal.raise_signal(signal.SIGCHLD)
        server._reap()
        then()  # of the same turn
        assert fork_client.STATUS.unpack(client.recv(4)) == (3,)
    assert not server.asking


REQUEST = b'{"words": ["guide"], "folder": "/", "environment": {}}'


@pytest.mark.parametrize(
    ("sent", "n_outputs"),
    [
        *((sent, 3) for sent in (b"", b"{", b"\xff\xfe", b"null", b"[]", b"{}", b"[" * 9999)),
        *((REQUEST, n) for n in (0, 1)),
    ],
)
def test_what_is_no_request_is_dropped(server, monkeypatch, sent, n_outputs):
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a job has begun"))
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("jobs")
        server._accept()
        [key] = server.selector.get_map().values()
        size = fork_client.SIZE.pack(len(sent))
        socket.send_fds(client, [size], [0] * n_outputs) if n_outputs else client.sendall(size)
        client.sendall(sent)
        while server.connected:
            key.data()
        assert client.recv(4) == b""
    assert not server.asking


def test_modules_that_cannot_be_imported_do_no_harm(server):
    os.write(server.tell, b"rankassay.no _moduleTNC tabnanny rankassay.errors ")
    server._import_modules()
    assert "tabnanny" in sys.modules


def test_a_library_that_ends_the_process_does_not_end_the_server(server, monkeypatch):
    monkeypatch.setattr(fork_server.importlib, "import_module", lambda name: sys.exit(name))
    os.write(server.tell, b"numba.core library ")
    server._import_modules()
    assert server.imported == {"numba.core", "library"}


def test_a_process_that_a_library_started_is_no_job(server):
    ended = subprocess.Popen(["true"])
    until(lambda: psutil.Process(ended.pid).status() == psutil.STATUS_ZOMBIE)
    server._reap()
    assert not psutil.pid_exists(ended.pid)


def test_names_of_modules_are_never_cut():
    names = [f"rankassay.{'x' * (n % 50)}{n}" for n in range(2000)]
    messages = [*fork_server._messages(names)]
    assert max(map(len, messages)) <= select.PIPE_BUF < sum(map(len, messages))
    assert b"".join(messages).decode().split() == names


def test_what_is_the_users_own_is_not_shared(monkeypatch, tmp_path):
    (tmp_path / "my_metric.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("my_metric")
    monkeypatch.setitem(sys.modules, "no_module", None)
    names = ["my_metric", "no_module", "sys", "json", "numpy.linalg", "rankassay.errors"]
    assert [*filter(fork_server._shared, names)] == ["json", "numpy.linalg", "rankassay.errors"]


@pytest.mark.parametrize(
    ("code", "status", "said"), [(None, 0, ""), (3, 3, ""), ("why", 1, "why\n")]
)
def test_a_job_that_exits(monkeypatch, capsys, code, status, said):
    monkeypatch.setattr(fork_server, "main", lambda words: sys.exit(code))
    assert fork_server._done([]) == status
    assert capsys.readouterr().err == said
