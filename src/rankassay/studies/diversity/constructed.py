"""Axioms and greedy ideal lists, tried on simulated users.

Parapar and Radlinski, RecSys 2021: the axioms of section 4.1 and table 1, and the ideal lists of
section 3.3. An axiom holds for a metric if the metric values the better list of a pair higher in
every one of many random instances; one in which it does not is printed, and proves that the axiom
does not hold. That it holds in all is no proof that it always does. Details that the paper leaves
open are described at the function that draws an axiom's instances.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from rankassay.metrics.diversity.cascade import Model, down_to, logarithmic, relevance
from rankassay.metrics.diversity.lists import AspectLists, Aspects, Interests
from rankassay.metrics.diversity.metrics import unified_model
from rankassay.metrics.evaluate import diversity_values
from rankassay.seeds import generator
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
LONG = ("TopHeav", "TopHeavComp")  # the lists of these are thousands of items long
LENGTHS = (2, 3, 4, 5, 6)  # of greedy lists, all of whose orders are tried
USERS = 500  # with lists of each of these lengths
ALPHA = 0.5  # of alpha-nDCG, whose greedy ideal lists are compared with the best ones
EQUAL = 1e-12  # values and gains nearer than this are equal

# An axiom that says that something exists (a number of items, a difference small enough) comes as
# several batches, one of which must satisfy an instance.
Batches = Iterator["Pairs"]


@dataclass(frozen=True)
class Pairs:
    """Instances of an axiom, arrays with one row for each; items and places count from 0."""

    rating: Floats  # (n, n_items); NaN is an item that is not rated
    shown: Booleans  # (n, n_items, n_aspects)
    weights: Floats  # (n, n_aspects)
    better: Integers  # (n, length)
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


def axioms(
    seed: int,
    *,
    metrics: Sequence[str],
    instances: int,
    long_instances: int,
) -> pd.DataFrame:
    """Test every axiom on random instances, the same for every metric.

    Returns
    -------
    DataFrame
        Columns axiom, metric, instances, satisfied (in how many), holds (1 if in all),
        counterexample (the instance in which the value of the better list is furthest below that
        of the worse one; of an axiom that says that something exists, with what comes nearest to
        it; empty where the axiom holds).
    """
    rows = []
    for axiom, draw in AXIOMS.items():
        drawn = draw(
            generator(seed, "axioms", axiom), long_instances if axiom in LONG else instances
        )
        batches = [(pairs, pairs.lists()) for pairs in drawn]
        for metric in metrics:
            satisfied, example = _test(metric, batches)
            counts = (len(satisfied), satisfied.sum(), int(satisfied.all()))
            rows.append((axiom, metric, *counts, example))
    columns = ["axiom", "metric", "instances", "satisfied", "holds", "counterexample"]
    return pd.DataFrame(rows, columns=columns)


def _test(metric: str, batches) -> tuple[Booleans, str]:
    """Find the instances that satisfy the axiom in some batch, and describe the worst other one."""
    values = [[_values(metric, lists) for lists in both] for _, both in batches]
    gaps = np.array([better - worse for better, worse in values])
    satisfied = (gaps > EQUAL).any(axis=0)
    if satisfied.all():
        return satisfied, ""
    i = int(np.argmin(gaps.max(axis=0)))
    nearest = int(np.argmax(gaps[:, i]))  # the batch that comes nearest to what the axiom asks
    better, worse = values[nearest]
    return satisfied, describe(batches[nearest][0], i, better[i], worse[i])


def _values(metric: str, lists) -> Floats:
    return diversity_values(lists, [metric], [lists.items.shape[1]])[:, 0, 0]


def describe(pairs: Pairs, i: int, high: float, low: float) -> str:
    """Write an instance in words: both lists, item by item, the weights, and the two values.

    An item is its rating and its aspects, as in 4ab; - is an item without a rating.
    """
    names = "abcdefghijklmnopqrstuvwxyz"[: pairs.weights.shape[1]]
    weights = " ".join(f"{n} {w:.4f}" for n, w in zip(names, pairs.weights[i], strict=True))

    def item(j: int) -> str:
        rating = pairs.rating[i, j]
        aspects = "".join(n for n, s in zip(names, pairs.shown[i, j], strict=True) if s)
        return ("-" if np.isnan(rating) else f"{rating:g}") + aspects

    def ranking(items) -> str:
        runs = [(text, len([*same])) for text, same in itertools.groupby(map(item, items))]
        return " ".join(text if n == 1 else f"{n}x{text}" for text, n in runs)

    better, worse = ranking(pairs.better[i]), ranking(pairs.worse[i])
    return f"[{better}] {high:.6g}, but [{worse}] {low:.6g}; weights {weights}"


def greedy(
    seed: int,
    *,
    betas: Sequence[float],
    lengths: Sequence[int] = LENGTHS,
    instances: int = USERS,
) -> pd.DataFrame:
    """Compare the discounted gain of greedy ideal lists with the largest of all orders.

    Computing the ideal is NP-complete (section 3.3), and all normalised diversity metrics take a
    greedy one. All items are rated, so that the alpha of alpha-beta-nDCG does not matter.

    Returns
    -------
    DataFrame
        Columns metric, items, instances, best (in how many the greedy list is the best), mean and
        lowest (of the greedy gain as a share of the best).
    """
    rows = []
    for n in lengths:
        interests = random_users(generator(seed, "greedy", n), instances, n)
        for name, model in _models(interests, betas).items():
            share = _share(model, interests, n)
            best = int((share > 1 - EQUAL).sum())
            rows.append((name, n, instances, best, share.mean(), share.min()))
    return pd.DataFrame(rows, columns=["metric", "items", "instances", "best", "mean", "lowest"])


def _models(interests: Interests, betas: Sequence[float]) -> dict[str, Model]:
    """Return the user models to compare, by the metric's name."""
    plain = Model(relevance("rating", interests), ALPHA, "one", False, ("alpha-nDCG", ALPHA))
    unified = {f"alpha_beta_nDCG(beta={b})": unified_model(interests, 0.0, b) for b in betas}
    return {f"alpha_nDCG(alpha={ALPHA})": plain} | unified


def _share(model: Model, interests: Interests, n: int) -> Floats:
    """Return the greedy gain as a share of the largest one, float64 (n_users,)."""
    discount, cutoffs = logarithmic(n), np.array([n])
    items = interests.item.reshape(-1, n)
    largest = np.zeros(len(items))
    for order in itertools.permutations(range(n)):
        lists = AspectLists.of(items[:, order], interests)
        largest = np.maximum(largest, model.total(lists, discount, cutoffs)[:, 0])
    return down_to(model.ideal(interests, n), discount, cutoffs)[:, 0] / largest


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
