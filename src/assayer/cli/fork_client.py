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

VARIABLE = "ASSAYER_FORK_SERVER"  # its environment of Python, and on a second line its socket
SIZE = struct.Struct("!I")  # of the words that follow
STATUS = struct.Struct("!i")  # that of a process in Python: a negative one is a signal
NOT_BEGUN = 1 << 16  # no status: there was no process for the job
# What may follow the words: what becomes of the job's process, which the terminal does not reach.
PASSED_ON = {b"i": signal.SIGINT, b"z": signal.SIGSTOP, b"c": signal.SIGCONT}
HANDLED = (signal.SIGINT, signal.SIGTSTP, signal.SIGCONT)
LOST = 1


def elsewhere(words: Sequence[str]) -> int | None:
    """Have a job done by the fork server, and return its exit status.

    It is None where there is no such server, it belongs to another environment of Python, or it
    finds no room for another process: then the job is to be done here. What the job prints goes to
    this process' own outputs. Ctrl-C and Ctrl-Z are passed on; if this process is killed the job
    is, too.

    Parameters
    ----------
    words : sequence of str
        The job's name and arguments.
    """
    prefix, _, path = os.environ.get(VARIABLE, "").partition("\n")
    if prefix != sys.prefix:
        return None
    open_outputs()
    handlers = {each: signal.getsignal(each) for each in HANDLED}
    with socket.socket(socket.AF_UNIX) as server:
        try:
            server.connect(path)
        except OSError:
            return None
        try:
            _ask(server, words)
            answer = server.recv(STATUS.size, socket.MSG_WAITALL)
        except OSError:
            answer = b""
        for each in HANDLED:
            ended = each == signal.SIGINT  # the job has, and nothing is left to interrupt
            signal.signal(each, signal.SIG_IGN if ended else handlers[each])
    if len(answer) < STATUS.size:
        print("assayer: the process that does the jobs of this run ended.", file=sys.stderr)
        return LOST
    status = STATUS.unpack(answer)[0]
    if status == NOT_BEGUN:
        signal.signal(signal.SIGINT, handlers[signal.SIGINT])
        return None
    return _ended(status)


def _ask(server: socket.socket, words: Sequence[str]) -> None:
    """Send what is wanted, and from then on Ctrl-C and Ctrl-Z, which would be lost among it."""
    wanted = json.dumps(
        {"words": [*words], "folder": os.getcwd(), "environment": dict(os.environ)}
    ).encode("utf-8", "surrogateescape")
    sent, early = False, b""

    def pass_on(what: bytes) -> None:
        nonlocal early
        if sent:
            with contextlib.suppress(OSError):  # it ended, as will be found
                server.send(what)
        else:
            early += what

    def suspend(*_: Any) -> None:
        pass_on(b"z")
        os.kill(os.getpid(), signal.SIGSTOP)

    signal.signal(signal.SIGINT, lambda *_: pass_on(b"i"))
    signal.signal(signal.SIGTSTP, suspend)
    signal.signal(signal.SIGCONT, lambda *_: pass_on(b"c"))
    socket.send_fds(server, [SIZE.pack(len(wanted))], [0, 1, 2])
    server.sendall(wanted)
    sent = True
    pass_on(early)


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
