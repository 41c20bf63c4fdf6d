"""Recommenders in a world with a truth: how far each metric, as observed, orders them as it would.

They learn from what is observed, and every metric is computed twice: on the observed test ratings,
and on what the users would say of all items that they have not rated in training.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from assayer.data.split import split
from assayer.data.statistics import gini
from assayer.lookup import load
from assayer.metrics.judgements import Judgements, Lists
from assayer.progress import progress
from assayer.recommenders.catalogue import recommender
from assayer.recommenders.rank import rank
from assayer.seeds import derive
from assayer.statistics.bootstrap import Pairs
from assayer.statistics.discriminative_power import normal_p
from assayer.statistics.incomplete import against_whole, mean_of_defined, unpopular_parts
from assayer.statistics.popularity import popularity
from assayer.statistics.test_sets import TestSet, names_of
from assayer.studies.validity.agreement import agreement, popularity_of
from assayer.studies.validity.worlds import BIASES, World, observed, simulated

TEST_FRACTION = 0.2


def run(
    seed: int,
    evaluation: dict,
    *,
    bias: str,
    users: int,
    items: int,
    factors: int,
    relevant: float,
    repetitions: int,
    **how: Any,
) -> pd.DataFrame:
    """Simulate worlds of one bias; see `in_worlds` for the result.

    The settings are those of `assayer.studies.validity.settings.Worlds`. The worlds are the same
    for every strength of the bias: what differs is what is observed of them.
    """
    sizes = (users, items, factors, relevant, seed)
    worlds = {k: simulated(*sizes, bias, k) for k in range(repetitions)}
    return in_worlds(worlds, seed, evaluation, bias=bias, **how)


item_independent, popularity_driven, relevance_driven, mixed = (
    partial(run, bias=bias) for bias in BIASES
)


def in_worlds(
    worlds: Mapping[int, World],
    seed: int,
    evaluation: dict,
    *,
    bias: str,
    strengths: Sequence[float],
    density: float,
    percentages: Sequence[float],
    estimators: Sequence[str] = (),
) -> pd.DataFrame:
    """Observe worlds under a bias of several strengths, and compare observed and true orders.

    `evaluation` has the recommenders (method and settings by name) and how they are evaluated;
    `estimators` are metrics that know the propensities, computed at the cut-offs of the others.

    Returns
    -------
    DataFrame
        A row for each measure in each world and at each strength: columns bias, strength, world,
        metric, cutoff, those of `assayer.studies.validity.agreement.agreement`, power (DP on what
        is observed, by the normal approximation of
        `assayer.statistics.discriminative_power.normal_p`), robustness (the mean tau between the
        observed orders with and without the most popular items, over the percentages), ratings and
        gini (of the items' numbers of ratings in what is observed), and relevant (the share of the
        items that a user likes in truth).
    """
    cutoffs = dict.fromkeys(cutoff for _, cutoff in names_of(evaluation["measures"]))
    more = [f"{name}@{cutoff}" for name in estimators for cutoff in cutoffs]
    evaluation = evaluation | {"measures": [*evaluation["measures"], *more]}
    cases = [(k, strength) for k in worlds for strength in strengths]
    tables = []
    for k, strength in progress(cases, "worlds"):
        propensity = worlds[k].propensity(bias, strength, density)
        ratings = observed(worlds[k], propensity, seed, bias, f"{strength:g}", k)
        found = _measured(worlds[k], propensity, ratings, seed, evaluation, percentages)
        head = {"bias": bias, "strength": strength, "world": k + 1}
        relevant = (worlds[k].rating >= worlds[k].threshold).mean()
        own = {"ratings": ratings.nnz, "gini": gini(popularity(ratings)), "relevant": relevant}
        tables.append(found.assign(**head, **own)[[*head, *found, *own]])
    return pd.concat(tables)


@dataclass(frozen=True)
class Sides:
    """The systems as judged by what is observed, and by the truth."""

    observed: TestSet
    true: TestSet


def _measured(
    world: World,
    propensity: np.ndarray,
    ratings: sp.csr_matrix,
    seed: int,
    evaluation: dict,
    percentages: Sequence[float],
) -> pd.DataFrame:
    """Train on a part of what was observed, and compare what is measured with what is true."""
    train, test = split(ratings, TEST_FRACTION, "floor", seed)
    sides = judged(world, propensity, train, test, evaluation, seed)
    observed, values = sides.observed, sides.observed.values()
    power = [normal_p(Pairs.of(values[:, :, m]).sums()).sum() for m in range(values.shape[2])]
    parts = unpopular_parts(observed.item, popularity(train), percentages, "items")
    taus = np.concatenate([*against_whole(observed, parts).values()])[:, 0]
    names = [*evaluation["recommenders"]]
    found = agreement(observed, sides.true, names, popularity_of(evaluation)).table
    return found.assign(power=power, robustness=mean_of_defined(taus))


def judged(
    world: World,
    propensity: np.ndarray,
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    evaluation: dict,
    seed: int,
) -> Sides:
    """Train the recommenders, and judge their lists of all items by the test set and the truth."""
    left = np.ones(world.rating.shape, dtype=bool)
    left[train.nonzero()] = False
    truth = sp.csr_matrix(np.where(left, world.rating, np.float32(0)))
    tested = np.zeros(world.rating.shape, dtype=bool)
    tested[test.nonzero()] = True
    tested = tested[left]  # of the true judgements, those that are observed
    of_test = sp.csr_matrix((propensity[test.nonzero()], test.indices, test.indptr), test.shape)
    everything = sp.csr_matrix((np.ones(truth.nnz), truth.indices, truth.indptr), truth.shape)
    by_test = Judgements.of(test, world.threshold)
    by_truth = Judgements.of(truth, world.threshold)
    depth = max(cutoff for _, cutoff in names_of(evaluation["measures"]))
    systems: list[tuple[Lists, Lists]] = []
    for lists in _lists(evaluation["recommenders"], train, truth, depth, seed):
        seen = replace(lists, ranks=lists.ranks[tested])
        systems.append((Lists.of(seen, by_test), Lists.of(lists, by_truth)))
    observed, true = zip(*systems, strict=True)
    return Sides(
        TestSet.of_lists(by_test, test.indices, observed, evaluation, depth),
        TestSet.of_lists(by_truth, truth.indices, true, evaluation, depth),
    )


def _lists(
    recommenders: Mapping[str, Mapping], train: sp.csr_matrix, truth: sp.csr_matrix, depth, seed
) -> Iterator:
    """Yield the rankings of all items by each recommender."""
    for name, entry in recommenders.items():
        model = load(recommender(entry["method"]))(**entry["settings"])
        model.fit(train, derive(seed, "worlds", name))
        yield rank(model, train, truth, depth, "all_items")
