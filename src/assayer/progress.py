"""How far long work has come: a bar on a terminal, a line now and then in a log."""

import logging
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeVar

log = logging.getLogger(__name__)

SILENT, SPARSE = 5.0, 30.0  # seconds before the first line or the bar, and between lines

Thing = TypeVar("Thing")


def progress(things: Collection[Thing], unit: str) -> Iterator[Thing]:
    """Yield things one after the other, and tell how many are done once it takes 5 seconds.

    Parameters
    ----------
    things : collection
    unit : str
        What they are, in the plural.
    """
    tqdm = _bar() if _on_terminal() else None
    if tqdm:
        yield from tqdm(things, unit=f" {unit}", delay=SILENT, leave=False)
        return
    began, due = time.monotonic(), SILENT
    for done, thing in enumerate(things):
        elapsed = time.monotonic() - began
        if done and elapsed >= due:
            due = elapsed + SPARSE
            rest = elapsed * (len(things) - done) / done
            total = len(things)
            log.info("%d of %d %s in %.0f s, %.0f s left", done, total, unit, elapsed, rest)
        yield thing


def _on_terminal() -> bool:
    """Whether bars are seen: standard error may be closed, or be an object that is no file."""
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False


def _bar() -> Callable[..., Iterable] | None:
    """Return what draws bars, if it is installed: evaluating lists does not need it."""
    try:
        from tqdm import tqdm
    except ModuleNotFoundError:
        return None
    return tqdm
