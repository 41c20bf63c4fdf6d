"""The rank of a relevant item among a sample of the irrelevant ones (Rendle, 2019, section 4.4).

Of N irrelevant items, a stand above the relevant one, and m are drawn. The number X of those drawn
that stand above is binomial, B(m, a / N), if an item may be drawn twice, and else hypergeometric.
The sampled rank is X + 1, or X + j if j relevant items, this one among them, stand that high.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import scipy.special

from rankassay.errors import RankassayError
from rankassay.kernels import FOUR, ONE, THREE, TWO, njit
from rankassay.types import Floats, Integers

NEGLIGIBLE = 1e-20  # probabilities below this add nothing to a sum of metrics
MANY = 8  # functions, from which on it is faster to sum all of them at once


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
        raise RankassayError(f"expected ranks from 1 to n and n of 2 at least, found n = {n}.")
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
        raise RankassayError(f"expected at most {n - 1} samples without replacement, found {m}.")
    above = np.rint(p * total)
    ways = _log_choose(above, x) + _log_choose(total - above, m - x)
    return np.exp(ways - _log_choose(total, float(m)))


def expectation(
    above: Floats,
    total: Floats,
    place: Integers,
    m: int,
    functions: Floats,
    cutoffs: Sequence[int],
    replacement: bool = True,
) -> Floats:
    """Return the expected values of functions of the sampled rank, which are 0 below a cut-off.

    ::

        E[f(j + X) [j + X <= k]] = sum_x P(X = x) f(j + x) [j + x <= k]

    Parameters
    ----------
    above, total : float64 (n_items,)
        a and N of each relevant item; with replacement, any weights with a <= N. Without, a is
        rounded down.
    place : int64 (n_items,)
        j: the relevant items down to this one, from 1.
    m : int
    functions : float64 (n_functions, 1 + deepest)
        f at each rank; the column 0 is not read.
    cutoffs : sequence of int
        k, up to `deepest`.
    replacement : bool
        Without, m is at most N: more samples than items are all items.

    Returns
    -------
    float64 (n_items, n_functions, n_cutoffs)
        Its error is some 1e-20, and a share of 1e-15 of it; one of 1e-15 times log(N!), or log(m!)
        with replacement, where all cut-offs lie above the likeliest rank: 1e-10 for 10,000.
    """
    numbers = [np.ascontiguousarray(n, dtype=np.float64) for n in (above, total)]
    increasing, place_of = np.unique(cutoffs, return_inverse=True)
    asked = np.ascontiguousarray(functions), np.ascontiguousarray(functions.T), increasing
    found = _expectation(*numbers, np.ascontiguousarray(place), int(m), *asked, bool(replacement))
    return found if np.array_equal(increasing, cutoffs) else found[:, :, place_of]


def exact(above: Floats, place: Integers, functions: Floats, cutoffs: Sequence[int]) -> Floats:
    """Return the functions of the rank among all items, as `expectation` does on a sample."""
    rank = np.minimum(place + above.astype(np.int64), functions.shape[1])
    at = np.vstack([functions.T, np.zeros(len(functions))])[rank]
    return at[:, :, None] * (rank[:, None, None] <= np.array(cutoffs))


def _log_choose(n, k):
    """Return log C(n, k), -inf where there is no way to choose."""
    possible = (k >= 0) & (k <= n)
    k = np.where(possible, k, 0)
    log_gamma = scipy.special.gammaln
    value = log_gamma(n + 1.0) - log_gamma(k + 1.0) - log_gamma(n - k + 1.0)
    return np.where(possible, value, -np.inf)


@njit
def _expectation(above, total, place, m, functions, by_rank, cutoffs, replacement):
    """Sum over the values of X that count: those around the likeliest one.

    `by_rank` holds the functions once more, (1 + deepest, n_functions): of many, a processor sums
    several at once where they lie side by side.
    """
    n_functions, deepest = functions.shape[0], functions.shape[1] - 1
    out = np.zeros((len(above), n_functions, len(cutoffs)))
    chance, certain, sums = np.empty(deepest + 1), np.ones(deepest + 1), np.empty(n_functions)
    # With replacement, what takes P(X = x) to P(X = x + 1) and back, were a half of N.
    odds, against = np.ones(deepest + 1), np.ones(deepest + 1)
    log_ways = np.zeros(deepest + 1)
    for x in range(min(deepest + 1, m)):
        odds[x], against[x] = (m - x) / (x + 1), (x + 1) / (m - x)
        log_ways[x] = _log_ways(m, x)
    for j in range(len(above)):
        a, n = above[j] if replacement else math.floor(above[j]), total[j]
        draws = m if replacement else min(m, int(n))
        low, mode, high = _support(a, n, draws, replacement)
        mode, last = min(max(mode, low), high), min(high, deepest - place[j])
        start = min(mode, last)
        if start < low:
            continue
        weight = 1.0
        if start < mode:
            if replacement:
                log_probability = _log_binomial(log_ways[start], start, a, n, m)
            else:
                log_probability = _log_hypergeometric(start, a, n, draws)
            weight = math.exp(log_probability)
            if weight < NEGLIGIBLE:
                continue
        high = high if start == mode else last  # elsewhere values beyond are not needed
        if replacement:
            own = _with_replacement(start, low, last, high, a, n - a, m, odds, against, chance)
        else:
            own = _without(start, low, last, high, a, n - a, draws, chance)
        down, up, rest = own
        if start == mode:
            # Probabilities add up to 1, those beyond the last cut-off as well: without an error of
            # theirs, lists that hold all of a sample tie.
            weight = 1.0 / _product(chance, certain, down, up + 1, rest)
        if n_functions < MANY:
            for f in range(n_functions):
                at, x, sum_ = functions[f, place[j] :], down, 0.0
                for c in range(len(cutoffs)):
                    end = max(x, min(up, cutoffs[c] - place[j]) + 1)
                    sum_ = _product(chance, at, x, end, sum_)
                    out[j, f, c], x = sum_ * weight, end
        else:
            sums[:], at, x = 0.0, by_rank[place[j] :], down
            for c in range(len(cutoffs)):
                end = max(x, min(up, cutoffs[c] - place[j]) + 1)
                _add_products(chance, at, x, end, sums)
                for f in range(n_functions):
                    out[j, f, c] = sums[f] * weight
                x = end
    return out


@njit
def _support(a, n, draws, replacement):
    """Return the lowest value of X, about the likeliest one, and the highest."""
    if not replacement:
        low, high = max(0, draws - int(n - a)), min(draws, int(a))
        return low, int((draws + 1) * (a + 1) / (n + 2)), high
    if a <= 0:
        return 0, 0, 0
    if a >= n:
        return draws, draws, draws
    return 0, int((draws + 1) * a / n), draws


@njit
def _with_replacement(start, low, last, high, a, b, m, odds, against, chance):
    """Write P(X = x) / P(X = start) down to `last`, as far as it counts.

    Returns the first and the last such x, which may be negligible themselves, and the sum of what
    lies beyond `last`, up to `high`.
    """
    up = down = np.uint64(start)
    w = v = chance[start] = 1.0
    end, least = np.uint64(last), np.uint64(low)
    while up < end and w >= NEGLIGIBLE:
        w *= odds[up] * (a / b)
        up += ONE
        chance[up] = w
    x, rest = np.int64(up), 0.0
    while x < high and w >= NEGLIGIBLE:
        w *= (m - x) / (x + 1) * (a / b)
        x += 1
        rest += w
    while down > least and v >= NEGLIGIBLE:
        down -= ONE
        v *= against[down] * (b / a)
        chance[down] = v
    return np.int64(down), np.int64(up), rest


@njit
def _without(start, low, last, high, a, b, draws, chance):
    """Do the same for draws without replacement."""
    up = down = start
    w = v = chance[start] = 1.0
    x, rest = start, 0.0
    while x < high and w >= NEGLIGIBLE:
        w *= (draws - x) * (a - x) / ((x + 1) * (b - draws + x + 1))
        x += 1
        if x <= last:
            up, chance[x] = x, w
        else:
            rest += w
    while down > low and v >= NEGLIGIBLE:
        down -= 1
        v *= (down + 1) * (b - draws + down + 1) / ((draws - down) * (a - down))
        chance[down] = v
    return down, up, rest


@njit
def _product(x, y, start, end, sum_):
    """Return the sum plus the products from start to end; it waits for itself once in four."""
    k, end = np.uint64(start), np.uint64(end)
    while k + FOUR <= end:
        sum_ += (x[k] * y[k] + x[k + ONE] * y[k + ONE]) + (
            x[k + TWO] * y[k + TWO] + x[k + THREE] * y[k + THREE]
        )
        k += FOUR
    while k < end:
        sum_ += x[k] * y[k]
        k += ONE
    return sum_


@njit
def _add_products(x, y, start, end, sums):
    """Add to each sum, as `_product` does, the products of x and of a column of y."""
    k, end = np.uint64(start), np.uint64(end)
    while k + FOUR <= end:
        for f in range(len(sums)):
            sums[f] += (x[k] * y[k, f] + x[k + ONE] * y[k + ONE, f]) + (
                x[k + TWO] * y[k + TWO, f] + x[k + THREE] * y[k + THREE, f]
            )
        k += FOUR
    while k < end:
        for f in range(len(sums)):
            sums[f] += x[k] * y[k, f]
        k += ONE


@njit
def _log_binomial(log_ways, x, a, n, m):
    """Return log P(X = x) with replacement, from log C(m, x)."""
    others = math.log1p(-a / n) if a < n / 2 else math.log((n - a) / n)
    return log_ways + x * math.log(a / n) + (m - x) * others


@njit
def _log_hypergeometric(x, a, n, m):
    """Return log P(X = x) without replacement."""
    return _log_ways(a, x) + _log_ways(n - a, m - x) - _log_ways(n, m)


@njit
def _log_ways(n, k):
    """Return log C(n, k)."""
    return math.lgamma(n + 1.0) - math.lgamma(k + 1.0) - math.lgamma(n - k + 1.0)
