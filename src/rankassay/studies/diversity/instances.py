"""Pairs of rankings of which an axiom says that one is better.

Axioms 1 to 8 of Parapar and Radlinski, RecSys 2021, section 4.1. Each function here draws random
instances in which the axiom's conditions hold. An axiom that says that something exists (a number
of items, a difference small enough) comes as several batches, one of which must satisfy an
instance. Details that the paper leaves open are described at each function.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from rankassay.metrics.diversity.lists import AspectLists, Aspects, Interests
from rankassay.types import Booleans, Floats, Integers

LENGTH = 6  # of a list
N_ASPECTS = 4
HIGHEST = 5.0
THRESHOLD = 4.0
MISSING = 0.2  # share of the items that are not rated
SHOWN = 0.35  # share of the aspects that an item shows
SATURATING = (512, 64, 16, 4, 1)  # items that show an aspect before it counts as saturated
SLIGHTLY = 0.01  # a difference in ratings that is small enough
DEEP = (2048, 512, 128, 32, 8, 4, 2, 1)  # the n of TopHeav: it grows exponentially with 1 / r
SHALLOW = (1, 2, 3, 4, 6, 8, 16, 32)  # and the m of TopHeavComp

Batches = Iterator["Pairs"]


@dataclass(frozen=True)
class Pairs:
    """Instances of an axiom, arrays with one row for each; items and places count from 0.

    Attributes
    ----------
    rating : float64 (n, n_items)
        NaN is an item that is not rated.
    shown : bool (n, n_items, n_aspects)
    weights : float64 (n, n_aspects)
    better, worse : int64 (n, length)
    """

    rating: Floats
    shown: Booleans
    weights: Floats
    better: Integers
    worse: Integers

    def interests(self) -> Interests:
        """Return the interests of the instances' users, who share no items."""
        judged = ~np.isnan(self.rating)
        start = np.concatenate(([0], np.cumsum(judged.sum(axis=1)))).astype(np.int64)
        item = np.flatnonzero(judged).astype(np.int32)
        n_items = self.rating.size
        # Aspects that no item of any instance shows are none of the catalogue's.
        weights = self.weights[:, self.shown.any(axis=(0, 1))]
        aspects = Aspects.of(self.shown.reshape(n_items, -1))
        rating = self.rating[judged]
        return Interests(start, item, rating, weights, aspects, THRESHOLD, HIGHEST)

    def lists(self) -> tuple[AspectLists, AspectLists]:
        """Return the better and the worse lists, of which the users' interests are the same."""
        interests = self.interests()
        first = self.rating.shape[1] * np.arange(len(self.rating))[:, None]
        return tuple(AspectLists.of(x + first, interests) for x in (self.better, self.worse))


def priority(rng: np.random.Generator, n: int) -> Batches:
    """Axiom 1, Pri: of two items that show the same one aspect, the better rated comes first."""
    rating, shown, weights, ranking = _random(rng, n)
    p, q = _two_places(rng, n, LENGTH, 1)
    low, high = _two_ratings(rng, n)
    _show_one(shown, [p, q], rng.integers(N_ASPECTS, size=n))
    _set(rating, p, low)
    _set(rating, q, high)
    yield Pairs(rating, shown, weights, _swapped(ranking, p, q), ranking)


def deepness(rng: np.random.Generator, n: int) -> Batches:
    """Axiom 2, Deep: the same correction between neighbours is worth more at an earlier place."""
    rating, shown, weights, ranking = _random(rng, n)
    p, q = _two_places(rng, n, LENGTH - 1, 2)
    low, high = _two_ratings(rng, n)
    _show_one(shown, [p, p + 1, q, q + 1], rng.integers(N_ASPECTS, size=n))
    for place in (p, q):
        _set(rating, place, low)
        _set(rating, place + 1, high)
    better, worse = _swapped(ranking, p, p + 1), _swapped(ranking, q, q + 1)
    yield Pairs(rating, shown, weights, better, worse)


def non_priority(rng: np.random.Generator, n: int) -> Batches:
    """Axiom 3, NonPriSatAsp: of a saturated aspect, a slightly better item need not come first.

    An aspect is saturated by up to 512 items of the top rating, all before the list's; the item
    with another aspect is rated lower by 0.01.
    """
    rating, shown, weights, _ = _random(rng, n)
    p, q = _two_places(rng, n, LENGTH, 1)
    first = rng.integers(N_ASPECTS, size=n)
    second = (first + rng.integers(1, N_ASPECTS, size=n)) % N_ASPECTS
    low = rng.integers(1, HIGHEST, size=n).astype(np.float64)
    _show_one(shown, [p], first)
    _show_one(shown, [q], second)
    _set(rating, p, low)
    _set(rating, q, low + SLIGHTLY)
    for count in SATURATING:
        ratings = np.hstack([np.full((n, count), HIGHEST), rating])
        saturating = np.zeros((n, count, N_ASPECTS), dtype=bool)
        saturating[np.arange(n), :, second] = True
        ranking = np.tile(np.arange(count + LENGTH), (n, 1))
        worse = _swapped(ranking, p + count, q + count)
        yield Pairs(ratings, np.hstack([saturating, shown]), weights, ranking, worse)


def top_heaviness(rng: np.random.Generator, n: int) -> Batches:
    """Axiom 4, TopHeav: one relevant item on top beats n of them behind n irrelevant ones.

    For some n, here up to 2,048. All items show the same one aspect, and the irrelevant ones are
    rated 0: the paper states neither.
    """
    yield from _top_or_many(rng, n, DEEP)


def top_heaviness_complementary(rng: np.random.Generator, n: int) -> Batches:
    """Axiom 5, TopHeavComp: it does not beat m of them behind m irrelevant ones.

    For some m, here up to 32; items as in `top_heaviness`.
    """
    for pairs in _top_or_many(rng, n, SHALLOW):
        yield replace(pairs, better=pairs.worse, worse=pairs.better)


def aspect_relevance(rng: np.random.Generator, n: int) -> Batches:
    """Axiom 6, AspRel: of two items rated alike, that with the aspect of more weight is better.

    Each shows one aspect, which no other item of the list shows.
    """
    rating, shown, weights, listed, replaced, p = _two_candidates(rng, n)
    shown[:, :, :2] = False
    shown[:, :, 2] |= ~shown.any(axis=2)
    weights[:, :2] = np.sort(weights[:, :2])[:, ::-1]
    _show_one(shown, [p], 0)
    _show_one(shown, [LENGTH], 1)
    yield Pairs(rating, shown, weights, listed, replaced)


def more_aspects(rng: np.random.Generator, n: int) -> Batches:
    """Axiom 7, MoreAsp: of two items rated alike, that of more remaining interest is better.

    The remaining interest is sum_{a in i} w(u, a) - w(L, a), with w(L, a) the weights by equation
    (9) of the rest of the list L. Equation (23) prefers the item of less remaining interest, its
    text that of more: the text is taken.
    """
    rating, shown, weights, listed, replaced, p = _two_candidates(rng, 2 * n)
    rest = np.nan_to_num(rating[:, :LENGTH])
    _set(rest, p, 0.0)
    seen = np.einsum("nk,nka->na", rest, shown[:, :LENGTH].astype(float))
    seen /= np.maximum(seen.sum(axis=1, keepdims=True), 1e-9)
    left = (shown * (weights - seen)[:, None]).sum(axis=2)
    gap = left[np.arange(len(p)), p] - left[:, LENGTH]
    better = np.where(gap[:, None] > 0, listed, replaced)
    worse = np.where(gap[:, None] > 0, replaced, listed)
    keep = np.flatnonzero(np.abs(gap) > 1e-3)[:n]
    yield Pairs(*(part[keep] for part in (rating, shown, weights, better, worse)))


def more_aspects_superset(rng: np.random.Generator, n: int) -> Batches:
    """Axiom 7 in a form that needs no weights: one item shows all that the other shows, and more.

    Not the paper's; every aspect is of interest, and none is saturated.
    """
    rating, shown, weights, listed, replaced, p = _two_candidates(rng, n)
    row, more = np.arange(n), rng.integers(N_ASPECTS, size=n)
    shown[:, LENGTH] |= shown[row, p]
    shown[row, LENGTH, more] = True
    shown[row, p, more] = False
    yield Pairs(rating, shown, weights, replaced, listed)


def missing_over_non_relevant(rng: np.random.Generator, n: int) -> Batches:
    """Axiom 8, MissOverNon: an item without a rating is better than one that is rated 0.

    The user likes some item that is not listed: where nothing is liked, nothing could be ideal.
    """
    rating, shown, weights, ranking = _random(rng, n, LENGTH + 2)
    p = rng.integers(LENGTH, size=n)
    _set(rating, p, 0.0)
    rating[:, LENGTH:] = np.nan, HIGHEST
    yield Pairs(rating, shown, weights, _replaced(ranking, p), ranking)


AXIOMS: dict[str, Callable[[np.random.Generator, int], Batches]] = {
    "Pri": priority,
    "Deep": deepness,
    "NonPriSatAsp": non_priority,
    "TopHeav": top_heaviness,
    "TopHeavComp": top_heaviness_complementary,
    "AspRel": aspect_relevance,
    "MoreAsp": more_aspects,
    "MissOverNon": missing_over_non_relevant,
    "MoreAspSuperset": more_aspects_superset,
}


def random_users(rng: np.random.Generator, n: int, n_items: int) -> Interests:
    """Return users with this number of items each, all rated, and random aspects and weights."""
    rating, shown, weights, ranking = _random(rng, n, n_items)
    rating[np.isnan(rating)] = HIGHEST
    return Pairs(rating, shown, weights, ranking, ranking).interests()


def _random(rng: np.random.Generator, n: int, n_items: int = LENGTH):
    """Return random ratings, aspects (one at least) and weights, and lists of the first items."""
    rating = rng.integers(1, HIGHEST + 1, size=(n, n_items)).astype(np.float64)
    rating[rng.random(rating.shape) < MISSING] = np.nan
    shown = rng.random((n, n_items, N_ASPECTS)) < SHOWN
    one = rng.integers(N_ASPECTS, size=(n, n_items))
    np.put_along_axis(shown, one[:, :, None], True, axis=2)
    weights = rng.dirichlet(np.ones(N_ASPECTS), size=n)
    return rating, shown, weights, np.tile(np.arange(LENGTH), (n, 1))


def _two_candidates(rng: np.random.Generator, n: int):
    """Return the arrays of `_random`, and lists that have an item rated alike at a place `p`."""
    rating, shown, weights, ranking = _random(rng, n, LENGTH + 1)
    p = rng.integers(LENGTH, size=n)
    rating[:, LENGTH] = rng.integers(1, HIGHEST + 1, size=n)
    _set(rating, p, rating[:, LENGTH])
    return rating, shown, weights, ranking, _replaced(ranking, p), p


def _top_or_many(rng: np.random.Generator, n: int, counts: tuple[int, ...]) -> Batches:
    """Yield lists with one relevant item on top, and as worse ones those with many behind."""
    weights = rng.dirichlet(np.ones(N_ASPECTS), size=n)
    aspect = rng.integers(N_ASPECTS, size=n)
    relevance = rng.integers(1, HIGHEST + 1, size=n).astype(np.float64)
    for count in counts:
        # The first items are relevant, then come twice as many that are not.
        rating = np.zeros((n, 3 * count))
        rating[:, :count] = relevance[:, None]
        shown = np.zeros((n, 3 * count, N_ASPECTS), dtype=bool)
        shown[np.arange(n), :, aspect] = True
        items = np.arange(3 * count)
        single = np.tile(np.concatenate([[0], items[count : 3 * count - 1]]), (n, 1))
        many = np.tile(np.concatenate([items[count : 2 * count], items[:count]]), (n, 1))
        yield Pairs(rating, shown, weights, single, many)


def _two_places(rng: np.random.Generator, n: int, length: int, apart: int):
    """Return two places of a list, the second behind the first by at least `apart`."""
    first = rng.integers(length - apart, size=n)
    return first, rng.integers(first + apart, length)


def _two_ratings(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    low = rng.integers(1, HIGHEST, size=n)
    return low.astype(np.float64), rng.integers(low + 1, HIGHEST + 1).astype(np.float64)


def _set(rows: Floats | Integers, place: Integers, value) -> None:
    rows[np.arange(len(rows)), place] = value


def _show_one(shown: Booleans, places: list[Integers | int], aspect: Integers | int) -> None:
    """Let the items at some places show one aspect and no other."""
    row = np.arange(len(shown))
    for place in places:
        shown[row, place] = False
        shown[row, place, aspect] = True


def _swapped(ranking: Integers, p: Integers, q: Integers) -> Integers:
    swapped, row = ranking.copy(), np.arange(len(ranking))
    swapped[row, p], swapped[row, q] = ranking[row, q], ranking[row, p]
    return swapped


def _replaced(ranking: Integers, place: Integers) -> Integers:
    """Put the first item that is not listed in place of another."""
    replaced = ranking.copy()
    _set(replaced, place, LENGTH)
    return replaced
