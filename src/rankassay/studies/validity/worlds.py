"""Worlds with a truth, simulated or real: agreement of metrics' observed and true rankings.

In a world every user's rating of every item is known: it is simulated, or a real matrix that a
model completed. The bias of what is observed is chosen, and so known: propensities are those of one
of `BIASES`, with a strength from 0 on. Recommenders are trained on observed ratings, and every
metric is computed on the observed test ratings. The truth is what the users would say of all items
that they have not rated in training: true P@10, the same for all metrics, and each metric itself.

A completed matrix is not what the users would say: it is what a model says that they would. What is
observed of it shows what the bias does to metrics on data of such a form, and no more.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings, together
from rankassay.data.parts import split_as_given
from rankassay.data.prepare import gini
from rankassay.errors import RankassayError, one_of
from rankassay.lookup import load
from rankassay.metrics.evaluate import grid
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.progress import progress
from rankassay.recommenders.catalogue import recommender
from rankassay.recommenders.rank import rank
from rankassay.recommenders.rating_factorization import SVD
from rankassay.seeds import derive, generator
from rankassay.statistics.incomplete import (
    against_whole,
    mean_of_defined,
    popularity,
    unpopular_parts,
)
from rankassay.statistics.judged_systems import TestSet, names_of
from rankassay.studies.validity import candidates
from rankassay.studies.validity.agreement import (
    agreement,
    complete,
    popularity_of,
    with_propensities,
)
from rankassay.studies.validity.candidates import sample_order
from rankassay.studies.validity.names import BIASES
from rankassay.studies.validity.summary import worlds
from rankassay.types import Floats, Floats32, Integers

MOST_CELLS = 4_000_000  # of a truth, some 32 MB an array
# Weights of taste, of an item's quality, of a user's leniency and of noise in what users say.
TASTE, QUALITY, LENIENCY, NOISE = 0.6, 0.5, 0.3, 0.5
RELEVANT = 4  # ratings, from 1 to 5, are relevant from here on


@dataclass(frozen=True)
class World:
    """All users' ratings of all items, and what decides which of these are observed."""

    rating: Floats32  # (n_users, n_items), no cell is empty
    threshold: float  # ratings from here on are relevant
    exposure: Floats  # (n_items,), how easily each is found, independent of its quality; variance 1
    activity: Floats  # (n_users,), how much each user rates; mean 0, variance 1

    def propensity(self, bias: str, strength: float, density: float) -> Floats:
        """Return the probability that each rating is observed, float64 (n_users, n_items).

        ::

            P_ui = min(1, c exp(strength g_ui))

        with the c that makes their mean the density, and with a g of mean 0 and variance 1: of
        item-independent bias the user's activity; popularity-driven, the item's exposure;
        relevance-driven, the true rating; mixed, the exposure and the rating in equal parts. At
        strength 0 all are equal, and ratings are missing completely at random.
        """
        one_of("bias", bias, BIASES)
        liked = standard(self.rating.astype(np.float64))
        by_item = np.broadcast_to(self.exposure, liked.shape)
        by_user = np.broadcast_to(self.activity[:, None], liked.shape)
        driver = {
            "item-independent": by_user,
            "popularity-driven": by_item,
            "relevance-driven": liked,
            "mixed": standard(liked + by_item),
        }[bias]
        return scaled(np.exp(strength * driver), density)


def simulated(
    users: int, items: int, factors: int, relevant: float, seed: int, *names: str | int
) -> World:
    """Return a world of latent tastes.

    ::

        z_ui = 0.6 p_u . q_i / sqrt(factors) + 0.5 a_i + 0.3 b_u + 0.5 e_ui

    with all of p, q, a (the item's quality), b (the user's leniency) and e drawn from the standard
    normal distribution. The `relevant` share of the cells with the highest z are rated 4 or 5, a
    third of them 5; the others 1, 2 and 3 in equal parts. Exposure and activity are standard
    normal, too, and depend on nothing else. The `names` distinguish worlds of one seed.

    Raises RankassayError for more than `MOST_CELLS` ratings.
    """
    check_cells(users, items)
    rng = generator(seed, "simulated-world", *names)
    z = tastes(rng, users, items, factors)
    z *= TASTE / np.sqrt(factors)
    z += QUALITY * rng.standard_normal(items) + LENIENCY * rng.standard_normal(users)[:, None]
    z += NOISE * rng.standard_normal(z.shape)
    exposure, activity = rng.standard_normal(items), rng.standard_normal(users)
    return World(in_stars(z, relevant), RELEVANT, standard(exposure), standard(activity))


def tastes(rng: np.random.Generator, users: int, items: int, factors: int) -> Floats:
    """Draw users' and items' latent factors, and return their products p_u . q_i."""
    own, traits = rng.standard_normal((users, factors)), rng.standard_normal((items, factors))
    z = np.zeros((users, items))
    for k in range(factors):  # a matrix product's last bits would depend on the BLAS
        z += own[:, k, None] * traits[:, k]
    return z


def in_stars(z: Floats, relevant: float) -> Floats32:
    """Return ratings of 1 to 5 for utilities z: see `simulated`."""
    third = (1 - relevant) / 3
    shares = [third, 2 * third, 1 - relevant, 1 - relevant / 3]
    bounds = np.quantile(z, shares)
    return (1 + np.searchsorted(bounds, z, side="right")).astype(np.float32)


def observed(world: World, propensity: Floats, seed: int, *names: str | int) -> sp.csr_matrix:
    """Draw the ratings that are observed, each with its propensity, float32 (n_users, n_items)."""
    seen = generator(seed, "observed", *names).random(propensity.shape) < propensity
    return sp.csr_matrix(np.where(seen, world.rating, np.float32(0)))


def check_cells(users: int, items: int) -> None:
    """Raise RankassayError for a truth that would take too much memory."""
    if users * items > MOST_CELLS:
        raise RankassayError(
            f"a world of {users:,} users and {items:,} items has {users * items:,} true ratings, "
            f"which are kept in memory; at most {MOST_CELLS:,} are allowed: lower users or items."
        )


def standard(values: Floats) -> Floats:
    """Return values of mean 0 and variance 1; all 0 where they are equal."""
    spread = values.std()
    return (values - values.mean()) / spread if spread > 0 else np.zeros_like(values)


def scaled(odds: Floats, density: float) -> Floats:
    """Return min(1, c odds), whose mean is the density, by bisection of log c."""
    low, high = np.log(density / odds.max()), np.log(1 / odds.min())
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (
            (middle, high)
            if np.minimum(1, np.exp(middle) * odds).mean() < density
            else (low, middle)
        )
    return np.minimum(1, np.exp(high) * odds)


TEST_FRACTION = 0.2
TRUTH = "truth"
FACTORS = 8  # of users' tastes
LIKED = 0.1  # the share of all items that a user likes
PERCENTAGES = (95, 90, 85, 80)  # of the items, the least popular ones
UNRATED = (None, 100, 0)  # items ranked with a user's test items where metrics are observed: or all
YARDSTICK = 10  # the cut-off of true P, by which all metrics are held against one truth


class Settings(TypedDict):
    """The settings of simulated worlds, which all biases share."""

    users: int
    items: int
    repetitions: Iterable[int]
    metrics: Sequence[str]
    cutoffs: Sequence[int]
    density: float
    strengths: Sequence[float]


def worlds_item_independent(
    seed: int, evaluation: dict, **settings: Unpack[Settings]
) -> pd.DataFrame:
    """Simulate worlds where users' activity decides what is rated; see `in_worlds`."""
    return of_bias(seed, evaluation, bias="item-independent", **settings)


def worlds_popularity_driven(
    seed: int, evaluation: dict, **settings: Unpack[Settings]
) -> pd.DataFrame:
    """Simulate worlds where items' exposure decides what is rated; see `in_worlds`."""
    return of_bias(seed, evaluation, bias="popularity-driven", **settings)


def worlds_relevance_driven(
    seed: int, evaluation: dict, **settings: Unpack[Settings]
) -> pd.DataFrame:
    """Simulate worlds where users' liking decides what is rated; see `in_worlds`."""
    return of_bias(seed, evaluation, bias="relevance-driven", **settings)


def worlds_mixed(seed: int, evaluation: dict, **settings: Unpack[Settings]) -> pd.DataFrame:
    """Simulate worlds where exposure and liking decide what is rated; see `in_worlds`."""
    return of_bias(seed, evaluation, bias="mixed", **settings)


def of_bias(
    seed: int,
    evaluation: dict,
    *,
    bias: str,
    users: int,
    items: int,
    repetitions: Iterable[int],
    **how: Any,
) -> pd.DataFrame:
    """Simulate worlds of one bias, by their numbers from 0; see `in_worlds` for the result.

    They are the same for every strength of the bias: only the observed ratings differ.
    """
    sizes = (users, items, FACTORS, LIKED, seed)
    worlds = {k: simulated(*sizes, bias, k) for k in repetitions}
    return in_worlds(worlds, seed, evaluation, bias=bias, **how)


def in_worlds(
    worlds: Mapping[int, World],
    seed: int,
    evaluation: dict,
    *,
    bias: str,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    strengths: Sequence[float],
    density: float,
) -> pd.DataFrame:
    """Observe worlds under a bias of several strengths, and compare observed and true rankings.

    `evaluation` has the recommenders (method and settings by name) and how metrics are computed.

    Returns
    -------
    DataFrame
        A row for each measure in each world and at each strength: columns bias, strength, world,
        metric, cutoff, candidates (what is ranked where metrics are observed; in truth all items
        are), those of `rankassay.studies.validity.agreement.agreement` by two yardsticks (liked:
        true P@10, and own: each metric by itself), robustness (the mean tau between the observed
        rankings with and without the most popular items, over the percentages), ratings and gini
        (of the items' numbers of observed ratings), and relevant (the share of the items that a
        user likes in truth).
    """
    evaluation = evaluation | {"measures": grid(metrics, cutoffs)}
    cases = [(k, strength) for k in worlds for strength in strengths]
    tables = []
    for k, strength in progress(cases, "worlds"):
        propensity = worlds[k].propensity(bias, strength, density)
        case = (bias, f"{strength:g}", k)
        ratings = observed(worlds[k], propensity, seed, *case)
        draws = generator(seed, "tested", *case)
        found = _measured(worlds[k], propensity, ratings, seed, evaluation, draws)
        head = {"bias": bias, "strength": strength, "world": k + 1}
        relevant = (worlds[k].rating >= worlds[k].threshold).mean()
        own = {"ratings": ratings.nnz, "gini": gini(popularity(ratings)), "relevant": relevant}
        tables.append(found.assign(**head, **own)[[*head, *found, *own]])
    return pd.concat(tables)


def _measured(
    world: World,
    propensity: Floats,
    ratings: sp.csr_matrix,
    seed: int,
    evaluation: dict,
    draws: np.random.Generator,
) -> pd.DataFrame:
    """Train on a part of the observed ratings, and compare measured with true values."""
    # Each rating by itself, and not a share of each user's: so it is known how likely each is.
    tested = draws.random(ratings.nnz) < TEST_FRACTION
    if tested.all() or not tested.any():
        raise RankassayError(
            "what is observed of a world: expected ratings to train on and ratings to test, found "
            f"{ratings.nnz} in all; raise density, or items."
        )
    train, test = split_as_given(ratings, tested)
    names, popular = [*evaluation["recommenders"]], popularity_of(evaluation)
    sides = judged(world, propensity, train, test, evaluation, seed)
    true = sides.pop(TRUTH)
    parts = unpopular_parts(test.indices, popularity(train), PERCENTAGES, "items")
    robustness = [
        mean_of_defined(np.concatenate([*against_whole(side, parts).values()])[:, 0])
        for side in sides.values()
    ]
    truths = complete(true, cutoffs=[YARDSTICK])
    found = agreement(sides, truths, names, popular).table
    return found.assign(robustness=np.tile(np.concatenate(robustness), len(truths)))


def judged(
    world: World,
    propensity: Floats,
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    evaluation: dict,
    seed: int,
) -> dict[str, TestSet]:
    """Train the recommenders, and judge their lists by the test set and by the truth.

    The test set is judged once for each number of unrated items that are ranked with a user's test
    items, by the name of these candidates; the truth, on all items, is called `TRUTH`.
    """
    left = np.ones(world.rating.shape, dtype=bool)
    left[train.nonzero()] = False
    tested = np.zeros(world.rating.shape, dtype=bool)
    tested[test.nonzero()] = True
    tested = tested[left]
    truth = sp.csr_matrix(np.where(left, world.rating, np.float32(0)))
    by_test = Judgements.of(test, world.threshold, with_propensities(test, tested_with(propensity)))
    by_truth = Judgements.of(truth, world.threshold, with_propensities(truth))
    depth = max(cutoff for _, cutoff in names_of(evaluation["measures"]))
    user = by_truth.users[by_truth.row]
    places = sample_order(user, generator(seed, "unrated-items").random(truth.nnz), tested)
    targets = {candidates.name(n): places <= (truth.shape[1] if n is None else n) for n in UNRATED}
    known = {name: tested[target] for name, target in targets.items()}
    depths = {name: max(depth, YARDSTICK) if name == TRUTH else depth for name in (*targets, TRUTH)}
    systems: dict[str, list[Lists]] = {name: [] for name in depths}
    for ranking in _rankings(evaluation["recommenders"], train, truth, seed):
        systems[TRUTH].append(Lists.of(ranking, by_truth))
        for name, target in targets.items():
            lists = candidates.lists_among(user, ranking.ranks, target, by_test.users)
            systems[name].append(replace(lists, ranks=lists.ranks[known[name]]))
    sides = {name: (by_test, test) for name in targets} | {TRUTH: (by_truth, truth)}
    return {
        name: TestSet.of_lists(judgements, matrix.indices, systems[name], evaluation, depths[name])
        for name, (judgements, matrix) in sides.items()
    }


def tested_with(propensity: Floats) -> Floats:
    """Return the probability that a rating is in the test set, of one that is not in training.

    What is judged in truth is not in training, either. With the share f of the test set it is
    f P / (1 - (1 - f) P).
    """
    return np.minimum(TEST_FRACTION * propensity / (1 - (1 - TEST_FRACTION) * propensity), 1.0)


def _rankings(
    recommenders: Mapping[str, Mapping],
    train: sp.csr_matrix,
    truth: sp.csr_matrix,
    seed: int,
) -> Iterator[Rankings]:
    """Yield the rankings of all items by each recommender: ranks alone, no lists."""
    for name, entry in recommenders.items():
        model = load(recommender(entry["method"]))(**entry["settings"])
        model.fit(train, derive(seed, "worlds", name))
        yield rank(model, train, truth, 0, "all_items")


def semi_synthetic(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    evaluation: dict,
    seed: int,
    *,
    users: int,
    items: int,
    biases: Sequence[str],
    repetitions: int,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    density: float,
    strengths: Sequence[float],
) -> pd.DataFrame:
    """Observe a completed part of a dataset under each bias, and compare the rankings of systems.

    The result is
    that of `rankassay.studies.validity.summary.worlds`, in which a world is one draw of the
    observed ratings: all have the same truth, and intervals do not extend to other truths.
    """
    world = completed(together(train, test), evaluation["threshold"], users, items, seed)
    drawn = dict.fromkeys(range(repetitions), world)
    how = {"metrics": metrics, "cutoffs": cutoffs, "density": density, "strengths": strengths}
    cases = {bias: in_worlds(drawn, seed, evaluation, bias=bias, **how) for bias in biases}
    return worlds(seed, world_resamples=0, **cases).table


def completed(ratings: sp.csr_matrix, threshold: float, users: int, items: int, seed: int) -> World:
    """Return a part of a dataset, whose ratings a model completed, as a world.

    The model is the biased SVD of `rankassay.recommenders.rating_factorization`, fitted to all
    ratings. Users and items are drawn at random from those with ratings, `users` and `items` at
    most. What a user would say is the prediction, and a residual drawn from those of the fit; it is
    rounded to the nearest rating that the dataset has. An item's exposure is the logarithm of its
    number of ratings, and a user's activity that of theirs, both standardised. Where the lowest
    rating is 0 or below, all are raised, and so is the threshold, so that it is 1: a cell of 0 is
    an empty one.

    Raises RankassayError for more than `rankassay.studies.validity.worlds.MOST_CELLS` ratings.
    """
    rng = generator(seed, "semi-synthetic")
    counts = np.diff(ratings.indptr), popularity(ratings)
    own_users, own_items = (
        np.sort(rng.permutation(np.flatnonzero(n))[:most])
        for n, most in zip(counts, (users, items), strict=True)
    )
    check_cells(len(own_users), len(own_items))
    model = SVD().fit(ratings, derive(seed, "semi-synthetic"))
    row = np.repeat(np.arange(ratings.shape[0]), np.diff(ratings.indptr))
    residuals = ratings.data - _predicted(model, row, ratings.indices)
    predicted = _predicted(model, own_users[:, None], own_items)
    said = predicted + rng.choice(residuals, predicted.shape)
    known = np.unique(ratings.data)
    rating = known[np.searchsorted((known[1:] + known[:-1]) / 2, said)]
    exposure, activity = (
        standard(np.log(n[own]))
        for n, own in zip(counts[::-1], (own_items, own_users), strict=True)
    )
    raised = 1.0 - float(known[0]) if known[0] <= 0 else 0.0
    return World((rating + raised).astype(np.float32), threshold + raised, exposure, activity)


def _predicted(model: SVD, users: Integers, items: Integers) -> Floats:
    """Return the predictions for pairs, whose indices are broadcast against each other."""
    found = np.zeros(np.broadcast_shapes(users.shape, items.shape))
    for p, q in zip(model.user_factors_.T, model.item_factors_.T, strict=True):
        found += p[users] * q[items]
    return found
