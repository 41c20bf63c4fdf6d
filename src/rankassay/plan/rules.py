"""What rules ask of jobs, and what they need of Python."""

import contextlib
import functools
import hashlib
import json
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from rankassay.artifacts.files import write_lines
from rankassay.errors import RankassayError

AHEAD = 3600  # seconds that the clock of a file server may be ahead
# What Snakemake hands over: an object whose attributes are the values of a rule's wildcards.
Wildcards = Any


def as_json(value: Any) -> str:
    """Return JSON without < and >, which would end the script of Snakemake's report it is in."""
    return json.dumps(value).replace("<", "\\u003c").replace(">", "\\u003e")


def files_and(more: Callable[[Wildcards], Mapping[str, Any]]) -> Callable[..., str]:
    """Return a function for the files that a rule names, and other arguments of its job, as JSON.

    A single output needs no name. Snakemake sees by itself when files change, and no change of a
    parameter that depends on them runs a job again.
    """

    def found(wildcards: Wildcards, input: Any, output: Any) -> str:
        named = dict(output.items()) or ({"output": output[0]} if len(output) == 1 else {})
        paths = dict(input.items()) | named
        told = {name: own if isinstance(own, str) else [*own] for name, own in paths.items() if own}
        return as_json(told | dict(more(wildcards)))

    return found


def stamp(paths: Iterable[str]) -> str:
    """Return a stamp of the user's files that changes when they do.

    Snakemake by itself runs a job again for a newer file, but not where an older one takes its
    place, as by mv, cp -p or tar. Times are cut to microseconds, as a shared file system may hand
    them on with fewer digits.

    Raises RankassayError for a file that is dated in the future: all that is made from it is older,
    for which Snakemake ends the run after the first job.
    """
    found = []
    for path in paths:
        with contextlib.suppress(OSError):  # that it is missing, the job says
            known = os.stat(path)
            if known.st_mtime > time.time() + AHEAD:
                dated = time.strftime("%Y-%m-%d", time.localtime(known.st_mtime))
                raise RankassayError(
                    f"{path}: expected a file that is not dated in the future, found {dated}: all "
                    f"that is made from it is older. Type touch {shlex.quote(path)}, and run again."
                )
            found.append((path, known.st_size, known.st_mtime_ns // 1000))
    return f"files {hashlib.sha256(json.dumps(found).encode()).hexdigest()[:24]}"


def lead_python_path(folder: Path, safe: bool) -> None:
    """Make a folder the first in which Python looks for modules, in all processes from now on.

    With `safe`, what Snakemake starts does not look in the current folder, as our own jobs (-P).
    """
    if safe:
        os.environ["PYTHONSAFEPATH"] = "1"
    known = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([str(folder), *known]))


def ending(method: Callable) -> Callable:
    """Make a method end the run with the line of its error: Snakemake would add a traceback."""

    @functools.wraps(method)
    def asked(*given: Any, **named: Any) -> Any:
        try:
            return method(*given, **named)
        except (RankassayError, OSError) as error:
            sys.exit(f"rankassay: {error}")

    return asked


def telling(log: str, method: Callable) -> Callable:
    """Make a method that a rule runs itself put the line of its error into the rule's log.

    It must not exit: Snakemake would wait for it for ever.
    """

    @functools.wraps(method)
    def asked(*given: Any, **named: Any) -> Any:
        try:
            return method(*given, **named)
        except (RankassayError, OSError) as error:
            write_lines([f"rankassay: {error}\n"], log)
            raise

    return asked
