"""One number from the values of all users, with its uncertainty."""

import math
from collections.abc import Callable

import numpy as np

from rankassay.artifacts.shards import successive
from rankassay.errors import one_of
from rankassay.kernels import kernel
from rankassay.seeds import generator
from rankassay.types import Floats, Integers

BATCH = 64  # resamples at a time
COPIES = 6  # numbers for each value, while it is resampled
STEP = 64  # users after whom the number of draws of those before is noted
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
        UCERSTI 2011, section 4.2). The geometric and the harmonic mean raise values below 0.00001
        to that number, as trec_eval's `gm_` measures do; otherwise one user would decide.

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
    """Return both ends of the percentile bootstrap interval over users, each float64 (...).

    The same draws serve every column of the values, float64 (n_users, ...), so that columns can be
    compared. An end is NaN where fewer than two users have a value: to draw a single one again
    shows nothing of others. Draws without any user who has one do not count.
    """
    one_of("aggregate", how, AGGREGATES)
    rng = generator(seed, "confidence-interval")
    n, batches = len(values), []
    for first in range(0, resamples, BATCH):
        users = rng.integers(0, n, (min(BATCH, resamples - first), n))
        times = np.array([np.bincount(own, minlength=n) for own in users], dtype=np.float64)
        batches.append(resampled_aggregate(values, times, how).reshape(len(times), -1))
    drawn = np.concatenate(batches)
    tail = (1 - level) / 2
    few = (~np.isnan(values)).sum(axis=0).ravel() < 2
    no_value = np.isnan(drawn).all(axis=0) | few
    quantiles = np.nanquantile(np.where(no_value, 0.0, drawn), [tail, 1 - tail], axis=0)
    low, high = np.where(no_value, np.nan, quantiles)
    return low.reshape(values.shape[1:]), high.reshape(values.shape[1:])


def resampled_aggregate(values: Floats, times: Floats, how: str = "mean") -> Floats:
    """Return the result of `aggregate` for users who count several times, (n_resamples, ...).

    `times`, float64 (n_resamples, n_users), are whole numbers. Columns that hold the same values
    give the same bits.
    """
    one_of("aggregate", how, AGGREGATES)
    if how == "median":
        return resampled_median(values, times, np.arange(len(values)))
    return _by_columns(values, len(times), lambda columns: _resampled(columns, times, how))


def resampled_median(values: Floats, times: Floats, group: Integers) -> Floats:
    """Return the medians of users who count as often as their group, (n_resamples, ...).

    `times` are float64 (n_resamples, n_groups), whole numbers, and `group` int64 (n_users,).
    Nothing is held of users and resamples.
    """
    by_group = np.ascontiguousarray(times.T, dtype=np.int32)

    def medians(columns: Floats) -> Floats:
        count = (~np.isnan(columns)).sum(axis=0)
        columns = columns.T.copy()
        order = np.argsort(columns, axis=1)  # NaN comes last
        return _medians(columns, order, count, by_group, group)

    return _by_columns(values, len(times), medians)


def _by_columns(values: Floats, n_resamples: int, of: Callable[[Floats], Floats]) -> Floats:
    """Return a function's results on the columns of values, as many at a time as fit in memory."""
    columns = values.reshape(len(values), math.prod(values.shape[1:]))  # also of no users
    found = np.empty((n_resamples, columns.shape[1]))
    for some in successive(range(columns.shape[1]), COPIES * len(columns)):
        found[:, some] = of(columns[:, some])
    return found.reshape(n_resamples, *values.shape[1:])


def _resampled(columns: Floats, times: Floats, how: str) -> Floats:
    """Return `resampled_aggregate` of some columns, (n_users, n), except for medians."""
    has_value = ~np.isnan(columns)
    transform, invert = MEANS[how]
    added = np.where(has_value, transform(np.where(has_value, columns, 1.0)), 0.0)
    # How a matrix product rounds depends on where a column stands, unless the sums are exact.
    unit = whole_unit(np.abs(added).max(axis=0, initial=0.0), len(added))
    sums, count = (times @ np.rint(added / unit)) * unit, times @ has_value.astype(np.float64)
    return _mean(sums, count, invert)


def whole_unit(most: Floats, n: int) -> Floats:
    """Return powers of two as units of n numbers up to `most`, (n_columns or 1,).

    Of numbers that are rounded to whole ones of their unit, sums over resampled users are exact.
    """
    largest = np.maximum(n * most, np.finfo(float).tiny)
    unit = np.maximum(2.0 ** (np.ceil(np.log2(largest)) - 52), np.finfo(float).tiny)
    return np.atleast_1d(unit)


@kernel(steps=lambda columns, order, count, times, group: columns.size * times.shape[1])
def _medians(columns, order, count, times, group):
    """Return the medians of columns (n_columns, n_users) whose users count several times.

    `times` are by group, int32 (n_groups, n_resamples): all resamples see a user at once.
    """
    n_resamples = times.shape[1]
    medians = np.full((n_resamples, len(columns)), np.nan)
    for c in range(len(columns)):
        users = order[c, : count[c]]
        # How often the users before each step count: to add is all that most users need.
        below = np.zeros((-(-len(users) // STEP) + 1, n_resamples), dtype=np.int32)
        for k in range(len(users)):
            so_far, own = below[k // STEP + 1], times[group[users[k]]]
            before = below[k // STEP] if k % STEP == 0 else so_far
            for r in range(n_resamples):
                so_far[r] = before[r] + own[r]
        for r in range(n_resamples):
            n = below[-1, r]
            if n > 0:
                # The middle one of n values, or the two middle ones.
                lower = _user_of(n - n // 2, users, below[:, r], times[:, r], group)
                upper = _user_of(n // 2 + 1, users, below[:, r], times[:, r], group)
                medians[r, c] = (columns[c, lower] + columns[c, upper]) / 2
    return medians


@kernel
def _user_of(nth, users, below, times, group):
    """Return the user who has the nth value, of ordered users who count as often as their group."""
    step = np.searchsorted(below, nth) - 1
    k, so_far = STEP * step, below[step]
    while so_far < nth:
        so_far += times[group[users[k]]]
        k += 1
    return users[k - 1]


def _mean(sums: Floats, count: Floats, invert: Callable) -> Floats:
    """Return the mean whose transformed values have these sums; NaN where nothing counts."""
    transformed = np.where(count > 0, sums / np.maximum(count, 1), 1.0)
    return np.where(count > 0, invert(transformed), np.nan)
