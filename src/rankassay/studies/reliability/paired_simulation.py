"""Simulated samples of users for two systems that depend on each other as observed ones do.

A pair of values is made in two steps, as simIReff and Urbano, Lima and Hanjalic (SIGIR 2019) do: a
copula gives two levels in (0, 1), and the quantile functions of two margins turn them into values.
Under the null hypothesis both levels go through the margin of the first system, so that the means
are equal for any copula; else the second margin is shifted to a mean that is given.

Here the copula is the empirical one, smoothed by beta distributions of ranks (Segers, Sibuya and
Tsukahara, Journal of Multivariate Analysis 155, 2017) that depend on each other as the systems do
(Kojadinovic and Yi, A class of smooth, possibly data-adaptive nonparametric copula estimators,
2024). It keeps the asymmetry in the dependence of two systems where the data show more of it than
chance would (see `asymmetric`), and is made symmetric elsewhere. The margins are the observed
distributions, which keep the values that a metric can have (see `margins`). Both are as good as the
data: see `exchanged_pairs` for the part of a rate that is due to that alone.

The copula of two systems is symmetric if C(u, v) = C(v, u). Where it is not, one system is ahead
of the other for most users, although both have the same margin, so that tests of signs and ranks
reject. The empirical copula of N users is never quite symmetric: two systems that are exchangeable
show a majority by chance, which a simulation from it takes for the truth.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import scipy.stats
from scipy.optimize import brentq
from scipy.special import betaincinv, ndtr, ndtri

from rankassay.seeds import generator
from rankassay.types import Booleans, Floats, Integers

EXCHANGES = 40  # of labels, for the size of chance
ENOUGH = 1000  # users from whom the size of chance is estimated
PENALTY = 2.0  # of one parameter more, in Akaike's criterion
AT_ONCE = 2**20  # users times pairs that are looked at at a time, at least those of one pair


def asymmetric(values: Floats, first: Integers, second: Integers) -> Booleans:
    """Return which pairs of systems have a dependence that is not symmetric, bool (n_pairs,).

    ::

        A = sum_u sign(D_u) R_u / N^(3/2),    asymmetric if A^2 > 2 mean(A_x^2)

    with D_u the difference of a user's ranks by the two systems, and R_u the rank of its size:
    Wilcoxon's statistic of ranks, which does not see the margins. A_x is A after the values were
    exchanged at random within users, once the second system's had got the first one's margin, as in
    the simulation: users with equal values for both systems keep equal values then, which chance
    moves together. Its mean square is the variance that chance gives A. A^2 divided by it is what
    one parameter for asymmetry gains in twice the log-likelihood, and 2 what that costs by Akaike's
    criterion, by which Urbano, Lima and Hanjalic (SIGIR 2019) choose between copulas.

    A pair in which many small differences one way outweigh few large ones the other way has A near
    0 and is taken for symmetric, although most users prefer one system: the simulated rate of the
    sign test is too low there.

    The variance is found from 40 exchanges, the same ones for all pairs, and of no more than 1,000
    users, as it does not depend on their number.

    Parameters
    ----------
    values : float64 (n_users, n_systems)
    first, second : int64 (n_pairs,)

    References
    ----------
    Akaike, IEEE Transactions on Automatic Control 19, 1974; Genest, Neslehova and Quessy, Annals of
    the Institute of Statistical Mathematics 64, 2012, for other tests of symmetry.
    """
    rng = generator(0, "asymmetry")
    n_users = len(values)
    ranks, margins = scipy.stats.rankdata(values, axis=0), np.sort(values, axis=0)
    few = np.sort(rng.permutation(n_users)[:ENOUGH])
    swaps = rng.random((EXCHANGES, len(few), 1)) < 0.5
    found = np.empty(len(first), dtype=bool)
    size = max(1, AT_ONCE // n_users)
    for start in range(0, len(first), size):
        own = slice(start, start + size)
        one, other = ranks[:, first[own]], ranks[:, second[own]]
        seen, chance = _majority(one, other) ** 2, 0.0
        one = values[few][:, first[own]]
        place = (other[few] - 0.5).astype(np.int64)
        other = np.take_along_axis(margins[:, first[own]], place, axis=0)
        for swap in swaps:
            exchanged = np.where(swap, other, one), np.where(swap, one, other)
            chance = chance + _majority(*exchanged) ** 2 / EXCHANGES
        found[own] = seen > PENALTY * chance
    return found


def _majority(one: Floats, other: Floats) -> Floats:
    """Return A of pairs of columns (n_users, n_pairs); see `asymmetric`."""
    ahead = scipy.stats.rankdata(other, axis=0) - scipy.stats.rankdata(one, axis=0)
    total = (np.sign(ahead) * scipy.stats.rankdata(np.abs(ahead), axis=0)).sum(axis=0)
    return total / len(one) ** 1.5


STEEPEST = 1e4  # the largest exponent of a shift, which puts nearly all users at the extreme value
NOISE = 256  # values that represent a beta distribution
MOST_VALUES = 2**24  # of all of them: with more users each is narrower, and has fewer
MANY = 1000  # users: of more, observed distributions need no smoothing
FINE = 20  # values of a continuous margin for each observed one
SAME = 1e-5  # systems whose values differ by no more are one


def distinct(values: Floats, lowest: float, direction: int = 1) -> Integers:
    """Return which systems take part, in their order.

    Of systems that have the same values for all users the first one does; of the others, those
    whose mean is at least as good as the quantile `lowest` of the means, and never fewer than two.

    Parameters
    ----------
    values : float64 (n_users, n_systems)
    lowest : float
        A share of the systems, such as .1 for the worst tenth.
    direction : {1, -1}
        -1 where lower values are better.
    """
    kept: list[int] = []
    for s in range(values.shape[1]):
        same = np.abs(values[:, kept] - values[:, [s]]) <= SAME
        if not same.all(axis=0).any():
            kept.append(s)
    means = direction * values[:, kept].mean(axis=0)
    return np.array(kept)[means >= min(np.quantile(means, lowest), np.sort(means)[-2:][0])]


@dataclass(frozen=True)
class Observed:
    """Systems' values, and the margins that simulations take from them, computed once."""

    values: Floats  # (n_users, n_systems)

    @cached_property
    def margins(self) -> Floats:
        """See `margins`."""
        return margins(self.values)

    @cached_property
    def ranks(self) -> tuple[Integers, Integers]:
        """How many users have a lower value, and the same one, int64 (n_users, n_systems) each."""
        below, equal = np.empty((2, *self.values.shape), dtype=np.int64)
        for s, own in enumerate(self.values.T):
            _, found, count = np.unique(own, return_inverse=True, return_counts=True)
            below[:, s], equal[:, s] = (np.cumsum(count) - count)[found], count[found]
        return below, equal

    @cached_property
    def correlation(self) -> Floats:
        """Spearman's rank correlations of the systems, float64 (n_systems, n_systems)."""
        below, equal = self.ranks
        return _correlation(below + (equal - 1) / 2)

    @cached_property
    def _known(self) -> Floats:
        """Which pairs are asymmetric, float64 (n_systems, n_systems); NaN if not asked for."""
        return np.full((self.values.shape[1],) * 2, np.nan)

    def asymmetric(self, first: Integers, second: Integers) -> Booleans:
        """Return which pairs depend on each other in a way that is not symmetric; see `asymmetry`.

        Parameters
        ----------
        first, second : int64 (n_pairs,)
        """
        low, high = np.minimum(first, second), np.maximum(first, second)
        asked = np.isnan(self._known[low, high])
        pairs = np.unique(np.stack([low[asked], high[asked]]), axis=1)
        self._known[pairs[0], pairs[1]] = asymmetric(self.values, *pairs)
        return self._known[low, high] > 0


def levels(
    observed: Observed, first: Integers, second: Integers, n: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Draw levels of users from the smoothed empirical copulas of pairs of systems.

    ::

        u = Q(z1; r, N + 1 - r),    v = Q(z2; s, N + 1 - s)

    with r and s the ranks of a user, drawn at random from the N observed ones, by either system; Q
    the quantile function of the beta distribution; and (z1, z2) levels from the normal copula with
    the pair's rank correlation. Independent levels would make it the empirical beta copula, which
    takes from the dependence of systems that agree; these follow the data (Kojadinovic and Yi).
    Users with equal values by a system get their ranks at random, again in every draw. Where the
    pair is not `asymmetric`, half of the users exchange u and v, which makes the copula symmetric.

    Parameters
    ----------
    observed : Observed
        Of N users.
    first, second : int64 (n_trials,)
        The systems of each trial.
    n : int
        The number of users of a trial.
    rng : Generator

    Returns
    -------
    two float64 (n, n_trials)
    """
    n_users, n_systems = observed.values.shape
    below, equal = observed.ranks
    spearman = observed.correlation[first, second]
    normal = 2 * np.sin(np.pi / 6 * spearman)  # the correlation of normals with that of ranks
    table = _beta_quantiles(n_users)
    per_rank = table.shape[1]
    user = rng.integers(0, n_users, (n, len(first)))

    def level(system: Integers, z: Floats) -> Floats:
        # Places in a flat array are found in half the time that rows and columns take.
        own = user * n_systems + system
        rank = below.take(own) + (rng.random(user.shape) * equal.take(own)).astype(np.int64)
        noise = np.minimum((ndtr(z) * per_rank).astype(np.int64), per_rank - 1)
        return table.take(rank * per_rank + noise)

    z = rng.standard_normal(user.shape)
    other = normal * z + np.sqrt(1 - normal**2) * rng.standard_normal(user.shape)
    u, v = level(first, z), level(second, other)
    swap = (rng.random(user.shape) < 0.5) & ~observed.asymmetric(first, second)
    return np.where(swap, v, u), np.where(swap, u, v)


def _correlation(ranks: Floats) -> Floats:
    """Return the correlations of columns, 0 with one that is constant."""
    centred = ranks - ranks.mean(axis=0)
    size = np.sqrt((centred**2).sum(axis=0))
    unit = np.divide(centred, size, out=np.zeros_like(centred), where=size > 0)
    return np.clip(unit.T @ unit, -1.0, 1.0)


@lru_cache(maxsize=4)
def _beta_quantiles(n: int) -> Floats:
    """Return equally probable values of Beta(r, n + 1 - r) for r from 1 on, (n, up to NOISE)."""
    rank = np.arange(1.0, n + 1)[:, None]
    values = min(NOISE, max(1, MOST_VALUES // n))
    return betaincinv(rank, n + 1 - rank, (np.arange(values) + 0.5) / values)


def margins(values: Floats) -> Floats:
    """Return equally probable values of each system, ascending, float64 (n_values, n_systems).

    These are the observed values, of a metric whose values repeat or of many users. Where most of a
    system's values are distinct, as those of AP are, the metric is taken for continuous: a normal
    kernel smooths the observed values, with the bandwidth 1.06 s N^(-1/5) (Silverman, Density
    Estimation, 1986, equation 3.28), truncated to [0, 1] or to the observed range beyond.
    """
    ordered = np.sort(values, axis=0)
    n = len(values)
    if n > MANY or (np.diff(ordered, axis=0) > 0).mean() <= 0.5:
        return ordered
    kernel = ndtri((np.arange(FINE) + 0.5) / FINE)
    low, high = min(0.0, values.min()), max(1.0, values.max())
    wanted = (np.arange(FINE * n) + 0.5) / (FINE * n)
    smooth = []
    for own in ordered.T:
        spread = np.add.outer(own, 1.06 * own.std(ddof=1) * n**-0.2 * kernel).ravel()
        inside = np.sort(spread[(low <= spread) & (spread <= high)])
        known = (np.arange(len(inside)) + 0.5) / len(inside)
        smooth.append(np.interp(wanted, known, inside))
    return np.column_stack(smooth)


def quantiles(margins: Floats, systems: Integers, level: Floats) -> Floats:
    """Return the quantiles of systems' `margins` at levels float64 (n, n_trials)."""
    place = np.minimum((level * len(margins)).astype(np.int64), len(margins) - 1)
    return margins.take(place * margins.shape[1] + systems)


def shift(margin: Floats, mean: float) -> float:
    """Return the exponent that shifts a margin to another mean, by which `shifted` draws it.

    The levels u of a margin become u^(1/a) to raise its mean, and 1 - (1 - u)^(1/a) to lower it,
    a >= 1: beta distributions of levels, as simIReff transforms margins (`effTransform`). Exponents
    that lower are returned as -a. NaN where no exponent reaches the mean.

    Parameters
    ----------
    margin : float64 (n_values,)
        Equally probable values.
    mean : float

    >>> a = shift(np.array([0.0, 0.5, 1.0]), 0.75)
    >>> bool(abs(np.diff((np.arange(4) / 3) ** a) @ [0.0, 0.5, 1.0] - 0.75) < 1e-9)
    True
    """
    sign = 1 if mean >= margin.mean() else -1
    values, count = np.unique(sign * margin, return_counts=True)
    edges = np.concatenate(([0.0], np.cumsum(count) / len(margin)))
    given, largest = (edges, values, sign * mean), np.log(STEEPEST)
    if _beyond(largest, *given) <= 0:
        return np.nan
    if _beyond(0.0, *given) >= 0:
        return 1.0
    # As arguments: of a function that holds arrays, brentq makes one that holds itself, which
    # keeps them until the next collection of garbage.
    return sign * float(np.exp(brentq(_beyond, 0.0, largest, given, xtol=1e-12)))


def _beyond(log_a: float, edges: Floats, values: Floats, mean: float) -> float:
    """Return by how much the mean of levels to the power of 1/a is beyond another one.

    Each of the ascending values is what levels between two edges are turned into.
    """
    return float(np.diff(edges ** np.exp(log_a)) @ values) - mean


def shifted(level: Floats, exponent: Floats) -> Floats:
    """Return levels (n, n_trials) as the exponents of `shift` (n_trials,) move them."""
    power = 1 / np.abs(exponent)
    return np.where(exponent > 0, level**power, 1 - (1 - level) ** power)


def alternatives(
    margins: Floats, delta: float, nearest: int, direction: int = 1
) -> tuple[Integers, Integers, Floats]:
    """Return the pairs of systems of which the second is better by delta once it is shifted.

    Baselines are all systems but the best quarter, so that better ones are there; a baseline's
    rivals are the systems whose means are nearest to its own plus delta. A rival that cannot reach
    that mean is excluded. Where the direction is -1, lower is better.

    Returns
    -------
    three arrays (n_pairs,)
        The baselines, the rivals, and the exponents of the rivals' shifts.
    """
    mean = margins.mean(axis=0)
    best_first = np.argsort(-direction * mean, kind="stable")
    pairs = []
    for b in best_first[round(len(mean) / 4) :]:
        wanted = mean[b] + direction * delta
        near = np.argsort(np.abs(mean - wanted), kind="stable")
        for r in near[near != b][:nearest]:
            exponent = shift(margins[:, r], wanted)
            if not np.isnan(exponent):
                pairs.append((b, r, exponent))
    baseline, rival, exponents = np.array(pairs).reshape(-1, 3).T
    return baseline.astype(np.int64), rival.astype(np.int64), exponents


def exchanged_pairs(values: Floats, n_pairs: int, rng: np.random.Generator) -> Floats:
    """Return pairs of systems whose values were exchanged at random within each user.

    For such pairs the null hypothesis of every test holds, and their dependence is symmetric but
    for chance. A rejection rate in simulations from them above that under exchanged labels (which
    is above the level for the bootstrap) is therefore due to the simulation: it treats the chance
    of the observed users as the truth, so that a small chance majority of users becomes a lasting
    one. That reaches tests of signs and ranks, not those of means, which are equal by construction.

    Returns
    -------
    float64 (n_users, 2 n_pairs)
        The systems of pair p are 2 p and 2 p + 1.
    """
    first, second = pairs(values.shape[1], n_pairs, rng)
    swap = rng.random((len(values), n_pairs)) < 0.5
    one, other = values[:, first], values[:, second]
    both = np.stack([np.where(swap, other, one), np.where(swap, one, other)], axis=2)
    return both.reshape(len(values), 2 * n_pairs)


def pairs(n_systems: int, n: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Draw n ordered pairs of different systems."""
    first = rng.integers(0, n_systems, n)
    second = rng.integers(0, n_systems - 1, n)
    return first, second + (second >= first)
