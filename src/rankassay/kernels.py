"""Loops that are compiled for large data, and interpreted for small.

To compile them takes numba many seconds, once on a machine; few lists are evaluated sooner than
that by the same source without numba. The bits of the results are the same: kernels hold sums,
products, comparisons and indices of float64 and integers, which Python and the processor define
alike (`tests/unit/test_kernels.py` compares all of them). Where the order of a sum is left to the
compiler (fastmath), the last bits are its own, and no result may depend on them.
"""

import contextlib
import functools
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

log = logging.getLogger(__name__)

FEW = 200_000  # steps of a kernel, in all calls of a process, before it is compiled
FEW_OF_A_JOB = 20_000  # the same in jobs, hundreds of which use what the first one compiled

# To add to an index without a sign, which needs no look at whether it counts from the end.
ONE, TWO, THREE, FOUR = (np.uint64(n) for n in (1, 2, 3, 4))

_interpreting = threading.local()


def njit(function: Callable | None = None, **options: Any) -> Any:
    """Return what `numba.njit` makes of a function, and keep it for later processes.

    Where nothing can be kept, as without a folder to write to, each process compiles anew. numba
    alone would refuse the function, or fail as it saves it.
    """
    if function is None:
        return functools.partial(njit, **options)
    import numba  # on use: it takes a quarter of a second

    made = numba.njit(**options)(function)
    if made is not function:  # as it is where numba is switched off
        with contextlib.suppress(RuntimeError, OSError):  # no folder that numba tries
            made.enable_caching()
        made._cache = _Kept(made._cache)
    return made


class _Kept:
    """What numba keeps of a function; that it cannot be kept is said once, and ends nothing."""

    said = False

    def __init__(self, cache: Any) -> None:
        self.cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self.cache, name)

    def load_overload(self, *wanted: Any) -> Any:
        """Return what was compiled for some types, or None."""
        try:
            return self.cache.load_overload(*wanted)
        except Exception:  # anything that parsers of damaged files raise
            with contextlib.suppress(Exception):
                self.cache.flush()  # else nothing could be kept here any more

    def save_overload(self, *compiled: Any) -> None:
        """Keep what was compiled."""
        found: Any = "no folder for it can be written to"
        try:
            self.cache.save_overload(*compiled)
            if self.cache.cache_path:  # numba's cache of nothing has none
                return
        except Exception as error:  # a full disk, or what damaged files raise
            found = getattr(error, "strerror", None) or error
        if not _Kept.said:
            _Kept.said = True
            log.warning(
                "what is compiled cannot be kept (%s), so each command compiles it again, some "
                "seconds; set NUMBA_CACHE_DIR to a folder that can be written to",
                found,
            )


class Kernel:
    """A function of arrays; see `kernel`."""

    def __init__(self, function: Callable, steps: Callable[..., int], options: Any) -> None:
        functools.update_wrapper(self, function)
        self.function, self.steps, self.options, self.done = function, steps, options, 0

    @functools.cached_property
    def compiled(self) -> Any:
        """The function as numba has it, for all types of arguments."""
        announce()
        return njit(self.function, **self.options)

    @property
    def _numba_type_(self) -> Any:
        """The type that numba gives a kernel which another one calls."""
        from numba.core import types

        return types.Dispatcher(self.compiled)

    def __call__(self, *arguments: Any) -> Any:
        """Call the function, compiled or not."""
        if getattr(_interpreting, "now", False):
            return self.function(*arguments)
        if self.done <= FEW:
            self.done += self.steps(*arguments)
        if self.done > FEW:
            return self.compiled(*arguments)
        _interpreting.now = True
        try:
            # numba divides without a word where error_model is "numpy".
            with np.errstate(all="ignore"):
                return self.function(*arguments)
        finally:
            _interpreting.now = False


def _numbers(*arguments: Any) -> int:
    """Return how many numbers a function is given."""
    return sum(given.size for given in arguments if isinstance(given, np.ndarray))


def kernel(
    function: Callable | None = None, *, steps: Callable[..., int] = _numbers, **options: Any
) -> Any:
    """Make a function a kernel.

    Parameters
    ----------
    function : callable
        What `numba.njit` compiles; it may call other kernels.
    steps : callable
        How often its innermost loop runs, of the same arguments, where that is much more often than
        once for each number that it is given.
    **options
        Those of `numba.njit` besides cache.
    """
    if function is None:
        return functools.partial(kernel, steps=steps, **options)
    return Kernel(function, steps, options)


@functools.cache
def warm() -> None:
    """Have numba load and compile what most loops call, before its first loop.

    Loading takes a fifth of a second. Of what loops call, numba keeps nothing: each process that
    compiles a loop compiles functions such as `np.empty` again, 0.04 s for each type of array.
    """
    njit(_arrays)(0)


def _arrays(n: int) -> None:
    """Make arrays of the commonest types; to return them would cost a tenth of a second."""
    square = (n, n)
    np.empty(n, np.bool_)
    np.empty(n, np.int32)
    np.zeros(n, np.int32)
    np.empty(n, np.int64)
    np.zeros(n, np.int64)
    np.empty(square, np.int64)
    np.empty(n)
    np.zeros(n)
    np.empty(square)
    np.zeros(square)


@functools.cache
def announce() -> None:
    """Log once that loops are being compiled, if that takes more than two seconds."""
    from numba.core import event

    class Compilation(event.Listener):
        seconds, began, said = 0.0, 0.0, False

        def on_start(self, event: Any) -> None:
            self.began = time.perf_counter()
            if self.seconds > 2 and not (self.said or _Kept.said):
                self.said = True
                log.info("compiling what this takes, some seconds; later calls find it compiled")

        def on_end(self, event: Any) -> None:
            self.seconds += time.perf_counter() - self.began

    event.register("numba:compile", Compilation())
