"""The rank of a relevant item among a sample of the irrelevant ones (Rendle, 2019, section 4.4).

Of N irrelevant items, a stand above the relevant one, and m are drawn. The number X of those drawn
that stand above is binomial, B(m, a / N), if an item may be drawn twice, and else hypergeometric.
The sampled rank is X + 1, or X + j if j relevant items, this one among them, stand that high.
"""

import math

import numpy as np
import numpy.typing as npt
import scipy.special
from numba import njit

from assayer.errors import AssayerError
from assayer.types import Floats, Integers

NEGLIGIBLE = 1e-20  # probabilities below this add nothing to a sum of metrics


def above_probability(rank: npt.ArrayLike, n: int) -> Floats:
    """Return the probability that an irrelevant item ranks above the relevant one, equation (18).

    ::

        p(j < r) = (r - 1) / (n - 1)

    Parameters
    ----------
    rank : (...)
        From 1 to n, the number of items.
    n : int
        At least 2.
    """
    rank = np.asarray(rank, dtype=np.float64)
    if n < 2 or (rank < 1).any() or (rank > n).any():
        raise AssayerError(f"expected ranks from 1 to n and n of 2 at least, found n = {n}.")
    return (rank - 1) / (n - 1)


def rank_distribution(rank: npt.ArrayLike, n: int, m: int, replacement: bool = True) -> Floats:
    """Return the probability of each sampled rank, float64 (..., m + 1): column i is rank i + 1.

    With replacement, r~ - 1 follows B(m, (r - 1) / (n - 1)); without, the hypergeometric
    distribution of m draws from n - 1 items, r - 1 of which stand above (section 4.5).

    Parameters
    ----------
    rank : (...)
    n, m : int
        All items, and those sampled: at most n - 1 without replacement.
    replacement : bool
    """
    p = above_probability(rank, n)[..., None]
    x, total = np.arange(m + 1.0), n - 1.0
    if replacement:
        chosen = _log_choose(float(m), x)
        return np.exp(chosen + scipy.special.xlogy(x, p) + scipy.special.xlog1py(m - x, -p))
    if m > n - 1:
        raise AssayerError(f"expected at most {n - 1} samples without replacement, found {m}.")
    above = np.rint(p * total)
    ways = _log_choose(above, x) + _log_choose(total - above, m - x)
    return np.exp(ways - _log_choose(total, float(m)))


def expectation(
    above: Floats, total: Floats, place: Integers, m: int, tables: Floats, replacement: bool = True
) -> Floats:
    """Return the expected values of functions of the sampled rank.

    E[T(j + X)] = sum_x P(X = x) T(j + x)

    Parameters
    ----------
    above, total : float64 (n_items,)
        a and N of each relevant item; with replacement, any weights with a <= N. Without, a is
        rounded down.
    place : int64 (n_items,)
        j: the relevant items down to this one, from 1.
    m : int
    tables : float64 (1 + deepest, n_tables)
        T at each rank, zero below the deepest; the row 0 is not read.
    replacement : bool
        Without, m is at most N: more samples than items are all items.

    Returns
    -------
    float64 (n_items, n_tables)
        Its relative error is some 1e-15 times log(N!): 1e-10 for N = 10,000.
    """
    arrays = map(np.ascontiguousarray, (above, total, place))
    return _expectation(*arrays, int(m), np.ascontiguousarray(tables), bool(replacement))


def exact(above: Floats, place: Integers, tables: Floats) -> Floats:
    """Return the functions of the rank among all items, as `expectation` does on a sample."""
    rank = np.minimum(place + above.astype(np.int64), len(tables))
    return np.vstack([tables, np.zeros(tables.shape[1])])[rank]


def _log_choose(n, k):
    """Return log C(n, k), -inf where there is no way to choose."""
    possible = (k >= 0) & (k <= n)
    k = np.where(possible, k, 0)
    log_gamma = scipy.special.gammaln
    value = log_gamma(n + 1.0) - log_gamma(k + 1.0) - log_gamma(n - k + 1.0)
    return np.where(possible, value, -np.inf)


@njit(cache=True)
def _expectation(above, total, place, m, tables, replacement):
    """Sum from the likeliest value outwards, as far as it counts."""
    out = np.zeros((len(above), tables.shape[1]))
    for j in range(len(above)):
        a, n = above[j] if replacement else math.floor(above[j]), total[j]
        draws = m if replacement else min(m, int(n))
        low, high = 0, draws
        if not replacement:
            low, high = max(0, draws - int(n - a)), min(draws, int(a))
            mode = int((draws + 1) * (a + 1) / (n + 2))
        elif a <= 0:
            mode, high = 0, 0
        elif a >= n:
            mode, low = draws, draws
        else:
            mode = int((draws + 1) * a / n)
        first = min(max(mode, low), high, len(tables) - 1 - place[j])
        if first < low:
            continue
        weight = 1.0
        if low < high:
            weight = math.exp(_log_probability(first, a, n, draws, replacement))
        w, x = weight, first
        while True:
            if w < NEGLIGIBLE or x + place[j] >= len(tables):
                break
            for t in range(tables.shape[1]):
                out[j, t] += w * tables[place[j] + x, t]
            if x == high:
                break
            b = n - a if replacement else n - a - draws + x + 1
            w *= (draws - x) * (a if replacement else a - x) / ((x + 1) * b)
            x += 1
        w, x = weight, first
        while x > low and w >= NEGLIGIBLE:
            b = n - a if replacement else n - a - draws + x
            w *= x * b / ((draws - x + 1) * (a if replacement else a - x + 1))
            x -= 1
            for t in range(tables.shape[1]):
                out[j, t] += w * tables[place[j] + x, t]
    return out


@njit(cache=True)
def _log_probability(x, a, n, m, replacement):
    """Return log P(X = x)."""
    if replacement:
        return _log_ways(m, x) + x * math.log(a / n) + (m - x) * math.log1p(-a / n)
    return _log_ways(a, x) + _log_ways(n - a, m - x) - _log_ways(n, m)


@njit(cache=True)
def _log_ways(n, k):
    """Return log C(n, k)."""
    return math.lgamma(n + 1.0) - math.lgamma(k + 1.0) - math.lgamma(n - k + 1.0)
