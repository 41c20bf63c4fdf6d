"""Which pairs of systems depend on each other in a way that is not symmetric?

The copula of two systems is symmetric if C(u, v) = C(v, u). Where it is not, one system is ahead
of the other for most users, although both have the same margin, so that tests of signs and ranks
reject. The empirical copula of N users is never quite symmetric: two systems that are exchangeable
show a majority by chance, which a simulation from it takes for the truth.
"""

import numpy as np
import scipy.stats

from rankassay.seeds import generator
from rankassay.types import Booleans, Floats, Integers

EXCHANGES = 40  # of labels, for the size of chance
ENOUGH = 1000  # users from whom the size of chance is estimated
PENALTY = 2.0  # of one parameter more, in Akaike's criterion
CELLS = 2**20  # users times pairs that are looked at at a time, at least those of one pair


def asymmetric(values: Floats, first: Integers, second: Integers) -> Booleans:
    """Return which pairs of systems have a dependence that is not symmetric, bool (n_pairs,).

    ::

        A = sum_u sign(D_u) R_u / N^(3/2),    asymmetric if A^2 > 2 mean(A_x^2)

    with D_u the difference of a user's ranks by the two systems, and R_u the rank of its size:
    Wilcoxon's statistic of ranks, which does not see the margins. A_x is A after the values were
    exchanged at random within users, once the second system's had got the first one's margin, as in
    the simulation: users with equal values for both systems keep equal values then, which chance
    moves together. Its mean square is the variance that chance gives A. A^2 divided by it is what
    one parameter for asymmetry gains in twice the log-likelihood, and 2 what that costs by Akaike's
    criterion, by which Urbano, Lima and Hanjalic (SIGIR 2019) choose between copulas.

    A pair in which many small differences one way outweigh few large ones the other way has A near
    0 and is taken for symmetric, although most users prefer one system: the simulated rate of the
    sign test is too low there.

    The variance is found from 40 exchanges, the same ones for all pairs, and of no more than 1,000
    users, as it does not depend on their number.

    Parameters
    ----------
    values : float64 (n_users, n_systems)
    first, second : int64 (n_pairs,)

    References
    ----------
    Akaike, IEEE Transactions on Automatic Control 19, 1974; Genest, Neslehova and Quessy, Annals of
    the Institute of Statistical Mathematics 64, 2012, for other tests of symmetry.
    """
    rng = generator(0, "asymmetry")
    n_users = len(values)
    ranks, margins = scipy.stats.rankdata(values, axis=0), np.sort(values, axis=0)
    few = np.sort(rng.permutation(n_users)[:ENOUGH])
    swaps = rng.random((EXCHANGES, len(few), 1)) < 0.5
    found = np.empty(len(first), dtype=bool)
    size = max(1, CELLS // n_users)
    for start in range(0, len(first), size):
        own = slice(start, start + size)
        one, other = ranks[:, first[own]], ranks[:, second[own]]
        seen, chance = _majority(one, other) ** 2, 0.0
        one = values[few][:, first[own]]
        place = (other[few] - 0.5).astype(np.int64)
        other = np.take_along_axis(margins[:, first[own]], place, axis=0)
        for swap in swaps:
            exchanged = np.where(swap, other, one), np.where(swap, one, other)
            chance = chance + _majority(*exchanged) ** 2 / EXCHANGES
        found[own] = seen > PENALTY * chance
    return found


def _majority(one: Floats, other: Floats) -> Floats:
    """Return A of pairs of columns (n_users, n_pairs); see `asymmetric`."""
    ahead = scipy.stats.rankdata(other, axis=0) - scipy.stats.rankdata(one, axis=0)
    total = (np.sign(ahead) * scipy.stats.rankdata(np.abs(ahead), axis=0)).sum(axis=0)
    return total / len(one) ** 1.5
