"""Target items: the effect on the ranking of systems when they rank fewer items.

Cañamares and Castells, RecSys 2020 ("On target item sampling in offline recommender system
evaluation"). A user's target items are the test items and N others, drawn uniformly: none
("condensed lists"), all, or any number between. Totals over the users of a fold are all that the
folds together are made from.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Self

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Ratings
from rankassay.artifacts.shards import WHOLE, Shard
from rankassay.data.parts import split_as_given
from rankassay.errors import RankassayError, number_of
from rankassay.lookup import load, parameters
from rankassay.metrics.evaluate import evaluate, grid
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.metrics.totals import grouped_sums
from rankassay.progress import progress
from rankassay.recommenders.base import Recommender
from rankassay.recommenders.catalogue import recommender
from rankassay.recommenders.knn import UserKNN, fit_together
from rankassay.recommenders.rank import BLOCK_CELLS
from rankassay.recommenders.sparse import arrays
from rankassay.seeds import derive, generator
from rankassay.statistics.draws import Draws
from rankassay.statistics.paired_tests import t_of_moments
from rankassay.statistics.replicated import Replicated
from rankassay.statistics.small_differences import differences
from rankassay.studies.validity.candidates import listed, targets_by_size
from rankassay.types import Floats, Integers, Integers32

TOTALLED = ["statistic", "system_a", "system_b", "metric", "cutoff", "size"]
USERS, SQUARED = "users", "squared difference"
# The authors' nDCG gains 1 for a relevant item.
NAMES = {"nDCG": 'nDCG(gain="binary")'}


def target_folds(
    ratings: Ratings,
    dataset: str,
    seed: int,
    evaluation: Mapping[str, float],
    shard: Shard = WHOLE,
    *,
    sizes: Sequence[int],
    folds: int,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    recommenders: Sequence[Mapping],
    resamples: int,
) -> Replicated:
    """Evaluate systems on target items of every size, in each of a share of the folds.

    Each rating falls in one of the folds at random; each fold is the test set once. Of a user, who
    counts if there are training ratings, the targets of size N are the test items and N items drawn
    from the others, less those rated in training; the largest size is all items. Lists that a
    system cannot fill are filled at random, and equal scores are in one random order of the items.

    Returns
    -------
    Replicated
        Columns fold (from 1), statistic, system_a, system_b, metric, cutoff, size (each of them
        empty or 0 where it says nothing) and total: a sum over the users of the fold, with that
        over resampled users. The statistics are

        - users: 1 for each;
        - mean: a metric of system_a, 0 for a user without relevant test items;
        - coverage: the share of the places up to the cut-off that system_a fills itself;
        - intersection: min(n, cut-off) / n for a user's n targets, which is the share that the top
          of two random lists have in common;
        - ties, ties at zero: the share of the pairs of systems with equal values, and with 0 each;
        - squared difference: that of the values of system_a and system_b; it has no replicates.

    Notes
    -----
    Memory for the ratings, the models, a block of scores and n_users n_systems n_sizes n_measures
    values. Each fold takes one pass over all scores of each system, for any number of sizes.
    Raises RankassayError where a fold has no ratings.
    """
    shape = (len(ratings.user_ids), len(ratings.item_ids))
    matrix = sp.csr_matrix((ratings.rating, (ratings.user, ratings.item)), shape)
    sizes = [size for size in sorted(sizes) if size < shape[1]] + [shape[1]]
    fold_of = generator(seed, "target-items").integers(folds, size=matrix.nnz)
    if len(np.unique(fold_of)) < folds:
        raise RankassayError(
            f"{dataset}: expected ratings in each of {folds} folds, found folds without any of the "
            f"{number_of(matrix.nnz, 'rating')}; "
            "set fewer folds of target-folds, or take other data."
        )
    draws = Draws.of(shape[0], resamples, seed)
    measures = grid([NAMES.get(metric, metric) for metric in metrics], cutoffs)
    totals = []
    for number in progress(shard.of(folds), "folds"):
        own = derive(seed, "target-items", number)
        fold = Fold.of(*split_as_given(matrix, fold_of == number), sizes, max(cutoffs), own)
        found = _evaluated(fold, recommenders, evaluation["threshold"], measures)
        totals.append(_totals(*found, np.array(cutoffs), draws, fold.users))
    names = [(metric, cutoff) for metric in metrics for cutoff in cutoffs]
    labels = [chosen["label"] for chosen in recommenders]
    rows = [(number + 1, *key) for number in shard.of(folds) for key in _keys(labels, sizes, names)]
    return Replicated.of(
        pd.DataFrame(rows, columns=["fold", *TOTALLED]),
        "total",
        [row for own in totals for row in own],
    )


def _evaluated(
    fold: "Fold", recommenders: Sequence[Mapping], threshold: float, measures: Sequence[str]
) -> tuple[Floats, Integers32, Integers]:
    """Return the first parameters of `_totals`; the models are gone before those of other folds."""
    models = _fitted(recommenders, fold.train, fold.seed, threshold)
    ranks, scored, targets = fold.ranked(models)
    values = [fold.evaluated(own, targets, threshold, measures) for own in ranks]
    return np.array(values), scored, targets


def _fitted(
    recommenders: Sequence[Mapping], train: sp.csr_matrix, seed: int, threshold: float
) -> dict[str, Recommender]:
    """Fit recommenders, by label; all of `UserKNN` itself find their neighbours together."""
    models = {chosen["label"]: _made(chosen, threshold) for chosen in recommenders}
    if together := [model for model in models.values() if type(model) is UserKNN]:
        fit_together(together, train)
    return {
        label: model if type(model) is UserKNN else model.fit(train, seed)
        for label, model in models.items()
    }


def _made(chosen: Mapping, threshold: float) -> Recommender:
    """Make a recommender; its threshold is the dataset's, unless its settings have one."""
    target, settings = recommender(chosen["method"]), dict(chosen["settings"])
    if "threshold" in parameters(target):
        settings = {"threshold": float(threshold)} | settings
    return load(target)(**settings)


@dataclass(frozen=True)
class Fold:
    """One fold: its users, systems and targets."""

    users: Integers32  # those with training ratings
    train: sp.csr_matrix  # of all users
    rated: sp.csr_matrix  # the training ratings of `users`, (n_users, n_items)
    test: sp.csr_matrix  # their test ratings
    sizes: Integers  # increasing; the last is n_items
    depth: int  # of the lists
    seed: int  # of this fold

    @classmethod
    def of(
        cls,
        train: sp.csr_matrix,
        test: sp.csr_matrix,
        sizes: Sequence[int],
        depth: int,
        seed: int,
    ) -> Self:
        """Return the fold that a split makes."""
        users = np.flatnonzero(np.diff(train.indptr)).astype(np.int32)
        return cls(users, train, train[users], test[users], np.array(sizes), depth, seed)

    def blocks(self) -> Iterator[tuple[slice, tuple, tuple[Integers32, Integers32]]]:
        """Yield some users at a time, their targets by size, and their test items."""
        random = generator(self.seed, "targets")
        n_users, n_items = self.rated.shape
        step = max(1, BLOCK_CELLS // n_items)
        for start in range(0, n_users, step):
            own = slice(start, min(start + step, n_users))
            orders = np.tile(np.arange(n_items), (own.stop - own.start, 1))
            random.permuted(orders, axis=1, out=orders)
            rated, test = (arrays(part[own])[:2] for part in (self.rated, self.test))
            yield own, targets_by_size(orders, self.sizes, rated, test), test

    def ranked(self, models: Mapping[str, Recommender]) -> tuple[Integers32, Integers32, Integers]:
        """Rank the targets of all users by the scores of each system.

        Returns
        -------
        ranks : int32 (n_models, n_sizes, n_test)
            Those of the test items.
        scored : int32 (n_models, n_sizes, n_users)
            How many items of each list have a score.
        targets : int64 (n_sizes, n_users)
            How many targets each user has.

        Raises RankassayError, which names the system, for scores of another shape and for NaN.
        """
        n_users, n_items = self.rated.shape
        ties = generator(self.seed, "ties").permutation(n_items)
        turns = {
            label: generator(self.seed, "fill", label).integers(n_items, size=n_users)
            for label in models
        }
        ranks = np.empty((len(models), len(self.sizes), self.test.nnz), dtype=np.int32)
        scored = np.empty((len(models), len(self.sizes), n_users), dtype=np.int32)
        counts = np.empty((n_users, len(self.sizes)), dtype=np.int64)
        for own, (targets, counts[own]), test in self.blocks():
            of_test = slice(*self.test.indptr[[own.start, own.stop]])
            for m, (label, model) in enumerate(models.items()):
                scores = np.ascontiguousarray(model.score(self.users[own]), dtype=np.float64)
                if scores.shape != targets.shape or np.isnan(scores.min()):
                    raise RankassayError(
                        f"{label}: expected a score for each of {n_items} items and none NaN, "
                        "found others."
                    )
                few = (counts[own], ties, turns[label][own], test, self.depth)
                ranks[m, :, of_test], scored[m, :, own] = listed(scores, targets, *few)
        return ranks, scored, counts.T

    def evaluated(
        self, ranks: Integers32, targets: Integers, threshold: float, measures: Sequence[str]
    ) -> Floats:
        """Return users' values at each size, float64 (n_sizes, n_users, n_measures)."""
        judged = Judgements.of(self.test, threshold)
        # Users without test ratings count, too.
        everybody = np.arange(len(self.users), dtype=np.int32)
        start = self.test.indptr.astype(np.int64)
        judged = Judgements(everybody, start, judged.rating, judged.threshold)
        length = np.minimum(targets, self.depth).astype(np.int32)
        lists = map(Lists, ranks, length)
        values = evaluate(judged, lists, measures, without_relevant="value")
        return values.swapaxes(0, 1)


def _keys(labels: list[str], sizes: list[int], names: list[tuple[str, int]]) -> list[tuple]:
    """Return the keys of the rows of `_totals`, by `TOTALLED`."""
    cutoffs = [*dict.fromkeys(cutoff for _, cutoff in names)]
    keys: list[tuple] = [(USERS, "", "", "", 0, 0)]
    keys += [("mean", label, "", *name, n) for label, n, name in product(labels, sizes, names)]
    keys += [("coverage", label, "", "", c, n) for label, n, c in product(labels, sizes, cutoffs)]
    keys += [("intersection", "", "", "", c, n) for n, c in product(sizes, cutoffs)]
    for statistic in ("ties", "ties at zero"):
        keys += [(statistic, "", "", *name, n) for n, name in product(sizes, names)]
    pairs = combinations(labels, 2)
    return keys + [(SQUARED, *pair, *name, n) for pair, n, name in product(pairs, sizes, names)]


def _totals(
    values: Floats,
    scored: Integers32,
    targets: Integers,
    cutoffs: Integers,
    draws: Draws,
    users: Integers32,
) -> Floats:
    """Return the totals over the users of a fold, float64 (n_totals, 1 + n_resamples).

    Values are (n_systems, n_sizes, n_users, n_measures), `scored` the same for all measures, and
    targets (n_sizes, n_users); the draws are of the dataset's users.
    """
    reached = np.minimum(targets[..., None], cutoffs) / np.maximum(targets, 1)[..., None]
    tied, zero = np.zeros((2, *values.shape[1:]))
    squared = []
    pairs = [*combinations(values, 2)]
    for a, b in pairs:
        tied += a == b
        zero += (a == b) & (a == 0)
        squared.append((differences(a, b) ** 2).sum(axis=1))
    parts = [
        np.ones((len(users), 1)),
        values,
        np.minimum(scored[..., None], cutoffs) / cutoffs,
        np.where(targets[..., None] > 0, reached, 1.0),
        tied / len(pairs),
        zero / len(pairs),
    ]
    of_users = np.hstack([np.moveaxis(part, -2, 0).reshape(len(users), -1) for part in parts])
    sums, _ = grouped_sums(of_users, draws.group[users], draws.n_groups)
    added = np.full((len(draws.times), np.size(squared)), np.nan)
    added[0] = np.ravel(squared)
    return np.hstack([draws.times @ sums, added]).T


KEYS = ["statistic", "system", "metric", "cutoff", "size", "pairs"]
ALL_PAIRS = "all pairs"  # in place of a system
TESTS = "p-values"


def target_items(target_folds: Replicated, published: pd.DataFrame, dataset: str) -> Replicated:
    """Evaluate systems on target items of every size, and test which pairs differ significantly.

    Parameters
    ----------
    target_folds : Replicated
        The totals of all folds (`target_folds`).
    published : pandas.DataFrame
        Columns figure, dataset, published and those of `KEYS`.
    dataset : str
        Its configured name.

    Returns
    -------
    Replicated
        Columns statistic, system, metric, cutoff, size, pairs (of systems, which the number is
        over; 0 for one of a single system), published (empty where nothing was) and value, which
        has replicates: means over resampled users, each with all folds. The statistics are

        - mean: a metric's mean over the users of all folds, 0 for those without relevant test
          items, who count (figures 1 and 3);
        - coverage: the share of the places up to the cut-off that a system fills itself (figure 5);
        - ties, ties at zero: the share of users for whom two systems have equal values, and that
          for whom both have 0; means over all pairs of systems (figure 4);
        - p-values: the sum of the p-values of Student's paired t-tests of all pairs of systems, the
          users of all folds together (figure 4, of 78 systems); it has no replicates;
        - intersection: the mean over users of min(n, cut-off) / n for n targets, which is the share
          that the top of two random lists have in common (figure 4).
    """
    table, folds = target_folds.table.fillna(""), target_folds.table["fold"].nunique()
    keys = table.loc[: len(table) // folds - 1, TOTALLED]
    totals = target_folds.numbers.reshape(folds, len(keys), -1).sum(axis=0)
    users = totals[keys["statistic"] == USERS]
    averaged = ~keys["statistic"].isin([USERS, SQUARED]).to_numpy()
    of_pairs = keys["statistic"].str.startswith("ties")
    pairs = len(keys.query("statistic == @SQUARED").groupby(["system_a", "system_b"]))
    means = keys[averaged].assign(pairs=np.where(of_pairs, pairs, 0)[averaged])
    means["system"] = means["system_a"].mask(of_pairs, ALL_PAIRS)
    tests = _p_values(keys, totals[:, 0], users[0, 0]).assign(pairs=pairs)
    unknown = np.full((len(tests), totals.shape[1]), np.nan)
    unknown[:, 0] = tests["p"]
    found = pd.concat([means, tests], ignore_index=True)[KEYS]
    known = published[published["dataset"] == dataset].fillna({"system": "", "metric": ""})
    known = known.drop_duplicates(KEYS)  # figure 1 repeats figure 3
    found = found.merge(known[[*KEYS, "published"]], how="left", on=KEYS, validate="1:1")
    return Replicated.of(found, "value", [*np.vstack([totals[averaged] / users, unknown])])


def _p_values(keys: pd.DataFrame, total: Floats, n_users: float) -> pd.DataFrame:
    """Return the sums of the p-values of all pairs, by size, metric and cut-off."""
    rows = keys.assign(total=total)
    case = ["size", "metric", "cutoff"]
    sums = rows[rows["statistic"] == "mean"].set_index(["system_a", *case])["total"]
    tests = rows[rows["statistic"] == SQUARED]
    a, b = (
        sums.loc[pd.MultiIndex.from_frame(tests[[name, *case]])].to_numpy()
        for name in ("system_a", "system_b")
    )
    squared = tests["total"].to_numpy()
    mean = np.where(squared > 0, a - b, 0.0) / n_users  # what rounding leaves is no difference
    variance = np.maximum(squared - n_users * mean**2, 0.0) / max(n_users - 1, 1)
    tests = tests.assign(p=t_of_moments(n_users, mean, variance))
    found = tests.groupby(case, sort=False, as_index=False)["p"].sum()
    return found.assign(statistic=TESTS, system=ALL_PAIRS)
