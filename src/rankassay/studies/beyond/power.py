"""Analysis: which pairs of systems differ significantly under each metric, by swaps of lists?"""

from collections.abc import Sequence
from typing import Unpack

import numpy as np
import pandas as pd

from rankassay.metrics.beyond.lists import Sums
from rankassay.statistics.discriminative_power import replicated_power, summed_up
from rankassay.statistics.identical import same_lists
from rankassay.statistics.permutation import number_of_permutations
from rankassay.statistics.replicated import Replicated
from rankassay.statistics.set_measures import swap_tests, users_values
from rankassay.statistics.significance import permuted
from rankassay.studies.beyond.systems import Asked, Systems
from rankassay.types import Booleans, Floats


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

    The settings are those of `rankassay.studies.beyond.study.Power`. Metrics of accuracy, and
    others that are means over users, go through the paired permutation test of the study of
    robustness (`rankassay.statistics.significance.permutation`): with the same settings the
    p-values have the same bits. For the others users swap their lists, which is the same test where
    it applies to both (`rankassay.statistics.set_measures.swap_tests`, with a normal tail). Of
    these are also metrics undefined for a user on the lists of some systems and not of others.
    These have no interval: such a measure would have to be computed again for every resample and
    pair.

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
    table = pd.DataFrame(systems.measures).assign(permutations=drawn, swapped=swapped)
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
