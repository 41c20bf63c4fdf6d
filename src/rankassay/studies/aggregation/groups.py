"""Which average over users, and over which users: the effect on metrics.

The journal version of Valcarce et al. (Information Retrieval Journal 23, 2020) extends the study to
users with few ratings, for whom it finds the geometric mean more robust than the arithmetic one.
Here every criterion is measured for every aggregate, over all users and over groups by profile
size.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.errors import RankassayError
from rankassay.metrics.aggregate import resampled_aggregate
from rankassay.metrics.evaluate import grid
from rankassay.statistics.bootstrap import CLOSE, blocks_drawn
from rankassay.statistics.discriminative_power import row_sums
from rankassay.statistics.draws import Draws
from rankassay.statistics.identical import same_lists
from rankassay.statistics.incomplete import against_whole, popularity, random_parts, unpopular_parts
from rankassay.statistics.judged_systems import TestSet, judged_fit, means_of_values
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import Replicated
from rankassay.statistics.valuation import OfWhole
from rankassay.types import Booleans, Floats, Integers

REFERENCE = "mean"  # the aggregate that the others are compared with


@dataclass(frozen=True)
class Group:
    """Users by the size of their profiles, the number of their training ratings."""

    number: int  # from 1 for the smallest profiles; 0 are all users
    smallest: int
    largest: int
    users: Integers  # (n_users,), rows of the judgements

    @property
    def words(self) -> dict:
        """The group's columns in the result."""
        said = {"group": self.number, "smallest": self.smallest, "largest": self.largest}
        return said | {"users": len(self.users)}


@dataclass(frozen=True)
class Aggregated(OfWhole):
    """Systems judged on a test set, under each aggregate over each group of users.

    Every measure of the test set is one measure here for each pair of aggregate and group.
    """

    aggregates: Sequence[str]
    groups: list[Group]

    @property
    def pairs(self) -> list[tuple[str, Group]]:
        """Aggregates and groups, in the order of the measures."""
        return [*itertools.product(self.aggregates, self.groups)]

    @property
    def measures(self) -> list[dict[str, object]]:
        """Aggregate, group, metric and cut-off of each measure."""
        return [
            {"aggregate": how} | group.words | measure
            for how, group in self.pairs
            for measure in self.whole.measures
        ]

    def values(self, keep: Booleans | None = None) -> Floats:
        """Return every user's values on the kept judgements; see `UsersValues`."""
        values = self.whole.values(keep)
        found = [np.full_like(values, np.nan) for _ in self.pairs]
        for own, (_, group) in zip(found, self.pairs, strict=True):
            own[group.users] = values[group.users]
        return np.concatenate(found, axis=2)

    def means(self, keep: Booleans | None = None, draws: Draws | None = None) -> Floats:
        """Return the systems' aggregates on the kept judgements; see `UsersValues`."""
        draws = draws or Draws.none(self.judgements.n_users)
        values = self.whole.values(keep)
        found = [
            means_of_values(values[group.users], draws.of_users(group.users), how)
            for how, group in self.pairs
        ]
        return np.concatenate(found, axis=1)


def run(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    seed: int,
    *,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    aggregates: Sequence[str],
    groups: int,
    levels: Sequence[float],
    samples: int,
    percentages: Sequence[float],
    resamples: int,
    tests: int,
) -> Replicated:
    """Measure robustness and discriminative power under each aggregate, for each group of users.

    Aggregates are explained in `rankassay.metrics.aggregate`. Users with profiles of the same size
    share a group. The percentages are of the test set's items, the least popular in training.

    Returns
    -------
    Replicated
        Columns

        - criterion: agreement (tau-b of the ranking of systems with that by the arithmetic mean
          over all users), sparsity and popularity (the mean tau-b of the parts of the test set with
          the whole, same group and aggregate; 0 where all systems tie), power (the sum of the
          p-values of all pairs, see `p_values`)
        - aggregate, group (0 is all users), smallest, largest (profile), users, metric, cutoff
        - statistic: value, or difference, from the arithmetic mean over the same group
        - value, low, high: the measured number, which is replicated, and its interval, see
          `rankassay.statistics.replicated.interval`; power has neither replicates nor an interval
    """
    if aggregates[0] != REFERENCE:
        raise RankassayError(f"the first aggregate must be {REFERENCE}, found {[*aggregates]}.")
    evaluation = evaluation | {"measures": grid(metrics, cutoffs)}
    whole = TestSet.of(test, rankings, evaluation, anew=not judged_fit(test, rankings))
    sizes = np.diff(train.indptr)[whole.judgements.users]
    systems = Aggregated(whole, aggregates, profile_groups(sizes, groups))
    parts = {
        "sparsity": random_parts(whole.judgements.start, levels, samples, seed),
        "popularity": unpopular_parts(whole.item, popularity(train), percentages, "items"),
    }
    found = _robustness(systems, Draws.of(whole.judgements.n_users, resamples, seed), parts)
    values, different = whole.values(), ~same_lists(rankings)
    power = [
        row_sums(np.compress(different, p_values(values[group.users], how, tests, seed), axis=1))
        for how, group in systems.pairs
    ]
    unknown = np.full((resamples, sum(map(len, power))), np.nan)
    found["power"] = np.vstack([np.concatenate(power), unknown])
    heads, rows = [], []
    for criterion, numbers in found.items():
        for head, row in _rows(systems, criterion, numbers):
            heads.append(head)
            rows.append(row)
    result = Replicated.of(pd.DataFrame(heads), "value", rows)
    table = result.with_interval().table
    # A correlation lies between -1 and 1; a difference of two need not.
    own = table["statistic"] == "value"
    table.loc[own, ["low", "high"]] = table.loc[own, ["low", "high"]].clip(-1, 1)
    return replace(result, table=table)


def _robustness(
    systems: Aggregated, draws: Draws, parts: Mapping[str, Mapping[float, Iterable[Booleans]]]
) -> dict[str, Floats]:
    """Return the numbers of the criteria that compare rankings, (1 + n_resamples, n_measures)."""
    reference = systems.means(None, draws)
    n = len(systems.whole.measures)
    by_mean = np.tile(reference[:, :n], (1, len(systems.pairs), 1))  # the arithmetic, of all users
    found = {"agreement": np.nan_to_num(tau_b(reference, by_mean))}
    for criterion, masks in parts.items():
        taus = against_whole(systems, masks, draws, reference=reference).values()
        found[criterion] = np.nan_to_num(np.concatenate([*taus])).mean(axis=0)
    return found


def profile_groups(sizes: Integers, groups: int) -> list[Group]:
    """Return all users, and the groups of users by the sizes of their profiles, (n_users,)."""
    bounds = np.quantile(sizes, np.arange(1, groups) / groups, method="lower")
    group = np.searchsorted(bounds, sizes, side="left") + 1
    found = []
    for number in [0, *map(int, np.unique(group))]:
        users = np.flatnonzero(group == number) if number else np.arange(len(sizes))
        own = sizes[users]
        found.append(Group(number, int(own.min()), int(own.max()), users))
    return found


def p_values(values: Floats, how: str, tests: int, seed: int) -> Floats:
    """Return two-sided p-values of the differences between aggregates, by the bootstrap.

    ::

        p = (#{b: |D*_b - D| >= |D|} + 1) / (B + 1)

    with D the difference of a pair of systems and D*_b that over users drawn with replacement
    (Efron and Tibshirani, 1993, section 16.4, shifted to the null hypothesis). It needs no more of
    an aggregate than its value, so that the same test serves all of them. B is `tests`; `values`
    are (n_users, n_systems, n_measures), and the result is (n_measures, n_pairs).
    """
    first, second = np.triu_indices(values.shape[1], k=1)

    def differences(times: Floats) -> Floats:
        found = np.nan_to_num(resampled_aggregate(values, times, how))
        return found[:, first] - found[:, second]

    observed = differences(np.ones((1, len(values))))[0]
    extreme = np.zeros(observed.shape, dtype=np.int64)
    for times in blocks_drawn(len(values), tests, seed):
        shifted = np.abs(differences(times) - observed)
        # Differences that are equal but for the last bits are equal.
        extreme += (shifted >= np.abs(observed) * (1 - CLOSE) - CLOSE**2).sum(axis=0)
    return ((extreme + 1) / (tests + 1)).T


def _rows(systems: Aggregated, criterion: str, numbers: Floats) -> Iterator[tuple[dict, Floats]]:
    """Yield the rows of one criterion, and their numbers, (1 + n_resamples,).

    Each number, and but for the arithmetic mean how it differs from that of the same group.
    """
    n = len(systems.whole.measures) * len(systems.groups)
    for column, measure in enumerate(systems.measures):
        head = {"criterion": criterion} | measure
        yield head | {"statistic": "value"}, numbers[:, column]
        if measure["aggregate"] != REFERENCE:
            difference = numbers[:, column] - numbers[:, column % n]
            yield head | {"statistic": "difference"}, difference
