"""Jobs start as copies of a process that has imported the modules they need.

Starting Python and importing numpy, pandas and matplotlib takes a second of CPU time, which is most
of what the jobs of a small run take. So a run that starts its jobs on this machine also starts this
server: for each job it forks, and the copy does the job, in a process of its own as ever, with the
outputs, the folder and the environment of the process that asked (`rankassay.cli.fork_client`).
What modules of the package and of libraries a job imported, the server imports before the next one.

It ends with the run. A job whose server is not there is done by the process that was to ask for it.
"""

import atexit
import contextlib
import gc
import importlib
import json
import logging
import os
import select
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from rankassay.cli import process
from rankassay.cli.fork_client import (
    INTERRUPTED,
    NOT_BEGUN,
    SIZE,
    STATUS,
    VARIABLE,
    open_outputs,
)
from rankassay.cli.main import main
from rankassay.lookup import is_of_library

LONGEST = 100  # of a socket's path: systems allow some 104 to 108 bytes
SOCKET = "jobs"
PACKAGE = "rankassay."
KEYS = {"words", "folder", "environment"}  # of a request


def start(workflow: Any) -> None:
    """Start the server of a run that is about to start, if its jobs are done here.

    On Linux alone: elsewhere libraries may not bear to be forked once they are loaded.
    """
    from rankassay.plan.snakemake_private import runs_here  # the server itself needs no plan

    if sys.platform != "linux" or not runs_here(workflow):
        return
    folder = tempfile.mkdtemp(prefix="rankassay-")
    path = os.path.join(folder, SOCKET)
    if len(os.fsencode(path)) > LONGEST:
        os.rmdir(folder)
        return
    atexit.register(shutil.rmtree, folder, ignore_errors=True)  # the server may be killed
    open_outputs()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen(128)
        # It ends when the other end of its input is closed, as all files of this process are when
        # that ends, however it ends.
        workflow.fork_server = subprocess.Popen(
            [
                sys.executable,
                "-P",
                "-m",
                "rankassay.cli.fork_server",
                str(listening.fileno()),
                folder,
            ],
            stdin=subprocess.PIPE,
            pass_fds=[listening.fileno()],
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
            # Ctrl-C reaches a copy once, by the process that asked for it; and what ends the whole
            # group of this process leaves the server to tidy up.
            process_group=0,
        )
    os.environ[VARIABLE] = f"{sys.prefix}\n{path}"


@dataclass(eq=False)
class Asked:
    """A process that requests a job: its connection, and the bytes received so far."""

    connection: socket.socket
    outputs: list[int] = field(default_factory=list)
    sent: bytearray = field(default_factory=bytearray)
    process: int = 0  # the copy that does the job, once there is one

    def receive(self) -> bool:
        """Receive what has been sent; return whether the connection is still open."""
        try:
            got, outputs, *_ = socket.recv_fds(self.connection, 1 << 16, 3)
        except OSError:
            return False
        self.outputs += outputs
        self.sent += got
        return bool(got)

    def wanted(self) -> dict[str, Any] | None:
        """Return the request, once it has been sent whole; raises ValueError for an invalid one."""
        if len(self.sent) < SIZE.size:
            return None
        end = SIZE.size + SIZE.unpack_from(self.sent)[0]
        if len(self.sent) < end:
            return None
        found = json.loads(self.sent[SIZE.size : end])
        if not (len(self.outputs) == 3 and isinstance(found, dict) and found.keys() == KEYS):
            raise ValueError
        return found

    def interrupted(self) -> bool:
        """Return whether Ctrl-C followed the request."""
        return INTERRUPTED in self.sent[SIZE.size + SIZE.unpack_from(self.sent)[0] :]

    def answer(self, status: int) -> None:
        """Send how the job ended, and close the connection."""
        with contextlib.suppress(OSError):
            self.connection.sendall(STATUS.pack(status))
        self.close()

    def close(self) -> None:
        """Close this process's ends of the connection and outputs."""
        self.connection.close()
        self.close_outputs()

    def close_outputs(self) -> None:
        """Close the outputs, which are the job's alone."""
        while self.outputs:
            os.close(self.outputs.pop())


class Server:
    """Forks for every job that is requested on a socket; see the module."""

    def __init__(self, listening: socket.socket) -> None:
        self.listening = listening
        self.asking: dict[int, Asked] = {}  # by process
        self.connected: list[Asked] = []
        self.selector = selectors.DefaultSelector()
        self.imported: set[str] = set()
        self.news, self.tell = os.pipe()  # the names of modules that jobs imported
        self.alive, self.lifeline = os.pipe()  # a copy ends when this process does
        self.ended, wake = os.pipe()
        for end in (self.ended, wake, self.news):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        # A copy that is interrupted before it is ready for that ends when it is.
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])

    def serve(self) -> None:
        """Serve requests until the run has ended, and its jobs with it."""
        for source, then in (
            (self.listening, self._accept),
            (sys.stdin.fileno(), self._close),
            (self.ended, self._reap),
            (self.news, self._import_modules),
        ):
            self.selector.register(source, selectors.EVENT_READ, then)
        while self.asking or self.listening.fileno() >= 0:
            for key, _ in self.selector.select():
                key.data()

    def _close(self) -> None:
        """Take no more jobs: the run has ended."""
        self.selector.unregister(sys.stdin.fileno())
        self.selector.unregister(self.listening)
        self.listening.close()

    def _accept(self) -> None:
        asked = Asked(self.listening.accept()[0])
        self.connected.append(asked)
        self.selector.register(asked.connection, selectors.EVENT_READ, lambda: self._receive(asked))

    def _receive(self, asked: Asked) -> None:
        """Begin a requested job, or end one that no process waits for any more."""
        if asked not in self.connected:  # its job ended since it sent this
            return
        before = len(asked.sent)
        if not asked.receive():
            self._forget(asked)
            if asked.process:
                os.kill(asked.process, signal.SIGTERM)
            else:
                asked.close()
        elif asked.process:
            if INTERRUPTED in asked.sent[before:]:
                os.kill(asked.process, signal.SIGINT)
        else:
            self._begin(asked)

    def _begin(self, asked: Asked) -> None:
        """Begin a job, once its whole request has been sent; invalid requests are dropped."""
        try:
            if (wanted := asked.wanted()) is None:
                return
            asked.process = os.fork()
        except (ValueError, RecursionError):  # of what is no JSON, too
            self._forget(asked)
            asked.close()
            return
        except OSError:  # no room
            self._forget(asked)
            asked.answer(NOT_BEGUN)
            return
        if not asked.process:
            self._become(asked, wanted)
        self.asking[asked.process] = asked
        asked.close_outputs()
        if asked.interrupted():
            os.kill(asked.process, signal.SIGINT)

    def _forget(self, asked: Asked) -> None:
        """Listen to a process no more, if it is not gone already."""
        if asked in self.connected:
            self.connected.remove(asked)
            self.selector.unregister(asked.connection)

    def _reap(self) -> None:
        """Report jobs that have ended to the processes that requested them."""
        os.read(self.ended, 1 << 12)
        with contextlib.suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                if asked := self.asking.pop(found[0], None):  # else a library's own
                    self._forget(asked)
                    asked.answer(os.waitstatus_to_exitcode(found[1]))

    def _import_modules(self) -> None:
        """Import the modules that jobs have imported."""
        news = b""
        with contextlib.suppress(BlockingIOError):
            while True:
                news += os.read(self.news, 1 << 16)
        for name in sorted({*news.decode().split()} - self.imported):
            self.imported.add(name)
            # It needs an extra, cannot be imported alone, or ends the process.
            with contextlib.suppress(BaseException):
                importlib.import_module(name)
        with contextlib.suppress(BaseException):  # jobs will report what is wrong with it
            if any(name.startswith("numba") for name in self.imported):
                importlib.import_module("rankassay.kernels").warm()
        gc.freeze()  # what copies share stays shared

    def _become(self, asked: Asked, wanted: dict[str, Any]) -> NoReturn:
        """Do the job, in the copy."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        process.expect_interrupt()
        for place, output in enumerate(asked.outputs):
            os.dup2(output, place)
        # What is another's stays open for as long as anybody has it.
        for other in self.connected:
            other.close()
        self.listening.close()
        os.close(self.lifeline)
        with contextlib.suppress(RuntimeError):  # no room for a thread
            threading.Thread(target=_end_with, args=(self.alive,), daemon=True).start()
        os.chdir(wanted["folder"])
        os.environ.clear()
        os.environ.update(wanted["environment"])
        tempfile.tempdir = None  # where the environment says
        sys.argv[1:] = wanted["words"]
        more = wanted["environment"].get("PYTHONPATH", "").split(os.pathsep)
        sys.path[:0] = filter(None, more)
        if "numpy.random" in sys.modules:
            sys.modules["numpy.random"].seed()  # else all copies draw the same without a seed
        before = {*sys.modules, *self.imported}
        status = _done(wanted["words"])
        with contextlib.suppress(Exception):  # no server is listening, or a name is invalid
            for message in _messages(filter(_shared, {*sys.modules} - before)):
                os.write(self.tell, message)
        os._exit(status)


def _messages(names: Iterable[str]) -> Iterator[bytes]:
    """Yield the names in parts that a pipe takes whole, while other jobs write to it."""
    message = b""
    for word in (f"{name} ".encode() for name in names):
        if len(message) + len(word) > select.PIPE_BUF:
            yield message
            message = b""
        message += word
    yield message


def _shared(name: str) -> bool:
    """Return whether a module is the same in all jobs: of the package or of a library."""
    file = getattr(sys.modules[name], "__dict__", {}).get("__file__")
    # What a job imports from elsewhere is the user's, and may be another one's.
    return name.startswith(PACKAGE) or (isinstance(file, str) and is_of_library(file))


def _done(words: Sequence[str]) -> int:
    """Do a job, and return the exit status that its process would have had."""
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        return main(words)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        logging.shutdown()
        for output in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                output.flush()


def _end_with(alive: int) -> NoReturn:
    """End this process when the server's end of a pipe is closed."""
    os.read(alive, 1)
    os._exit(1)


if __name__ == "__main__":
    process.use_one_thread()
    process.collect_rarely()
    Server(socket.socket(fileno=int(sys.argv[1]))).serve()
    shutil.rmtree(sys.argv[2], ignore_errors=True)  # the run may have done so before
