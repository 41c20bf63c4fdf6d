"""How a process treats the memory of arrays that it does not need any more."""

import contextlib
import sys

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # as malloc.h numbers the options of mallopt


def keep() -> None:
    """Have the C library keep the memory for the next arrays.

    glibc gives much of it back at once, and the system clears it before it hands it out again,
    which took up to a tenth of a job's time. Arrays of more than 32 MB go back as ever. Other C
    libraries do as they do.
    """
    if sys.platform != "linux":
        return
    with contextlib.suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes  # on use: a process that asks for a job has no need of it

        mallopt = ctypes.CDLL(None).mallopt
        mallopt(TRIM_THRESHOLD, 2**31 - 1)
        mallopt(MMAP_THRESHOLD, 2**25)
