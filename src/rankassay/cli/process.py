"""How the process of a command ends by Ctrl-C, and what it does about outputs that are closed.

Python would show a traceback of Ctrl-C while modules are imported, and parsers turn what is raised
within them into errors of their own. What is being written is removed as after any other error.
"""

import errno
import io
import os
import signal
import sys
from types import FrameType

from rankassay.cli.fork_client import open_outputs

interrupted = False  # whether Ctrl-C was pressed
STATUS = 130  # of a process that Ctrl-C ended


def expect_interrupt() -> None:
    """End with one line on Ctrl-C from now on."""
    signal.signal(signal.SIGINT, _end)


def leave_interrupt() -> None:
    """Leave Ctrl-C to Python again: Snakemake expects its exception while jobs run."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, _pass_on)


def _pass_on(number: int, frame: FrameType | None) -> None:
    global interrupted
    interrupted = True
    signal.default_int_handler(number, frame)


def _end(number: int, frame: FrameType | None) -> None:
    global interrupted
    if not interrupted:
        interrupted = True
        print("rankassay: interrupted.", file=sys.stderr)
    raise SystemExit(STATUS)


class _Closed(io.TextIOBase):
    """Standard output where it is closed (`>&-`): a result that is lost is an error of one line."""

    def write(self, text: str) -> int:
        reason = "expected an open standard output, found it closed; send it to a file or a program"
        raise OSError(errno.EBADF, reason)


def replace_closed_outputs() -> None:
    """Put something in the place of closed outputs, also below Python: a file would take it."""
    missing = sys.stdout is None, sys.stderr is None
    open_outputs()
    if missing[0]:
        sys.stdout = _Closed()
    if missing[1]:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def escape_unknown() -> None:
    """Let standard output show what its encoding lacks as an escape, as standard error does."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
