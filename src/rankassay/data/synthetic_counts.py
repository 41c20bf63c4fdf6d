"""The numbers of ratings of each item and each user in a synthetic dataset."""

import math

import numpy as np
from scipy.special import expit, ndtri

from rankassay.data.statistics import gini as gini_coefficient
from rankassay.errors import RankassayError, number_of
from rankassay.types import Integers

# The spreads of the profile sizes, widest first: the first that can be realised is taken.
PROFILE_SPREADS = (1.1, 0.8, 0.5, 0.2, 0.0)
# No counts are more unequal than with this spread: all but one are at their bounds.
WIDEST = 40.0
# The bisection stops this near to the Gini; the largest difference that is no error.
GINI_STOP, GINI_TOLERANCE = 0.0005, 0.01


def _counts(n: int, total: int, low: int, high: int, spread: float) -> Integers:
    """Return n integers between low and high with a given sum, in ascending order.

    c_k = low + (high - low) / (1 + exp(-mu - spread z_k)), rounded by largest remainders, where
    z_k are normal quantiles and mu gives the sum, n low <= total <= n high. Far below `high` this
    is a log-normal curve. The spread is the standard deviation on the logit scale; 0 gives (nearly)
    equal integers.
    """
    quantiles = spread * ndtri((np.arange(n) + 0.5) / n)
    lower, upper = -500.0, 500.0
    for _ in range(60):
        middle = (lower + upper) / 2
        curve = low + (high - low) * expit(quantiles + middle)
        if curve.sum() < total:
            lower = middle
        else:
            upper = middle
    counts = np.floor(curve).astype(np.int64)
    missing = total - int(counts.sum())
    # Remainders are rounded so that the order does not depend on the last bits of a sum.
    nearest = np.argsort(-np.round(curve - counts, 6), kind="stable")
    counts[nearest[:missing]] += 1
    return np.sort(counts)


def _ceiling(share: float, size: int, mean: float) -> int:
    """Return the largest count: a share of the size, or more where the mean is near to it."""
    return min(size, max(math.ceil(share * size), math.ceil(1.5 * mean)))


def item_counts_with(
    users: int, items: int, ratings: int, gini: float, top_share: float
) -> Integers:
    """Return each item's number of ratings, int64 (items,), ascending, with the Gini asked for."""
    for high in (_ceiling(top_share, users, ratings / items), users):
        counts = _counts_with_gini(items, ratings, high, gini)
        found = gini_coefficient(counts)
        if abs(found - gini) <= GINI_TOLERANCE:
            return counts
    lowest, highest = (
        gini_coefficient(_counts(items, ratings, 1, users, spread)) for spread in (0.0, WIDEST)
    )
    raise RankassayError(
        f"a Gini coefficient of {gini} was asked for, but {number_of(users, 'user')}, "
        f"{number_of(items, 'item')} and {number_of(ratings, 'rating')} can only have one from "
        f"{lowest:.3f} to {highest:.3f}, the nearest found being {found:.3f}; change the Gini "
        "coefficient or the sizes."
    )


def _counts_with_gini(n: int, total: int, high: int, gini: float) -> Integers:
    """Return counts from 1 to high whose Gini is as near as can be, by bisecting the spread."""
    lower, upper = 0.0, WIDEST
    below, above = (_counts(n, total, 1, high, spread) for spread in (lower, upper))
    if gini <= gini_coefficient(below):
        return below
    if gini >= gini_coefficient(above):
        return above
    for _ in range(40):
        middle = (lower + upper) / 2
        counts = _counts(n, total, 1, high, middle)
        found = gini_coefficient(counts)
        if abs(found - gini) <= GINI_STOP:
            return counts
        if found < gini:
            lower, below = middle, counts
        else:
            upper, above = middle, counts
    return _between(below, above, gini)


def _between(below: Integers, above: Integers, gini: float) -> Integers:
    """Return the counts nearest to a Gini on the way from one vector of counts to another.

    Where the counts are few and small, several of them change at the same spread, and the Gini
    leaps. Here one rating moves at a time from an item that has too many to one that has too few.
    `below` and `above` have the same sum, and Ginis below and above the one asked for.
    """
    places = np.arange(len(below))
    givers = np.repeat(places, np.maximum(below - above, 0))
    takers = np.repeat(places, np.maximum(above - below, 0))
    counts, nearest = below.copy(), below
    for giver, taker in zip(givers, takers, strict=True):
        counts[giver] -= 1
        counts[taker] += 1
        if abs(gini_coefficient(counts) - gini) < abs(gini_coefficient(nearest) - gini):
            nearest = counts.copy()
    return np.sort(nearest)


def user_counts_with(
    item_counts: Integers, users: int, min_profile: int, top_share: float
) -> Integers:
    """Return each user's number of ratings, int64 (users,), ascending and realisable."""
    total, items = int(item_counts.sum()), len(item_counts)
    low = max(1, min(min_profile, total // users // 2))
    high = _ceiling(top_share, items, total / users)
    for spread in PROFILE_SPREADS:
        counts = _counts(users, total, low, high, spread)
        if _realisable(counts, item_counts):
            break
    # Equal profiles, the last spread, can always be realised: no item has more than `users`.
    return counts


def _realisable(user_counts: Integers, item_counts: Integers) -> bool:
    """Return whether a graph without double edges has these counts (Gale-Ryser theorem)."""
    # For each k, the k largest user counts sum up to at most sum_i min(c_i, k).
    users = len(user_counts)
    below = np.cumsum(np.bincount(item_counts, minlength=users + 1))[:users]
    available = np.cumsum(len(item_counts) - below)
    return bool((np.cumsum(np.sort(user_counts)[::-1]) <= available).all())
