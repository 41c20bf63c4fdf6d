"""Observed and true values in simulated worlds: of measures, and of pairs of systems.

The truth is true P@10: the share of each list's first ten items that the user likes, on average
over the users with test ratings. It is complete, so that every system has its true value.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.data.parts import split_as_given
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import measure_values
from rankassay.metrics.judged import Judged, judge
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.metrics.names import direction
from rankassay.metrics.unjudged import condensed
from rankassay.progress import progress
from rankassay.recommenders.rank import rank
from rankassay.seeds import derive, generator
from rankassay.statistics.bootstrap import Pairs
from rankassay.statistics.discriminative_power import normal_p
from rankassay.statistics.draws import Draws
from rankassay.statistics.identical import same_values
from rankassay.statistics.incomplete import (
    mean_of_defined,
    popularity,
    random_part,
    unpopular_parts,
)
from rankassay.statistics.judged_systems import means_of_values, names_of
from rankassay.statistics.orders import settled
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.sensitivity import GAMMAS
from rankassay.statistics.sensitivity_pairs import ALPHA, largest_p_values
from rankassay.studies.validity.kinds import Drawn, drawn, fitted
from rankassay.studies.validity.names import CONDENSED, HALVES, JUDGED, NORMALISED, WEIGHED
from rankassay.studies.validity.worlds import RELEVANT, TEST_FRACTION, tested_with
from rankassay.types import Booleans, Floats, Integers

CUTOFF = 10  # of the truth, and of the pairs
DEPTH = 100  # of the lists
PAPER = ("P", "R", "AP", "nDCG", "RR", "Bpref", "infAP")  # the seven of Valcarce et al.
MEASURES = (
    *(f"{metric}@{cutoff}" for metric in PAPER for cutoff in (CUTOFF, 50, DEPTH)),
    *(f"{JUDGED}@{cutoff}" for cutoff in (CUTOFF, 50, DEPTH)),
    *("nDCG(gain='binary')@10", "P(denominator='judged_nan')@50"),
    *("condensed P@10", "condensed nDCG@10"),
    *(f"{WEIGHED}@{CUTOFF}", f"{WEIGHED}@50", f"{NORMALISED}@{CUTOFF}", f"{NORMALISED}@50"),
    *("FP@10", "FP@50", "FP@100", "FP(denominator='nonrelevant')@50"),
)
PERCENTAGES = (95, 90, 85, 80)  # of the items, the least popular ones
LEVELS, SAMPLES = (80, 60, 40, 20), 2  # percent of the ratings, at random
BOUNDS = (1.0, *GAMMAS)  # of weights, at which pairs are tested


def run(
    seed: int,
    *,
    kinds: Iterable[str],
    worlds: int,
    users: int,
    items: int,
    relevant: float,
    density: float,
) -> pd.DataFrame:
    """Train recommenders on the observed ratings of worlds, and compare observation and truth.

    Of the observed ratings one in five is tested, each by itself; the recommenders learn from the
    others and rank all items that a user did not rate in training.

    Returns
    -------
    DataFrame
        Rows of measures and of pairs of systems, which the column of says. All have kind, half
        (choose or report) and world (from 1). Rows of a `measure` have metric, cutoff, tau
        (Kendall's tau-b of the systems' observed means and true P@10), loss (of utility by the
        observed winner: 1 less its true P@10 divided by the best one; the mean of tied winners),
        popularity (the mean tau between the observed order and those without the most popular
        items), sparsity (the same without ratings that are excluded at random), power (DP, the sum
        of p-values over the pairs: the lower, the more power) and no_judged (the share of lists
        without a judged item up to the cut-off, of judged-only precision). Those of a `pair` have
        ratio and ratio_all (the true ratio of weights, see `pairs`), right (1, 0 or -1: the sign of
        the true difference of leader and other) and at_1 to at_4 (whether the leader's observed
        P@10 is significantly better when weights are bounded by 1 to 4).
    """
    sizes = (users, items, relevant, density, seed)
    cases = [
        (kind, half, world) for kind in kinds for half in HALVES for world in range(1, worlds + 1)
    ]
    tables = []
    for kind, half, world in progress(cases, "worlds"):
        own = observed(drawn(kind, *sizes, half, world), seed, kind, half, world)
        head = {"kind": kind, "half": half, "world": world}
        for of, table in (("measure", measured(own, seed, half, world)), ("pair", pairs(own))):
            tables.append(table.assign(of=of, **head)[["of", *head, *table]])
    return pd.concat(tables, ignore_index=True)


@dataclass(frozen=True)
class Observed:
    """The observed part of a world, and its truth."""

    # Test ratings of users with a relevant one; for propensities, numbers of training ratings.
    judgements: Judgements
    item: Integers  # (n_judged,)
    lists: list[Judged]  # of each system
    popularity: Integers  # (n_items,), numbers of training ratings
    true: Floats  # (n_systems,), true P@10 of all users with test ratings
    hits: list[Booleans]  # by system, the relevant test ratings among its first ten items
    weight: Floats  # (n_judged,), 1 / P(tested | not in training) by the world's own propensities


def observed(world: Drawn, seed: int, *names: str | int) -> Observed:
    """Draw the ratings of a world, split them, train the recommenders and judge their lists."""
    rng = generator(seed, "observed-of-kind", *names)
    seen = rng.random(world.propensity.shape) < world.propensity
    ratings = sp.csr_matrix(np.where(seen, world.users.rating, np.float32(0)))
    train, test = split_as_given(ratings, rng.random(ratings.nnz) < TEST_FRACTION)
    liked = test.copy()
    liked.data = (test.data >= RELEVANT).astype(np.float32)
    users = np.flatnonzero(np.asarray(liked.sum(axis=1)).ravel() > 0)
    if not len(users) or not train.nnz:
        raise RankassayError(
            "what is observed of a world: expected ratings to train on and relevant ratings to "
            f"test, found {train.nnz} and {int(liked.sum())}; raise density, users or items."
        )
    counts = popularity(train)
    known = np.isin(np.repeat(np.arange(len(seen)), np.diff(test.indptr)), users)
    judgements, item = _judgements(test, counts, known)
    own_weight = 1 / tested_with(world.propensity)[test.nonzero()][known]
    lists, true = [], []
    for ranking in _rankings(world, train, test, seed):
        kept = replace(ranking, ranks=np.where(ranking.ranks > DEPTH, 0, ranking.ranks))
        own = Lists.of(replace(kept, ranks=kept.ranks[known]), judgements)
        lists.append(judge(judgements, own, DEPTH))
        true.append(_true_precision(world.users.liked, ranking.items, np.diff(test.indptr) > 0))
    hits = [_hits(judgements, own) for own in lists]
    best = settled(np.array([true]), len(seen))[0]
    return Observed(judgements, item, lists, counts, best, hits, own_weight)


def _judgements(test: sp.csr_matrix, counts: Integers, known: Booleans):
    """Return the test ratings that are known, with popularity for propensity, and their items."""
    row = np.repeat(np.arange(test.shape[0]), np.diff(test.indptr))[known]
    item = test.indices[known]
    own = sp.csr_matrix((test.data[known], (row, item)), test.shape)
    share = (counts[item] + 1) / (counts.max() + 1)  # an item that nobody rated has a weight, too
    told = sp.csr_matrix((share.astype(np.float64), own.indices, own.indptr), test.shape)
    return Judgements.of(own, RELEVANT, told), item


def _rankings(
    world: Drawn, train: sp.csr_matrix, test: sp.csr_matrix, seed: int
) -> Iterator[Rankings]:
    """Yield the rankings of all items that are not in training, by each recommender."""
    for name, entry in world.recommenders.items():
        model = fitted(entry, train, derive(seed, "kinds", name), world.liked_only)
        yield rank(model, train, test, DEPTH, "all_items")


def _true_precision(liked: Booleans, items: Integers, listed: Booleans) -> float:
    """Return the share of the first ten places that hold an item that the user likes."""
    first = items[listed, :CUTOFF]
    own = np.take_along_axis(liked[listed], np.maximum(first, 0), 1) & (first >= 0)
    return float(own.sum() / (CUTOFF * listed.sum()))


def _hits(judgements: Judgements, judged: Judged) -> Booleans:
    """Return which judgements are relevant and among the first ten items, bool (n_judged,)."""
    return judgements.relevant & (judged.ranks > 0) & (judged.ranks <= CUTOFF)


def measured(own: Observed, seed: int, *names: str | int) -> pd.DataFrame:
    """Return the results of each measure in a world; see `run` for the columns."""
    measures = [*MEASURES]
    values = values_of(own.lists, measures)
    signs = np.array([[direction(_plain(measure))] for measure in measures])
    means = signs * _means(values)
    best = own.true.max()
    loss = [1 - own.true[row == row.max()].mean() / best if best > 0 else np.nan for row in means]
    parts = {
        "popularity": _unpopular(own),
        "sparsity": _sparse(own, seed, *names),
    }
    stable = {
        name: mean_of_defined(np.array([tau_b(signs * m, means) for m in _on(own, masks)]))
        for name, masks in parts.items()
    }
    sums = [Pairs.of(values[:, :, m]).sums() for m in range(len(measures))]
    different = ~same_values([values])
    power = [normal_p(of_pairs)[0, different].sum() for of_pairs in sums]
    table = pd.DataFrame(metrics_of(measures), columns=["metric", "cutoff"])
    tau = tau_b(means, own.true)
    return table.assign(tau=tau, loss=loss, **stable, power=power, no_judged=_empty(own, table))


def metrics_of(measures: Sequence[str]) -> list[tuple[str, int | None]]:
    """Return the metric, with the items of its lists, and the cut-off of each measure."""
    named = names_of(_plain(measure) for measure in measures)
    lists = [CONDENSED if measure.startswith(CONDENSED) else "" for measure in measures]
    return [(of + metric, cutoff) for of, (metric, cutoff) in zip(lists, named, strict=True)]


def _plain(measure: str) -> str:
    return measure.removeprefix(CONDENSED)


def values_of(systems: Sequence[Judged], measures: Sequence[str]) -> Floats:
    """Return users' values, float64 (n_users, n_systems, n_measures).

    A user without relevant items has none. Of a measure of condensed lists, the items that the user
    has not judged are taken out of the lists first.
    """
    plain = [m for m, measure in enumerate(measures) if not measure.startswith(CONDENSED)]
    rest = [m for m in range(len(measures)) if m not in plain]
    found = np.empty((systems[0].judgements.n_users, len(systems), len(measures)))
    for s, judged in enumerate(systems):
        lists = replace(judged.lists, ranks=judged.ranks)
        short = judge(judged.judgements, condensed(judged.judgements, lists), DEPTH)
        for some, of in ((plain, judged), (rest, short)):
            names = [_plain(measures[m]) for m in some]
            found[:, s, some] = measure_values(of, names, "paper", "nan")
    return found


def _means(values: Floats) -> Floats:
    """Return the systems' means over users, (n_measures, n_systems); equal ones have equal bits."""
    return means_of_values(values, Draws.none(len(values)))[0]


def _on(own: Observed, masks: Iterable[Booleans]) -> Iterator[Floats]:
    """Yield the systems' means on parts of the judgements."""
    for keep in masks:
        part = own.judgements.sample(keep, "drop")
        if part.relevant.any():
            yield _means(values_of([judged.sample(keep, part) for judged in own.lists], MEASURES))


def _unpopular(own: Observed) -> list[Booleans]:
    """Return the judgements without the most popular items, some shares of them."""
    parts = unpopular_parts(own.item, own.popularity, PERCENTAGES, "items")
    return [keep for some in parts.values() for keep in some]


def _sparse(own: Observed, seed: int, *names: str | int) -> list[Booleans]:
    """Return random parts of the judgements, of several sizes."""
    start, drawn_with = own.judgements.start, derive(seed, "sparse", *names)
    return [random_part(start, level, n, drawn_with) for level in LEVELS for n in range(SAMPLES)]


def _empty(own: Observed, table: pd.DataFrame) -> list[float]:
    """Return the share of lists without a judged item, of judged-only precision; else NaN."""
    found = []
    for metric, cutoff in zip(table["metric"], table["cutoff"], strict=True):
        share = np.nan
        if metric == JUDGED:
            counts = [judged.items.bounds(np.array([cutoff])) for judged in own.lists]
            share = float(np.mean([(count == 0).mean() for count in counts]))
        found.append(share)
    return found


def pairs(own: Observed) -> pd.DataFrame:
    """Return the observed and the true comparison of each pair of systems under P@10.

    The leader A has more hits than B; a pair that ties has no row. Hits that both have cancel: d+
    and d- are a user's numbers of hits of A alone and of B alone. Whether A stays significantly
    better at all weights of hits between 1 / Gamma and Gamma is the test of
    `rankassay.statistics.sensitivity`. With the true weights w = 1 / P(tested | not in training)
    the pair reverses if::

        ratio = sqrt(mean w of B's hits / mean w of A's) > sqrt(D+ / D-)

    with the hits that one of the two has alone; `ratio_all` is the same of all their hits. Both are
    NaN where one of the two has none.
    """
    row, n_users = own.judgements.row, own.judgements.n_users
    counts = [int(hits.sum()) for hits in own.hits]
    rows, plus, minus = [], [], []
    for i, j in combinations(range(len(own.hits)), 2):
        if counts[i] == counts[j]:
            continue
        leader, other = (i, j) if counts[i] > counts[j] else (j, i)
        of_leader, of_other = own.hits[leader], own.hits[other]
        alone = of_leader & ~of_other, of_other & ~of_leader
        plus.append(np.bincount(row[alone[0]], minlength=n_users))
        minus.append(np.bincount(row[alone[1]], minlength=n_users))
        ratios = _ratio(own.weight, *alone), _ratio(own.weight, of_leader, of_other)
        rows.append((*ratios, int(np.sign(own.true[leader] - own.true[other]))))
    table = pd.DataFrame(rows, columns=["ratio", "ratio_all", "right"])
    up, down = (np.reshape(side, (-1, n_users)).astype(np.float64) for side in (plus, minus))
    significant = (largest_p_values(up, down, BOUNDS) < ALPHA).astype(int)
    return table.assign(**dict(zip(map(at, BOUNDS), significant, strict=True)))


def at(gamma: float) -> str:
    """Return the column of `pairs` for a bound of weights.

    >>> at(1.5), at(3.0)
    ('at_1.5', 'at_3')
    """
    return f"at_{gamma:g}"


def _ratio(weight: Floats, of_leader: Booleans, of_other: Booleans) -> float:
    """Return the root of the mean weight of the other's hits divided by that of the leader's."""
    if not of_leader.any() or not of_other.any():
        return np.nan
    return float(np.sqrt(weight[of_other].mean() / weight[of_leader].mean()))
