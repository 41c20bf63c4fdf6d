"""Have a job done by a process that has imported what it needs; see `assayer.cli.fork_server`.

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

VARIABLE = "ASSAYER_FORK_SERVER"  # its socket, and behind a colon its environment of Python
SIZE = struct.Struct("!I")  # of the words that follow
STATUS = struct.Struct("!i")  # that of a process in Python: a negative one is a signal
INTERRUPTED = b"i"
LOST = 1


def elsewhere(words: Sequence[str]) -> int | None:
    """Have a job done by the fork server, and return its exit status.

    It is None where there is no such server, or it belongs to another environment of Python: then
    the job is to be done here. What the job prints goes to this process' own outputs. Ctrl-C is
    passed on; if this process is killed the job is, too.

    Parameters
    ----------
    words : sequence of str
        The job's name and arguments.
    """
    path, _, prefix = os.environ.get(VARIABLE, "").partition(":")
    if prefix != sys.prefix:
        return None
    open_outputs()
    with socket.socket(socket.AF_UNIX) as server:
        try:
            server.connect(path)
        except OSError:
            return None
        try:
            _ask(server, words)
            status = server.recv(STATUS.size, socket.MSG_WAITALL)
        except OSError:
            status = b""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the job has ended
    if len(status) < STATUS.size:
        print("assayer: the process that does the jobs of this run ended.", file=sys.stderr)
        return LOST
    return _ended(STATUS.unpack(status)[0])


def _ask(server: socket.socket, words: Sequence[str]) -> None:
    """Send what is wanted, and from then on Ctrl-C, which would be lost among it."""
    wanted = json.dumps(
        {"words": [*words], "folder": os.getcwd(), "environment": dict(os.environ)}
    ).encode("utf-8", "surrogateescape")
    sent, pressed = False, False

    def interrupt(*_: Any) -> None:
        nonlocal pressed
        pressed = True
        if sent:
            with contextlib.suppress(OSError):  # it ended, as will be found
                server.send(INTERRUPTED)

    signal.signal(signal.SIGINT, interrupt)
    socket.send_fds(server, [SIZE.pack(len(wanted))], [0, 1, 2])
    server.sendall(wanted)
    sent = True
    if pressed:
        interrupt()


def open_outputs() -> None:
    """Open what this process was given closed of its input and outputs, else a socket is there.

    What is written there is lost, as Python itself has it.
    """
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
