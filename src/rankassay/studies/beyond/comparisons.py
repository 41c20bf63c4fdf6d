"""Metrics beyond accuracy, compared: values, agreement, robustness and significant differences."""

from collections.abc import Iterator, Sequence
from typing import Unpack

import numpy as np
import pandas as pd

from rankassay.artifacts.shards import WHOLE, Shard, grouped
from rankassay.metrics.beyond.lists import Sums
from rankassay.metrics.catalogue import entry
from rankassay.statistics import incomplete
from rankassay.statistics.correlation import agreement
from rankassay.statistics.discriminative_power import replicated_power, summed_up
from rankassay.statistics.draws import Draws
from rankassay.statistics.identical import same_lists
from rankassay.statistics.incomplete import correlations_table
from rankassay.statistics.permutation import number_of_permutations
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import Replicated
from rankassay.statistics.set_measures import parts_of_users, resampled, swap_tests, users_values
from rankassay.statistics.significance import permuted
from rankassay.studies.beyond.systems import Asked, Systems, ordered
from rankassay.types import Booleans, Floats

# What is taken away.
REMOVED = {
    "users": "Users removed",
    "sparsity": "Test ratings removed at random",
    "popularity": "Popular items removed",
}


def values(evaluation: dict, seed: int, *, resamples: int, **asked: Unpack[Asked]) -> Replicated:
    """Measure the systems.

    Returns
    -------
    Replicated
        Columns metric, cutoff, system, value (which is replicated, NaN where there is none), low
        and high (its interval of 95 %).
    """
    systems = Systems.of(evaluation, **asked)
    draws = Draws.of(systems.n_users, resamples, seed)
    found = [[resampled(measure, draws) for measure in own] for own in systems.by_system()]
    rows = [
        {"metric": metric, "cutoff": cutoff, "system": system}
        for metric, cutoff in systems.names
        for system in systems.lists
    ]
    numbers = np.moveaxis(np.array(found), 0, 1).reshape(len(rows), -1)
    least, most = np.array([entry(row["metric"]).bounds for row in rows]).reshape(-1, 2).T
    table = pd.DataFrame(rows).astype(WHOLE)
    found = Replicated.of(table, "value", [*numbers])
    return found.with_interval(bounds=(least, most))


def redundancy(
    evaluation: dict, seed: int, *, resamples: int, shard: Shard = WHOLE, **asked: Unpack[Asked]
) -> Replicated:
    """Correlate the rankings of systems under all pairs of metrics at the same cut-off.

    The best system comes first, by the lowest value where lower is better. Of jobs that share the
    cut-offs, the last one has the pairs of metrics of whole lists alone.

    Returns
    -------
    Replicated
        The columns of `rankassay.statistics.correlation.metric_correlation`, low, high and
        systems (how many there are).
    """
    own = shard.of(len(asked["cutoffs"]))
    asked["cutoffs"] = asked["cutoffs"][own.start : own.stop]
    found = agreement(Systems.of(evaluation, **asked), seed, resamples)
    if shard.number < shard.count:
        found = found.of_rows(found.table["cutoff"].notna())
    return found


# Metrics of whole lists have no cut-off, and a job's share may have none of them.
WHOLE = {"cutoff": "Int64"}
COLUMNS = ["metric", "cutoff", "removed", "level", "samples", "undefined", "tau"]
COLUMNS += ["low", "high", "standard_error", "correlation"]


def robustness(
    evaluation: dict,
    seed: int,
    *,
    users: Sequence[float],
    sparsity: Sequence[float],
    popularity: Sequence[float],
    samples: int,
    **asked: Unpack[Asked],
) -> pd.DataFrame:
    """Correlate the ranking of systems on a part with that on the whole.

    Three things are taken
    away: users with their lists and test ratings, at random ("users"); test ratings at random
    ("sparsity"), and those of the items with the most training ratings ("popularity"), as in the
    study of robustness. Test ratings change only what reads them: of other metrics there are no
    rows of the last two.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, removed (users, sparsity or popularity), level (the percentage that
        is left; of popularity, of the items), those of
        `rankassay.statistics.incomplete.sparsity_bias`, of which low, high and standard_error are
        empty where nothing is drawn at random, and systems (how many there are). low and high are
        over the random parts: resampling users would mean to compute each measure of all users,
        such as the coverage of a catalogue, again for every part.
    """
    systems = Systems.of(evaluation, **asked)
    judging, number = systems.judging(), np.bincount(asked["train"].indices)
    number = np.pad(number, (0, asked["train"].shape[1] - len(number)))
    by_users = _without_users(systems, users, samples, seed)
    found = {
        "users": correlations_table(systems.measures, "level", by_users, incomplete.over_samples),
        "sparsity": incomplete.without_ratings(judging, sparsity, samples, seed),
        "popularity": incomplete.without_popular(judging, number, popularity, seed),
    }
    parts = []
    for removed, own in found.items():
        table = own.table.rename(columns={"percentage": "level"})
        if len(table):  # by the levels, which jobs share
            table = table.iloc[grouped(table["level"].tolist())]
        if removed == "popularity":
            table = table.assign(samples=1)
        parts.append(table.assign(removed=removed).reindex(columns=COLUMNS))
    # Those of a job's share: whole numbers stay such only among tables with rows.
    parts = [part for part in parts if len(part)] or parts[:1]
    table = pd.concat(parts, ignore_index=True).astype(WHOLE)
    return table.assign(systems=systems.n_systems)


def _without_users(
    systems: Systems, levels: Sequence[float], samples: int, seed: int
) -> Iterator[tuple[float, Floats]]:
    """Yield by level the input of `correlations_table`, for parts of the users."""
    whole = systems.means()[0]
    for level in levels:
        weights = parts_of_users(systems.n_users, level, samples, seed)
        values = [[own.of(weights) for own in measures] for measures in systems.by_system()]
        orders = ordered(np.array(values).T, systems.names, systems.n_users)
        yield level, tau_b(orders, whole)[:, None, :, None]


def power(
    evaluation: dict,
    seed: int,
    *,
    samples: int,
    swaps: int,
    resamples: int,
    **asked: Unpack[Asked],
) -> Replicated:
    """Test all pairs of systems by every metric.

    Metrics of accuracy, and others that are means over users, go through the paired permutation
    test of the study of robustness (`rankassay.statistics.significance.permutation`): with the same
    settings the p-values have the same bits. For the others users swap their lists, which is the
    same test where it applies to both (`rankassay.statistics.set_measures.swap_tests`, with a
    normal tail). Of these are also metrics undefined for a user on the lists of some systems and
    not of others. These have no interval: such a measure would have to be computed again for every
    resample and pair.

    Returns
    -------
    Replicated
        Columns metric, cutoff, permutations (how many there were), swapped (whether users swap
        lists, as for measures that are no mean over users), pairs (of different systems, with a
        p-value), identical (pairs that recommend the same lists), equal (of `pairs`, those with the
        same value under this metric, which count with their p-value), dp (the sum of the p-values
        over `pairs`, which is replicated as in `rankassay.statistics.discriminative_power`: low is
        good, NaN without any), dp_all (with the identical pairs), low and high (the interval of dp,
        empty where there are no replicates), significant_05 and significant_01 (pairs with p below
        0.05 and 0.01).
    """
    systems, same = Systems.of(evaluation, **asked), same_lists(asked["rankings"])
    how = {"samples": samples, "swaps": swaps, "resamples": resamples, "seed": seed}
    equal, drawn, swapped, p, replicates = [], [], [], [], []
    for names in systems.in_turn():
        measures = systems.sums(chosen=names)
        equal += [_equal(own, same) for own in measures]
        accurate = [metric in asked["accuracy"] for metric, _ in names]
        for tested in _tested(measures, accurate, same, **how):
            for column, own in zip((drawn, swapped, p, replicates), tested, strict=True):
                column.append(own)
    table = pd.DataFrame(systems.measures).astype(WHOLE)
    table = table.assign(permutations=drawn, swapped=swapped)
    table = table.join(pd.DataFrame(summed_up(np.array(p).reshape(len(p), len(same)), same)))
    table.insert(table.columns.get_loc("dp"), "equal", equal)
    dp = table["dp"].to_numpy(np.float64)
    return Replicated.of(
        table, "dp", np.column_stack([dp, *np.array(replicates).T])
    ).with_interval()


def _equal(measure: Sequence[Sums], same: Booleans) -> int:
    """Return how many pairs of systems that differ have the same value under a measure."""
    values = np.array([own.of_all() for own in measure])
    equal = (values[:, None] == values)[np.triu_indices(len(measure), k=1)]
    return int((equal & ~same).sum())


def _tested(
    measures: Sequence[Sequence[Sums]],
    accurate: Sequence[bool],
    same: Booleans,
    samples: int,
    swaps: int,
    resamples: int,
    seed: int,
) -> list[tuple[int, bool, Floats, Floats]]:
    """Return of each measure how it was permuted, its p-values and the replicates of DP.

    That is how often, and whether by swaps of lists. The p-values are (n_pairs,).
    """
    upper = np.triu_indices(len(measures[0]), k=1)
    found: dict[int, tuple[int, bool, Floats, Floats]] = {}
    n_users = measures[0][0].contributions.shape[0]
    drawn, swapped = (number_of_permutations(n_users, number)[0] for number in (samples, swaps))
    for m, own in enumerate(measures):
        values = users_values(own)
        if values is not None and (accurate[m] or _same_users(values)):
            own_p = permuted(values[:, :, None], samples, seed).p_values[0][upper]
            dp = summed_up(own_p[None], same)["dp"]
            draws = replicated_power(values[:, :, None], dp, resamples, seed, same=same)
            found[m] = drawn, False, own_p, draws[:, 0]
    rest = [m for m in range(len(measures)) if m not in found]
    if rest:
        squares = swap_tests([measures[m] for m in rest], swaps, seed, tail=True)
        none = np.full(resamples, np.nan)
        found |= {
            m: (swapped, True, own[upper], none) for m, own in zip(rest, squares, strict=True)
        }
    return [found[m] for m in range(len(measures))]


def _same_users(values: Floats) -> bool:
    """Return whether the users with a defined value are the same for all systems."""
    missing = np.isnan(values)
    return bool((missing == missing[:, :1]).all())
