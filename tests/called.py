"""Commands in forks of this process, without the second that a new Python takes to import them."""

import contextlib
import io
import logging
import os
import sys
import tempfile
import traceback
import warnings
from subprocess import CompletedProcess

from rankassay import __main__


def called(folder, *arguments, given=""):
    """Return the finished process of `python -m rankassay` in a folder, a fork of this process.

    Its standard input is what is `given`.
    """
    return forked(folder, [__main__.__file__, *arguments], __main__.main, given)


def forked(folder, words, main, given="", **variables):
    """Return the finished process of a function in a folder, with words for its command line."""
    with contextlib.ExitStack() as stack:
        read, out, err = (stack.enter_context(tempfile.TemporaryFile("w+")) for _ in range(3))
        read.write(given)
        read.seek(0)
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
            child = os.fork()  # from 3.12 on warns of other threads: those of xdist only wait
        if not child:
            os.chdir(folder)
            os.environ |= variables
            _become([*map(str, words)], main, read.fileno(), out.fileno(), err.fileno())
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = [(file.seek(0), file.read())[1] for file in (out, err)]
    return CompletedProcess(words, status, *texts)


def _become(words, main, read, out, err):
    """Do in this process what a new one would do, and end it."""
    status = 1
    try:
        for place, file in enumerate((read, out, err)):
            os.dup2(file, place)
        sys.stdout, sys.stderr = (io.TextIOWrapper(io.FileIO(place, "w")) for place in (1, 2))
        sys.argv = words
        logging.getLogger().handlers.clear()
        warnings.resetwarnings()
        status = main() or 0
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        else:
            status = end.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
