"""Is the difference between two systems significant? Several tests, one interface.

Valcarce et al., RecSys 2018, section 4 ("discriminative power") and figures 4 and 8, take the
permutation test of all pairs of systems. Each test here is a function of

    values : float64 (n_users, n_systems, n_measures)
    samples : int, the permutations or resamples, which tests in closed form do not need
    seed : int
    add_one : bool, whether samples give p = (c + 1) / (B + 1), or else c / B

and returns the two-sided p-values float64 (n_measures, n_systems, n_systems), symmetric and 1 on
the diagonal, and either such an array of p-values that hold for all pairs at once, or None.

Users without a value (NaN) in any system are excluded from a measure's tests, and where systems
differ in who has a value, a pair of systems takes the users who have one in both. Without any such
user, a pair has no p-value (NaN).
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Rankings, Scores
from rankassay.artifacts.shards import successive
from rankassay.lookup import find
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.names import direction
from rankassay.statistics import paired_tests
from rankassay.statistics.bootstrap import bootstrap_test
from rankassay.statistics.effect_sizes import effects
from rankassay.statistics.identical import placed, same_lists, same_values
from rankassay.statistics.judged_systems import names_of
from rankassay.statistics.paired_tests import signed_rank
from rankassay.statistics.permutation import TEST_COPIES, Result, permutation_test
from rankassay.statistics.region import Region
from rankassay.statistics.small_differences import EQUAL, differences
from rankassay.statistics.valuation import UsersValues
from rankassay.types import Booleans, Floats, Texts

Found = tuple[Floats, Floats | None]
EQUIVALENCE = "1%"  # of the better system's mean: what is less does not matter
CELLS = 2**19  # users times pairs that are looked at at a time, at least those of one pair


def permutation(values: Floats, samples: int, seed: int, add_one: bool = True) -> Found:
    """Test by permutations of each user's values; see `rankassay.statistics.permutation`."""
    result = permuted(values, samples, seed, add_one)
    return result.p_values, result.adjusted


def permuted(
    values: Floats, samples: int, seed: int, add_one: bool = True, alternative: str = "two-sided"
) -> Result:
    """Test by permutations, pair by pair where systems differ in who has a value.

    Such measures have no joint distribution of the pairs, and NaN as adjusted p-values.
    Parameters are those of `rankassay.statistics.permutation.permutation_test`.
    """
    result = permutation_test(values, samples, seed, add_one, alternative)
    has_value = ~np.isnan(values)
    ragged = (has_value.any(axis=1) != has_value.all(axis=1)).any(axis=0)
    if not ragged.any():
        return result
    p, adjusted = result.p_values.copy(), result.adjusted
    if adjusted is not None:
        adjusted = np.where(ragged[:, None, None], np.nan, adjusted)
    first, second = np.triu_indices(values.shape[1], k=1)
    several = [*successive(range(len(first)), 2 * TEST_COPIES * len(values))]
    for m, some in itertools.product(np.flatnonzero(ragged), several):
        i, j = first[some], second[some]
        # Each pair as two systems and a separate measure: users lacking one value are excluded.
        pairs = np.stack([values[:, i, m], values[:, j, m]], axis=1)
        own = permutation_test(pairs, samples, seed, add_one, alternative).p_values
        p[m, i, j], p[m, j, i] = own[:, 0, 1], own[:, 1, 0]
    return replace(result, p_values=p, adjusted=adjusted)


def bootstrap(values: Floats, samples: int, seed: int, add_one: bool = True) -> Found:
    """Test by resampling users; see `rankassay.statistics.bootstrap.bootstrap_test`."""
    p, adjusted = bootstrap_test(values, samples, seed, add_one)
    return _square(p, values.shape[1]), _square(adjusted, values.shape[1])


def student(values: Floats, samples: int = 0, seed: int = 0, add_one: bool = True) -> Found:
    """Test by Student's paired t; see `rankassay.statistics.paired_tests.t`."""
    return _by_pairs(values, lambda d, _: paired_tests.t(d)), None


def wilcoxon(
    values: Floats,
    samples: int = 0,
    seed: int = 0,
    add_one: bool = True,
    zeros: Literal["wilcox", "pratt", "zsplit"] = "wilcox",
    correction: bool = False,
) -> Found:
    """Test by Wilcoxon's signed ranks; see `rankassay.statistics.paired_tests.signed_rank`.

    Users whose values are equal are excluded, and p is that of the normal approximation without the
    continuity correction: scipy's default for many users. R's default is `correction=True`.
    Differences that are equal but for rounding, such as 0.3 - 0.2 and 0.2 - 0.1, share a rank,
    which those two do not see to.
    """

    def p_of(d: Floats, larger: Floats) -> Floats:
        return signed_rank(d, zeros, correction, np.where(np.abs(d) > 0, EQUAL * larger, 0.0))

    return _by_pairs(values, p_of), None


def sign(values: Floats, samples: int = 0, seed: int = 0, add_one: bool = True) -> Found:
    """Test by signs, exactly, without users whose values are equal; see `paired_tests.sign`."""
    return _by_pairs(values, lambda d, _: paired_tests.sign(d)), None


TESTS: dict[str, Callable[[Floats, int, int, bool], Found]] = {
    "permutation": permutation,
    "bootstrap": bootstrap,
    "t": student,
    "wilcoxon": wilcoxon,
    "sign": sign,
}


def _by_pairs(values: Floats, p_of: Callable[[Floats, Floats], Floats]) -> Floats:
    """Return the p-values of all pairs, from a function of differences (n_users, n_measures).

    It is given the larger sizes of the two values that make each difference, too. What rounding
    leaves of equal values is no difference: ranks would count it as one.
    """
    _, n_systems, n_measures = values.shape
    pairs = []
    for i, j in combinations(range(n_systems), 2):
        a, b = values[:, i], values[:, j]
        d = np.where(np.isnan(a - b), np.nan, differences(a, b))
        larger = np.fmax(np.abs(a), np.abs(b))
        pairs.append(np.where(np.isnan(d).all(axis=0), np.nan, p_of(d, larger)))
    return _square(np.array(pairs).reshape(-1, n_measures).T, n_systems)


def _square(p: Floats, n_systems: int) -> Floats:
    """Return p-values (n_measures, n_pairs) as (n_measures, n_systems, n_systems)."""
    first, second = np.triu_indices(n_systems, k=1)
    square = np.ones((len(p), n_systems, n_systems))
    square[:, first, second] = square[:, second, first] = p
    return square


def p_values(
    scores: Scores,
    samples: int,
    seed: int,
    test: str,
    add_one: bool,
    equivalence: float | str | None = None,
    identical: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Test all pairs of systems by all measures, with the sizes of their differences.

    `identical` names pairs of identical systems, as `rankassay.statistics.identical.named` does;
    None looks for them in the scores, where these are by all measures.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, system_a, system_b, identical (whether no metric can find a
        difference between the two, so that p is 1), difference (of the means, a minus b, over the
        users who have both values), p_value, adjusted (the p-value that holds for all pairs of
        systems at once, empty for a test without a joint distribution), test (its name), and what
        `rankassay.statistics.effect_sizes.effects` says of the pair: n_users, low and high (of the
        interval of 95 %), d_z, superiority, and, with a region of equivalence, p_equivalence and
        equivalence, the region as it was given; each pair once.
    """
    frames = []
    if identical is None:
        same = same_values(part.values for part in scores.parts())
    else:
        same = placed(scores.systems, identical)
    for part in scores.parts():
        p, adjusted = find("test", test, TESTS)(part.values, samples, seed, add_one)
        adjusted = np.full_like(p, np.nan) if adjusted is None else adjusted
        names = names_of(part.measures)
        frames += _frames(part.values, names, part.systems, same, p, adjusted, test, equivalence)
    return pd.concat(frames)


def analysis(
    valuation: UsersValues,
    rankings: Mapping[str, Rankings],
    samples: int,
    seed: int,
    equivalence: float | str | None = EQUIVALENCE,
) -> pd.DataFrame:
    """As `p_values` by permutations, for any valuation of the systems with rankings.

    Identical systems are those that recommend the same lists.
    """
    values = valuation.values()
    p, adjusted = permutation(values, samples, seed)
    measures = [(str(own["metric"]), own["cutoff"]) for own in valuation.measures]
    systems, same = np.array([*rankings]), same_lists(rankings)
    given = (values, measures, systems, same, p, adjusted, "permutation", equivalence)
    return pd.concat(_frames(*given))


def blocks_of_pairs(n_users: int, n_pairs: int) -> list[slice]:
    """Return the pairs of systems whose differences are looked at together."""
    size = max(1, CELLS // max(n_users, 1))
    return [slice(start, start + size) for start in range(0, max(n_pairs, 1), size)]


def _frames(
    values: Floats,
    measures: Sequence[tuple[str, int | None]],
    systems: Texts,
    same: Booleans,
    p: Floats,
    adjusted: Floats,
    test: str,
    equivalence: float | str | None,
) -> list[pd.DataFrame]:
    """Return the parts of the table of `p_values`, of some pairs by one measure each.

    The differences of all pairs would take ten times the memory of the values that they are of.
    """
    region = None if equivalence is None else Region.of(equivalence)
    first, second = np.triu_indices(len(systems), k=1)
    frames = []
    several = blocks_of_pairs(len(values), len(first))
    for (m, (metric, cutoff)), block in itertools.product(enumerate(measures), several):
        i, j = first[block], second[block]
        a, b = values[:, i, m], values[:, j, m]
        columns = {
            "metric": metric,
            "cutoff": cutoff,
            "system_a": systems[i],
            "system_b": systems[j],
            "identical": same[block],
            "difference": aggregate(a - b),
            "p_value": p[m, i, j],
            "adjusted": adjusted[m, i, j],
            "test": test,
            **effects(a, b, direction(metric), region),
        }
        if region is not None:
            # Whose width a reader makes of the means, in place of a number for each pair.
            columns = {name: own for name, own in columns.items() if name != "region"}
            columns["equivalence"] = str(equivalence)
        frames.append(pd.DataFrame(columns))
    return frames
