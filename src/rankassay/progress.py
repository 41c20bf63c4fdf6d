"""The progress of long work: a bar on a terminal, a line now and then in a log.

Python is shown none until the logger `rankassay` is set to INFO, as the commands set it.
"""

import logging
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from typing import Any, TypeVar

log = logging.getLogger(__name__)

SILENT, SPARSE = 5.0, 30.0  # seconds before the first line, and between lines
WAITING = 2.0  # seconds before a bar: whoever waits at a terminal wonders sooner

STEADY = 1.5  # by which factor one half of the work done may have taken longer than the other
# As tqdm's own, but for the time that is left.
BAR = "{desc}{percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt}{unit} [{elapsed}{postfix}]"

Thing = TypeVar("Thing")


def time_left(ends: Sequence[float], total: int) -> float | None:
    """Return how many seconds the rest takes, or None while that is unknown.

    It is known once a quarter is done, and both halves of the work done took about as long. The
    first thing does not count: it loads and compiles what all need.

    Parameters
    ----------
    ends : sequence of float
        When each of the things that are done had ended, in seconds.
    total : int
        How many there are, done or not.

    >>> time_left([9.0, 9.5, 10.0, 10.5, 11.0], 20), time_left([9.0, 9.5, 10.0, 12.0, 16.0], 20)
    (7.5, None)
    """
    half = (len(ends) - 1) // 2
    if half < 2 or 4 * len(ends) < total:
        return None
    before, last = ends[-1 - half] - ends[-1 - 2 * half], ends[-1] - ends[-1 - half]
    if not before / STEADY <= last <= before * STEADY:
        return None
    return last / half * (total - len(ends))


def progress(things: Collection[Thing], unit: str) -> Iterator[Thing]:
    """Yield things, and show how many are done: a bar after 2 seconds, a line after 5.

    Parameters
    ----------
    things : collection
    unit : str
        What they are, in the plural.
    """
    began, ends, total = time.monotonic(), [], len(things)
    bar = _bar(total, unit) if log.isEnabledFor(logging.INFO) and _on_terminal() else None
    due = SILENT
    try:
        for thing in things:
            yield thing
            ends.append(time.monotonic() - began)
            rest = time_left(ends, total)
            left = "" if rest is None else f"{rest:.0f} s left"
            if bar is not None:
                bar.set_postfix_str(left, refresh=False)
                bar.update()
            elif ends[-1] >= due and len(ends) < total:
                due = ends[-1] + SPARSE
                said = ", ".join(filter(None, (f"{ends[-1]:.0f} s", left)))
                log.info("%d of %d %s in %s", len(ends), total, unit, said)
    finally:
        if bar is not None:
            bar.close()


def _on_terminal() -> bool:
    """Whether bars are seen: standard error may be closed, or be an object that is no file."""
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False


def _bar(total: int, unit: str) -> Any:
    """Return a bar, if the package that draws it is installed: evaluation does not need it."""
    try:
        from tqdm import tqdm
    except ModuleNotFoundError:
        return None
    return tqdm(total=total, unit=f" {unit}", delay=WAITING, leave=False, bar_format=BAR)
