"""What benchmarks/peers.py measures: the same work done by us and by a peer, in turn."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

FACTORS, TOPICS, NEIGHBOURS, EPOCHS = 50, 50, 100, 3
COLUMNS = ("work", "peer", "ours s", "peer s", "peer / ours", "runs", "difference")


@dataclass(frozen=True)
class Contest:
    """The same work for us and for a peer.

    Attributes
    ----------
    work, peer : what is done, and what else does it
    ours, theirs : functions that do it
    runs : how often
    parts : how many of what is reported `ours` does: epochs, for instance
    their_parts : the same of `theirs`, below 1 for a sample
    difference : takes both results and returns how far they are apart; None where they differ by
        chance or by definition
    """

    work: str
    peer: str
    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    runs: int = 3
    parts: float = 1
    their_parts: float = 1
    difference: Callable[[Any, Any], float] | None = None


def ones(matrix: sp.csr_matrix) -> sp.csr_matrix:
    """Return the matrix with 1 for every entry, in float64."""
    pattern = matrix.astype(np.float64)
    pattern.data[:] = 1
    return pattern


def apart(ours, theirs) -> float:
    """Return the largest difference of two results in relation to the largest number."""
    if not isinstance(ours, tuple):
        ours, theirs = (ours,), (theirs,)
    return max(np.max(np.abs(a - b)) / np.max(np.abs(a)) for a, b in zip(ours, theirs, strict=True))


def worse(columns, ours, theirs, items=slice(None), *, l1: float, l2: float) -> float:
    """Return the most by which our objective of SLIM is above the peer's, of some items."""

    def objectives(weights):
        rest = (columns[:, items] - columns @ weights).power(2).sum(axis=0)
        penalty = l2 / 2 * weights.power(2).sum(axis=0) + l1 * weights.sum(axis=0)
        return np.asarray(rest / 2 + penalty).ravel()

    values = objectives(ours), objectives(theirs)
    return np.max(values[0][values[1] > 0] / values[1][values[1] > 0] - 1)


def run(contest: Contest) -> tuple[list[float], list[float], float | None]:
    """Return the CPU seconds of both sides, in turn, and the difference of the last results."""
    seconds, results = ([], []), [None, None]
    for _ in range(contest.runs):
        for side, function in enumerate((contest.ours, contest.theirs)):
            start = time.process_time()
            results[side] = function()
            seconds[side].append(time.process_time() - start)
    difference = contest.difference(*results) if contest.difference else None
    return *seconds, difference


def compare(contest: Contest) -> None:
    """Run a contest and print its row."""
    *seconds, difference = run(contest)
    parts = (contest.parts, contest.their_parts)
    ours, peer = (statistics.median(s) / n for s, n in zip(seconds, parts, strict=True))
    apart = "" if difference is None else f"{difference:.0e}"
    row(
        contest.work,
        contest.peer,
        f"{ours:.3g}",
        f"{peer:.3g}",
        f"{peer / ours:.3g}",
        contest.runs,
        apart,
    )


def row(*cells: object) -> None:
    """Print a row of the table."""
    print("|", " | ".join(map(str, cells)), "|", flush=True)
