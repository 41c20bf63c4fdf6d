"""Real systems on samples of the items: is their ranking exact, and which pairs differ?

Every value is expected, not drawn: what the mean of endless evaluations would be. A single
evaluation adds noise to it, see `rankassay.studies.sampling.corrections`. The threshold of the
evaluation defines relevant items; users without any are excluded, and means are arithmetic, as in
Rendle, 2019, equation (1).

Irrelevant items are drawn uniformly, or by popularity: with a probability proportional to their
number of training ratings, with replacement. How likely one stands above a relevant item is then
the popularity of all irrelevant items above it, as a share of that of all. Of a ranking, only the
first items are kept: down to there the share is exact. Below, it is interpolated, as if what lies
deeper were in random order, and bounded: no less than the share of the list, and no more than 1.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TypedDict, Unpack

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.artifacts.shards import grouped, successive
from rankassay.errors import RankassayError
from rankassay.metrics.judgements import Judgements, Lists, blocks
from rankassay.metrics.sampled.lists import Instances, values_of_bounds
from rankassay.progress import progress
from rankassay.recommenders.rank import CANDIDATES, candidate_items
from rankassay.statistics.discriminative_power import power_table
from rankassay.statistics.identical import same_lists
from rankassay.statistics.orders import DECIMALS
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.significance import permuted
from rankassay.types import Booleans, Floats, Integers, Integers32

BLOCK = 2**14  # users whose lists are looked at together
ALPHA = 0.05
# The columns of tables without a row: AUC, which does not depend on the sampler, has none by
# popularity.
WAY = ["sampler", "relevant", "metric", "cutoff", "m"]
VALUED = [*WAY, "system", "value", "place"]
COMPARED = [*WAY, "tau", "tau_auc", "pairs", "tied", "wrong", "wrong_significant", "contradicted"]
POWER = ("identical", "dp", "dp_all", "low", "high", "significant_05")
COMPARED += ["undecided", *POWER]


@dataclass(frozen=True)
class Popularity:
    """The popularity of the items, as sampling sees it."""

    weight: Floats  # training ratings of each item; 0 for those that are no candidates
    seen: Floats  # the weight of the candidates that each user has not rated in training
    relevant: sp.csr_matrix  # (n_users, n_items)

    @classmethod
    def of(
        cls, train: sp.csr_matrix, test: sp.csr_matrix, threshold: float, n_candidates: npt.NDArray
    ) -> "Popularity":
        """Count the popularity in a split; `n_candidates` (n_users,) tells which were ranked."""
        rated = sp.csr_matrix((np.ones(train.nnz), train.indices, train.indptr), train.shape)
        count = np.bincount(train.indices, minlength=train.shape[1]).astype(np.float64)
        judged = np.diff(test.indptr) > 0
        for candidates in CANDIDATES:
            pool = candidate_items(train, test, candidates)
            if np.array_equal((pool.sum() - rated @ pool)[judged], n_candidates[judged]):
                break
        else:
            raise RankassayError(
                "expected rankings of the test set's items, or of all, without those rated in "
                "training; found others. Make the rankings again from the same split."
            )
        weight = np.where(pool, count, 0.0)
        liked = test.data >= Judgements.of(test, threshold).threshold
        relevant = sp.csr_matrix((liked, test.indices, test.indptr), test.shape)
        return cls(weight, weight.sum() - rated @ weight, relevant)

    def bounds(self, ranking: Rankings, instances: Instances, users: Integers32) -> list[Instances]:
        """Return a system's instances with the weights above them: likely, least and most.

        `users` are the indices of the rows of the instances, (n_users,).
        """
        relevant = self.relevant[users]
        total = self.seen[users] - relevant @ self.weight
        row, rank = instances.row, instances.rank
        deep = (rank == 0) | (rank - 1 > ranking.depth)
        place = np.where(deep, ranking.depth, rank - 1)
        least, listed = np.empty(len(row)), np.empty(len(users), dtype=np.int64)
        start = np.searchsorted(row, np.arange(len(users) + 1))
        items = ranking.items
        for first, last in blocks(len(users), BLOCK):
            shown = items[users[first:last]]
            irrelevant = _irrelevant(shown, relevant[first:last])
            weight = np.where(irrelevant, self.weight[shown], 0.0)
            # Column k: of the first k items of the list.
            mass = np.hstack([np.zeros((len(shown), 1)), np.cumsum(weight, axis=1)])
            own = slice(start[first], start[last])
            least[own] = mass[row[own] - first, place[own]]
            listed[first:last] = irrelevant.sum(axis=1)
        most = np.where(deep, total[row], least)
        likely = least + (most - least) * _deeper(ranking, instances, users, listed)
        return [instances.weighing(above, total[row]) for above in (likely, least, most)]


def _irrelevant(items: Integers32, relevant: sp.csr_matrix) -> Booleans:
    """Mark the places that hold irrelevant items, bool (n_users, depth)."""
    if not items.size:
        return np.zeros(items.shape, dtype=bool)
    row, listed = np.repeat(np.arange(len(items)), items.shape[1]), np.maximum(items, 0).ravel()
    return (items >= 0) & ~np.asarray(relevant[row, listed]).reshape(items.shape)


def _deeper(ranking: Rankings, instances: Instances, users, listed: Integers) -> Floats:
    """Return the share of scored irrelevant items below the list that are above each item.

    Of each user, `listed` of them are in the list.
    """
    row, rank = instances.row, instances.rank
    scored = ranking.n_ranked[users] - np.bincount(row, rank > 0, len(users))
    order = np.arange(len(row)) - np.searchsorted(row, np.arange(len(users)))[row]
    share = (rank - 1 - order - listed[row]) / np.maximum(scored - listed, 1)[row]
    return np.where(rank > 0, np.clip(share, 0.0, 1.0), 1.0)


def judged(test: sp.csr_matrix, threshold: float) -> tuple[Judgements, Integers32]:
    """Return the judgements, and the users with relevant items, who alone have values.

    Raises RankassayError where there are none.
    """
    judgements = Judgements.of(test, threshold)
    judgements.check_relevant()
    return judgements, judgements.users[judgements.n_relevant > 0]


def uniform(ranking: Rankings, judgements: Judgements, relevant: str) -> Instances:
    """Return a system's instances where irrelevant items are drawn uniformly."""
    return Instances.of(judgements, Lists.of(ranking, judgements), relevant)


class Data(TypedDict):
    """What the analyses of real systems read, by the names of their parameters."""

    train: sp.csr_matrix
    test: sp.csr_matrix
    rankings: Mapping[str, Rankings]


@dataclass(frozen=True)
class Way:
    """A way of sampling, and the measures that it is asked for."""

    sampler: str
    relevant: str
    metrics: list[str]
    cutoffs: list[int]
    replacement: bool

    def head(self, m: int | None) -> pd.DataFrame:
        """Make the columns that identify the rows of all measures at a size; None is all items."""
        table = pd.DataFrame(product(self.metrics, self.cutoffs), columns=["metric", "cutoff"])
        table.insert(0, "sampler", self.sampler)
        table.insert(1, "relevant", self.relevant)
        return table.assign(m=np.inf if m is None else float(m))

    def expected(
        self, sizes: Sequence[int | None], threshold: float, bounded: bool, **data: Unpack[Data]
    ) -> Iterator[tuple[int | None, Floats, Integers, Floats]]:
        """Yield each size, all users' values, the open pairs of each measure, and exact AUC.

        Without being `bounded`, no pairs are open.
        """
        rankings = data["rankings"]
        judgements, users = judged(data["test"], threshold)
        systems = [uniform(ranking, judgements, self.relevant) for ranking in rankings.values()]
        auc = np.array([system.auc.mean() for system in systems])
        exact = [[system] for system in systems]
        bounds = exact
        if self.sampler == "popularity":
            n_candidates = next(iter(rankings.values())).n_candidates
            popularity = Popularity.of(data["train"], data["test"], threshold, n_candidates)
            bounds = [
                popularity.bounds(ranking, system, users)[: None if bounded else 1]
                for ranking, system in zip(rankings.values(), systems, strict=True)
            ]
        n_measures, same = len(self.metrics) * len(self.cutoffs), same_lists(rankings)
        for m in progress(sizes, "sample sizes"):
            found, ends = np.empty((len(users), len(systems), n_measures)), []
            for s, own in enumerate(exact if m is None else bounds):
                drawn = values_of_bounds(own, m, self.metrics, self.cutoffs, self.replacement)
                found[:, s] = drawn[0]
                ends.append([part.mean(axis=0) for part in drawn])
            yield m, found, undecided(np.array(ends), same), auc


def ways(
    samplers: Sequence[str],
    relevant: Sequence[str],
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    replacement: bool,
) -> list[Way]:
    """List the ways of sampling to study, in the order of the samplers.

    AUC has no rows by popularity, and samples by popularity are drawn with replacement and studied
    under the first way of ranking relevant items alone.
    """
    names = [metric for metric in metrics if metric != "AUC"]
    by_sampler = {
        "uniform": [Way("uniform", how, [*metrics], [*cutoffs], replacement) for how in relevant],
        "popularity": [Way("popularity", relevant[0], names, [*cutoffs], True)],
    }
    return [way for sampler in samplers for way in by_sampler[sampler]]


def in_turn(several: Sequence[Way], **data: Unpack[Data]) -> Iterator[tuple[int, Way]]:
    """Yield each way and its number, of as many of its metrics at a time as memory is meant for."""
    rankings = data["rankings"]
    users, _ = next(iter(rankings.values())).shape
    for number, way in enumerate(several):
        for some in successive(way.metrics, users * len(rankings) * len(way.cutoffs)):
            yield number, replace(way, metrics=way.metrics[some])


def in_order(made: Sequence[tuple[Hashable, pd.DataFrame]], columns: list[str]) -> pd.DataFrame:
    """Join tables, each with the way and the size that it is about, by these; of none, no rows."""
    if not made:
        return pd.DataFrame(columns=columns)
    order = grouped([key for key, _ in made])
    return pd.concat([made[at][1] for at in order], ignore_index=True)


def systems(
    evaluation: dict,
    seed: int,
    *,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    sizes: Sequence[int],
    samplers: Sequence[str],
    relevant: Sequence[str],
    replacement: bool,
    samples: int,
    sampled: int,
    **data: Unpack[Data],
) -> pd.DataFrame:
    """Compare the ranking of systems under sampled metrics with the exact ranking.

    `ways` says which ways of sampling are studied. Exact metrics go through the test of the study
    of robustness (`rankassay.statistics.significance.permutation`): where it defines a metric in
    the same way (P, recall and MRR, with relevant items ranked together), the p-values have the
    same bits.

    Returns
    -------
    DataFrame
        Columns sampler, relevant, metric, cutoff, m (inf: all irrelevant items), tau (with the
        exact order, by the same metric), tau_auc (with the exact order by AUC), pairs (of different
        systems), wrong (pairs
        of systems in the opposite of the exact order), wrong_significant (those whose difference is
        significant at 0.05 by the sampled metric), contradicted (those of them that are significant
        by the exact metric, too, the other way), undecided (pairs whose order the bounds leave
        open, by popularity), tied (pairs of the same value), identical (pairs of identical systems,
        which count in no other column but dp_all), dp, dp_all, low, high (discriminative power, the
        same with the identical pairs, and the interval of the first) and significant_05 (pairs).
    """
    made = []
    upper = (slice(None), *np.triu_indices(len(data["rankings"]), k=1))
    judgements, _ = judged(data["test"], evaluation["threshold"])
    counted = judgements.n_relevant > 0
    same = same_lists(data["rankings"])
    for number, way in in_turn(ways(samplers, relevant, metrics, cutoffs, replacement), **data):
        exact = p_exact = np.empty(0)
        given = way.expected([None, *sizes], evaluation["threshold"], bounded=True, **data)
        for m, found, open_pairs, auc in given:
            # The same users as in other studies, in their places: each has the same signs.
            means, own = found.mean(axis=0), np.full((len(counted), *found.shape[1:]), np.nan)
            own[counted] = found
            test = permuted(own, samples if m is None else sampled, seed)
            if m is None:
                exact, p_exact = means, test.p_values
            table = compare(means, exact, test.p_values, p_exact, auc, same)
            p = (test.p_values[upper], test.adjusted[upper])
            measures = [{} for _ in range(found.shape[2])]
            power = power_table(own, measures, *p, same, seed).table
            power = power[[*POWER]]
            table = way.head(m).join(table.assign(undecided=open_pairs)).join(power)
            made.append(((number, m), table))
    return in_order(made, COMPARED)


def values(
    evaluation: dict,
    *,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    sizes: Sequence[int],
    samplers: Sequence[str],
    relevant: Sequence[str],
    replacement: bool,
    **data: Unpack[Data],
) -> pd.DataFrame:
    """Compute the expected value and the place of every system.

    Returns
    -------
    DataFrame
        Columns sampler, relevant, metric, cutoff, m (inf: the exact metric), system, value, place.
    """
    made = []
    for number, way in in_turn(ways(samplers, relevant, metrics, cutoffs, replacement), **data):
        given = way.expected([*sizes, None], evaluation["threshold"], bounded=False, **data)
        for m, found, _, _ in given:
            means = pd.DataFrame(found.mean(axis=0)).assign(system=[*data["rankings"]])
            means = means.melt("system", var_name="measure", value_name="value")
            means = way.head(m).merge(means, left_index=True, right_on="measure")
            made.append(((number, m), means.drop(columns="measure")))
    table = in_order(made, VALUED)
    if table.empty:
        return table
    rounded = table.assign(value=table["value"].round(DECIMALS)).groupby(WAY)["value"]
    return table.assign(place=rounded.rank(method="min", ascending=False).astype(int))


def agreement(values: pd.DataFrame) -> pd.DataFrame:
    """Correlate the rankings under each pair of metrics, from the result of `values`.

    Returns
    -------
    DataFrame
        Columns sampler, relevant, cutoff, m, metric_a, metric_b, tau; each pair of metrics once.
    """
    rows = []
    by = ["sampler", "relevant", "cutoff", "m"]
    for key, own in values.groupby(by, sort=False):
        orders = own.pivot(index="metric", columns="system", values="value").round(DECIMALS)
        for a, b in combinations(dict.fromkeys(own["metric"]), 2):
            tau = tau_b(orders.loc[a].to_numpy(), orders.loc[b].to_numpy())
            rows.append((*key, a, b, float(tau)))
    return pd.DataFrame(rows, columns=[*by, "metric_a", "metric_b", "tau"])


def compare(
    values: Floats, exact: Floats, p: Floats, p_exact: Floats, auc: Floats, same: Booleans
) -> pd.DataFrame:
    """Compare the ranking by sampled means with the exact one; columns are those of `systems`.

    Means are (n_systems, n_measures), p-values (n_measures, n_systems, n_systems), and exact AUC
    (n_systems,). Pairs that are the `same`, (n_pairs,), are not counted.
    """
    means, reference = (np.round(x.T, DECIMALS) for x in (values, exact))
    i, j = (np.compress(~same, ends) for ends in np.triu_indices(means.shape[1], k=1))
    sign, truth = (np.sign(x[:, i] - x[:, j]) for x in (means, reference))
    wrong = sign * truth < 0
    significant = wrong & (p[:, i, j] < ALPHA)
    return pd.DataFrame(
        {
            "tau": tau_b(means, reference),
            "tau_auc": tau_b(means, np.round(auc, DECIMALS)),
            "pairs": len(i),
            "tied": (sign == 0).sum(axis=1),
            "wrong": wrong.sum(axis=1),
            "wrong_significant": significant.sum(axis=1),
            "contradicted": (significant & (p_exact[:, i, j] < ALPHA)).sum(axis=1),
        }
    )


def undecided(ends: Floats, same: Booleans) -> Integers:
    """Count the pairs of systems that have means whose bounds overlap, (n_measures,).

    `ends` are the systems' means in each way of counting, float64 (n_systems, n_ways, n_measures);
    one way leaves no pair open. Pairs that are the `same`, bool (n_pairs,), are not counted.
    """
    low, high = ends.min(axis=1), ends.max(axis=1)
    i, j = (np.compress(~same, own) for own in np.triu_indices(len(ends), k=1))
    overlap = (low[i] <= high[j]) & (low[j] <= high[i])
    return overlap.sum(axis=0) if ends.shape[1] > 1 else np.zeros(ends.shape[2], dtype=np.int64)
