"""Ctrl-C ends a command with one line, at any moment.

Python would show a traceback while modules are imported, and parsers turn what is raised within
them into errors of their own. What is being written is removed as after any other error.
"""

import signal
import sys
from types import FrameType

asked = False  # whether Ctrl-C was pressed
STATUS = 130


def expect() -> None:
    """End with one line on Ctrl-C from now on."""
    signal.signal(signal.SIGINT, _end)


def leave() -> None:
    """Leave Ctrl-C to Python again: Snakemake expects its exception while jobs run."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, _pass_on)


def _pass_on(number: int, frame: FrameType | None) -> None:
    global asked
    asked = True
    signal.default_int_handler(number, frame)


def _end(number: int, frame: FrameType | None) -> None:
    global asked
    if not asked:
        asked = True
        print("rankassay: interrupted.", file=sys.stderr)
    raise SystemExit(STATUS)
