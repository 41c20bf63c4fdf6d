"""Synthetic ratings of a given size and popularity Gini, for demos and benchmarks.

The numbers of ratings per item and per user are fixed first, so that the totals and the Gini
coefficient of the result are exact by construction. A first user-item graph with these numbers is
built greedily and then rewired: two ratings (u, i) and (v, j) become (u, j) and (v, i) by the
Metropolis rule, which leaves all the numbers as they are and makes a user's choice of items
follow the user's affinities.
"""

import math

import numba
import numpy as np
import numpy.typing as npt
from scipy.special import expit, ndtri

from assayer.artifacts import Ratings
from assayer.data.statistics import gini as gini_coefficient
from assayer.errors import AssayerError
from assayer.seeds import generator

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# Shares of the ratings 1 to 5 in MovieLens 1M.
HISTOGRAM = (0.056, 0.108, 0.261, 0.349, 0.226)
# How many of the items have 1, 2, 3 and 4 aspects.
ASPECTS_PER_ITEM = (0.35, 0.35, 0.2, 0.1)
# The spreads of the profile sizes, widest first: the first that can be realised is taken.
PROFILE_SPREADS = (1.1, 0.8, 0.5, 0.2, 0.0)
# No counts are more unequal than with this spread: all but one are at their bounds.
WIDEST = 40.0
# The bisection stops this near to the Gini; the largest difference that is no error.
GINI_STOP, GINI_TOLERANCE = 0.0005, 0.01
# Proposed swaps per rating. With eight times as many the mean affinity of the ratings rises by a
# tenth only.
SWEEPS = 20
# Proposals whose random numbers are drawn at a time, which bounds the memory.
BLOCK = 1 << 20
# Weights of affinity, item quality, user bias and noise in the value of a rating.
RATING_WEIGHTS = (0.5, 0.5, 0.4, 0.7)
# January 2000, and the spans in which users join and in which a user is active, in seconds.
FIRST_DAY, JOINING, ACTIVE = 946_684_800, 3 * 365 * 86_400, 90 * 86_400


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

    Parameters
    ----------
    users, items, ratings
        The exact sizes; every user and item has at least one rating, no pair has two.
    gini
        The Gini coefficient of the items' rating counts, met within 0.01 (0.0005 from some
        thousand ratings on).
    seed
        The same arguments and seed give the same bytes.
    aspects
        How many aspects there are; each item has 1 to 4 of them.
    factors
        How many latent factors the preferences have.
    scale
        The lowest and the highest rating; ratings are integers.
    min_profile
        The fewest ratings of a user; lowered to half the mean where the mean is small.
    top_share
        The largest share of users who rate one item and of items that one user rates; exceeded
        where the sizes or the Gini are out of reach otherwise.
    strength
        How strongly affinity drives which items a user rates; 0 is not at all.

    Raises
    ------
    AssayerError
        When the sizes or the Gini coefficient cannot be had; says what can.
    """
    _check(users, items, ratings, gini, aspects, factors, scale)
    item_counts = _item_counts(users, items, ratings, gini, top_share)
    generator(seed, "synthetic", "popularity").shuffle(item_counts)
    user_counts = _user_counts(item_counts, users, min_profile, top_share)
    generator(seed, "synthetic", "activity").shuffle(user_counts)
    has_aspect = _aspects(items, aspects, seed)
    traits = _traits(item_counts, has_aspect, factors, seed)
    tastes = _tastes(users, factors, strength, seed)
    user, item = _choose(user_counts, item_counts, tastes, traits, seed)
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
    """Raise AssayerError for arguments that are impossible whatever the Gini coefficient."""
    if min(users, items, aspects, factors) < 1:
        raise AssayerError(
            f"users, items, aspects and factors must be at least 1, found {users}, {items}, "
            f"{aspects} and {factors}; raise those below 1."
        )
    if not max(users, items) <= ratings <= users * items:
        raise AssayerError(
            f"{users} users and {items} items can have from {max(users, items)} to "
            f"{users * items} ratings, but {ratings} were asked for; change one of the three."
        )
    if not 0 <= gini < 1:
        raise AssayerError(f"gini must be at least 0 and below 1, found {gini}; change it.")
    if scale[0] >= scale[1]:
        raise AssayerError(
            f"scale must be the lowest and the highest rating, found {tuple(scale)}; "
            "give for instance (1, 5)."
        )


def _counts(n: int, total: int, low: int, high: int, spread: float) -> Ints:
    """Return n integers between low and high with a given sum, in ascending order.

    c_k = low + (high - low) / (1 + exp(-mu - spread z_k)), rounded by largest remainders, where
    z_k are normal quantiles and mu gives the sum. Far below `high` this is a log-normal curve.

    Parameters
    ----------
    n, total
        How many integers and their sum, n low <= total <= n high.
    low, high
        The bounds.
    spread
        The standard deviation on the logit scale; 0 gives (nearly) equal integers.
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
    # Remainders are rounded so that the order does not hang on the last bits of a sum.
    nearest = np.argsort(-np.round(curve - counts, 6), kind="stable")
    counts[nearest[:missing]] += 1
    return np.sort(counts)


def _ceiling(share: float, size: int, mean: float) -> int:
    """Return the largest count: a share of the size, or more where the mean is near to it."""
    return min(size, max(math.ceil(share * size), math.ceil(1.5 * mean)))


def _item_counts(users: int, items: int, ratings: int, gini: float, top_share: float) -> Ints:
    """Return each item's number of ratings, int64 (items,), ascending, with the Gini asked for.

    Raises
    ------
    AssayerError
        When the Gini coefficient cannot be reached; names the range that can.
    """
    for high in (_ceiling(top_share, users, ratings / items), users):
        counts = _counts_with_gini(items, ratings, high, gini)
        found = gini_coefficient(counts)
        if abs(found - gini) <= GINI_TOLERANCE:
            return counts
    lowest, highest = (
        gini_coefficient(_counts(items, ratings, 1, users, spread)) for spread in (0.0, WIDEST)
    )
    raise AssayerError(
        f"a Gini coefficient of {gini} was asked for, but {users} users, {items} items and "
        f"{ratings} ratings can only have one from {lowest:.3f} to {highest:.3f}, the nearest "
        f"found being {found:.3f}; change the Gini coefficient or the sizes."
    )


def _counts_with_gini(n: int, total: int, high: int, gini: float) -> Ints:
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


def _between(below: Ints, above: Ints, gini: float) -> Ints:
    """Return the counts nearest to a Gini on the way from one vector of counts to another.

    Where the counts are few and small, several of them change at the same spread, and the Gini
    leaps. Here one rating moves at a time from an item that has too many to one that has too few.

    Parameters
    ----------
    below, above : int64 (n,)
        Counts of the same sum, with a Gini below and above the one asked for.
    gini
        The Gini coefficient asked for.
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


def _user_counts(item_counts: Ints, users: int, min_profile: int, top_share: float) -> Ints:
    """Return each user's number of ratings, int64 (users,), ascending and realisable.

    Parameters
    ----------
    item_counts : int64 (items,)
        Each item's number of ratings.
    users, min_profile, top_share
        As in `generate`.
    """
    total, items = int(item_counts.sum()), len(item_counts)
    low = max(1, min(min_profile, total // users // 2))
    high = _ceiling(top_share, items, total / users)
    for spread in PROFILE_SPREADS:
        counts = _counts(users, total, low, high, spread)
        if _realisable(counts, item_counts):
            break
    # Equal profiles, the last spread, can always be realised: no item has more than `users`.
    return counts


def _realisable(user_counts: Ints, item_counts: Ints) -> bool:
    """Tell whether a graph without double edges has these counts (Gale-Ryser theorem).

    It has when, for each k, the k largest user counts sum up to at most sum_i min(c_i, k).
    """
    users = len(user_counts)
    below = np.cumsum(np.bincount(item_counts, minlength=users + 1))[:users]
    available = np.cumsum(len(item_counts) - below)
    return bool((np.cumsum(np.sort(user_counts)[::-1]) <= available).all())


def _aspects(items: int, aspects: int, seed: int) -> npt.NDArray[np.bool_]:
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


def _traits(
    item_counts: Ints, has_aspect: npt.NDArray[np.bool_], factors: int, seed: int
) -> npt.NDArray[np.float32]:
    """Draw the latent factors of the items, float32 (items, factors + 1).

    An item is the sum of the directions of its aspects over the root of their number, plus noise
    of its own, scaled to length 1. One more factor is its popularity, standardised.

    Parameters
    ----------
    item_counts : int64 (items,)
        The numbers of ratings.
    has_aspect : bool (items, aspects)
        The aspects of each item.
    factors, seed
        As in `generate`.
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


def _tastes(users: int, factors: int, strength: float, seed: int) -> npt.NDArray[np.float32]:
    """Draw the latent factors of the users, float32 (users, factors + 1).

    A user's affinity to an item is the inner product of their factors. Users differ in how
    strongly it drives them and, by the last factor, in how much they keep to popular items.
    """
    random = generator(seed, "synthetic", "tastes")
    tastes = random.standard_normal((users, factors))
    focus = strength * np.exp(0.3 * random.standard_normal((users, 1)))
    mainstream = 0.3 * strength * random.standard_normal((users, 1))
    return np.hstack([focus * tastes, mainstream]).astype(np.float32)


def _choose(
    user_counts: Ints,
    item_counts: Ints,
    tastes: npt.NDArray[np.float32],
    traits: npt.NDArray[np.float32],
    seed: int,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Draw who rates what, by affinity and with the given numbers of ratings.

    Parameters
    ----------
    user_counts, item_counts : int64 (users,), (items,)
        The numbers of ratings, realisable.
    tastes, traits : float32 (users, factors), (items, factors)
        The latent factors.
    seed
        As in `generate`.

    Returns
    -------
    int32 (ratings,) twice
        Users and items, sorted by user and then item.
    """
    order = np.argsort(-user_counts, kind="stable")
    user, item = _first_graph(order.astype(np.int32), user_counts[order], item_counts)
    _rewire(user, item, tastes, traits, seed)
    keys = user.astype(np.int64) * len(item_counts) + item
    keys.sort()
    return (
        (keys // len(item_counts)).astype(np.int32),
        (keys % len(item_counts)).astype(np.int32),
    )


def _rewire(
    user: npt.NDArray[np.int32],
    item: npt.NDArray[np.int32],
    tastes: npt.NDArray[np.float32],
    traits: npt.NDArray[np.float32],
    seed: int,
) -> None:
    """Swap the items of random pairs of ratings, in place, so that they follow the affinities."""
    rated = np.zeros((len(tastes), len(traits) // 8 + 1), np.uint8)
    _mark(rated, user, item)
    affinity = _affinities(user, item, tastes, traits)
    random = generator(seed, "synthetic", "swaps")
    for start in range(0, SWEEPS * len(user), BLOCK):
        size = min(BLOCK, SWEEPS * len(user) - start)
        pairs = random.integers(0, len(user), size=(size, 2))
        # The logarithm of a uniform random number is a negative exponential one.
        thresholds = -random.standard_exponential(size)
        _swap(user, item, affinity, rated, tastes, traits, pairs, thresholds)


@numba.njit(cache=True)
def _first_below(values: Ints, bound: int) -> int:
    """Return the first place in descending values that is below the bound."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < bound:
            high = middle
        else:
            low = middle + 1
    return low


@numba.njit(cache=True)
def _first_graph(
    order: npt.NDArray[np.int32], remaining: Ints, item_counts: Ints
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Connect each item with the users who have most ratings left, which always works out.

    Parameters
    ----------
    order : int32 (users,)
        The users by their number of ratings, most first.
    remaining : int64 (users,)
        Their numbers of ratings in that order; counted down in place.
    item_counts : int64 (items,)
        Each item's number of ratings.
    """
    total = item_counts.sum()
    user, item = np.empty(total, np.int32), np.empty(total, np.int32)
    edge = 0
    for i in range(len(item_counts)):
        least = remaining[item_counts[i] - 1]
        first = _first_below(remaining, least + 1)
        end = _first_below(remaining, least)
        # Of those with equally many left the last are taken: `remaining` stays in order.
        start = end - (item_counts[i] - first)
        for place in range(end):
            if place < first or place >= start:
                remaining[place] -= 1
                user[edge], item[edge] = order[place], i
                edge += 1
    return user, item


@numba.njit(cache=True)
def _affinity(taste: npt.NDArray[np.float32], trait: npt.NDArray[np.float32]) -> float:
    """Return the inner product of a user's and an item's factors, summed in a fixed order."""
    total = 0.0
    for k in range(len(taste)):
        total += taste[k] * trait[k]
    return total


@numba.njit(cache=True)
def _affinities(
    user: npt.NDArray[np.int32],
    item: npt.NDArray[np.int32],
    tastes: npt.NDArray[np.float32],
    traits: npt.NDArray[np.float32],
) -> Floats:
    """Return the affinity of each rating's user to its item, float64 (ratings,)."""
    affinity = np.empty(len(user), np.float64)
    for edge in range(len(user)):
        affinity[edge] = _affinity(tastes[user[edge]], traits[item[edge]])
    return affinity


@numba.njit(cache=True)
def _flip(rated: npt.NDArray[np.uint8], user: int, item: int) -> None:
    """Flip the bit of a pair."""
    rated[user, item >> 3] ^= np.uint8(1 << (item & 7))


@numba.njit(cache=True)
def _is_rated(rated: npt.NDArray[np.uint8], user: int, item: int) -> bool:
    """Return the bit of a pair."""
    return (rated[user, item >> 3] >> (item & 7)) & 1 == 1


@numba.njit(cache=True)
def _mark(
    rated: npt.NDArray[np.uint8], user: npt.NDArray[np.int32], item: npt.NDArray[np.int32]
) -> None:
    """Set the bits of all ratings, none of which is set yet."""
    for edge in range(len(user)):
        _flip(rated, user[edge], item[edge])


@numba.njit(cache=True)
def _swap(
    user: npt.NDArray[np.int32],
    item: npt.NDArray[np.int32],
    affinity: Floats,
    rated: npt.NDArray[np.uint8],
    tastes: npt.NDArray[np.float32],
    traits: npt.NDArray[np.float32],
    pairs: Ints,
    thresholds: Floats,
) -> None:
    """Exchange the items of pairs of ratings, in place, by the Metropolis rule.

    A swap is made with the probability min(1, exp(gain)), where gain is the change in the sum of
    affinities, unless it would make a pair double.

    Parameters
    ----------
    user, item, affinity : int32, int32, float64 (ratings,)
        The ratings.
    rated : uint8 (users, items // 8 + 1)
        One bit for each pair.
    tastes, traits : float32 (users, factors), (items, factors)
        The latent factors.
    pairs, thresholds : int64 (n, 2), float64 (n,)
        The proposals, and the logarithms of uniform random numbers.
    """
    for k in range(len(pairs)):
        a, b = pairs[k]
        u, v, i, j = user[a], user[b], item[a], item[b]
        # A common user or item, or the same rating twice, is a pair that is rated already.
        if _is_rated(rated, u, j) or _is_rated(rated, v, i):
            continue
        new_a, new_b = _affinity(tastes[u], traits[j]), _affinity(tastes[v], traits[i])
        if new_a + new_b - affinity[a] - affinity[b] < thresholds[k]:
            continue
        for x, y in ((u, i), (v, j), (u, j), (v, i)):
            _flip(rated, x, y)
        item[a], item[b] = j, i
        affinity[a], affinity[b] = new_a, new_b


def _values(
    user: npt.NDArray[np.int32],
    item: npt.NDArray[np.int32],
    tastes: npt.NDArray[np.float32],
    traits: npt.NDArray[np.float32],
    scale: tuple[int, int],
    seed: int,
) -> npt.NDArray[np.float32]:
    """Draw the ratings' values, float32 (ratings,), with the histogram of MovieLens 1M.

    Parameters
    ----------
    user, item : int32 (ratings,)
        The pairs.
    tastes, traits : float32 (users, factors), (items, factors)
        The latent factors; the last trait is the item's popularity, which quality goes with.
    scale, seed
        As in `generate`.
    """
    random = generator(seed, "synthetic", "values")
    for_affinity, for_quality, for_bias, for_noise = RATING_WEIGHTS
    quality = 0.8 * traits[:, -1] + 0.6 * random.standard_normal(len(traits))
    bias = random.standard_normal(len(tastes))
    score = _affinities(user, item, tastes, traits)
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


def _timestamps(user: npt.NDArray[np.int32], users: int, seed: int) -> Ints:
    """Draw the times of the ratings, int64 (ratings,), each user's within a span of activity."""
    random = generator(seed, "synthetic", "timestamps")
    joined = FIRST_DAY + random.integers(0, JOINING, size=users)
    active = ACTIVE * random.standard_exponential(users)
    return joined[user] + (random.random(len(user)) * active[user]).astype(np.int64)
