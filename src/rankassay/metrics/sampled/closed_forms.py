"""Metrics of one relevant item, and their expectations under sampling (Rendle, 2019).

Equations (9) to (15) are the metrics at a rank, equation (19) their expected value on a sample, and
equations (20) to (36) what that is in closed form.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import scipy.special

from rankassay.errors import one_of
from rankassay.metrics.sampled.distribution import above_probability, expectation, rank_distribution
from rankassay.types import Floats

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


def expected_auc(rank: npt.ArrayLike, n: int) -> Floats:
    """Return the expected AUC on any sample, which is that of the whole: equation (25).

    E[AUC(r~)] = AUC(E[r~]) = (n - r) / (n - 1), with or without replacement.
    """
    return 1 - above_probability(rank, n)


def expected_recall(
    rank: npt.ArrayLike, n: int, m: int, cutoff: int, replacement: bool = True
) -> Floats:
    """Return the expected recall on a sample, a distribution function: equation (27).

    ::

        E[R_k(r~)] = sum_{i=1}^k p(r~ = i) = CDF(k - 1; m, (r - 1) / (n - 1))
    """
    return rank_distribution(rank, n, m, replacement)[..., :cutoff].sum(axis=-1)


def expected_average_precision(rank: npt.ArrayLike, n: int, m: int) -> Floats:
    """Return the expected average precision on a sample with replacement: equation (29).

    ::

        E[AP(r~)] = (1 - (1 - p)^(m+1)) / (p (m + 1)),  p = (r - 1) / (n - 1);  1 if r = 1

    Notes
    -----
    Since C(m, x) / (x + 1) = C(m + 1, x + 1) / (m + 1), the sum of equation (28) is a binomial
    expansion that lacks its first term. The paper then writes it with r and n, and prints n + 1
    where p has n - 1: its last line is too large by the factor (n + 1) / (n - 1).
    """
    p = above_probability(rank, n)
    lower = np.where(p > 0, p, 1.0)
    # 1 - (1 - p)^(m + 1) without loss of digits where p is small.
    share = -np.expm1(scipy.special.xlog1py(m + 1, -lower))
    return np.where(p > 0, share / (lower * (m + 1)), 1.0)
