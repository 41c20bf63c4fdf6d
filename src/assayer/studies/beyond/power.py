"""Analysis: which pairs of systems does each metric tell apart, when users swap their lists?"""

from collections.abc import Sequence
from typing import Unpack

import numpy as np
import pandas as pd

from assayer.metrics.beyond.sums import Sums
from assayer.statistics.discriminative_power import LEVELS
from assayer.statistics.identical import same_lists
from assayer.statistics.permutation import number_of_permutations
from assayer.statistics.set_measures import swap_tests, users_values
from assayer.statistics.significance import permuted
from assayer.studies.beyond.systems import Asked, Systems
from assayer.types import Booleans, Floats


def power(
    evaluation: dict, seed: int, *, samples: int, swaps: int, **asked: Unpack[Asked]
) -> pd.DataFrame:
    """Test all pairs of systems by every metric.

    The settings are those of `assayer.studies.beyond.settings.Power`. Metrics of accuracy, and
    others that are means over users, go through the paired permutation test of the study of
    robustness (`assayer.statistics.significance.permutation`): with the same settings the p-values
    have the same bits. For the others users swap their lists, which is the same test where it
    applies to both (`assayer.statistics.set_measures.swap_tests`, with a normal tail). Of these are
    also metrics whose lists of some systems have no value for a user who has one by others.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, permutations (how many there were), pairs (of different systems,
        with a p-value), identical (pairs that recommend the same lists), equal (of `pairs`, those
        with the same value under this metric, which count with their p-value), dp (the sum of the
        p-values over `pairs`: low is good, NaN without any), dp_all (with the identical pairs),
        significant_05 and significant_01 (pairs with p below 0.05 and 0.01).
    """
    systems = Systems.of(evaluation, **asked)
    rows, same = [], same_lists(asked["rankings"])
    for names in systems.in_turn():
        measures = systems.sums(chosen=names)
        accurate = [metric in asked["accuracy"] for metric, _ in names]
        tested = _tested(measures, accurate, samples, swaps, seed)
        for (metric, cutoff), own, (drawn, square) in zip(names, measures, tested, strict=True):
            p = square[np.triu_indices(len(own), k=1)]
            head = {"metric": metric, "cutoff": cutoff, "permutations": drawn}
            rows.append(head | _summed(own, p, same))
    return pd.DataFrame(rows)


def _tested(
    measures: Sequence[Sequence[Sums]],
    accurate: Sequence[bool],
    samples: int,
    swaps: int,
    seed: int,
) -> list[tuple[int, Floats]]:
    """Return how often each measure was permuted, and its p-values, (n_systems, n_systems)."""
    found: dict[int, tuple[int, Floats]] = {}
    n_users = measures[0][0].contributions.shape[0]
    drawn, swapped = (number_of_permutations(n_users, number)[0] for number in (samples, swaps))
    for m, own in enumerate(measures):
        values = users_values(own)
        if values is not None and (accurate[m] or _same_users(values)):
            found[m] = drawn, permuted(values[:, :, None], samples, seed).p_values[0]
    rest = [m for m in range(len(measures)) if m not in found]
    if rest:
        squares = swap_tests([measures[m] for m in rest], swaps, seed, tail=True)
        found |= {m: (swapped, square) for m, square in zip(rest, squares, strict=True)}
    return [found[m] for m in range(len(measures))]


def _same_users(values: Floats) -> bool:
    """Say whether the users who have a value are the same by all systems."""
    missing = np.isnan(values)
    return bool((missing == missing[:, :1]).all())


def _summed(measure: Sequence[Sums], p: Floats, same: Booleans) -> dict:
    """Sum up the p-values of the pairs of systems by one measure, (n_pairs,).

    `same` are those that recommend the same lists.
    """
    values = np.array([own.of_all() for own in measure])
    equal = (values[:, None] == values)[np.triu_indices(len(measure), k=1)]
    different = np.where(same, np.nan, p)
    every, known = p[~np.isnan(p)], different[~np.isnan(different)]
    found = {"pairs": len(known), "identical": len(every) - len(known)}
    found["equal"] = int((equal & ~same).sum())
    found["dp"] = np.nansum(different) if len(known) else np.nan
    found["dp_all"] = np.nansum(p) if len(every) else np.nan
    return found | {
        f"significant_{name}": int((known < level).sum()) for name, level in LEVELS.items()
    }
