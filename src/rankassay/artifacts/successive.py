"""How many users' values are in memory together: those of a few measures, where users are many."""

from collections.abc import Iterator, Sequence

AT_ONCE = 2**29  # bytes of values that are looked at together: all of 30,000 users and 21 systems


def successive(measures: Sequence, each: int) -> Iterator[slice]:
    """Yield the places of successive measures: one, or as many as take `AT_ONCE` bytes at most.

    `each` is how many values there are by one of them.
    """
    n = max(1, AT_ONCE // max(8 * each, 1))
    for first in range(0, len(measures), n):
        yield slice(first, first + n)
