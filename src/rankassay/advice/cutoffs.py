"""The cut-off that follows the data: as deep as lists are, and as most users can fill.

Precision at 100 of a user with two relevant items is at most .02 for any system; most places are
then misses by definition. So the default cut-off is the deepest usual one that the relevant items
of most users could fill.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

AUTO = "auto"  # in place of a cut-off: it follows the data
USUAL = (5, 10, 20, 50, 100)
MOST = 0.5  # share of the users with a relevant item who have to have enough of them


def default(counts: npt.ArrayLike, depth: int) -> int:
    """Return the deepest usual cut-off that lists of this depth reach and that most users can fill.

    By their numbers of relevant test items; those without any do not count. It is never below the
    first usual one that lists reach, and the lists' length where they reach none.

    >>> default([2, 2, 3, 0], 100), default([12, 30, 8, 25], 100), default([12, 30, 8, 25], 7)
    (5, 20, 5)
    >>> default([12, 30], 3)
    3
    """
    reached = [cutoff for cutoff in USUAL if cutoff <= depth]
    filled = [cutoff for cutoff in reached if can_be_filled(counts, cutoff)]
    return max(filled or reached[:1] or [max(depth, 1)])


def among(possible: Iterable[int], cutoffs: Iterable[int]) -> int:
    """Return the deepest possible cut-off that is no deeper than any of the others, or the first.

    >>> among([5, 10, 20], [50, 10]), among([20, 50], [10])
    (10, 20)
    """
    known, most = sorted(possible), min(cutoffs)
    return max((cutoff for cutoff in known if cutoff <= most), default=known[0])


def can_be_filled(counts: npt.ArrayLike, cutoff: int) -> bool:
    """Whether at least half of the users with a relevant item have as many as places."""
    found = np.asarray(counts)
    found = found[found > 0]
    return bool(len(found)) and float((found >= cutoff).mean()) >= MOST
