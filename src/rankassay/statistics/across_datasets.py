"""Is a system better across datasets? Demsar's procedure, a Bayesian test, and a mixed model.

Values by a metric on different datasets cannot be averaged, but their ranks can. Friedman's test
with the correction of Iman and Davenport tests whether all systems are equal; Nemenyi's which pairs
of average ranks differ significantly. The Bayesian signed-rank test gives the probability that a
difference matters, or does not. The mixed model tests whether metrics, in the place of systems,
differ where some datasets have the same source.

Values are float64 (n_datasets, n_systems) of which higher is better; there are no missing ones.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy  # its parts are imported on use: scipy.stats takes half a second

from rankassay.seeds import generator
from rankassay.statistics.region import Region
from rankassay.types import Floats, Integers

# Datasets: of fewer, even the exact sign test of two systems cannot reach p < 0.05 (2 / 2^5).
ENOUGH = 6
BLOCK = 5000  # draws at a time
HUGE = 1e300  # a difference larger than any share of the better value
PRIOR = 0.5  # the weight of the pseudo-observation without a difference, as in baycomp
NONE = 1e-18  # the share of a sum of squares that rounding leaves of nothing


@dataclass(frozen=True)
class Friedman:
    """The test of the null hypothesis that all systems are alike.

    Where all systems are equal, both statistics are NaN, and p is 1.
    """

    ranks: Floats  # the average ones, 1 is the best, equal systems with the mean of theirs
    chi2: float  # Friedman's statistic, corrected for ties
    p_chi2: float
    # Of Iman and Davenport, which is less conservative. Where all datasets give the same ranking,
    # the statistic is infinite, and p the exact probability of that.
    f: float
    p: float


def friedman(values: Floats) -> Friedman:
    """Test whether all systems are alike.

    With N datasets, k systems and the average ranks R_j, ::

        chi2 = 12 N / (k (k + 1)) (sum_j R_j^2 - k (k + 1)^2 / 4) / C,
        C = 1 - sum (t^3 - t) / (N k (k^2 - 1)) over the sets of t equal systems on a dataset,
        F = (N - 1) chi2 / (N (k - 1) - chi2)  with k - 1 and (k - 1) (N - 1) degrees of freedom

    Source: Demsar, JMLR 7, 2006, section 3.2.2; Iman and Davenport, Communications in Statistics A
    9, 1980.
    """
    n, k = values.shape
    by_dataset = scipy.stats.rankdata(-values, axis=1)
    ranks = by_dataset.mean(axis=0)
    # The sum of squares says what the ties take away: without any it is k (k + 1) (2 k + 1) / 6.
    spread = (by_dataset**2).sum() - n * k * (k + 1) ** 2 / 4
    if spread == 0:
        return Friedman(ranks, np.nan, 1.0, np.nan, 1.0)
    chi2 = n**2 * (k - 1) * ((ranks - (k + 1) / 2) ** 2).sum() / spread
    rest = n * (k - 1) - chi2
    alike = rest <= 1e-9 * n * (k - 1)  # what rounding leaves of nothing
    f = np.inf if alike else (n - 1) * chi2 / rest
    p = (
        _chance(by_dataset[0]) ** (n - 1)
        if alike
        else scipy.stats.f.sf(f, k - 1, (k - 1) * (n - 1))
    )
    return Friedman(ranks, float(chi2), float(scipy.stats.chi2.sf(chi2, k - 1)), float(f), float(p))


def _chance(ranks: Floats) -> float:
    """Return the probability that a random order of the systems has the same ranks."""
    ties = np.unique(ranks, return_counts=True)[1]
    return math.prod(map(math.factorial, ties.tolist())) / math.factorial(len(ranks))


def critical_difference(n_datasets: int, n_systems: int, alpha: float) -> float:
    """Return how far two average ranks have to be apart, by Nemenyi's test.

    ::

        CD = q_alpha sqrt(k (k + 1) / (6 N)),

    with q_alpha the quantile of the studentised range of k means, divided by the root of 2
    (Demsar, JMLR 7, 2006, section 3.2.2 and table 5).
    """
    return float(_quantile(n_systems, alpha) / np.sqrt(2) * _error(n_datasets, n_systems))


@functools.lru_cache
def _quantile(n_systems: int, alpha: float) -> float:
    """Return the quantile of the studentised range, which many measures have in common."""
    return float(scipy.stats.studentized_range.ppf(1 - alpha, n_systems, np.inf))


def nemenyi(ranks: Floats, n_datasets: int) -> Floats:
    """Return Nemenyi's p-values of average ranks, float64 (n_systems, n_systems)."""
    k = len(ranks)
    apart = np.abs(ranks[:, None] - ranks) / _error(n_datasets, k) * np.sqrt(2)
    # The distribution is a slow double integral: each distinct difference is asked for once.
    distinct, where = np.unique(apart.round(9), return_inverse=True)
    p = np.where(distinct > 0, scipy.stats.studentized_range.sf(distinct, k, np.inf), 1.0)
    return np.clip(p[where].reshape(k, k), 0.0, 1.0)


def _error(n_datasets: int, n_systems: int) -> float:
    """Return the standard error of a difference of average ranks."""
    return float(np.sqrt(n_systems * (n_systems + 1) / (6 * n_datasets)))


def relative(first: Floats, second: Floats, region: Region) -> tuple[Floats, float]:
    """Return the differences on datasets, and the half width of the region that belongs to them.

    With a region in percent, differences are shares of the better value (the higher one). Where
    that is 0 and the other is not, as of errors of which the lowest is the best, the difference is
    greater than any share: such ones are HUGE, and two of both signs cancel out.
    """
    d = first - second
    if not region.relative:
        return d, region.size
    better = np.abs(np.maximum(first, second))
    with np.errstate(over="ignore"):
        shares = np.divide(d, better, out=np.sign(d) * HUGE, where=better > 0)
    return np.clip(shares, -HUGE, HUGE), region.size


def signed_rank(differences: Floats, margin: float, samples: int, seed: int) -> Floats:
    """Return how probable it is that the first system is better, neither is, or the second is.

    With z_0 = 0 of weight 1/2 and the differences z_1 to z_n of weight 1 each, and weights w drawn
    from the Dirichlet distribution with these parameters, ::

        theta_+ = sum_{i, j} w_i w_j [z_i + z_j > 2 r],  theta_- likewise below -2 r

    where what lies on the border counts half, and the rest is the region of practical equivalence.
    The probabilities are the shares of draws in which each of the three is the largest.

    `differences` are float64 (n_datasets, n_pairs), and `margin` is r, half the width of the
    region. The draws are the same for all pairs; the result is float64 (3, n_pairs).

    Source: Benavoli, Corani, Demsar and Zaffalon, JMLR 18, 2017, section 4.2; Benavoli et al., ICML
    2014.
    """
    z = np.vstack([np.zeros(differences.shape[1]), differences])
    i, j = np.triu_indices(len(z))
    sums, twice = z[i] + z[j], np.where(i == j, 1.0, 2.0)[:, None]
    sides = [twice * np.heaviside(side - 2 * margin, 0.5) for side in (sums, -sums)]
    rng = generator(seed, "signed-rank")
    alpha = np.array([PRIOR, *[1.0] * len(differences)])
    won = np.zeros((3, z.shape[1]))
    for first in range(0, samples, BLOCK):
        w = rng.dirichlet(alpha, min(BLOCK, samples - first))
        products = w[:, i] * w[:, j]
        # Draws in which two are equal but for rounding do not occur: weights are continuous.
        above, below = (products @ side for side in sides)
        largest = np.stack([above, 1 - above - below, below]).argmax(axis=0)
        won += [(largest == which).sum(axis=0) for which in range(3)]
    return won / samples


def compared(
    values: Floats,
    names: Sequence[str],
    region: Region,
    alpha: float,
    samples: int,
    seed: int,
) -> pd.DataFrame:
    """Compare all pairs of systems, where a region in percent is of the better value on a dataset.

    One row per pair, the one with the better average rank as a. Columns system_a, system_b,
    rank_a, rank_b, wins, losses and ties (the datasets on which a is better, worse or equal),
    p_nemenyi, probably_a, probably_equivalent and probably_b (of `signed_rank`), apart (whether
    a differs significantly from b: both the test of Iman and Davenport and Nemenyi's reject at
    alpha, on `ENOUGH` datasets or more); and of all systems datasets, p_friedman (of Iman and
    Davenport) and critical_difference.
    """
    n = len(values)
    test = friedman(values)
    p = nemenyi(test.ranks, n)
    order = np.argsort(test.ranks, kind="stable")
    first, second = np.triu_indices(len(order), k=1)
    a, b = order[first], order[second]
    d, margin = relative(values[:, a], values[:, b], region)
    probable = signed_rank(d, margin, samples, seed)
    apart = (p[a, b] < alpha) & (test.p < alpha) & (n >= ENOUGH)
    return pd.DataFrame(
        {
            "system_a": [names[i] for i in a],
            "system_b": [names[i] for i in b],
            "rank_a": test.ranks[a],
            "rank_b": test.ranks[b],
            "wins": (d > 0).sum(axis=0),
            "losses": (d < 0).sum(axis=0),
            "ties": (d == 0).sum(axis=0),
            "p_nemenyi": p[a, b],
            "probably_a": probable[0],
            "probably_equivalent": probable[1],
            "probably_b": probable[2],
            "apart": apart,
            "datasets": n,
            "p_friedman": test.p,
            "critical_difference": critical_difference(n, len(names), alpha),
        }
    )


@dataclass(frozen=True)
class MixedModel:
    """The test of the null hypothesis that all metrics have the same mean."""

    # rho, the share of the variance that datasets of one source have in common; 0 where each source
    # has one dataset, from which it cannot be estimated and on which F does not depend.
    share: float
    # The Wald statistic and its p-value; NaN and 1 where all metrics are equal on each dataset.
    f: float
    p: float


def mixed_model(values: Floats, sources: Integers) -> MixedModel:
    """Test whether all metrics are alike on datasets of which some have the same source.

    The value of metric m on dataset d of source f has a fixed effect of the dataset, one of the
    metric, and a random one of the metric on that source, which all its datasets share, ::

        y_dm = a_d + mu_m + b_fm + e_dm,    b_fm ~ N(0, rho s^2),    e_dm ~ N(0, (1 - rho) s^2)

    Orthonormal contrasts of the k metrics remove a_d and are k - 1 independent variables, each with
    the same variances: a one-way model of random effects. Sums of squares over the contrasts are
    those of the values centred within their dataset.

    With n_f datasets of each of S sources, n in all, the means z_f over a source of the values
    centred within their dataset, and W the sum of their squared distances from these, ::

        w_f = 1 / (rho + (1 - rho) / n_f),    mu = sum_f w_f z_f / sum_f w_f,
        Q = W / (1 - rho) + sum_f w_f |z_f - mu|^2,    s^2 = Q / ((n - 1) (k - 1)),
        F = sum_f w_f |mu|^2 / ((k - 1) s^2)  with k - 1 and (S - 1) (k - 1) degrees of freedom

    where rho minimises -2 / (k - 1) times the log of the restricted likelihood (REML), ::

        (n - 1) log Q + log sum_f w_f + sum_f ((n_f - 1) log(1 - rho) + log(1 + (n_f - 1) rho))

    With one dataset of each source, it is the F test of a two-way analysis of variance without
    interaction. Datasets of a source that do not differ count as one.

    `sources`, int64 (n_datasets,), are 0, 1, ..., of which there are two or more.

    Source: Laird and Ware, Biometrics 38, 1982; Searle, Casella and McCulloch, Variance Components,
    1992, chapters 3 and 6.
    """
    k = values.shape[1]
    y = values - values.mean(axis=1, keepdims=True)
    squares = (y**2).sum()
    if squares <= NONE * (values**2).sum():
        return MixedModel(0.0, np.nan, 1.0)
    sizes = np.bincount(sources)
    z = np.array([y[sources == source].mean(axis=0) for source in range(len(sizes))])
    within = ((y - z[sources]) ** 2).sum()
    if within <= NONE * squares:
        sizes, within = np.ones_like(sizes), 0.0
    n = sizes.sum()

    def fitted(rho: float) -> tuple[float, float]:
        """Return what REML minimises, and F."""
        weights = 1 / (rho + (1 - rho) / sizes)
        mu = weights @ z / weights.sum()
        q = within / (1 - rho) + weights @ ((z - mu) ** 2).sum(axis=1)
        logs = (sizes - 1) * np.log1p(-rho) + np.log1p((sizes - 1) * rho)
        with np.errstate(divide="ignore"):  # of datasets without any residual
            reml = (n - 1) * np.log(q) + np.log(weights.sum()) + logs.sum()
            return float(reml), float((n - 1) * weights.sum() * (mu @ mu) / q)

    share, (least, f) = 0.0, fitted(0.0)
    if n > len(sizes):
        found = scipy.optimize.minimize_scalar(
            lambda rho: fitted(rho)[0], bounds=(0, 1), options={"xatol": 1e-9}
        )
        if found.fun < least:
            share, (_, f) = float(found.x), fitted(found.x)
    return MixedModel(share, f, float(scipy.stats.f.sf(f, k - 1, (k - 1) * (len(sizes) - 1))))
