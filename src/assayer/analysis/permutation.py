"""Discriminative power, first half: is the difference between two systems significant?

Valcarce et al., RecSys 2018, section 4 ("discriminative power") and figures 4 and 8: a Monte Carlo
permutation test, also called Fisher's randomisation test, of all pairs of systems.
"""

import logging
import time

import numpy as np
import numpy.typing as npt
import pandas as pd
from numba import njit

from assayer.artifacts import Scores
from assayer.metrics.evaluate import Measure
from assayer.seeds import generator

log = logging.getLogger(__name__)

# Scores are rounded to multiples of 2^-32. Sums of up to 2^20 of them, in any order, are then
# exact in float64, so p-values do not depend on how the work is cut up.
SCALE = 2.0**32
# Permutations that one counter-based stream serves, and that are computed at a time.
BLOCK = 1000


def p_values(
    values: npt.NDArray[np.float64], samples: int, seed: int, add_one: bool = True
) -> npt.NDArray[np.float64]:
    """Two-sided p-values of the paired permutation test with the difference in means.

    Under the null hypothesis a user's two scores may be exchanged. A permutation draws a sign
    s_u for every user; exchanging where s_u = -1 makes the difference of systems i and j
    sum_u s_u x_ui - sum_u s_u x_uj, a difference of two columns of S X. One sign matrix S so
    serves all pairs of systems and all measures; each test keeps its level, and the tests are
    dependent as those of the same users are anyway.

    Parameters
    ----------
    values : float64 (n_users, n_systems, n_measures)
    samples : int
        B, the number of permutations.
    seed : int
    add_one : bool
        p = (c + 1) / (B + 1), with c the permutations at least as extreme as what was observed:
        a valid p-value, never 0. Otherwise p = c / B, which the paper's authors ran.

    Returns
    -------
    float64 (n_measures, n_systems, n_systems)
        Symmetric, 1 on the diagonal.

    Notes
    -----
    Cost: 2 B n_users n_systems n_measures flops of a matrix product. Two statistics are equal if
    they differ by less than half a unit of the last place kept times n_users, which is what
    rounding the scores can add up to.
    """
    n_users, n_systems, n_measures = values.shape
    columns = np.round(values.reshape(n_users, -1) * SCALE)
    observed = columns.sum(axis=0).reshape(n_systems, n_measures)
    extreme = np.zeros((n_systems, n_systems, n_measures), dtype=np.int64)
    began = last = time.monotonic()
    for first in range(0, samples, BLOCK):
        n = min(BLOCK, samples - first)
        drawn = signs(n_users, first // BLOCK, seed)[:n] @ columns
        _count_extreme(drawn.reshape(n, n_systems, n_measures), observed, n_users, extreme)
        if time.monotonic() - last > 30:
            last = time.monotonic()
            log.info("%d of %d permutations in %.0f s", first + n, samples, last - began)
    extreme = np.moveaxis(extreme + np.swapaxes(extreme, 0, 1), 2, 0)
    p = (extreme + 1) / (samples + 1) if add_one else extreme / samples
    p[:, np.arange(n_systems), np.arange(n_systems)] = 1.0
    return p


def signs(n_users: int, block: int, seed: int) -> npt.NDArray[np.float64]:
    """Return the random signs of one block of permutations, float64 (BLOCK, n_users)."""
    n_bytes = (n_users + 7) // 8
    bits = np.frombuffer(generator(seed, "signs", block).bytes(BLOCK * n_bytes), dtype=np.uint8)
    bits = np.unpackbits(bits.reshape(BLOCK, n_bytes), axis=1, count=n_users)
    return 1.0 - 2.0 * bits


@njit(cache=True)
def _count_extreme(drawn, observed, n_users, extreme):
    """Add to `extreme[i, j]`, i < j, the permutations at least as extreme as the observation."""
    n, n_systems, n_measures = drawn.shape
    for i in range(n_systems):
        for j in range(i + 1, n_systems):
            bound = np.abs(observed[i] - observed[j]) - 0.5 * n_users
            for b in range(n):
                for m in range(n_measures):
                    extreme[i, j, m] += abs(drawn[b, i, m] - drawn[b, j, m]) >= bound[m]


def run(scores: Scores, samples: int, seed: int, add_one: bool = True) -> pd.DataFrame:
    """Test all pairs of systems by all measures.

    Parameters
    ----------
    scores : Scores
    samples, seed, add_one
        As in `p_values`.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, system_a, system_b, difference (of the means, a minus b), p_value;
        each pair once.
    """
    p = p_values(scores.values, samples, seed, add_one)
    means = scores.values.mean(axis=0)
    first, second = np.triu_indices(len(scores.systems), k=1)
    frames = []
    for column, measure in enumerate(scores.measures):
        parsed = Measure.parse(str(measure))
        frame = pd.DataFrame(
            {
                "metric": parsed.name,
                "cutoff": parsed.cutoff,
                "system_a": scores.systems[first],
                "system_b": scores.systems[second],
                "difference": means[first, column] - means[second, column],
                "p_value": p[column, first, second],
            }
        )
        frames.append(frame)
    return pd.concat(frames)
