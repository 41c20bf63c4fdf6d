"""What measures of sets of lists show: users are drawn, left out or swapped with their lists.

A measure such as the coverage of a catalogue is no mean over users, so that a user has no value of
it that could be drawn or permuted. But it is a function of sums over users (`Sums`), which are
known for any weights of the users. Means over users are such functions, too: all measures go
through the same tests.
"""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from assayer.metrics.beyond.sums import Sums
from assayer.progress import progress
from assayer.seeds import generator
from assayer.statistics.draws import Draws, members
from assayer.statistics.permutation import BLOCK, all_bits, random_bits, signs
from assayer.types import Floats

# Permutations at a time: the exposure of all items under each of them fits the cache.
PART = 100
# Differences of this share of the values are those of rounding.
EQUAL = 1e-9


def of_values(values: Floats) -> list[Sums]:
    """Return the mean of each column over the users who have a value, (n_users, n) to n measures.

    NaN stands for a user without.
    """
    known = ~np.isnan(values)
    # Both columns of every user, zeros as well: to look for them takes longer than to add them.
    column = np.tile(np.arange(2, dtype=np.int32), len(values))
    start = np.arange(0, len(column) + 1, 2, dtype=np.int32)
    found = []
    for x, own in zip(values.T, known.T, strict=True):
        data = np.column_stack([np.where(own, x, 0.0), own]).ravel()
        contributions = sp.csr_matrix((data, column, start), shape=(len(values), 2))
        found.append(Sums(contributions, _mean))
    return found


def _mean(totals: Floats, n_users: Floats) -> Floats:
    total, count = totals.T
    return np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)


def resampled(measure: Sums, draws: Draws) -> Floats:
    """Return a measure for the users as they are and for resamples, float64 (1 + n_resamples,)."""
    member = members(draws.group, draws.n_groups)
    by_group = np.asarray((member @ measure.contributions).todense())
    users = draws.times @ np.asarray(member.sum(axis=1), dtype=np.float64).ravel()
    return measure.value(draws.times @ by_group, users)


def parts_of_users(n_users: int, level: float, samples: int, seed: int) -> Floats:
    """Return random parts of the users, `level` percent of them, as weights (samples, n_users).

    The number kept is rounded to the nearest, and at least one. A part depends on the seed, the
    level and its number alone.
    """
    weights = np.zeros((samples, n_users))
    for number, row in enumerate(weights):
        rng = generator(seed, "parts-of-users", f"{level:g}", number)
        row[rng.permutation(n_users)[: max(round(n_users * level / 100), 1)]] = 1.0
    return weights


def swap_test(systems: Sequence[Sums], samples: int, seed: int) -> Floats:
    """Test the difference of all pairs of systems by one measure: users' lists are swapped.

    Under the null hypothesis a user could as well have had the other system's list. A permutation
    draws a sign for each user; those with -1 swap their lists. With t_i the sums of system i over
    all users and s_i the same under the signs, the two systems then have the sums
    (t_i + t_j) / 2 +- (s_i - s_j) / 2. So one product with the signs serves all pairs. Of means
    over users this is the paired permutation test of `assayer.statistics.permutation`, with the
    same signs.

    Parameters
    ----------
    systems : sequence of Sums
        One measure of each system, over the same users.
    samples : int
        B, the number of permutations. Where there are no more than B (2^n_users), all are
        enumerated instead.
    seed : int

    Returns
    -------
    float64 (n_systems, n_systems)
        Two-sided: p = (c + 1) / (B + 1), with c the permutations that leave a difference at least
        as large as the one observed, or p = c / B of all there are; 1 on the diagonal. A
        permutation that leaves a system without a value counts as such. NaN where a system has no
        value to begin with.
    """
    n_systems, n_users = len(systems), systems[0].contributions.shape[0]
    exact = n_users <= 62 and 2**n_users <= samples
    total = 2**n_users if exact else samples
    first, second = np.triu_indices(n_systems, k=1)
    everybody = np.full(1, float(n_users))
    whole = np.array([own.contributions.sum(axis=0) for own in systems]).reshape(n_systems, -1)
    observed = np.array(
        [own.value(row[None], everybody)[0] for own, row in zip(systems, whole, strict=True)]
    )
    extreme = np.zeros(len(first), dtype=np.int64)
    for block in progress(range(-(-total // BLOCK)), f"blocks of {BLOCK} permutations"):
        n = min(BLOCK, total - block * BLOCK)
        drawn = all_bits(n_users, block * BLOCK, n) if exact else random_bits(n_users, block, seed)
        for start in range(0, n, PART):
            bits = drawn[start : min(start + PART, n)]
            # In the order in which scipy reads it: every product would make its own copy else.
            plus_minus = np.ascontiguousarray(signs(bits)[:, :n_users].T, dtype=np.float64)
            signed = [np.asarray((own.contributions.T @ plus_minus).T) for own in systems]
            users = np.repeat(everybody, len(bits))
            for k, (i, j) in enumerate(zip(first, second, strict=True)):
                middle, half = (whole[i] + whole[j]) / 2, (signed[i] - signed[j]) / 2
                one = systems[i].value(middle + half, users)
                other = systems[i].value(middle - half, users)
                least = np.abs(observed[i] - observed[j])
                slack = EQUAL * max(np.abs(observed[i]), np.abs(observed[j]))
                extreme[k] += (~(np.abs(one - other) < least - slack)).sum()
    p = np.ones((n_systems, n_systems))
    found = extreme / total if exact else (extreme + 1) / (total + 1)
    unknown = np.isnan(observed[first]) | np.isnan(observed[second])
    p[first, second] = p[second, first] = np.where(unknown, np.nan, found)
    return p
