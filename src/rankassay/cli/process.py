"""The process of a command: one thread, few collections, how Ctrl-C ends it, and closed outputs.

Python would show a traceback of Ctrl-C while modules are imported, and parsers turn what is raised
within them into errors of their own. What is being written is removed as after any other error.
"""

import errno
import gc
import io
import os
import signal
import sys
from types import FrameType

from rankassay.cli.fork_client import open_outputs

interrupted = False  # whether Ctrl-C was pressed
STATUS = 130  # of a process that Ctrl-C ended


def use_one_thread() -> None:
    """Let BLAS and OpenMP use one thread; to be called before numpy is first imported.

    Results must not depend on how many cores the machine has, and BLAS sums in another order on
    another number of threads.
    """
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"


def collect_rarely() -> None:
    """Collect garbage rarely: else that is a fifth of the time of `judge` on little data."""
    gc.set_threshold(100_000, 50, 50)


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
