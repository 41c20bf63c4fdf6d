"""A word about the seconds that compiling takes, where it takes some."""

import contextlib
import logging
import time
from collections.abc import Iterator

import numba.core.event as event

log = logging.getLogger(__name__)


class _Compilation(event.Listener):
    """Say once that metrics are being compiled, if this has taken two seconds."""

    def __init__(self) -> None:
        self.seconds, self.began, self.said = 0.0, 0.0, False

    def on_start(self, event: event.Event) -> None:
        self.began = time.perf_counter()
        if self.seconds > 2 and not self.said:
            self.said = True
            log.warning("compiling the metrics, which takes some seconds, once on this machine")

    def on_end(self, event: event.Event) -> None:
        self.seconds += time.perf_counter() - self.began


_compilation = _Compilation()


@contextlib.contextmanager
def compilation_announced() -> Iterator[None]:
    """Say once, in the log, that metrics are being compiled if that takes some seconds."""
    with event.install_listener("numba:compile", _compilation):
        yield
