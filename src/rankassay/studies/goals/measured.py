"""How far a metric's value depends on users' numbers of relevant items, and the systems compared.

Schröder, Thiele and Lehner, 2011, section 5.1, hold this against precision, recall and F1, with a
perfect and an inverse recommender on ten items, and propose markedness, informedness and their
correlation. On data, users with few and with many relevant items take the place of the shares.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd
import scipy  # its parts are imported on use: scipy.stats takes half a second
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.metrics.evaluate import grid
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import evaluated
from rankassay.statistics.rank_correlation import resampled_spearman, tau_b
from rankassay.statistics.replicated import Replicated
from rankassay.types import Floats, Integers

STATISTICS = ("dependence", "spread", "order")
GROUPS = ["metric", "cutoff", "group", "users", "relevant", "share", "system", "value"]


def groups(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    n_groups: int,
) -> pd.DataFrame:
    """Evaluate all systems on users with few, and with many, relevant items.

    Users who have relevant items are sorted by their number of them and cut into `n_groups` parts;
    users with as many stay together, so that parts may differ in size or be fewer.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, group (from 1, the fewest relevant items), users, relevant (items,
        mean over the group), share (of the items that could be listed, mean), system, value (mean);
        no rows where no user has relevant items.
    """
    judgements, values = _values(test, rankings, evaluation, metrics, cutoffs)
    n_relevant = judgements.n_relevant
    n_candidates = next(iter(rankings.values())).n_candidates[judgements.users]
    part = _parts(n_relevant, n_groups)
    heads, means = [], []
    for group in range(1, part.max(initial=0) + 1):
        own = part == group
        means.append(values[own].mean(axis=0))
        heads.append(
            {"group": group, "users": int(own.sum()), "relevant": n_relevant[own].mean()}
            | {"share": (n_relevant[own] / n_candidates[own]).mean()}
        )
    rows = (
        {"metric": metric, "cutoff": cutoff} | head | {"system": system, "value": found[s, m]}
        for m, (metric, cutoff) in enumerate(product(metrics, cutoffs))
        for head, found in zip(heads, means, strict=True)
        for s, system in enumerate(rankings)
    )
    return pd.DataFrame(rows, columns=GROUPS)  # of no users with relevant items, too


def bias_measured(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    groups: pd.DataFrame,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    seed: int,
    resamples: int,
) -> Replicated:
    """Summarise how values, and rankings of systems, depend on the number of relevant items.

    `groups` is as the function of that name returns it, for the same metrics and cut-offs. Of the
    statistics, dependence alone has replicates.

    Returns
    -------
    Replicated
        Columns metric, cutoff, statistic and value (which is replicated, and NaN where no user has
        relevant items); the statistics are

        - dependence: the absolute Spearman correlation, over users who have relevant items, of the
          value with their number of them; mean over the systems
        - spread: the range over the groups of the mean over systems, as a multiple of the range
          over the systems of the mean over groups; above 1, the choice of users matters more than
          the choice of systems
        - order: the smallest Kendall's tau-b of a group's order of the systems with that of all
          groups together, each weighing the same
    """
    judgements, values = _values(test, rankings, evaluation, metrics, cutoffs)
    counted = judgements.n_relevant > 0
    number = judgements.n_relevant[counted]
    draws = Draws.of(len(counted), resamples, seed).of_users(np.flatnonzero(counted))
    heads, numbers = [], []
    for m, (metric, cutoff) in enumerate(product(metrics, cutoffs)):
        own = groups[(groups["metric"] == metric) & (groups["cutoff"] == cutoff)]
        by = own.pivot(index="group", columns="system", values="value").to_numpy(np.float64)
        statistics: dict[str, float | Floats] = dict.fromkeys(STATISTICS, np.nan)
        if counted.any():
            # NaN where all users have the same value.
            rho = resampled_spearman(values[counted, :, m].T, number, draws.times, draws.group)
            between_systems = np.ptp(by.mean(axis=0))
            statistics["dependence"] = np.nan_to_num(np.abs(rho)).mean(axis=1)
            if between_systems:
                statistics["spread"] = np.ptp(by.mean(axis=1)) / between_systems
            statistics["order"] = np.min(tau_b(by, by.mean(axis=0)))
        head = {"metric": metric, "cutoff": cutoff}
        for statistic, value in statistics.items():
            heads.append(head | {"statistic": statistic})
            unknown = np.full(resamples, np.nan)
            numbers.append(value if np.ndim(value) else np.concatenate(([value], unknown)))
    return Replicated.of(pd.DataFrame(heads), "value", numbers)


def _values(test, rankings, evaluation, metrics, cutoffs):
    """Return the judgements, and values (n_users, n_systems, n_measures) of all users."""
    counting = evaluation | {"without_relevant": "value"}
    return evaluated(test, rankings, counting, grid(metrics, cutoffs))


def _parts(n_relevant: Floats, n_groups: int) -> Integers:
    """Return each user's group, from 1, and 0 for those without relevant items, (n_users,)."""
    counted = n_relevant > 0
    order = scipy.stats.rankdata(n_relevant[counted], method="min") - 1
    part = np.zeros(len(n_relevant), dtype=np.int64)
    first = np.floor(order * n_groups / max(counted.sum(), 1)).astype(np.int64)
    part[counted] = np.unique(first, return_inverse=True)[1] + 1
    return part
