"""Synthetic ratings of a given size and popularity Gini, for demos and benchmarks.

The numbers of ratings per item and per user are fixed first, so that the totals and the Gini
coefficient of the result are exact by construction. A first user-item graph with these numbers is
built greedily and then rewired (`rankassay.data.synthetic_graph`).
"""

import math

import numpy as np
from scipy.special import expit, ndtri

from rankassay.artifacts.arrays import Ratings
from rankassay.data.prepare import gini as gini_coefficient
from rankassay.data.synthetic_graph import affinities, choose
from rankassay.errors import RankassayError, number_of
from rankassay.seeds import generator
from rankassay.types import Booleans, Floats32, Integers, Integers32

# Shares of the ratings 1 to 5 in MovieLens 1M.
HISTOGRAM = (0.056, 0.108, 0.261, 0.349, 0.226)
# How many of the items have 1, 2, 3 and 4 aspects.
ASPECTS_PER_ITEM = (0.35, 0.35, 0.2, 0.1)
# Weights of affinity, item quality, user bias and noise in the value of a rating.
RATING_WEIGHTS = (0.5, 0.5, 0.4, 0.7)
# January 2000, and the spans in which users join and in which a user is active, in seconds.
FIRST_DAY, JOINING, ACTIVE = 946_684_800, 3 * 365 * 86_400, 90 * 86_400
# The spreads of the profile sizes, widest first: the first that can be realised is taken.
PROFILE_SPREADS = (1.1, 0.8, 0.5, 0.2, 0.0)
# No counts are more unequal than with this spread: all but one are at their bounds.
WIDEST = 40.0
# The bisection stops this near to the Gini; the largest difference that is no error.
GINI_STOP, GINI_TOLERANCE = 0.0005, 0.01


def generate(
    users: int,
    items: int,
    ratings: int,
    gini: float,
    seed: int,
    aspects: int = 18,
    factors: int = 6,
    scale: tuple[int, int] = (1, 5),
    min_profile: int = 10,
    top_share: float = 0.6,
    strength: float = 2.5,
) -> Ratings:
    """Return synthetic ratings with long-tailed popularity and latent preferences.

    Every user and item has at least one rating, and no pair has two. The Gini coefficient of the
    items' numbers of ratings is met within 0.01 (0.0005 from some thousand ratings on). Each item
    has 1 to 4 of the `aspects`; preferences have `factors` latent factors, which drive who rates
    what by their `strength` (0 is not at all). Ratings are integers of the `scale`, its lowest and
    highest one. No user has fewer than `min_profile` of them, or half the mean where that is
    smaller; `top_share` is the largest share of users who rate one item and of items that one user
    rates, exceeded where the sizes or the Gini are out of reach otherwise. The same arguments give
    the same bytes.
    """
    _check(users, items, ratings, gini, aspects, factors, scale)
    item_counts = item_counts_with(users, items, ratings, gini, top_share)
    generator(seed, "synthetic", "popularity").shuffle(item_counts)
    user_counts = user_counts_with(item_counts, users, min_profile, top_share)
    generator(seed, "synthetic", "activity").shuffle(user_counts)
    has_aspect = _aspects(items, aspects, seed)
    traits = _traits(item_counts, has_aspect, factors, seed)
    tastes = _tastes(users, factors, strength, seed)
    user, item = choose(user_counts, item_counts, tastes, traits, seed)
    return Ratings(
        user=user,
        item=item,
        rating=_values(user, item, tastes, traits, scale, seed),
        user_ids=np.array([str(k + 1) for k in range(users)]),
        item_ids=np.array([str(k + 1) for k in range(items)]),
        timestamp=_timestamps(user, users, seed),
        aspects=has_aspect,
        aspect_names=np.array([f"aspect-{k + 1:02d}" for k in range(aspects)]),
    )


def _check(
    users: int,
    items: int,
    ratings: int,
    gini: float,
    aspects: int,
    factors: int,
    scale: tuple[int, int],
) -> None:
    """Raise RankassayError for arguments that are impossible for every Gini coefficient."""
    if min(users, items, aspects, factors) < 1:
        raise RankassayError(
            f"users, items, aspects and factors must be at least 1, found {users}, {items}, "
            f"{aspects} and {factors}; raise those below 1."
        )
    if not max(users, items) <= ratings <= users * items:
        raise RankassayError(
            f"{number_of(users, 'user')} and {number_of(items, 'item')} can have from "
            f"{max(users, items)} to {number_of(users * items, 'rating')}, but {ratings} were "
            "asked for; change one of the three."
        )
    if not 0 <= gini < 1:
        raise RankassayError(f"gini must be at least 0 and below 1, found {gini}; change it.")
    if scale[0] >= scale[1]:
        raise RankassayError(
            f"scale must be the lowest and the highest rating, found {tuple(scale)}; "
            "give for instance (1, 5)."
        )


def _aspects(items: int, aspects: int, seed: int) -> Booleans:
    """Draw each item's 1 to 4 aspects without replacement, bool (items, aspects), sizes skewed."""
    random = generator(seed, "synthetic", "aspects")
    numbers = random.choice(len(ASPECTS_PER_ITEM), size=items, p=ASPECTS_PER_ITEM) + 1
    # The largest keys log p + Gumbel noise are a draw without replacement with weights p.
    keys = random.gumbel(size=(items, aspects)) - np.log(np.arange(aspects) + 2.0)
    # One item is reserved for each aspect, so that none is empty where there are items enough.
    reserved = np.arange(min(items, aspects))
    keys[reserved, reserved] = np.inf
    places = np.argsort(np.argsort(-keys, axis=1), axis=1)
    return places < numbers[:, None]


def _traits(item_counts: Integers, has_aspect: Booleans, factors: int, seed: int) -> Floats32:
    """Draw the latent factors of the items, float32 (items, factors + 1).

    An item is the sum of the directions of its aspects over the root of their number, plus noise.
    One more factor is its popularity, standardised.
    """
    random = generator(seed, "synthetic", "traits")
    directions = random.standard_normal((has_aspect.shape[1], factors))
    traits = 0.5 * random.standard_normal((len(item_counts), factors))
    # A loop and no matrix product, whose last bits depend on the BLAS and its threads.
    for aspect, direction in enumerate(directions):
        traits += (has_aspect[:, aspect] / np.sqrt(has_aspect.sum(axis=1)))[:, None] * direction
    traits /= np.sqrt((traits**2).sum(axis=1, keepdims=True))
    popularity = np.log(item_counts)
    popularity = (popularity - popularity.mean()) / max(popularity.std(), 1e-9)
    return np.hstack([traits, popularity[:, None]]).astype(np.float32)


def _tastes(users: int, factors: int, strength: float, seed: int) -> Floats32:
    """Draw the latent factors of the users, float32 (users, factors + 1).

    Users differ in how strongly affinity, the inner product, drives them and, by the last factor,
    in how much they keep to popular items.
    """
    random = generator(seed, "synthetic", "tastes")
    tastes = random.standard_normal((users, factors))
    focus = strength * np.exp(0.3 * random.standard_normal((users, 1)))
    mainstream = 0.3 * strength * random.standard_normal((users, 1))
    return np.hstack([focus * tastes, mainstream]).astype(np.float32)


def _values(
    user: Integers32,
    item: Integers32,
    tastes: Floats32,
    traits: Floats32,
    scale: tuple[int, int],
    seed: int,
) -> Floats32:
    """Draw the ratings' values, float32 (ratings,), with the histogram of MovieLens 1M."""
    random = generator(seed, "synthetic", "values")
    for_affinity, for_quality, for_bias, for_noise = RATING_WEIGHTS
    quality = 0.8 * traits[:, -1] + 0.6 * random.standard_normal(len(traits))
    bias = random.standard_normal(len(tastes))
    score = affinities(user, item, tastes, traits)
    score *= for_affinity / max(score.std(), 1e-9)
    score += for_quality * quality[item] + for_bias * bias[user]
    score += for_noise * random.standard_normal(len(user))
    levels = scale[1] - scale[0] + 1
    known = np.concatenate([[0.0], np.cumsum(HISTOGRAM)])
    shares = np.interp(np.arange(1, levels) / levels, np.linspace(0, 1, len(known)), known)
    bounds = np.round(shares * len(score)).astype(np.int64)
    rating = np.empty(len(score), np.float32)
    by_score = np.argsort(np.round(score, 9), kind="stable")
    rating[by_score] = scale[0] + np.searchsorted(bounds, np.arange(len(score)), side="right")
    return rating


def _timestamps(user: Integers32, users: int, seed: int) -> Integers:
    """Draw the times of the ratings, int64 (ratings,), each user's within a span of activity."""
    random = generator(seed, "synthetic", "timestamps")
    joined = FIRST_DAY + random.integers(0, JOINING, size=users)
    active = ACTIVE * random.standard_exponential(users)
    return joined[user] + (random.random(len(user)) * active[user]).astype(np.int64)


def _counts(n: int, total: int, low: int, high: int, spread: float) -> Integers:
    """Return n integers between low and high with a given sum, in ascending order.

    c_k = low + (high - low) / (1 + exp(-mu - spread z_k)), rounded by largest remainders, where z_k
    are normal quantiles and mu gives the sum; a spread of 0 gives nearly equal integers.
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

    Where counts are few and small the Gini leaps: so one rating moves at a time.
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
