"""Words of commands."""

import contextlib
import functools
import hashlib
import json
import os
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from rankassay.artifacts.files import write_lines
from rankassay.errors import RankassayError

AHEAD = 3600  # seconds that the clock of a file server may be ahead
# What Snakemake hands over: an object whose attributes are the values of a rule's wildcards.
Wildcards = Any


def named(names: Iterable[str], paths: Iterable[str]) -> list[str]:
    """Return NAME=PATH for names and paths in step.

    Characters that would end a name, make it an option or mean something in Snakemake's report are
    escaped as in an address, and `rankassay.jobs.arguments.named_path` reads them.

    >>> named(["SLIM (l2=1)", "My run"], ["a.npz", "b.npz"])
    ['SLIM (l2%3D1)=a.npz', 'My run=b.npz']
    """
    plain = (re.sub("[%=<>]|^-", lambda found: f"%{ord(found[0]):X}", name) for name in names)
    return [f"{name}={path}" for name, path in zip(plain, paths, strict=True)]


def words(*first: str, **options: Any) -> str:
    """Return words of a command, and options with their values, quoted for the shell.

    A mapping is JSON; a list gives several words, and True none. A value of None, False or an empty
    list gives no option.

    >>> words("My run", depth=10, n_items=None, threshold=-1e-5, own_scores=True, steps=["a b"])
    "'My run' --depth 10 --threshold=-1e-05 --own-scores --steps 'a b'"
    """
    found = [*map(shlex.quote, first)]
    for name, value in options.items():
        if value is None or value is False or value == []:
            continue
        several = value if isinstance(value, list) else [] if value is True else [value]
        texts = [shlex.quote(_json(v) if isinstance(v, dict) else str(v)) for v in several]
        # What begins with - would be read as an option.
        between = "=" if texts and texts[0].startswith("-") else " "
        found.append(between.join([f"--{name.replace('_', '-')}", *texts]))
    return " ".join(found)


def _json(value: dict) -> str:
    """Return JSON without < and >, which would end the script of Snakemake's report it is in."""
    return json.dumps(value).replace("<", "\\u003c").replace(">", "\\u003e")


def fixed(value: str) -> Callable[[Wildcards], str]:
    """Return a function of the wildcards: a text by itself Snakemake would take for a pattern."""
    return lambda wildcards: value


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
