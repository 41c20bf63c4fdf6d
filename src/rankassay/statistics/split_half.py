"""Measured reliability: do two disjoint sets of users agree in the ranking of systems?

Two disjoint random sets of n users each are drawn, again and again, from all users; how well the
rankings by their means agree is measured, and compared with what generalizability theory predicts.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Scores
from rankassay.metrics.names import direction
from rankassay.seeds import generator
from rankassay.statistics.generalizability import Components
from rankassay.statistics.judged_systems import as_columns
from rankassay.statistics.orders import settled
from rankassay.statistics.rank_correlation import correlation
from rankassay.types import Floats, Integers

FIRST = 5  # users of the smallest sets
# E rho^2 to this power is tau, or tau_AP, between two sets of topics as the R package gt4ireval
# maps it (functions gt2tau and gt2tauAP; fitted to TREC collections: Urbano, Marrero and Martín,
# SIGIR 2013, figure 3).
EXPONENTS = {"tau_b": 2.84729794002905, "tau_ap": 3.98652984123827}
COLUMNS = (
    *("metric", "cutoff", "users", "against", "coefficient"),
    *("mean", "low", "high", "repetitions", "theory", "mapped"),
)
EQUAL = 1e-12  # of values: smaller relative differences are rounding
SPREAD = 0.95  # the share of the repetitions that low and high hold


@dataclass(frozen=True)
class Halves:
    """The systems' means in two disjoint sets of n users and in all; higher is better."""

    n: int  # users of each set
    measures: Integers  # which of the measures these are
    first: Floats  # (n_measures, repetitions, n_systems)
    second: Floats
    whole: Floats  # (n_measures, 1, n_systems)


def sizes(n_users: int) -> list[int]:
    """Return the numbers of users of a set: 5, its doubles, and half of all users.

    >>> sizes(100)
    [5, 10, 20, 40, 50]
    """
    half, found = n_users // 2, []
    n = FIRST
    while n < half:
        found.append(n)
        n *= 2
    return [*found, half] if half else []


def halves(scores: Scores, repetitions: int, seed: int) -> Iterator[Halves]:
    """Yield the systems' means in random halves of the users, of each size.

    One order of the users is drawn for each repetition. Its first n users are one set, the next n
    the other one, and larger sets hold the smaller ones of the same side. Only users with a value
    by every system count, and measures with the same such users share the draws.
    """
    n_before = 0
    for part in scores.parts():
        signs = np.array([direction(str(measure)) for measure in part.measures], dtype=np.float64)
        for users, measures in complete(part.values):
            numbers = part.values[users][:, :, measures] * signs[measures]
            yield from _halves(numbers, n_before + measures, repetitions, seed)
        n_before += len(signs)


def _halves(numbers: Floats, measures: Integers, repetitions: int, seed: int) -> Iterator[Halves]:
    """Yield the halves of users who all have values, (n_users, n_systems, n_measures)."""
    n_users, n_systems, _ = numbers.shape
    steps = sizes(n_users)
    if not steps or n_systems < 2:
        return
    numbers = numbers.reshape(n_users, -1)
    shape = (len(steps), n_systems, len(measures))
    sums = np.empty((2, repetitions, *shape))
    rng = generator(seed, "split-half")
    for r in range(repetitions):
        order = rng.permutation(n_users)
        for side, own in enumerate((order[: steps[-1]], order[steps[-1] : 2 * steps[-1]])):
            parts = _parts(own, steps, n_users) @ numbers
            sums[side, r] = np.cumsum(parts, axis=0).reshape(shape)
    whole = _means(numbers.sum(axis=0).reshape(1, n_systems, -1), n_users)
    for k, n in enumerate(steps):
        first, second = (_means(own[:, k], n) for own in sums)
        yield Halves(n, measures, first, second, whole)


def complete(values: Floats) -> Iterator[tuple[Integers, Integers]]:
    """Yield the users with a value by every system, and the measures that have these users."""
    known = ~np.isnan(values).any(axis=1)
    groups, which = np.unique(known, axis=1, return_inverse=True)
    for g in range(groups.shape[1]):
        yield np.flatnonzero(groups[:, g]), np.flatnonzero(which.ravel() == g)


def _means(sums: Floats, n: int) -> Floats:
    """Return sums of n users (repetitions, n_systems, n_measures) as means, measures first.

    Means that are equal, but for errors of rounding, have the same bits.
    """
    return settled(np.moveaxis(sums, 2, 0) / n, n)


def _parts(order: Integers, steps: Sequence[int], n_users: int) -> sp.csr_matrix:
    """Return which users each size adds to the one before it, as a matrix of 0 and 1."""
    ends = np.array([0, *steps])
    ones = np.ones(len(order))
    return sp.csr_matrix((ones, order, ends), (len(steps), n_users))


def run(scores: Scores, seed: int, repetitions: int) -> pd.DataFrame:
    """Measure how well the rankings over two sets of users agree, by the size of the sets.

    Returns
    -------
    DataFrame
        One row per measure, size, coefficient and what a set is compared with, with the columns

        - metric, cutoff, users (of a set)
        - against: "half", another set of as many other users, or "all", all users, among which the
          set is
        - coefficient: "pearson", the correlation of the systems' means, or one of their orders,
          "tau_b", "tau_ap" and "rbo" (`rankassay.statistics.rank_correlation`)
        - mean, low, high: the mean over the repetitions, and the range of the middle 95 % of them.
          Repetitions in which a set ties all systems are excluded
        - repetitions: those that count
        - theory: the expectation of generalizability theory (`expected`); NaN of tau_ap and rbo
        - systems: how many there are
        - mapped: E rho^2 as gt4ireval maps it, see `EXPONENTS`; NaN but of tau_b and tau_ap of
          halves
    """
    components = Components.of(scores.columns())
    columns = as_columns(scores.measures)
    parts: list[list[dict]] = [[] for _ in columns]
    for half in halves(scores, repetitions, seed):
        predicted = expected(components, half.n)
        for against, other in (("half", half.second), ("all", half.whole)):
            for name, correlate in COEFFICIENTS.items():
                found = correlate(half.first, np.broadcast_to(other, half.first.shape))
                for m, own in zip(half.measures, found, strict=True):
                    row = {"users": half.n, "against": against, "coefficient": name}
                    row |= _summary(own[~np.isnan(own)])
                    for by in ("theory", "mapped"):
                        row[by] = predicted[by, against, name][m]
                    parts[m].append(columns[m] | row)
    table = pd.DataFrame([row for part in parts for row in part], columns=[*COLUMNS])
    return table.assign(systems=len(scores.systems))


def expected(components: Components, n: int) -> Mapping[tuple[str, str, str], Floats]:
    """Return the predictions of generalizability theory for n users, by source and coefficient.

    Between two sets of n users the systems' means have the expected correlation E rho^2, and
    between a set of n users and all N users ::

        rho = sqrt((var_s + var_e / N) / (var_s + var_e / n))

    Where means are bivariate normal, the expected tau is (2 / pi) arcsin(rho) (Greiner's relation:
    Kendall and Gibbons, Rank Correlation Methods, 1990, section 10.15).

    By ("theory" or "mapped", "half" or "all", coefficient), float64 (n_measures,); NaN for no
    prediction.
    """
    e_rho2 = components.e_rho2(n)
    whole = components.e_rho2(np.maximum(components.n_users, 1))
    # Of both the numerator is var_s: their ratio is that of the two sums of variances.
    share = np.divide(e_rho2, whole, out=np.full(e_rho2.shape, np.nan), where=whole > 0)
    found: dict = defaultdict(lambda: np.full(e_rho2.shape, np.nan))
    for against, rho in (("half", e_rho2), ("all", np.sqrt(share))):
        found["theory", against, "pearson"] = rho
        found["theory", against, "tau_b"] = 2 / np.pi * np.arcsin(np.minimum(rho, 1.0))
    for name, exponent in EXPONENTS.items():
        found["mapped", "half", name] = e_rho2**exponent
    return found


def _pearson(x: Floats, y: Floats) -> Floats:
    """Return Pearson's correlation of the last axis; NaN where one side is constant.

    What rounding leaves of equal means is no difference.
    """
    varies = [np.ptp(side, axis=-1) > EQUAL * np.abs(side).max(axis=-1) for side in (x, y)]
    x, y = (side - side.mean(axis=-1, keepdims=True) for side in (x, y))
    size = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1)) * (varies[0] & varies[1])
    return np.divide((x * y).sum(axis=-1), size, out=np.full(size.shape, np.nan), where=size > 0)


COEFFICIENTS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "pearson": _pearson,
    **{name: correlation(name) for name in ("tau_b", "tau_ap", "rbo")},
}


def _summary(own: Floats) -> dict[str, float]:
    """Return the mean of numbers and the range of the middle ones; NaN of none."""
    tail = (1 - SPREAD) / 2
    low, high = np.quantile(own, [tail, 1 - tail]) if len(own) else (np.nan, np.nan)
    mean = own.mean() if len(own) else np.nan
    return {"mean": mean, "low": low, "high": high, "repetitions": len(own)}
