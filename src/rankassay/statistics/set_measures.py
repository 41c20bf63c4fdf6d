"""Tests and intervals of measures of sets of lists: users are resampled, or swap their lists.

A measure such as the coverage of a catalogue is no mean over users, so that there are no values by
user that could be resampled or permuted. But it is a function of sums over users (`Sums`), which
are known for any weights of the users. Means over users are such functions, too: all measures go
through the same tests.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import scipy.special

from rankassay.metrics.beyond.lists import Sums
from rankassay.progress import progress
from rankassay.seeds import generator
from rankassay.statistics.draws import Draws, members
from rankassay.statistics.permutation import BLOCK, all_bits, random_bits, signs
from rankassay.types import Floats, Integers

# Sums of a system at a time, of some permutations: these of two systems fit the cache.
CELLS = 2**18
SIGNS = 2**25  # signs of all users at a time, 12 bytes each: of 1,000 permutations of 33,000 users
# Differences of this share of the values are those of rounding.
EQUAL = 1e-9
# A share of the permutations below which few are counted, so that `swap_tests` asks their spread.
TAIL = 0.01


def of_values(values: Floats) -> list[Sums]:
    """Return the mean of each column over the users who have a value, (n_users, n) to n measures.

    NaN is a user without a value.
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


def users_values(measure: Sequence[Sums]) -> Floats | None:
    """Return every user's values behind the sums of `of_values`, (n_users, n_systems).

    NaN is a user without a value; None is a measure that is no mean over users.
    """
    if any(own.value is not _mean for own in measure):
        return None
    parts = [np.asarray(own.contributions.todense()) for own in measure]
    return np.column_stack([np.where(part[:, 1] > 0, part[:, 0], np.nan) for part in parts])


def _mean(totals: Floats, n_users: Floats) -> Floats:
    total, count = totals.T
    return np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)


def resampled(measure: Sums, draws: Draws) -> Floats:
    """Return a measure over the users and over resamples of them, float64 (1 + n_resamples,)."""
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


def swap_tests(
    measures: Sequence[Sequence[Sums]], samples: int, seed: int, tail: bool = False
) -> Floats:
    """Test the difference of all pairs of systems by each measure: users' lists are swapped.

    Under the null hypothesis a user could as well have had the other system's list. A permutation
    draws a sign for each user; those with -1 swap their lists. With t_i the sums of system i over
    all users and s_i the same under the signs, the two systems then have the sums (t_i + t_j) / 2
    +- (s_i - s_j) / 2. So one product with the signs serves all pairs, and all measures whose
    contributions are the same matrices. Of means over users this is the test of
    `rankassay.statistics.permutation`, with the same signs, and p = (c + 1) / (B + 1), or c / B of
    all there are. A permutation that makes a system's value undefined counts as extreme. The result
    is (n_measures, n_systems, n_systems), two-sided: 1 on the diagonal, and NaN where a system's
    value is undefined to begin with.

    With `tail`, p below `TAIL` is 2 Phi(-|d| / s) where that is less, with d the observed
    difference and s^2 the mean square of those under the permutations drawn, whose mean is 0: a
    count has no p below 1 / (B + 1), which add up over many pairs. By the central limit theorem:
    sums over users tend to normal, and so does a smooth function of them (Knijnenburg et al.,
    Bioinformatics 25, 2009, fit a tail to the same end).
    """
    n_users = measures[0][0].contributions.shape[0]
    exact = n_users <= 62 and 2**n_users <= samples
    total = 2**n_users if exact else samples
    shared = _of_same_sums(measures)
    values = np.array([[own.of_all() for own in measure] for measure in measures])
    first, second = np.triu_indices(len(measures[0]), k=1)
    least = np.abs(values[:, first] - values[:, second])
    least -= EQUAL * np.maximum(np.abs(values[:, first]), np.abs(values[:, second]))
    extreme, squares = np.zeros(least.shape, dtype=np.int64), np.zeros(least.shape)
    for block in progress(range(-(-total // BLOCK)), f"blocks of {BLOCK} permutations"):
        n = min(BLOCK, total - block * BLOCK)
        drawn = all_bits(n_users, block * BLOCK, n) if exact else random_bits(n_users, block, seed)
        for numbers in shared:
            own = [measures[m] for m in numbers]
            for total_of, found in zip(
                (extreme, squares), _count_extreme(own, drawn[:n], least[numbers]), strict=True
            ):
                total_of[numbers] += found
    p = np.ones((len(measures), len(measures[0]), len(measures[0])))
    found = extreme / total if exact else (extreme + 1) / (total + 1)
    if tail and not exact:
        found = _with_tail(found, np.abs(values[:, first] - values[:, second]), squares / total)
    unknown = np.isnan(values[:, first]) | np.isnan(values[:, second])
    p[:, first, second] = p[:, second, first] = np.where(unknown, np.nan, found)
    return p


def _with_tail(p: Floats, observed: Floats, square: Floats) -> Floats:
    """Return p-values whose tail is normal; see `swap_tests`.

    Without any difference under the permutations (or with some undefined) they stay.
    """
    spread = np.sqrt(square)
    z = np.divide(observed, spread, out=np.zeros_like(spread), where=spread > 0)
    normal = 2 * scipy.special.ndtr(-z)
    return np.where((p < TAIL) & (normal < p), normal, p)


def _of_same_sums(measures: Sequence[Sequence[Sums]]) -> list[list[int]]:
    """Return the numbers of measures, those together that have the same matrices."""
    found: dict[tuple[int, ...], list[int]] = {}
    for m, measure in enumerate(measures):
        found.setdefault(tuple(id(own.contributions) for own in measure), []).append(m)
    return [*found.values()]


def _count_extreme(
    measures: Sequence[Sequence[Sums]], bits: npt.NDArray[np.uint8], least: Floats
) -> tuple[Integers, Floats]:
    """Count the permutations that leave pairs their `least` apart or more, (n_measures, n_pairs).

    The sums of the squared differences come with the counts. The measures share their
    contributions.
    """
    matrices = [own.contributions.T for own in measures[0]]
    n_columns, n_users = matrices[0].shape
    # Not `sum`, which adds up float32 as such.
    whole = [(matrix @ np.ones(n_users))[None] / 2 for matrix in matrices]
    pairs = [*zip(*np.triu_indices(len(matrices), k=1), strict=True)]
    extreme, squares = np.zeros(least.shape, dtype=np.int64), np.zeros(least.shape)
    rows = max(min(CELLS // max(n_columns, 1), SIGNS // max(n_users, 1), BLOCK), 1)
    order = "C" if n_columns > rows else "F"  # the longer axis is the quicker one to go along
    for start in range(0, len(bits), rows):
        some = signs(bits[start : start + rows])[:, :n_users]
        # In the order in which scipy reads it: every product would make its own copy else.
        halves = some.T.astype(np.float64, order="C")
        halves /= 2
        signed = [np.asarray((matrix @ halves).T, order=order) for matrix in matrices]
        users = np.full(len(some), float(n_users))
        for k, (i, j) in enumerate(pairs):
            middle, half = whole[i] + whole[j], signed[i] - signed[j]
            one, other = middle + half, middle - half
            for m, measure in enumerate(measures):
                apart = np.abs(measure[i].value(one, users) - measure[i].value(other, users))
                extreme[m, k] += (~(apart < least[m, k])).sum()
                squares[m, k] += apart @ apart
    return extreme, squares
