"""Swap rates: of a difference seen on some users, how often do others show the opposite?"""

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Scores
from rankassay.statistics.judged_systems import as_columns
from rankassay.statistics.split_half import halves

# Where bins of differences begin, in percent of the better system's mean; the last one is open.
EDGES = (0, 1, 2, 5, 10, 20, 50)
COLUMNS = ("metric", "cutoff", "users", "low", "high", "pairs", "ties", "swaps", "rate")


def run(scores: Scores, seed: int, repetitions: int) -> pd.DataFrame:
    """Count, by the size of a difference, how often two sets of users contradict each other.

    Two disjoint sets of n users are drawn as in `rankassay.statistics.split_half`. The difference
    of two systems in one set, in percent of the better one's mean there, decides the bin; the pair
    is swapped if the difference has the opposite sign in the other set. Both sets take both parts.

    Returns
    -------
    DataFrame
        One row per measure, size of the sets and bin, with the columns metric, cutoff, users (of a
        set), low and high (of the bin, in percent; low is within, high is not, and the last one is
        infinite), pairs (differences of that size, over pairs of systems and repetitions), ties
        (those without any difference in the other set), swaps, and rate, swaps of all pairs: NaN
        where there are none. Differences of 0 say nothing, and are in no bin.

    References
    ----------
    Voorhees and Buckley, SIGIR 2002; Sakai, SIGIR 2006, section 2.
    """
    bounds = np.array([*EDGES, np.inf])
    columns = as_columns(scores.measures)
    first, second = np.triu_indices(len(scores.systems), k=1)
    parts: list[list[dict]] = [[] for _ in columns]
    for half in halves(scores, repetitions, seed):
        sides = half.first, half.second
        differences = [x[..., first] - x[..., second] for x in sides]
        # The better system's mean is that of the larger number, whose sign may be turned.
        better = [np.abs(np.maximum(x[..., first], x[..., second])) for x in sides]
        for k, m in enumerate(half.measures):
            pairs, ties, swaps = np.zeros((3, len(EDGES)), dtype=np.int64)
            for own, other, best in (
                (differences[0][k], differences[1][k], better[0][k]),
                (differences[1][k], differences[0][k], better[1][k]),
            ):
                percent = np.divide(
                    100 * np.abs(own), best, out=np.full(own.shape, np.inf), where=best > 0
                )
                # What rounding leaves of a whole percentage stays in the bin that begins there.
                place = np.searchsorted(bounds, percent * (1 + 1e-12), side="right") - 1
                place = np.minimum(place, len(EDGES) - 1)
                for count, which in (
                    (pairs, own != 0),
                    (ties, (own != 0) & (other == 0)),
                    (swaps, own * other < 0),
                ):
                    count += np.bincount(place[which & (place >= 0)], minlength=len(EDGES))
            rate = np.divide(swaps, pairs, out=np.full(len(EDGES), np.nan), where=pairs > 0)
            for b in range(len(EDGES)):
                row = {"users": half.n, "low": bounds[b], "high": bounds[b + 1]}
                row |= {"pairs": pairs[b], "ties": ties[b], "swaps": swaps[b], "rate": rate[b]}
                parts[m].append(columns[m] | row)
    return pd.DataFrame([row for part in parts for row in part], columns=[*COLUMNS])
