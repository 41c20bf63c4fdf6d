"""Which average over users, and over which users: what becomes of the metrics?

The journal version of Valcarce et al. (Information Retrieval Journal 23, 2020) takes the study to
users with few ratings, for whom it finds the geometric mean more robust than the arithmetic one.
Here every question is asked of every aggregate, of all users and of groups by profile size.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

from assayer.analysis.bootstrap import CLOSE, times_drawn
from assayer.analysis.popularity import least_popular
from assayer.analysis.rank_correlation import tau_b
from assayer.analysis.resampling import TestSet, random_part
from assayer.artifacts import Rankings
from assayer.errors import AssayerError, one_of
from assayer.metrics.aggregate import AGGREGATES, resampled_aggregate
from assayer.metrics.evaluate import grid

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

REFERENCE = "mean"  # the aggregate that the others are compared with


@dataclass(frozen=True)
class Group:
    """Users by the size of their profiles, the number of their training ratings.

    Attributes
    ----------
    number : from 1 for the smallest profiles; 0 are all users
    smallest, largest : the sizes in the group
    users : int64 (n_users,), rows of the judgements
    times : float64 (1 + n_resamples, n_users), 1 for all and then how often each was drawn
    """

    number: int
    smallest: int
    largest: int
    users: Integers
    times: Floats

    @property
    def words(self) -> dict:
        """What the result says of the group."""
        said = {"group": self.number, "smallest": self.smallest, "largest": self.largest}
        return said | {"users": len(self.users)}


def run(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    aggregates: Sequence[str],
    groups: int,
    levels: Sequence[float],
    samples: int,
    percentages: Sequence[float],
    resamples: int,
    tests: int,
    seed: int,
) -> pd.DataFrame:
    """Measure robustness and discriminative power under each aggregate, for each group of users.

    Parameters
    ----------
    train, test : (n_users, n_items)
    rankings : mapping from the systems' names to Rankings
    evaluation : dict
        Its threshold, profile and without_relevant.
    metrics : sequence of str
    cutoffs : sequence of int
    aggregates : sequence of str
        See `assayer.metrics.aggregate`; the first must be `mean`, which the others are compared
        with.
    groups : int
        How many groups of about as many users; users with profiles of the same size share one.
    levels : sequence of float
        Percentages of the test ratings to keep, drawn at random.
    samples : int
        Random parts at each level.
    percentages : sequence of float
        Of the test set's items, the least popular in training, to keep.
    resamples : int
        Of the users, from which the intervals come.
    tests : int
        Resamples of the users in the significance test of all pairs of systems.
    seed : int

    Returns
    -------
    DataFrame
        Columns

        criterion : agreement (tau-b of the order of the systems with that by the arithmetic mean
            over all users), sparsity and popularity (the mean tau-b of the parts of the test set
            with the whole, same group and aggregate; 0 where all systems tie), power (the sum of
            the p-values of all pairs, see `p_values`)
        aggregate, group (0 is all users), smallest, largest (profile), users, metric, cutoff
        statistic : value, or difference, from the arithmetic mean over the same group
        value, low, high : what was measured, less and plus 1.96 standard deviations over resampled
            users; power has no interval
    """
    for name in aggregates:
        one_of("aggregate", name, AGGREGATES)
    if list(aggregates)[:1] != [REFERENCE]:
        raise AssayerError(f"the first aggregate must be {REFERENCE}, found {[*aggregates]}.")
    whole = TestSet.of(test, rankings, evaluation | {"measures": grid(metrics, cutoffs)})
    sizes = np.diff(train.indptr)[whole.judgements.users]
    by_size = profile_groups(sizes, groups, resamples, seed)
    parts = {
        "sparsity": [
            random_part(whole.judgements.start, level, number, seed)
            for level in levels
            for number in range(samples)
        ],
        "popularity": [
            np.isin(test.indices, least_popular(test.indices, popularity(train), share, "items"))
            for share in percentages
        ],
    }
    found = _measured(whole, parts, by_size, aggregates, tests, seed)
    measures = [(measure.name, measure.cutoff) for measure in whole.measures]
    rows = [
        {"criterion": criterion, "aggregate": how, **by_size[number].words, **row}
        for (criterion, how, number), values in found.items()
        for row in _rows(criterion, values, found[criterion, REFERENCE, number], measures)
        if how != REFERENCE or row["statistic"] == "value"
    ]
    return pd.DataFrame(rows)


def popularity(train: sp.csr_matrix) -> Integers:
    """Return the number of training ratings of each item, int64 (n_items,)."""
    return np.bincount(train.indices, minlength=train.shape[1])


def profile_groups(sizes: Integers, groups: int, resamples: int, seed: int) -> dict[int, Group]:
    """Return all users and the groups of users by profile size, by their numbers.

    Parameters
    ----------
    sizes : int (n_users,)
    groups, resamples, seed : int
    """
    bounds = np.quantile(sizes, np.arange(1, groups) / groups, method="lower")
    group = np.searchsorted(bounds, sizes, side="left") + 1
    found = {}
    for number in [0, *map(int, np.unique(group))]:
        users = np.flatnonzero(group == number) if number else np.arange(len(sizes))
        drawn = times_drawn(len(users), 0, seed)[:resamples]
        times = np.vstack([np.ones((1, len(users))), drawn])
        own = sizes[users]
        found[number] = Group(number, int(own.min()), int(own.max()), users, times)
    return found


def p_values(values: Floats, how: str, tests: int, seed: int) -> Floats:
    """Return two-sided p-values of the differences between aggregates, by the bootstrap.

    p = (#{b: |D*_b - D| >= |D|} + 1) / (B + 1)

    with D the difference of a pair of systems and D*_b that over users drawn with replacement
    (Efron and Tibshirani, 1993, section 16.4, shifted to the null hypothesis). It needs no more of
    an aggregate than its value, so that the same test serves all of them.

    Parameters
    ----------
    values : float64 (n_users, n_systems, n_measures)
    how : str
    tests : int
        B.
    seed : int

    Returns
    -------
    float64 (n_measures, n_pairs)
    """
    first, second = np.triu_indices(values.shape[1], k=1)

    def differences(times: Floats) -> Floats:
        found = np.nan_to_num(resampled_aggregate(values, times, how))
        return found[:, first] - found[:, second]

    observed = differences(np.ones((1, len(values))))[0]
    extreme = np.zeros(observed.shape, dtype=np.int64)
    for times in _blocks(len(values), tests, seed):
        shifted = np.abs(differences(times) - observed)
        # Differences that are equal but for the last bits are equal.
        extreme += (shifted >= np.abs(observed) * (1 - CLOSE) - CLOSE**2).sum(axis=0)
    return ((extreme + 1) / (tests + 1)).T


def _blocks(n_users: int, samples: int, seed: int) -> Iterator[Floats]:
    """Yield how often each user was drawn, float64 (n_resamples, n_users), block by block."""
    block = 0
    while samples > 0:
        times = times_drawn(n_users, block, seed)[:samples]
        samples, block = samples - len(times), block + 1
        yield times


def _measured(
    whole: TestSet,
    parts: Mapping[str, list[npt.NDArray[np.bool_]]],
    by_size: Mapping[int, Group],
    aggregates: Sequence[str],
    tests: int,
    seed: int,
) -> dict[tuple, Floats]:
    """Return each criterion's number by (criterion, aggregate, group), (1 + n_resamples, n)."""
    keys = [(how, group) for how in aggregates for group in by_size.values()]

    def orders(values: Floats) -> dict[tuple, Floats]:
        """Return the systems' aggregates, (1 + n_resamples, n_measures, n_systems)."""
        return {
            (how, group.number): np.nan_to_num(
                resampled_aggregate(values[group.users], group.times, how)
            ).swapaxes(1, 2)
            for how, group in keys
        }

    values = whole.values()
    reference = orders(values)
    found: dict[tuple, Floats] = {}
    for key, order in reference.items():
        found["agreement", *key] = np.nan_to_num(tau_b(order, reference[REFERENCE, 0][:1]))
    for criterion, masks in parts.items():
        sums = dict.fromkeys(reference, 0.0)
        for keep in masks:
            for key, order in orders(whole.values(keep)).items():
                sums[key] = sums[key] + np.nan_to_num(tau_b(order, reference[key]))
        found |= {(criterion, *key): total / len(masks) for key, total in sums.items()}
    for how, group in keys:
        p = p_values(values[group.users], how, tests, seed)
        found["power", how, group.number] = p.sum(axis=1)[None]
    return found


def _rows(
    criterion: str, values: Floats, reference: Floats, measures: Sequence[tuple[str, int]]
) -> Iterator[dict]:
    """Yield the rows of one criterion, aggregate and group: each number, and how it differs."""
    for statistic, numbers in (("value", values), ("difference", values - reference)):
        # One number alone has no deviation.
        half = 1.96 * np.std(numbers[1:], axis=0) if len(numbers) > 1 else np.nan * numbers[0]
        low, high = numbers[0] - half, numbers[0] + half
        if statistic == "value" and criterion != "power":
            low, high = np.clip([low, high], -1, 1)
        for m, (metric, cutoff) in enumerate(measures):
            yield {
                "metric": metric,
                "cutoff": cutoff,
                "statistic": statistic,
                "value": numbers[0, m],
                "low": low[m],
                "high": high[m],
            }
