"""Outputs that this process was given closed (`>&-`, `2>&-`), or that cannot show all names.

Python has None for a closed one. Text to a closed standard error is lost, as everywhere; but
results that cannot be written are an error.
"""

import errno
import io
import os
import sys

from rankassay.cli.fork_client import open_outputs


class _Closed(io.TextIOBase):
    """Standard output where it is closed: writing to it is an error of one line."""

    def write(self, text: str) -> int:
        reason = "expected an open standard output, found it closed; send it to a file or a program"
        raise OSError(errno.EBADF, reason)


def replace_closed() -> None:
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
