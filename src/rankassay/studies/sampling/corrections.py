"""Corrected metrics on real systems: how well they restore the exact ranking (KDD 2020).

Each relevant item is ranked alone in a separate sample, drawn with replacement, as the corrections
assume. What a correction is worth in expectation shows its bias; what a single evaluation is worth,
its variance, too.
"""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp
import scipy.special

from rankassay.artifacts.arrays import Rankings
from rankassay.metrics.sampled.distribution import expectation
from rankassay.metrics.sampled.lists import Instances
from rankassay.metrics.sampled.one_item import corrected
from rankassay.progress import progress
from rankassay.statistics.identical import same_lists
from rankassay.statistics.orders import DECIMALS
from rankassay.statistics.rank_correlation import tau_b
from rankassay.studies.sampling.systems import judged, uniform
from rankassay.types import Booleans, Floats, Integers

POOLS = 4  # groups of users, for whose numbers of items corrections are made
CORRECTIONS = [
    *("uncorrected", "rank estimate", "least squares", "bias-variance 0.1", "bias-variance 0.01")
]


def corrections(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    *,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    sizes: Sequence[int],
    pools: int = POOLS,
) -> pd.DataFrame:
    """Compare the ranking of systems under corrected metrics with the exact ranking.

    With one relevant item, P and R are the same, and AP and RR. A correction depends on n, the
    number of the user's irrelevant items and one, which differs from user to user: users are put
    into `pools` groups of nearly equal n, and each takes the correction for the median n of the
    group.

    Returns
    -------
    DataFrame
        Columns correction, metric, cutoff, m (the size), tau (with the exact order, in
        expectation), pairs (of different systems), wrong (those in the opposite of the exact order,
        in expectation), wrong_one_draw (how many there are on average in one evaluation, by the
        normal approximation, each system with separate samples), bias (of a system's mean: the root
        of the mean square over systems) and deviation (the standard deviation of a system's mean in
        one evaluation, likewise).
    """
    judgements, _ = judged(test, evaluation["threshold"])
    systems = [uniform(ranking, judgements, "alone") for ranking in rankings.values()]
    exact = np.array([system.values(None, metrics, cutoffs).mean(axis=0) for system in systems])
    exact = np.tile(exact, len(CORRECTIONS))
    first = np.searchsorted(systems[0].row, np.arange(len(systems[0].n_relevant)))
    pool, representative = grouped(systems[0].total[first] + 1, pools)
    rows, same = [*itertools.product(CORRECTIONS, metrics, cutoffs)], same_lists(rankings)
    tables = []
    for m in progress(sizes, "sample sizes"):
        made = [np.column_stack([corrected(*row, n, m) for row in rows]) for n in representative]
        found = np.array([moments(system, pool, made, m) for system in systems])
        head = pd.DataFrame(rows, columns=["correction", "metric", "cutoff"]).assign(m=m)
        tables.append(head.join(compare(exact, found[:, 0], found[:, 1], same)))
    return pd.concat(tables)


def grouped(n: Floats, pools: int) -> tuple[Integers, list[int]]:
    """Put users into groups of about equal size by n, and return each group's median of n, too.

    It is 2 at least: a user without irrelevant items has the first rank on any sample, as one
    whose only irrelevant item stands below, and corrections of ranks need two of them.
    """
    edges = np.unique(np.quantile(n, np.arange(1, pools) / pools))
    group = np.unique(np.searchsorted(edges, n), return_inverse=True)[1]
    return group, [max(round(np.median(n[group == g])), 2) for g in range(group.max() + 1)]


def moments(
    system: Instances, pool: Integers, tables: Sequence[Floats], m: int
) -> tuple[Floats, Floats]:
    """Return the mean over users of each corrected metric, in expectation, and its variance.

    The system's items are ranked alone; `pool` is the group of each user, and `tables` are the
    corrections of each group, float64 (m + 1, n_metrics).
    """
    n_users, row = len(system.n_relevant), system.row
    mean, variance = np.zeros((2, tables[0].shape[1]))
    for g, table in enumerate(tables):
        own = pool[row] == g
        both = np.vstack([table.T, table.T**2])
        both = np.hstack([np.zeros((len(both), 1)), both])  # no item has the rank 0
        place = np.ones(own.sum(), dtype=np.int64)
        found = expectation(system.above[own], system.total[own], place, m, both, [len(table)])
        first, second = np.split(found[:, :, 0], 2, axis=1)
        weight = 1 / (system.n_relevant[row[own]] * n_users)
        mean += weight @ first
        variance += weight**2 @ np.maximum(second - first**2, 0.0)
    return mean, variance


def compare(exact: Floats, mean: Floats, variance: Floats, same: Booleans) -> pd.DataFrame:
    """Compare estimated means of systems with exact ones, a row for each measure.

    They are float64 (n_systems, n_measures); pairs that are the `same`, bool (n_pairs,), are not
    counted. The columns are the last of `corrections`.
    """
    i, j = (np.compress(~same, ends) for ends in np.triu_indices(len(exact), k=1))
    exact, mean = np.round(exact, DECIMALS), np.round(mean, DECIMALS)
    truth = np.sign(exact[i] - exact[j])
    gap = (mean[i] - mean[j]) * truth
    noise = np.sqrt(variance[i] + variance[j])
    certain = np.where(gap < 0, -np.inf, np.inf)
    z = np.divide(gap, noise, out=certain, where=noise > 0)
    return pd.DataFrame(
        {
            "tau": tau_b(mean.T, exact.T),
            "pairs": len(i),
            "wrong": (gap < 0).sum(axis=0),
            # A pair without exact order cannot be wrong.
            "wrong_one_draw": np.where(truth != 0, scipy.special.ndtr(-z), 0.0).sum(axis=0),
            "bias": np.sqrt(((mean - exact) ** 2).mean(axis=0)),
            "deviation": np.sqrt(variance.mean(axis=0)),
        }
    )
