"""From the values of the users to one number, with its uncertainty."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from assayer.errors import one_of
from assayer.seeds import generator

Floats = npt.NDArray[np.float64]

FLOOR = 1e-5  # what a value counts at least in means that a single zero would make zero

# A mean is the inverse of the arithmetic mean of transformed values.
MEANS: dict[str, tuple[Callable, Callable]] = {
    "mean": (lambda x: x, lambda m: m),
    "geometric": (lambda x: np.log(np.maximum(x, FLOOR)), np.exp),
    "harmonic": (lambda x: 1 / np.maximum(x, FLOOR), lambda m: 1 / m),
    "quadratic": (np.square, np.sqrt),
}
AGGREGATES = (*MEANS, "median")


def aggregate(values: Floats, how: str = "mean") -> Floats:
    """Return one number for all users; users without a value (NaN) do not count.

    Parameters
    ----------
    values : float64 (n_users, ...)
    how : {"mean", "geometric", "harmonic", "quadratic", "median"}
        Of average precision, these make MAP, GMAP, HMAP and QMAP (Schröder, Thiele and Lehner,
        UCERSTI 2011, section 4.2). In the geometric and the harmonic mean a value counts at least
        0.00001, as in trec_eval's `gm_` measures, or one user would decide.

    Returns
    -------
    float64 (...)
        NaN where no user has a value.
    """
    one_of("aggregate", how, AGGREGATES)
    has_value = ~np.isnan(values)
    count = has_value.sum(axis=0)
    if how == "median" and len(values):
        filled = np.where(count > 0, values, 0.0)
        return np.where(count > 0, np.nanmedian(filled, axis=0), np.nan)
    if how == "median":
        return np.full(count.shape, np.nan)
    transform, invert = MEANS[how]
    return _mean(transform(values).sum(axis=0, where=has_value), count, invert)


def confidence_interval(
    values: Floats, how: str = "mean", level: float = 0.95, resamples: int = 2000, seed: int = 0
) -> tuple[Floats, Floats]:
    """Return the low and the high end of the percentile bootstrap interval over users.

    Parameters
    ----------
    values : float64 (n_users, ...)
    how : str
        The aggregate; see `aggregate`.
    level : float
        The share of the bootstrap's aggregates inside the interval.
    resamples : int
        How often as many users are drawn with replacement.
    seed : int
        The same draws serve every column, so that columns can be compared.

    Returns
    -------
    two float64 (...)
        NaN where no user has a value. Draws without any user who has one do not count.
    """
    one_of("aggregate", how, AGGREGATES)
    rng = generator(seed, "confidence-interval")
    n = len(values)
    if how == "median":
        drawn = [aggregate(values[rng.integers(0, n, n)], how) for _ in range(resamples)]
    else:
        drawn = _drawn_means(values.reshape(n, -1), how, resamples, rng)
    tail = (1 - level) / 2
    no_value = np.isnan(drawn).all(axis=0)
    quantiles = np.nanquantile(np.where(no_value, 0.0, drawn), [tail, 1 - tail], axis=0)
    low, high = np.where(no_value, np.nan, quantiles)
    return low.reshape(values.shape[1:]), high.reshape(values.shape[1:])


def _drawn_means(
    values: Floats, how: str, resamples: int, rng: np.random.Generator, batch: int = 64
) -> Floats:
    """Return the means of resampled users: how often each was drawn, times what each adds."""
    transform, invert = MEANS[how]
    has_value = ~np.isnan(values)
    added = np.where(has_value, transform(np.where(has_value, values, 1.0)), 0.0)
    n, means = len(values), []
    for first in range(0, resamples, batch):
        drawn = rng.integers(0, n, (min(batch, resamples - first), n))
        times = np.array([np.bincount(users, minlength=n) for users in drawn], dtype=np.float64)
        means.append(_mean(times @ added, times @ has_value, invert))
    return np.concatenate(means)


def _mean(sums: Floats, count: Floats, invert: Callable) -> Floats:
    """Return the mean whose transformed values have these sums; NaN where nothing counts."""
    transformed = np.where(count > 0, sums / np.maximum(count, 1), 1.0)
    return np.where(count > 0, invert(transformed), np.nan)
