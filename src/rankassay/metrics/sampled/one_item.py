"""Metrics of one relevant item on a sample: their expected values, and corrections of them.

Equations (9) to (15) of Rendle, 2019, are the metrics at a rank, and equation (19) is their
expected value on a sample.

A corrected metric is a table, a value for each sampled rank r~, in place of the metric at r~.
Krichene and Rendle (KDD 2020, section 5) propose three. Their text was not available: the formulas
here are derived from what each should minimise, with P(r~ | r) the binomial distribution and all
ranks weighted alike, p(r) = 1 / n.
"""

import functools
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import scipy.optimize
import scipy.special

from rankassay.errors import RankassayError, one_of
from rankassay.lookup import find
from rankassay.metrics.sampled.distribution import (
    NEGLIGIBLE,
    above_probability,
    expectation,
    rank_distribution,
)
from rankassay.types import Floats

GAMMAS = {"bias-variance 0.1": 0.1, "bias-variance 0.01": 0.01}
METRICS: dict[str, Callable[[Floats, int], Floats]] = {
    "AUC": lambda rank, n: (n - rank) / max(n - 1, 1),
    "P": lambda rank, n: np.ones_like(rank),  # 1 / k follows from the cut-off
    "R": lambda rank, n: np.ones_like(rank),
    "AP": lambda rank, n: 1 / rank,
    "RR": lambda rank, n: 1 / rank,
    "nDCG": lambda rank, n: 1 / np.log2(rank + 1),
}


def at_rank(metric: str, rank: npt.ArrayLike, n: int, cutoff: int | None = None) -> Floats:
    """Return a metric of one relevant item at a rank, equations (9) to (15).

    ::

        AUC = (n - r) / (n - 1);  P@k = [r <= k] / k;  R@k = [r <= k];  AP@k = RR@k = [r <= k] / r;
        nDCG@k = [r <= k] / log2(r + 1)

    Parameters
    ----------
    metric : {"AUC", "P", "R", "AP", "RR", "nDCG"}
    rank : (...)
        From 1.
    n : int
        All items; AUC alone reads it.
    cutoff : int or None
        k; None is the whole ranking. AUC has none.
    """
    one_of("metric of one relevant item", metric, METRICS)
    rank = np.asarray(rank, dtype=np.float64)
    value = METRICS[metric](rank, n)
    if metric == "AUC":
        return value
    depth = n if cutoff is None else cutoff
    return np.where(rank <= depth, value / depth if metric == "P" else value, 0.0)


def expected(
    metric: str,
    rank: npt.ArrayLike,
    n: int,
    m: int,
    cutoff: int | None = None,
    replacement: bool = True,
) -> Floats:
    """Return the expected value of a metric on a sample, for any metric: equation (19).

    ::

        E[M_k(r~)] = sum_{i=1}^{m+1} p(r~ = i) M_k(i)

    Parameters
    ----------
    metric, rank, n, cutoff
        As in `at_rank`.
    m : int
        Sampled irrelevant items.
    replacement : bool
        As in `rank_distribution`.
    """
    above = above_probability(rank, n) * (n - 1)
    table = np.concatenate(([0.0], at_rank(metric, np.arange(1, m + 2), m + 1, cutoff)))
    flat = above.ravel()
    place = np.ones(len(flat), dtype=np.int64)
    total = np.full(len(flat), n - 1.0)
    value = expectation(np.rint(flat), total, place, m, table[None], [m + 1], replacement)
    return value[:, 0, 0].reshape(above.shape)


def deviation(
    metric: str,
    rank: npt.ArrayLike,
    n: int,
    m: int,
    cutoff: int | None = None,
    replacement: bool = True,
) -> Floats:
    """Return the standard deviation of a metric on one sample; parameters as in `expected`."""
    p = rank_distribution(rank, n, m, replacement)
    value = at_rank(metric, np.arange(1, m + 2), m + 1, cutoff)
    mean = p @ value
    return np.sqrt((p * (value - mean[..., None]) ** 2).sum(axis=-1))


def uncorrected(metric: str, cutoff: int | None, n: int, m: int) -> Floats:
    """Return the metric at the sampled rank, without correction.

    Parameters
    ----------
    metric : {"P", "R", "AP", "RR", "nDCG", "AUC"}
    cutoff : int or None
        None is the whole ranking.
    n, m : int
        All items, and those sampled in addition to the relevant one.

    Returns
    -------
    float64 (m + 1,)
        The value for r~ = 1, ..., m + 1.
    """
    return at_rank(metric, np.arange(1, m + 2), m + 1, cutoff)


def rank_estimate(metric: str, cutoff: int | None, n: int, m: int) -> Floats:
    """Return the metric at the estimated rank; parameters as above.

    ::

        r^ = 1 + (n - 1) (r~ - 1) / m

    is unbiased for the rank, and so is AUC at it for AUC, but no metric that is not linear. A
    cut-off is compared with the integer part of r^.
    """
    rank = 1 + (n - 1) * np.arange(m + 1) / m
    depth = n if cutoff is None else cutoff
    value = METRICS[metric](rank, n)
    if metric == "AUC":
        return value
    # A rank that is whole may lack its last bits.
    within = np.floor(rank + 1e-9) <= depth
    return np.where(within, value / depth if metric == "P" else value, 0.0)


def constrained_least_squares(metric: str, cutoff: int | None, n: int, m: int) -> Floats:
    """Return the least biased of the corrections that never rise with r~; parameters as above.

    ::

        argmin sum_r p(r) (E[M^(r~) | r] - M(r))^2  subject to  M^(1) >= M^(2) >= ... >= M^(m + 1)

    Notes
    -----
    The unknowns are the steps M^(i) - M^(i + 1), none of which is negative, and the last value. The
    step i adds to E[M^(r~) | r] with the probability that r~ is at most i. The last digits of the
    solution depend on the versions of numpy and scipy, and on the processor: see "The same bytes"
    in docs/developers/dependability-tests.md.
    """
    q, r = _reached(n, m)
    wanted = _wanted(metric, cutoff, n)
    # The last value may be negative: it is the difference of two that are not.
    unknowns = np.hstack([r, -r[:, -1:]])
    steps, _ = scipy.optimize.nnls(unknowns, q.T @ wanted, maxiter=100 * (m + 2))
    steps[m] -= steps[m + 1]
    return np.cumsum(steps[m::-1])[::-1]


def bias_variance(metric: str, cutoff: int | None, n: int, m: int, gamma: float = 0.1) -> Floats:
    """Return the correction that trades bias for variance; parameters as above.

    ::

        argmin sum_r p(r) [ (E[M^(r~) | r] - M(r))^2 + gamma Var(M^(r~) | r) ]
        = ((1 - gamma) A'A + gamma diag(c))^-1 A'b

    with A_{r, r~} = sqrt(p(r)) P(r~ | r), b_r = sqrt(p(r)) M(r) and c_{r~} = sum_r p(r) P(r~ | r).
    A sampled rank that is next to never found, as of few items and many samples, has a c of nearly
    0 and no unique solution: its value lies between those of its neighbours.

    Parameters
    ----------
    gamma : float
        The cost of variance, above 0. At 1, the estimate is E[M(r) | r~].
    """
    if not 0 < gamma <= 1:
        raise RankassayError(f"the gamma of bias-variance must be above 0 and at most 1: {gamma}.")
    a, b = _distribution(n, m), _wanted(metric, cutoff, n)
    normal, wanted = _normal(n, m, gamma), a.T @ b
    c = a.sum(axis=0) / np.sqrt(n)
    reached = np.flatnonzero(c > NEGLIGIBLE)
    if len(reached) == m + 1:
        return np.linalg.solve(normal, wanted)
    # Of numbers as different as these c, only equations in like units have an exact solution.
    unit = np.sqrt(c[reached])
    own = normal[np.ix_(reached, reached)] / np.outer(unit, unit)
    found = np.linalg.solve(own, wanted[reached] / unit) / unit
    return np.interp(np.arange(m + 1), reached, found)


CORRECTIONS: dict[str, Callable[[str, int | None, int, int], Floats]] = {
    "uncorrected": uncorrected,
    "rank estimate": rank_estimate,
    "least squares": constrained_least_squares,
    **{
        name: lambda metric, cutoff, n, m, gamma=gamma: bias_variance(metric, cutoff, n, m, gamma)
        for name, gamma in GAMMAS.items()
    },
}


def corrected(name: str, metric: str, cutoff: int | None, n: int, m: int) -> Floats:
    """Return the table of a correction, a key of `CORRECTIONS`, float64 (m + 1,)."""
    return find("correction", name, CORRECTIONS)(metric, cutoff, n, m)


# What follows depends on no metric, and corrections ask for it metric by metric.


@functools.lru_cache(maxsize=1)
def _distribution(n: int, m: int) -> Floats:
    """Return A, float64 (n, m + 1)."""
    return 1 / np.sqrt(n) * rank_distribution(np.arange(1, n + 1), n, m)


@functools.lru_cache(maxsize=1)
def _reached(n: int, m: int) -> tuple[Floats, Floats]:
    """Return Q and R of the probabilities that r~ is at most each rank, weighted as A is."""
    return np.linalg.qr(np.cumsum(_distribution(n, m), axis=1))


@functools.lru_cache(maxsize=1)
def _normal(n: int, m: int, gamma: float) -> Floats:
    """Return the matrix of the equations of `bias_variance`, float64 (m + 1, m + 1)."""
    a = _distribution(n, m)
    c = a.sum(axis=0) / np.sqrt(n)
    return (1 - gamma) * a.T @ a + gamma * np.diag(c)


def _wanted(metric: str, cutoff: int | None, n: int) -> Floats:
    """Return b, float64 (n,)."""
    return 1 / np.sqrt(n) * at_rank(metric, np.arange(1, n + 1), n, cutoff)
