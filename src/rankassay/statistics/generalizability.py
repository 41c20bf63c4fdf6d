"""Generalizability theory: how much of the differences between systems is due to the users?

A user's value by a system is taken for a sum of independent effects, ::

    x_us = mean + user_u + system_s + residual_us

and a two-way analysis of variance without replication estimates the variance of each (Cronbach et
al., 1972; Brennan, Generalizability Theory, 2001; for test collections Bodoff and Li, SIGIR 2007,
and Urbano, Marrero and Martín, SIGIR 2013). The residual holds what a user likes in a system, and
all other noise.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
import scipy.special

from rankassay.artifacts.arrays import Scores
from rankassay.statistics.judged_systems import as_columns
from rankassay.statistics.small_differences import EQUAL
from rankassay.types import Floats, Integers

CONFIDENCE = 0.95  # of intervals in tables
Interval = tuple[Floats, Floats]


@dataclass(frozen=True)
class Components:
    """The mean squares of an analysis of variance, of any number of measures."""

    n_users: Integers  # with a value by every system; others are excluded
    n_systems: int
    systems: Floats  # the mean squares MS_s, MS_u and MS_e; NaN of fewer than two
    users: Floats
    residual: Floats

    @classmethod
    def of(cls, columns: Iterable[Floats]) -> Self:
        """Analyse the values by each measure, float64 (n_users, n_systems).

        ::

            MS_s = n_u sum_s (x_s - x)^2 / (n_s - 1),    MS_u = n_s sum_u (x_u - x)^2 / (n_u - 1),
            MS_e = sum_us (x_us - x_u - x_s + x)^2 / ((n_u - 1) (n_s - 1))

        Mean squares that are no more than what rounding leaves of the largest value are 0.
        """
        n_users, n_systems, squares = [], 0, []
        for x in columns:
            x = x[~np.isnan(x).any(axis=1)]
            n, n_systems = x.shape
            n_users.append(n)
            squares.append((np.nan,) * 3 if n < 2 or n_systems < 2 else _mean_squares(x))
        return cls(np.array(n_users), n_systems, *np.array(squares).reshape(-1, 3).T)

    @property
    def variance_systems(self) -> Floats:
        """The variance of systems, (MS_s - MS_e) / n_u; 0 where that is negative."""
        return np.maximum(self.systems - self.residual, 0.0) / np.maximum(self.n_users, 1)

    @property
    def variance_users(self) -> Floats:
        """The variance of users, (MS_u - MS_e) / n_s; 0 where that is negative."""
        return np.maximum(self.users - self.residual, 0.0) / self.n_systems

    @property
    def variance_residual(self) -> Floats:
        """The variance of the residual, MS_e."""
        return self.residual

    def e_rho2(self, n: float | Floats) -> Floats:
        """Return how reliable differences between systems are with n users, float64 (...).

        ::

            E rho^2 = var_s / (var_s + var_e / n)

        It is the expected correlation of the systems' means by two sets of n users, the
        generalizability coefficient. NaN where all values are equal.
        """
        return at(self.e_rho2_ratio, n)

    def phi(self, n: float | Floats) -> Floats:
        """Return how reliable the means themselves are with n users, float64 (...).

        ::

            Phi = var_s / (var_s + (var_u + var_e) / n)

        which differs from E rho^2 by how hard users are; the index of dependability.
        """
        return at(self.phi_ratio, n)

    @property
    def e_rho2_ratio(self) -> Floats:
        """var_s / var_e."""
        return _ratio(self.variance_systems, self.variance_residual)

    @property
    def phi_ratio(self) -> Floats:
        """var_s / (var_u + var_e)."""
        return _ratio(self.variance_systems, self.variance_users + self.variance_residual)

    def e_rho2_ratios(self, confidence: float) -> Interval:
        """Return the interval of var_s / var_e.

        ::

            (MS_s / (MS_e F) - 1) / n_u

        with F the (1 + confidence) / 2 and (1 - confidence) / 2 quantiles of the F distribution
        with n_s - 1 and (n_s - 1) (n_u - 1) degrees of freedom. It is exact if all effects are
        normal. Below 0 it is 0.

        Source: Feldt, Psychometrika 30, 1965; Brennan, 2001, section 6.1.
        """
        s, e = self.systems, self.residual

        def end(p: float) -> Floats:
            f = self._quantiles(p)[0]
            return np.maximum(_ratio(s / f - e, e) / np.maximum(self.n_users, 1), 0.0)

        return end((1 + confidence) / 2), end((1 - confidence) / 2)

    def phi_ratios(self, confidence: float) -> Interval:
        """Return the interval of var_s / (var_u + var_e).

        ::

            n_s (MS_s^2 - F_0 MS_s MS_e + (F_0 - F_e) F_e MS_e^2)
            / (n_u ((n_s - 1) F_0 MS_s MS_e + F_u MS_s MS_u))

        with F_0, F_e and F_u quantiles of F distributions with n_s - 1 degrees of freedom over
        endless ones, (n_s - 1) (n_u - 1) and n_u - 1; an approximation. Below 0 it is 0.

        Source: Arteaga, Jeyaratnam and Franklin, Communications in Statistics: Theory and Methods
        11, 1982; Brennan, 2001, section 6.1.
        """
        s, u, e = self.systems, self.users, self.residual

        def end(p: float) -> Floats:
            f_e, f_u, f_0 = self._quantiles(p)
            top = s**2 - f_0 * s * e + (f_0 - f_e) * f_e * e**2
            below = (self.n_systems - 1) * f_0 * s * e + f_u * s * u
            return np.maximum(
                _ratio(self.n_systems * top, below * np.maximum(self.n_users, 1)), 0.0
            )

        return end((1 + confidence) / 2), end((1 - confidence) / 2)

    def ratios(self, confidence: float) -> dict[str, tuple[Floats, Floats, Floats]]:
        """Return by coefficient the ratio of variances that makes it, and the interval's ends."""
        return {
            "e_rho2": (self.e_rho2_ratio, *self.e_rho2_ratios(confidence)),
            "phi": (self.phi_ratio, *self.phi_ratios(confidence)),
        }

    def _quantiles(self, p: float) -> tuple[Floats, Floats, Floats]:
        """Return the quantiles of F with n_s - 1 degrees of freedom, over those of MS_e and MS_u.

        The last one is over endless degrees of freedom.
        """
        own = max(self.n_systems - 1, 1)
        over = np.maximum(self.n_users - 1, 1)
        endless = scipy.special.chdtri(own, 1 - p) / own
        f_e, f_u = (scipy.special.fdtri(own, n, p) for n in (own * over, over))
        return f_e, f_u, np.full_like(f_e, endless)


def at(ratio: Floats, n: float | Floats) -> Floats:
    """Return the coefficient with n users, n r / (1 + n r), of a ratio of variances r."""
    product = np.asarray(n * ratio, dtype=np.float64)
    finite = np.isfinite(product)
    share = np.divide(product, 1 + product, out=np.ones_like(product), where=finite)
    return np.where(np.isnan(product), np.nan, share)


def needed(ratio: Floats, level: float) -> Floats:
    """Return the users with whom a coefficient reaches a level, float64 (...).

    ::

        n = ceil(level / (r (1 - level)))

    of a ratio of variances r, at least 1; infinite where r is 0, and NaN where it is.
    """
    wanted = level / (1 - level)
    endless = np.where(np.isnan(ratio), np.nan, np.inf)
    # What rounding adds to a whole number is not one user more.
    exact = np.divide(wanted, ratio, out=endless, where=ratio > 0) * (1 - 1e-12)
    return np.maximum(np.ceil(exact), 1.0)


def run(scores: Scores, levels: list[float]) -> pd.DataFrame:
    """Estimate how reliable each measure's ranking of systems is.

    Returns
    -------
    DataFrame
        One row per measure and level, with the columns metric, cutoff, users (who have a value by
        every system), systems, variance_systems, variance_users, variance_residual, e_rho2 and phi
        (with as many users), each with low and high, level, and needed_e_rho2 and needed_phi (the
        users with whom the coefficients reach the level, infinite if none would do), each with
        low and high.
    """
    found = Components.of(scores.columns())
    n = found.n_users
    columns = {"users": n, "systems": found.n_systems}
    columns |= {
        f"variance_{name}": getattr(found, f"variance_{name}")
        for name in ("systems", "users", "residual")
    }
    ratios = found.ratios(CONFIDENCE)
    for name, (ratio, low, high) in ratios.items():
        columns[name] = at(ratio, n)
        columns[f"{name}_low"], columns[f"{name}_high"] = at(low, n), at(high, n)
    table = pd.DataFrame(as_columns(scores.measures)).assign(**columns)
    parts = []
    for level in levels:
        own = {"level": level}
        for name, (ratio, low, high) in ratios.items():
            own[f"needed_{name}"] = needed(ratio, level)
            own[f"needed_{name}_low"] = needed(high, level)
            own[f"needed_{name}_high"] = needed(low, level)
        parts.append(table.assign(**own))
    return pd.concat(parts).sort_index(kind="stable").reset_index(drop=True)


def _mean_squares(x: Floats) -> tuple[float, float, float]:
    """Return the mean squares of systems, users and the residual, of values without gaps."""
    n_users, n_systems = x.shape
    own = np.abs(x).max()
    x = x - x[0, 0]  # what all share only makes sums larger
    mean, by_user, by_system = x.mean(), x.mean(axis=1), x.mean(axis=0)
    residual = x - by_user[:, None] - by_system + mean
    degrees = (n_systems - 1) * (n_users - 1)
    found = (
        n_users * ((by_system - mean) ** 2).sum() / (n_systems - 1),
        n_systems * ((by_user - mean) ** 2).sum() / (n_users - 1),
        (residual**2).sum() / degrees,
    )
    noise = (EQUAL * own) ** 2
    return tuple(0.0 if square <= noise else float(square) for square in found)


def _ratio(top: Floats, below: Floats) -> Floats:
    """Return a ratio: infinite over 0, and NaN of 0 and 0."""
    endless = np.where(np.asarray(top) > 0, np.inf, np.where(np.asarray(top) < 0, -np.inf, np.nan))
    return np.divide(top, below, out=endless.astype(np.float64), where=below > 0)
