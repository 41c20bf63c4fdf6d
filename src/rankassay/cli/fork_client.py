"""Have a job done by a process with its imports loaded; see `rankassay.cli.fork_server`.

It is imported before all else, so it needs the standard library alone.
"""

import contextlib
import json
import os
import signal
import socket
import struct
import sys
from collections.abc import Sequence
from typing import Any

VARIABLE = "RANKASSAY_FORK_SERVER"  # its environment of Python, and on a second line its socket
SIZE = struct.Struct("!I")  # of the words that follow
STATUS = struct.Struct("!i")  # that of a process in Python: a negative one is a signal
NOT_BEGUN = 1 << 16  # no status: there was no process for the job
INTERRUPTED = b"i"
LOST = 1


def elsewhere(words: Sequence[str]) -> int | None:
    """Have a job, its name and arguments, done by the fork server, and return its exit status.

    It is None where there is no such server, it belongs to another environment of Python, or it
    finds no room for another process: then the job is to be done here. What the job prints goes to
    this process' own outputs. Ctrl-C is passed on; if this process is killed the job is, too.
    """
    prefix, _, path = os.environ.get(VARIABLE, "").partition("\n")
    if prefix != sys.prefix:
        return None
    open_outputs()
    before = signal.getsignal(signal.SIGINT)
    with socket.socket(socket.AF_UNIX) as server:
        try:
            server.connect(path)
        except OSError:
            return None
        request = Request(server)
        try:
            request.send(words)
            answer = server.recv(STATUS.size, socket.MSG_WAITALL)
        except OSError:
            answer = b""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the job has ended
    if len(answer) < STATUS.size:
        print("rankassay: the process that does the jobs of this run ended.", file=sys.stderr)
        return LOST
    status = STATUS.unpack(answer)[0]
    if status != NOT_BEGUN:
        return _ended(status)
    signal.signal(signal.SIGINT, before)
    if request.pressed:
        signal.raise_signal(signal.SIGINT)
    return None


class Request:
    """A job that the server is asked for, to which Ctrl-C is passed on."""

    def __init__(self, server: socket.socket) -> None:
        self.server, self.sent, self.pressed = server, False, False
        signal.signal(signal.SIGINT, self._interrupt)

    def send(self, words: Sequence[str]) -> None:
        """Send the request, and Ctrl-C after it, not in the middle of it."""
        wanted = json.dumps(
            {"words": [*words], "folder": os.getcwd(), "environment": dict(os.environ)}
        ).encode("utf-8", "surrogateescape")
        socket.send_fds(self.server, [SIZE.pack(len(wanted))], [0, 1, 2])
        self.server.sendall(wanted)
        self.sent = True
        if self.pressed:
            self._interrupt()

    def _interrupt(self, *_: Any) -> None:
        self.pressed = True
        if self.sent:
            with contextlib.suppress(OSError):  # it ended, as will be found
                self.server.send(INTERRUPTED)


def open_outputs() -> None:
    """Open the standard streams that are closed; else a socket would take their numbers."""
    while (place := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(place, True)
    os.close(place)


def _ended(status: int) -> int:
    """Return the status of a job that ended, or end by the signal that ended it."""
    if status < 0:
        with contextlib.suppress(OSError):  # of a signal that nobody can handle
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status
