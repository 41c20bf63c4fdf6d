"""Reliability for users of Python: is a ranking due to chance, and how many users would it take?"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from rankassay.data import inputs
from rankassay.data.columns import of_values
from rankassay.errors import RankassayError, one_of
from rankassay.metrics.aggregate import aggregate
from rankassay.statistics.generalizability import Components
from rankassay.statistics.generalizability import at as coefficient
from rankassay.statistics.generalizability import needed as users_needed
from rankassay.statistics.paired import scaled
from rankassay.statistics.power_analysis import REPRESENTATIVES, Pairs, required
from rankassay.statistics.power_analysis import required_by_resampling as by_resampling
from rankassay.types import Floats, Shown

Interval = tuple[float, float]
METHODS = ("formula", "resampling")
MOST_DRAWN = 1_000_000  # users of a resample


@dataclass(frozen=True, repr=False)
class Coefficients(Shown):
    """The reliability of a ranking of systems with a number of users.

    Attributes
    ----------
    n_users : int
    e_rho2 : float
        E rho^2, of differences between systems: the expected correlation of the systems' means over
        two sets of this number of users. NaN where all values are equal.
    e_rho2_interval : tuple of two floats
    phi : float
        Phi, of the means themselves, which also depend on how hard the users are.
    phi_interval : tuple of two floats
    """

    n_users: int
    e_rho2: float
    e_rho2_interval: Interval
    phi: float
    phi_interval: Interval


@dataclass(frozen=True, repr=False)
class Needed(Shown):
    """The users with whom the coefficients reach a level.

    Attributes
    ----------
    level : float
    e_rho2, phi : float
        Whole numbers; infinite where no number of users would do, and NaN where all values are
        equal.
    e_rho2_interval, phi_interval : tuple of two floats
    """

    level: float
    e_rho2: float
    e_rho2_interval: Interval
    phi: float
    phi_interval: Interval


@dataclass(frozen=True, repr=False)
class Reliability(Coefficients):
    """The result of `reliability`: the coefficients with the users given, and what they come from.

    Attributes
    ----------
    n_users, e_rho2, e_rho2_interval, phi, phi_interval
        See `Coefficients`.
    n_systems : int
    left_out : int
        Users without a value by every system, who do not count.
    variances : dict of str to float
        Of "systems", "users" and the "residual"; a negative estimate is 0.
    mean_squares : dict of str to float
        The same of the analysis of variance.
    confidence : float
        Level of the intervals.
    """

    n_systems: int
    left_out: int
    variances: Mapping[str, float]
    mean_squares: Mapping[str, float]
    confidence: float
    _components: Components = field(repr=False, compare=False)

    def at(self, n_users: int) -> Coefficients:
        """Return the coefficients with another number of users."""
        n = inputs.whole("n_users", n_users, 1)
        return Coefficients(n, *_coefficients(self._components, n, self.confidence))

    def needed(self, level: float) -> Needed:
        """Return the users with whom the coefficients reach a level, such as 0.95."""
        level = inputs.number("level", level, 0, 1)
        numbers: list = []
        for ratios in self._components.ratios(self.confidence).values():
            users, most, fewest = (float(users_needed(ratio, level)[0]) for ratio in ratios)
            numbers += [users, (fewest, most)]
        return Needed(level, *numbers)


def reliability(values: npt.ArrayLike, confidence: float = 0.95) -> Reliability:
    """Estimate how much of the differences between systems is due to the sample of users.

    With x_us the value of user u by system s, a two-way analysis of variance without replication
    gives the mean squares MS_s, MS_u and MS_e and the variances ::

        var_s = (MS_s - MS_e) / n_u,    var_u = (MS_u - MS_e) / n_s,    var_e = MS_e
        E rho^2 = var_s / (var_s + var_e / n)
        Phi = var_s / (var_s + (var_u + var_e) / n)

    with n users: generalizability theory.

    Parameters
    ----------
    values : array_like (n_users, n_systems)
        Or a frame. Users without a value (NaN) by some system are left out.
    confidence : float
        Level of the intervals, by quantiles of F distributions (Feldt for E rho^2, Arteaga,
        Jeyaratnam and Franklin for Phi), which assume normal effects.

    Returns
    -------
    Reliability
        Its `at(n_users)` has the same coefficients with other users, and `needed(level)` the users
        with whom they reach a level. Negative variances are 0, and so are the ends of intervals.
        Of equal values all coefficients are NaN; of systems that only differ by the same for all
        users E rho^2 is 1.

    References
    ----------
    Brennan, Generalizability Theory, 2001; Bodoff and Li, SIGIR 2007; Urbano, Marrero and Martín,
    SIGIR 2013, whose R package gt4ireval gives the same numbers.

    Examples
    --------
    >>> import rankassay, numpy as np
    >>> rng = np.random.default_rng(0)
    >>> values = rng.normal(size=(50, 1)) + rng.normal(size=(50, 8)) + np.linspace(0, 1, 8)
    >>> found = rankassay.reliability(values)
    >>> round(found.e_rho2, 3), [round(end, 3) for end in found.e_rho2_interval]
    (0.887, [0.738, 0.973])
    >>> round(found.at(200).e_rho2, 3), found.needed(0.95).e_rho2
    (0.969, 121.0)
    """
    array = _table(values)
    confidence = inputs.level("confidence", confidence)
    complete = ~np.isnan(array).any(axis=1)
    if complete.sum() < 2:
        raise RankassayError(
            "values: expected two users or more with a value by every system, found "
            f"{complete.sum()} of {len(complete)}; leave systems out, or give more users."
        )
    array = array[complete]
    exact = inputs.is_whole(values)
    array = array - array.min() if exact else array  # squares of the rest lose fewer digits
    small, exponent = scaled(array[:, :, None])
    found = Components.of([small[:, :, 0]])
    if exact:  # what a user's values have in common is no part of these
        own = Components.of([small[:, :, 0] - small[:, :, 0].min(axis=1, keepdims=True)])
        found = replace(found, systems=own.systems, residual=own.residual)
    n = int(found.n_users[0])

    def squares(**numbers: Floats) -> dict[str, float]:
        with np.errstate(over="ignore"):  # the square of a number near the largest one is inf
            raised = {name: np.ldexp(each[0], 2 * exponent[0]) for name, each in numbers.items()}
        return {name: float(each) for name, each in raised.items()}

    return Reliability(
        n,
        *_coefficients(found, n, confidence),
        n_systems=found.n_systems,
        left_out=int((~complete).sum()),
        variances=squares(
            systems=found.variance_systems,
            users=found.variance_users,
            residual=found.variance_residual,
        ),
        mean_squares=squares(systems=found.systems, users=found.users, residual=found.residual),
        confidence=confidence,
        _components=found,
    )


def required_users(
    values: npt.ArrayLike | None = None,
    *,
    difference: float | None = None,
    percent: float | None = None,
    sd: float | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    pairs: int = 1,
    pair: str = "median",
    method: str = "formula",
    samples: int = 10_000,
    seed: int = 0,
) -> int:
    """Return how many users it takes to find a difference between two systems.

    It is the smallest n with which Student's two-sided paired t is significant at alpha with the
    given power, if the true difference is d and the users' differences have the standard deviation
    sd. The power is that of the noncentral t distribution, with the noncentrality d sqrt(n) / sd;
    or the share of resamples with p < alpha.

    Parameters
    ----------
    values : array_like (n_users, n_systems), or (n_users,), or None
        The users' values by two systems or more, of which higher are better; or their differences;
        or none, where `sd` says enough. A pair of systems takes the users who have both values (not
        NaN).
    difference, percent : float
        The difference to be detected, one of the two: in units of the values, or in percent of the
        mean of a pair's better system.
    sd : float or None
        The standard deviation of the users' differences, in the place of values.
    alpha, power : float
    pairs : int
        The number of pairs to be tested, by which alpha is divided (Bonferroni).
    pair : {"median", "neighbours", "worst"}
        Which pair of more than two systems decides: the median of all pairs, of which half need no
        more users; that of the neighbours in the order of means; or the one that needs most, which
        does for every pair. Pairs that differ for no user, or by the same for all, are left out.
    method : {"formula", "resampling"}
        Resampling draws users, with replacement, from the differences, which are shifted to have
        the mean to be detected, and so assumes no normal distribution.
    samples, seed : int
        Of resampling.

    Returns
    -------
    int
        At least 2.

    Raises
    ------
    RankassayError
        For both or neither of `difference` and `percent`, and of `values` and `sd`; for values of
        another shape, infinite or without two that differ; and for resampling that would take more
        than a million users.

    References
    ----------
    Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, chapter 2.

    Examples
    --------
    An effect of half a standard deviation takes 34 pairs, as in textbooks:

    >>> import rankassay, numpy as np
    >>> rankassay.required_users(difference=0.5, sd=1)
    34
    >>> rng = np.random.default_rng(0)
    >>> values = rng.beta(2, 3, size=(200, 1)) + rng.normal(0, 0.1, size=(200, 4))
    >>> rankassay.required_users(values, percent=5), rankassay.required_users(values, percent=1)
    (338, 8402)
    >>> rankassay.required_users(values, percent=5, method="resampling", samples=2000)
    348
    """
    alpha, power = (
        inputs.number(name, value, 0, 1) for name, value in (("alpha", alpha), ("power", power))
    )
    level = alpha / inputs.whole("pairs", pairs, 1)
    one_of("pair", pair, REPRESENTATIVES)
    one_of("method", method, METHODS)
    samples, seed = inputs.whole("samples", samples, 1), inputs.whole("seed", seed)
    if (difference is None) == (percent is None):
        raise RankassayError("expected either difference or percent, found both or neither.")
    if (values is None) == (sd is None):
        raise RankassayError("expected either values or sd, found both or neither.")
    sought = {"difference": difference, "percent": percent}
    sought = {
        name: None if value is None else inputs.number(name, value, 0)
        for name, value in sought.items()
    }
    if sd is not None:
        if percent is not None or method != "formula":
            raise RankassayError(
                "values: expected those of users, for a percentage or resampling; found sd alone."
            )
        return _whole(required(sought["difference"] / inputs.number("sd", sd, 0), level, power))
    array = _columns(values, percent is not None)
    inputs.check_memory("the pairs of systems", array.shape[1] ** 2, 4 * 8)
    # Small or large values have the same effects, whose squares stay within float64.
    exact = inputs.is_whole(values)
    shared = np.fmin.reduce(array, axis=None) if exact else 0.0
    small, exponent = scaled((array - shared)[:, :, None])
    if sought["difference"] is not None:
        sought["difference"] = float(np.ldexp(sought["difference"], -exponent[0]))
    systems = Pairs.of(small[:, :, 0], rounding=0.0 if exact else 1e-12)
    if exact:
        means = aggregate(small[:, :, 0])[systems.first] + np.ldexp(shared, -exponent[0])
        systems = replace(systems, mean=np.abs(means))
    own = systems.chosen(**sought, pair=pair)
    if own is None:
        raise RankassayError(
            "values: expected systems whose differences vary from user to user, and a better mean "
            "other than 0 for a percentage; found none, so there is nothing to test."
        )
    if method == "formula":
        return _whole(required(own.effect, level, power))
    how = own.differences, own.difference, level, power, samples, seed, MOST_DRAWN
    found = by_resampling(*how)
    if math.isnan(found):
        raise RankassayError(
            f"expected at most {MOST_DRAWN:,} users, found that it takes more; the formula "
            'then does as well: method="formula".'
        )
    return _whole(found)


def _whole(number: float) -> int:
    """Return a number of users as an integer; raises RankassayError for one beyond all measure."""
    if not number < inputs.EXACT:
        raise RankassayError(
            "expected a difference that can be detected, found one too small compared with the "
            "standard "
            "deviation of the users' differences; ask for a larger one."
        )
    return int(number)


def _coefficients(
    found: Components, n: int, confidence: float
) -> tuple[float, Interval, float, Interval]:
    """Return E rho^2 and Phi with n users, each with its interval."""
    numbers = []
    for ratios in found.ratios(confidence).values():
        value, low, high = (float(coefficient(ratio, n)[0]) for ratio in ratios)
        numbers += [value, (low, high)]
    return tuple(numbers)


def _table(values: npt.ArrayLike) -> Floats:
    """Return values as users by systems; raises RankassayError for another shape."""
    array = of_values("values", values)
    if array.ndim != 2 or array.shape[1] < 2 or len(array) < 2:
        raise RankassayError(
            "values: expected users by systems, two or more of each; found the shape "
            f"{array.shape}."
        )
    return array


def _columns(values: npt.ArrayLike | None, relative: bool) -> Floats:
    """Return values as users by systems; differences alone are paired with a system of zeros."""
    array = of_values("values", values)
    if array.ndim != 1:
        return _table(array)
    if relative:
        raise RankassayError(
            "values: expected users by systems for a percentage of a mean, found differences alone "
            f"(shape {array.shape}); give difference in the place of percent."
        )
    if len(array) < 2:
        raise RankassayError(f"values: expected two users or more, found {len(array)}.")
    return np.column_stack([array, np.where(np.isnan(array), np.nan, 0.0)])
