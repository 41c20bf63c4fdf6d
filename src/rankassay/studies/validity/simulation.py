"""Recommenders in worlds with a truth: agreement of metrics' observed and true rankings.

They are trained on observed ratings, and every metric is computed on the observed test ratings. The
truth is what the users would say of all items that they have not rated in training: true P@10, the
same for all metrics, and each metric itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.data.parts import split_as_given
from rankassay.data.prepare import gini
from rankassay.errors import RankassayError
from rankassay.lookup import load
from rankassay.metrics.evaluate import grid
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.progress import progress
from rankassay.recommenders.catalogue import recommender
from rankassay.recommenders.rank import rank
from rankassay.seeds import derive, generator
from rankassay.statistics.incomplete import against_whole, mean_of_defined, unpopular_parts
from rankassay.statistics.judged_systems import TestSet, names_of
from rankassay.statistics.popularity import popularity
from rankassay.studies.validity import candidates
from rankassay.studies.validity.agreement import (
    agreement,
    complete,
    popularity_of,
    with_propensities,
)
from rankassay.studies.validity.candidates import sample_order
from rankassay.studies.validity.worlds import World, observed, simulated
from rankassay.types import Floats

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
    return run(seed, evaluation, bias="item-independent", **settings)


def worlds_popularity_driven(
    seed: int, evaluation: dict, **settings: Unpack[Settings]
) -> pd.DataFrame:
    """Simulate worlds where items' exposure decides what is rated; see `in_worlds`."""
    return run(seed, evaluation, bias="popularity-driven", **settings)


def worlds_relevance_driven(
    seed: int, evaluation: dict, **settings: Unpack[Settings]
) -> pd.DataFrame:
    """Simulate worlds where users' liking decides what is rated; see `in_worlds`."""
    return run(seed, evaluation, bias="relevance-driven", **settings)


def worlds_mixed(seed: int, evaluation: dict, **settings: Unpack[Settings]) -> pd.DataFrame:
    """Simulate worlds where exposure and liking decide what is rated; see `in_worlds`."""
    return run(seed, evaluation, bias="mixed", **settings)


def run(
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
