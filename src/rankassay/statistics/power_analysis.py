"""Power analysis: how many users does detecting a difference between two systems take?

Student's paired t is the test. It depends on the data by how much the users' differences vary
compared with the difference to be detected: the standardised effect d / sd, which differs between
pairs of systems. One pair represents all, see `REPRESENTATIVES`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
import scipy.special

from rankassay.artifacts.arrays import Scores
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.names import direction
from rankassay.seeds import generator
from rankassay.statistics.effect_sizes import moments
from rankassay.statistics.judged_systems import as_columns
from rankassay.types import Booleans, Floats, Integers

# Which pair of systems represents all: the one with the median of the effects, of which half of all
# pairs need no more users; the one with the median among neighbours in the order of means; or the
# one with the least effect, of which no pair needs more.
REPRESENTATIVES = ("median", "neighbours", "worst")
# Shares of the pairs that a number of users suffices for, in addition to half of them.
COVERED = {"required_90": 0.9, "required_worst": 1.0}
POINTS = 25  # numbers of users at which power is measured, between half and twice a first guess
DRAWS = 2**20  # users that are drawn at a time
CELLS = 2**20  # users times pairs that are looked at at a time, at least those of one pair


@dataclass(frozen=True)
class Pair:
    """The pair of systems that stands for all, the better one first."""

    first: int
    second: int
    difference: float  # to be detected, in units of the measure
    sd: float  # of the users' differences, with n - 1
    differences: Floats  # first minus second, of the users who have both values
    n_pairs: (
        int  # that it represents; those whose systems differ by the same for all users are excluded
    )

    @property
    def effect(self) -> float:
        """The difference in standard deviations."""
        return self.difference / self.sd

    def row(self, names: Sequence[str], what: str = "system") -> dict[str, object]:
        """Return the pair as columns of a table; `names` are those of all systems."""
        return {
            "difference": self.difference,
            "pairs": self.n_pairs,
            f"{what}_a": names[self.first],
            f"{what}_b": names[self.second],
            "sd": self.sd,
            "users": len(self.differences),
        }


def t_power(effect: Floats | float, n: Floats | float, alpha: float) -> Floats:
    """Return the power of Student's two-sided paired t, float64.

    ::

        P(|T| > t_{1 - alpha / 2, n - 1})

    with T of the noncentral t distribution with n - 1 degrees of freedom and the noncentrality
    effect sqrt(n). Exact if differences are normal. `effect` and `n` (2 or more) are broadcast.

    Source: Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, section 2.2.
    """
    effect, n = np.broadcast_arrays(np.asarray(effect, float), np.asarray(n, float))
    shift, critical = effect * np.sqrt(n), -scipy.special.stdtrit(n - 1, alpha / 2)
    below, beyond = (scipy.special.nctdtr(n - 1, shift, end) for end in (critical, -critical))
    # Where scipy has NaN for it the shift is so large that only the deviation of the draws counts.
    ratio = np.minimum(shift / critical, 1e100)
    limit = scipy.special.chdtrc(n - 1, (n - 1) * ratio**2)
    below, beyond = np.where(np.isnan(below), limit, below), np.nan_to_num(beyond)
    return 1 - below + beyond


def required(effect: float, alpha: float, target: float) -> float:
    """Return the smallest number of users with whom `t_power` reaches a target.

    At least 2. Beyond a million users it is ::

        (z_{1 - alpha / 2} + z_power)^2 / effect^2 + z_{1 - alpha / 2}^2 / 2

    with quantiles z of the normal distribution (Guenther, The American Statistician 35, 1981).
    """
    significant = -scipy.special.ndtri(alpha / 2)
    z = max(significant + scipy.special.ndtri(target), 0.0)
    if z > 1e150 * effect:
        return math.inf
    guess = math.ceil((z / effect) ** 2 + significant**2 / 2)
    if guess > 1e6:
        return float(guess)
    low, high = 1, max(guess, 2)  # power at `low` falls short, or is not defined
    while t_power(effect, high, alpha) < target:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if t_power(effect, middle, alpha) >= target else (middle, high)
    return float(high)


def required_by_resampling(
    differences: Floats,
    difference: float,
    alpha: float,
    target: float,
    samples: int,
    seed: int,
    most: float = np.inf,
) -> float:
    """Return the smallest number of users with whom the test finds a difference, by resampling.

    The users' differences are shifted to have the mean that is to be found. Of them n are drawn
    with replacement, `samples` times, and tested; power is the share of p-values below alpha. It is
    measured at 25 numbers of users around what the formula gives, and interpolated between those on
    both sides of the target. The same draws serve all of them, so that larger sets hold smaller
    ones. At least 2; NaN where more than `most` users would have to be drawn.
    """
    d = differences - differences.mean() + difference
    guess = required(difference / differences.std(ddof=1), alpha, target)
    low, high = guess / 2, guess * 2
    while high <= most or low < most < high:
        grid = np.unique(np.maximum(np.rint(np.geomspace(low, high, POINTS)), 2)).astype(np.int64)
        grid = grid[grid <= most]
        if not len(grid):
            return np.nan
        found = measured_power(d, grid, alpha, samples, seed)
        if found[0] >= target and grid[0] > 2:
            low /= 2
        elif (found >= target).any():
            return _crossing(grid, found, target)
        elif high > most:
            return np.nan
        else:
            high *= 2
    return np.nan


def measured_power(d: Floats, grid: Integers, alpha: float, samples: int, seed: int) -> Floats:
    """Return the share of samples of the differences `d` in which Student's t is significant.

    `grid` are increasing numbers of users. A sample of equal differences is not significant: where
    two systems tie for most users, most small samples are such, and the shift would make their t
    infinite.
    """
    rng = generator(seed, "power")
    critical = -scipy.special.stdtrit(grid - 1.0, alpha / 2)
    starts = np.array([0, *grid[:-1]])
    count = np.zeros(len(grid), dtype=np.int64)
    batch = max(1, DRAWS // int(grid[-1]))
    for first in range(0, samples, batch):
        x = d[rng.integers(0, len(d), (min(batch, samples - first), int(grid[-1])))]
        total = np.cumsum(np.add.reduceat(x, starts, axis=1), axis=1)
        squares = np.cumsum(np.add.reduceat(x * x, starts, axis=1), axis=1)
        spread = np.maximum(squares - total**2 / grid, 0.0) * grid / (grid - 1)
        varies = np.logical_or.accumulate(np.logical_or.reduceat(x != x[:, :1], starts, 1), axis=1)
        # t = total / sqrt(spread)
        count += (varies & (np.abs(total) > critical * np.sqrt(spread))).sum(axis=0)
    return count / samples


def _crossing(grid: Integers, found: Floats, target: float) -> float:
    """Return the first number of users at which power reaches the target, between two of a grid."""
    k = int(np.argmax(found >= target))
    if k == 0:
        return float(grid[0])
    share = (target - found[k - 1]) / (found[k] - found[k - 1])
    return float(math.ceil(grid[k - 1] + share * (grid[k] - grid[k - 1]) - 1e-9))


@dataclass(frozen=True)
class Pairs:
    """The users' differences of all pairs of systems: means and standard deviations."""

    values: Floats  # (n_users, n_systems); NaN for users without one
    first: Integers  # the systems of each pair, the better one first, (n_pairs,)
    second: Integers
    mean: Floats  # the better system's, over all users who have a value by it
    sd: Floats  # with n - 1; NaN where the two differ by the same for all users
    neighbours: Booleans  # whether no other system is between the two

    @classmethod
    def of(cls, x: Floats, sign: int = 1, rounding: float = 1e-12) -> Self:
        """Compare all systems of values, float64 (n_users, n_systems).

        `sign` is -1 where lower values are better, and `rounding` the share of the largest value
        below which a deviation is none. A system without any value is excluded.
        """
        means = aggregate(x)
        best = np.argsort(-sign * means, kind="stable")  # NaN last
        best = best[: np.isfinite(means).sum()]
        a, b = np.triu_indices(len(best), k=1)
        first, second, sd = best[a], best[b], np.empty(len(a))
        # The differences of all pairs would take ten times the memory of the values.
        step = max(1, CELLS // max(len(x), 1))
        for block in (slice(start, start + step) for start in range(0, len(a), step)):
            sd[block] = moments(x[:, first[block]] - x[:, second[block]]).deviation
        # What rounding leaves of equal differences is no deviation.
        sd[sd <= rounding * np.nanmax(np.abs(x), initial=0.0)] = np.nan
        return cls(x, first, second, np.abs(means[first]), sd, b == a + 1)

    def wanted(self, percent: float | None, difference: float | None) -> Floats:
        """Return the difference to be found of each pair: absolute, or in percent of `mean`."""
        return np.full(len(self.mean), difference) if percent is None else percent / 100 * self.mean

    def chosen(self, percent: float | None, difference: float | None, pair: str) -> Pair | None:
        """Return the pair that stands for all, or None where none can; see `REPRESENTATIVES`.

        To be found are `percent` of the better system's mean, or an absolute difference. Of an even
        number of pairs, the median is the lesser of the two effects in the middle.
        """
        ranked, _ = self._ranked(percent, difference, pair)
        if not len(ranked):
            return None
        wanted = self.wanted(percent, difference)
        k = ranked[0] if pair == "worst" else ranked[(len(ranked) - 1) // 2]
        own = self.values[:, self.first[k]] - self.values[:, self.second[k]]
        return Pair(
            int(self.first[k]),
            int(self.second[k]),
            float(wanted[k]),
            float(self.sd[k]),
            own[~np.isnan(own)],
            len(ranked),
        )

    def most(
        self,
        percent: float | None,
        difference: float | None,
        pair: str,
        alpha: float,
        target: float,
    ) -> dict[str, float]:
        """Return the users with whom most pairs differ significantly, by the names of `COVERED`.

        The smallest number that is enough for that share of the pairs which `chosen` represents;
        raises ValueError where there is none.
        """
        ranked, effects = self._ranked(percent, difference, pair)
        if not len(ranked):
            raise ValueError("expected a pair of systems that varies, found none.")
        found = {}
        for name, share in COVERED.items():
            least = ranked[len(ranked) - math.ceil(round(share * len(ranked), 9))]
            found[name] = required(float(effects[least]), alpha, target)
        return found

    def _ranked(
        self, percent: float | None, difference: float | None, pair: str
    ) -> tuple[Integers, Floats]:
        """Return the pairs that vary, from the least effect on, and the effects of all pairs."""
        with np.errstate(invalid="ignore"):
            effects = self.wanted(percent, difference) / self.sd
        candidates = np.flatnonzero(effects > 0)
        if pair == "neighbours":
            candidates = candidates[self.neighbours[candidates]]
        return candidates[np.argsort(effects[candidates], kind="stable")], effects


def required_users(
    scores: Scores,
    seed: int,
    percentages: list[float],
    differences: list[float],
    alpha: float,
    power: float,
    pair: str,
    resampled_cutoffs: list[int],
    samples: int,
    most_users: int,
) -> pd.DataFrame:
    """Estimate for each measure how many users detecting a difference takes.

    Returns
    -------
    DataFrame
        One row per measure, difference and number of tests, with the columns metric, cutoff,
        percent (of the better system's mean; NaN where the difference is absolute), difference,
        tests (1, or all pairs of systems, for whose number alpha is divided by Bonferroni's
        method), alpha (of each test), power, pair (how the pair was chosen that stands for all),
        pairs (that it stands for), system_a, system_b (the pair, the better system first), sd (of
        its users' differences), users (who have both values), required (by formula), required_90
        and required_worst (with whom the difference is found for 90% of the pairs that it stands
        for, and for all of them), and resampled (as required, by resampling; NaN at other cut-offs,
        and where it would take too many draws).
    """
    rows = []
    n_systems = len(scores.systems)
    all_pairs = n_systems * (n_systems - 1) // 2
    sought = [(p, None) for p in percentages] + [(None, d) for d in differences]
    for measure, values in zip(as_columns(scores.measures), scores.columns(), strict=True):
        pairs = Pairs.of(values, direction(str(measure["metric"])))
        resampled = measure["cutoff"] is None or measure["cutoff"] in resampled_cutoffs
        for percent, difference in sought:
            own = pairs.chosen(percent, difference, pair)
            if own is None:
                continue
            for tests in dict.fromkeys((1, all_pairs)):
                level = alpha / tests
                row = measure | {"percent": percent} | own.row(scores.systems)
                row |= {"tests": tests, "alpha": level, "power": power, "pair": pair}
                row["required"] = required(own.effect, level, power)
                row |= pairs.most(percent, difference, pair, level, power)
                how = own.differences, own.difference, level, power, samples, seed, most_users
                row["resampled"] = required_by_resampling(*how) if resampled else np.nan
                rows.append(row)
    return pd.DataFrame(rows, columns=[*REQUIRED])


REQUIRED = (
    *("metric", "cutoff", "percent", "difference", "tests", "alpha", "power", "pair", "pairs"),
    *("system_a", "system_b", "sd", "users", "required", *COVERED, "resampled"),
)
USERS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
CURVE = ("metric", "cutoff", "percent", "difference", "users", "power", "there")


def power(scores: Scores, percentages: list[float], alpha: float, pair: str) -> pd.DataFrame:
    """Return the power with which each measure finds a difference, by the number of users.

    Returns
    -------
    DataFrame
        One row per measure, difference and number of users, with the columns metric, cutoff,
        percent, difference, users, power (by formula, of a single test at alpha) and there (the
        users that the data has).
    """
    rows = []
    for measure, values in zip(as_columns(scores.measures), scores.columns(), strict=True):
        pairs = Pairs.of(values, direction(str(measure["metric"])))
        for percent in percentages:
            own = pairs.chosen(percent, None, pair)
            if own is None:
                continue
            found = t_power(own.effect, np.array(USERS), alpha)
            for n, reached in zip(USERS, found, strict=True):
                row = measure | {"percent": percent, "difference": own.difference, "users": n}
                rows.append(row | {"power": float(reached), "there": len(own.differences)})
    return pd.DataFrame(rows, columns=[*CURVE])
