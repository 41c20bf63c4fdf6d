"""Effect sizes of paired values, and whether a difference is too small to matter.

With thousands of users nearly every difference is significant. How large it is, and whether it is
shown to be smaller than what matters, says more: its t interval, Cohen's d_z, the probability of
superiority, and two one-sided tests (TOST) against a region of equivalence.
"""

from typing import NamedTuple

import numpy as np
import scipy.special

from rankassay.statistics import small_differences
from rankassay.statistics.region import Region
from rankassay.types import Floats, Integers


class Moments(NamedTuple):
    """Of differences: how many there are, their means, and their standard deviations."""

    n: Integers
    mean: Floats
    deviation: Floats  # 0 where all are the same

    @property
    def freedom(self) -> Integers:
        """Degrees of freedom, at least 1."""
        return np.maximum(self.n - 1, 1)

    @property
    def error(self) -> Floats:
        """The standard error of the mean; NaN of fewer than two differences."""
        return np.where(self.n > 1, self.deviation, np.nan) / np.sqrt(np.maximum(self.n, 1))


def effects(
    first: Floats, second: Floats, sign: int, region: Region | None = None
) -> dict[str, Floats | Integers]:
    """Return how large the differences between pairs of systems are, (n_pairs,) by column.

    `first` and `second` are (n_users, n_pairs), of which users without a value (NaN) in one do not
    count; `sign` is 1 if higher values are better, -1 if lower ones are. The columns are n_users;
    low and high, the t interval of the mean of first minus second; d_z; superiority, that of the
    first system; and, with a region, region, the e that it is for each pair, and p_equivalence. A
    region in percent is taken as if e were known and not estimated.
    """
    d = small_differences.differences(first, second)
    d[np.isnan(first) | np.isnan(second)] = np.nan
    of = moments(d)
    low, high = t_interval(of)
    found = {"n_users": of.n, "low": low, "high": high, "d_z": cohens_d_z(of)}
    found |= {"superiority": superiority(sign * d)}
    if region is not None:
        both = np.where(np.isnan(d), np.nan, first)
        count = np.maximum(of.n, 1)
        mean = np.where(of.n > 0, np.nansum(both, axis=0) / count, np.nan)
        width = region.width(mean, mean - of.mean, sign)
        found |= {"region": width, "p_equivalence": equivalence(of, width)}
    return found


def cohens_d_z(of: Moments) -> Floats:
    """Return Cohen's effect size of paired values.

    ::

        d_z = mean(d) / sd(d),  with n - 1 in the standard deviation

    so that Student's paired t is d_z sqrt(n). 0 where no user has a difference, infinite where all
    have the same one, and NaN of fewer than two (Cohen, Statistical Power Analysis for the
    Behavioral Sciences, 1988, section 2.3.5).
    """
    infinite = np.where(of.mean == 0, 0.0, np.copysign(np.inf, of.mean))
    found = np.divide(of.mean, of.deviation, out=infinite, where=of.deviation > 0)
    return np.where(of.n > 1, found, np.nan)


def superiority(differences: Floats) -> Floats:
    """Return the probability of superiority of paired values (n_users, ...), NaN for no value.

    ::

        PS = (#{d_u > 0} + #{d_u = 0} / 2) / n

    is the chance that a user at random is better off with the first system; ties count half
    (Grissom and Kim, Effect Sizes for Research, 2012, chapter 5; half of the ties: Vargha and
    Delaney, Journal of Educational and Behavioral Statistics 25, 2000).
    """
    n = (~np.isnan(differences)).sum(axis=0)
    won = (differences > 0).sum(axis=0) + 0.5 * (differences == 0).sum(axis=0)
    return np.where(n > 0, won / np.maximum(n, 1), np.nan)


def moments(differences: Floats) -> Moments:
    """Return the moments of differences (n_users, ...), of which NaN does not count."""
    counted = ~np.isnan(differences)
    n = counted.sum(axis=0)
    mean = np.where(counted, differences, 0.0).sum(axis=0) / np.maximum(n, 1)
    squares = np.where(counted, (differences - mean) ** 2, 0.0).sum(axis=0)
    deviation = np.sqrt(squares / np.maximum(n - 1, 1))
    # What rounding leaves of equal differences is no deviation.
    same = deviation <= 1e-12 * np.abs(mean)
    return Moments(n, mean, np.where(same, 0.0, deviation))


def t_interval(of: Moments, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return the ends of Student's interval of the mean; NaN where fewer than two users count.

    ::

        mean(d) -+ t_{n-1, (1 + level) / 2} sd(d) / sqrt(n)
    """
    half = scipy.special.stdtrit(of.freedom, (1 + level) / 2) * of.error
    return of.mean - half, of.mean + half


def equivalence(of: Moments, margin: Floats | float) -> Floats:
    """Return the p-values of two one-sided t tests (TOST): the mean lies between -e and e.

    ::

        p = max(p of H0: mean <= -e, p of H0: mean >= e)

    It is below alpha where the t interval of level 1 - 2 alpha lies within the region, and then the
    system with the worse mean is shown to be no worse (`above`), too (Schuirmann, Journal of
    Pharmacokinetics and Biopharmaceutics 15, 1987).
    """
    worst = -np.asarray(margin)
    return np.maximum(above(of, worst), above(of._replace(mean=-of.mean), worst))


def above(of: Moments, bound: Floats | float) -> Floats:
    """Return the p-values of H0: mean <= bound, one-sided.

    ::

        t = (mean(d) - bound) / (sd(d) / sqrt(n))

    Where d is higher for a better system, it is no worse by e or more if the mean is above -e
    (non-inferiority). 0 or 1 where all users have the same difference, and NaN of fewer than two.
    """
    by, error = of.mean - bound, of.error
    t = np.where(by > 0, np.inf, -np.inf)
    t = np.divide(by, error, out=t, where=error > 0)
    return np.where(of.n > 1, scipy.special.stdtr(of.freedom, -t), np.nan)
