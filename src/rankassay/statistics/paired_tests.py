"""Significance tests of many samples of paired differences at once.

Each test takes differences d, float64 (n_users, n_trials), and returns the two-sided p-value of
each trial, float64 (n_trials,), of the null hypothesis that users' differences lie around zero: in
the mean for `t`, `bootstrap` and `permutation` (which take their null distributions from
differences that are symmetric, or shifted), and in ranks or signs for `signed_rank` and `sign`.

`permutation` and `bootstrap` draw one set of signs, or of resamples, for all trials. That is fair:
signs and resamples do not depend on the differences, so that each trial's p-value has the
distribution that separate draws would give it. What the draws share between trials is their error
alone, which is sqrt(p (1 - p) / samples) for each p-value. These two take no NaN.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

import numpy as np
from scipy.special import bdtr, ndtr, stdtr

from rankassay.statistics.bootstrap import blocks_drawn
from rankassay.statistics.permutation import BLOCK, random_bits, signs
from rankassay.types import Floats, Floats32, Integers

EQUAL = 1e-9  # differences that exceed a bound by no more than this share of it are at most it
SIGNS = 2**24  # of users that are spelled out at a time, at least those of one permutation
PRECISION = 30  # bits of the largest difference that sums over users keep


def t(d: Floats) -> Floats:
    """Test by Student's paired t; NaN differences are excluded.

    ::

        t = mean(d) / sqrt(var(d) / n)  with n - 1 degrees of freedom

    Where all users have the same difference, p = 0, or 1 if that is none; one user gives p = 1.

    Source: Student, Biometrika 6, 1908.
    """
    n = (~np.isnan(d)).sum(axis=0)
    mean = np.nansum(d, axis=0) / np.maximum(n, 1)
    variance = np.nansum((d - mean) ** 2, axis=0) / np.maximum(n - 1, 1)
    return t_of_moments(n, mean, variance)


def t_of_moments(n: Integers | float, mean: Floats, variance: Floats) -> Floats:
    """Test by Student's paired t, from the number of differences, their mean and variance."""
    error = np.sqrt(variance / np.maximum(n, 1))
    value = np.divide(mean, error, out=np.where(mean == 0, 0.0, np.inf), where=error > 0)
    return np.where(n > 1, 2 * stdtr(np.maximum(n - 1, 1), -np.abs(value)), 1.0)


def signed_rank(
    d: Floats,
    zeros: Literal["wilcox", "pratt", "zsplit"] = "wilcox",
    correction: bool = True,
    error: Floats | None = None,
) -> Floats:
    """Test by Wilcoxon's signed ranks in the normal approximation; NaN differences are excluded.

    ::

        z = (|W| / 2 - c) / (sqrt(sum r^2) / 2),    W = sum sign(d) r

    with r the rank of |d|, equal ones sharing the mean of their ranks, which corrects the variance
    for ties. The default is what R's `wilcox.test` does where it does not enumerate (it does for
    fewer than 50 users without ties); scipy's `wilcoxon` approximates in the same way without the
    continuity correction, by default. A trial without any difference has p = 1.

    Differences of zero (`zeros`, by scipy's names) are excluded before ranking (wilcox: R, and
    scipy's default), ranked and then left out (pratt), or ranked and counted half on either side
    (zsplit). With the `correction` for continuity c = 1/2, in place of 0. Sizes that follow each
    other by no more than their `error` adds up to, (n_users, n_trials), share a rank; None compares
    them exactly.

    Source: Wilcoxon, Biometrics Bulletin 1, 1945; Pratt, JASA 54, 1959; Cureton, JASA 62, 1967.
    """
    size = np.ascontiguousarray(np.abs(d).T)
    size[np.isnan(size) | ((size == 0) & (zeros == "wilcox"))] = np.inf
    order = np.argsort(size, axis=1)
    size = np.take_along_axis(size, order, axis=1)
    side = np.take_along_axis(np.sign(d.T), order, axis=1)
    error = np.zeros_like(size) if error is None else np.take_along_axis(error.T, order, axis=1)
    rank = np.where(np.isinf(size), 0.0, _mean_ranks(size, error))
    side[np.isinf(size)] = 0
    shift = (side * rank).sum(axis=1) / 2
    counted = rank if zeros == "zsplit" else np.where(side == 0, 0.0, rank)
    error = np.sqrt((counted**2).sum(axis=1)) / 2
    shift -= 0.5 * correction * np.sign(shift)
    none = (side == 0).all(axis=1)
    return np.where(none, 1.0, 2 * ndtr(-np.abs(shift) / np.where(none, 1.0, error)))


def _mean_ranks(size: Floats, error: Floats) -> Floats:
    """Return the ranks from 1 on of ascending rows, equal values with their mean rank."""
    n = size.shape[1]
    other = size[:, 1:] > size[:, :-1] + error[:, 1:] + error[:, :-1]
    edge = np.ones((len(size), 1), dtype=bool)
    place = np.arange(n)
    first = np.maximum.accumulate(np.where(np.hstack([edge, other]), place, 0), axis=1)
    last = np.where(np.hstack([other, edge]), place, n)[:, ::-1]
    return (first + np.minimum.accumulate(last, axis=1)[:, ::-1]) / 2 + 1


def sign(d: Floats, tie: float = 0.0) -> Floats:
    """Test by signs, exactly; NaN differences and those of at most `tie` are excluded.

    ::

        p = min(1, 2 P(X <= min(n+, n-))),    X ~ Binomial(n+ + n-, 1/2)

    The first version that retrieval used counted differences below a threshold as none (van
    Rijsbergen, Information Retrieval, 1979, chapter 7); Urbano et al. (SIGIR 2019) take .01.

    Differences that exceed `tie` by what rounding of floats can do are at most `tie`: of .4 and .3,
    as of .3 and .2. A trial without any difference has p = 1.
    """
    bound = tie * (1 + EQUAL)
    more, less = (d > bound).sum(axis=0), (d < -bound).sum(axis=0)
    n = more + less
    return np.where(n > 0, np.minimum(1.0, 2 * bdtr(np.minimum(more, less), n, 0.5)), 1.0)


def permutation(d: Floats, samples: int, seed: int) -> Floats:
    """Test by random signs of the differences, the same ones in all trials.

    ::

        p = (#{b: |sum_u s_bu d_u| >= |sum_u d_u|} + 1) / (samples + 1)

    Source: Fisher, The Design of Experiments, 1935, section 21; Phipson and Smyth, 2010, for the 1.
    """
    whole, observed = _whole(d)
    rows = max(1, SIGNS // max(len(d), 1))

    def drawn() -> Iterator[Floats32]:
        for first in range(0, samples, BLOCK):
            bits = random_bits(len(d), first // BLOCK, seed)[: samples - first]
            for start in range(0, len(bits), rows):
                yield signs(bits[start : start + rows])[:, : len(d)]

    return (_extreme(whole, 0.0 * observed, observed, drawn()) + 1) / (samples + 1)


def bootstrap(d: Floats, samples: int, seed: int) -> Floats:
    """Test by resampled users, the same ones in all trials; shifted and not studentised.

    ::

        p = (#{b: |mean(d*_b) - mean(d)| >= |mean(d)|} + 1) / (samples + 1)

    That is the form whose error rates Urbano et al. published (SIGIR 2019), after Efron and
    Tibshirani, 1993, section 16.4; `rankassay.statistics.bootstrap.bootstrap_test` is studentised.
    """
    whole, observed = _whole(d)
    drawn = blocks_drawn(len(d), samples, seed)
    return (_extreme(whole, observed, observed, drawn) + 1) / (samples + 1)


def _whole(d: Floats) -> tuple[Floats, Floats]:
    """Return differences in whole numbers, whose sums are exact, and their sums over users.

    Raises ValueError for NaN, which would be nowhere extreme, and so look significant.
    """
    if np.isnan(d).any():
        raise ValueError("expected differences without NaN, found some; leave these users out.")
    largest = np.abs(d).max(axis=0, initial=0.0)
    _, exponent = np.frexp(largest)
    whole = np.rint(np.ldexp(d, PRECISION - exponent))
    return whole, whole.sum(axis=0)


def _extreme(
    whole: Floats, centre: Floats, observed: Floats, drawn: Iterable[Floats | Floats32]
) -> Integers:
    """Count the draws whose sums are at least as far from the centre as is observed from zero.

    Sums that differ by less than what rounding to whole numbers can do are equal.
    """
    bound = np.abs(observed) - len(whole)
    counts = np.zeros(whole.shape[1], dtype=np.int64)
    for weights in drawn:
        sums = weights.astype(np.float64, copy=False) @ whole
        sums -= centre
        counts += (np.abs(sums, out=sums) >= bound).sum(axis=0)
    return counts
