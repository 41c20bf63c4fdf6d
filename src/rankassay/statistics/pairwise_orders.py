"""Orders of systems from preferences between pairs of them.

Preferences need not be transitive, so that what order they make is a choice. All take the users'
preferences of the pairs i < j of systems, float64 (n_users, n_pairs), above 0 where the first one
is better and NaN for users who have none; and return a score of each system, the higher the better,
float64 (n_systems,).
"""

from collections.abc import Callable

import numpy as np

from rankassay.errors import RankassayError, one_of
from rankassay.metrics.judgements import blocks
from rankassay.types import Floats

DECIMALS = 12  # smaller differences are rounding
CELLS = 2**22  # preferences that are looked at together
ORDERS = ("mean", "wins", "borda", "copeland", "mc4")


def order(preferences: Floats, how: str = "wins") -> Floats:
    """Return the systems' scores, of which those that differ by rounding are the same.

    Parameters
    ----------
    preferences : float64 (n_users, n_pairs)
    how : {"mean", "wins", "borda", "copeland", "mc4"}
        - mean: the mean preference over users and other systems;
        - wins: the share of users and other systems by which a system is preferred, ties counting
          one half: the win rate;
        - borda: for each user, systems are put in order by their mean preference; a system gets as
          many points as there are systems below, ties sharing theirs (Borda, 1781), and the score
          is the mean over users;
        - copeland: how many systems it beats, less those it loses to, by the mean preference over
          users (Copeland, 1951);
        - mc4: the stationary distribution of a chain that moves from a system to another one, each
          with probability 1 / n_systems, if most users with an opinion prefer that one (Dwork,
          Kumar, Naor and Sivakumar, WWW 2001, section 3.2.2), with a start at random of 1 in 10^6
          steps, so that there is one where some systems beat all others.

    Raises
    ------
    RankassayError
        For a number of pairs that no number of systems has, and without users who have preferences.
    """
    one_of("order", how, ORDERS)
    scores = {"mean": _mean, "wins": _wins, "borda": _borda, "copeland": _copeland, "mc4": _mc4}
    return np.round(scores[how](preferences), DECIMALS)


def scores_of_means(means: Floats, n_systems: int) -> Floats:
    """Return the mean preference for each system over the others, float64 (..., n_systems).

    `means` are those of the pairs i < j, float64 (..., n_pairs).
    """
    first, second = np.triu_indices(n_systems, k=1)
    sides = np.zeros((len(first), n_systems))
    sides[np.arange(len(first)), first], sides[np.arange(len(first)), second] = 1.0, -1.0
    return means @ sides / (n_systems - 1)


def circular_triads(preferences: Floats) -> int:
    """Count the intransitive triples of systems: most users prefer each one to the next.

    Of users who prefer one of two; parameters and errors are those of `order`. Where no two systems
    tie and no triple is intransitive there is an order in which no system comes before one that
    most users prefer to it (Kendall and Babington Smith, Biometrika 31, 1940). Where some tie, four
    or more systems can form a cycle without such a triple.
    """
    beats = (_square(_mean_of(preferences, np.sign)) > 0).astype(np.int64)
    return int(np.trace(beats @ beats @ beats)) // 3


def _mean_of(preferences: Floats, of: Callable[[Floats], Floats]) -> Floats:
    """Return the mean of a function of preferences over the users with a defined preference."""
    n_pairs = preferences.shape[1]
    _n_systems(n_pairs)
    users = np.flatnonzero(~np.isnan(preferences).any(axis=1))
    if not len(users):
        raise RankassayError(
            "preferences: expected users with relevant items, found none; lower the threshold, or "
            "take other judgements."
        )
    # Of a block of users at a time: Borda's scores are a multiple of it.
    size = max(1, CELLS // n_pairs)
    sums = [of(preferences[users[i:j]]).sum(axis=0) for i, j in blocks(len(users), size)]
    return sum(sums) / len(users)


def _square(pairs: Floats) -> Floats:
    """Return numbers of the pairs i < j, (..., n_pairs), as antisymmetric (..., n, n)."""
    n = _n_systems(pairs.shape[-1])
    square = np.zeros((*pairs.shape[:-1], n, n))
    first, second = np.triu_indices(n, k=1)
    square[..., first, second], square[..., second, first] = pairs, -pairs
    return square


def _n_systems(n_pairs: int) -> int:
    """Return the number of systems with these pairs; raises RankassayError if there is none."""
    n = round(float(1 + np.sqrt(1 + 8 * n_pairs)) / 2)
    if n < 2 or n * (n - 1) // 2 != n_pairs:
        raise RankassayError(
            f"preferences: expected a column for each pair of two systems or more, found {n_pairs}."
        )
    return n


def _mean(preferences: Floats) -> Floats:
    means = _square(_mean_of(preferences, np.asarray))
    return means.sum(axis=1) / (len(means) - 1)


def _wins(preferences: Floats) -> Floats:
    share = _square(_mean_of(preferences, np.sign))
    return (share.sum(axis=1) / (len(share) - 1) + 1) / 2


def _borda(preferences: Floats) -> Floats:
    return _mean_of(preferences, _points)


def _points(preferences: Floats) -> Floats:
    """Return how many systems each user has below each one, those that are equal as half ones."""
    means = np.round(_square(preferences).sum(axis=2), DECIMALS)
    below = (means[:, :, None] > means[:, None, :]).sum(axis=2)
    equal = (means[:, :, None] == means[:, None, :]).sum(axis=2) - 1
    return below + equal / 2


def _copeland(preferences: Floats) -> Floats:
    means = _square(_mean_of(preferences, np.asarray))
    return np.sign(np.round(means, DECIMALS)).sum(axis=1)


def _mc4(preferences: Floats) -> Floats:
    beaten = _square(_mean_of(preferences, np.sign)) < 0  # row by column
    n = len(beaten)
    chain = (1 - 1e-6) * beaten / n + 1e-6 / n  # its diagonal, staying, is 1 less the rest
    # What enters a system adds up without any difference (Grassmann, Taksar and Heyman, Operations
    # Research 33, 1985). So the small shares of systems that most others beat are exact to the last
    # digits, by which alone they differ: by some 2e-6 / n^2 if all beat those below them.
    for k in range(n - 1, 0, -1):
        chain[:k, k] /= chain[k, :k].sum()
        chain[:k, :k] += np.outer(chain[:k, k], chain[k, :k])
    share = np.ones(n)
    for k in range(1, n):
        share[k] = share[:k] @ chain[:k, k]
    return share / share.sum()
