"""Resamples of the users, from which intervals are computed.

The bootstrap draws as many users as there are, with replacement; a resample is how often each was
drawn. Where every resample is to be seen on a thousand parts of a test set, users are first put
into groups at random, and groups are drawn: sums over users are then made once a group and not
once a resample. A group of users who were put together at random varies as its users do, so that
the resampled sums have the same variance on average (Wolter, Introduction to Variance Estimation,
2007, chapter 2: random groups). From 500 groups and 200 resamples the standard deviation comes out
right to some 6 %: 3 % for the groups, 5 % for the resamples.

Resamples say what a result would be for other users. What it would be for other systems is
estimated without a family of them at a time (`rankassay.statistics.families`).
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.seeds import generator
from rankassay.types import Floats, Integers

GROUPS = 500
FEWEST = 40  # resamples: of fewer, none lies beyond the ends of an interval of 95 %


@dataclass(frozen=True)
class Draws:
    """The users as they are, and resamples of them."""

    group: Integers  # of each user, (n_users,)
    times: Floats  # how often each group counts, (1 + n_resamples, n_groups); first once each

    @classmethod
    def of(cls, n_users: int, resamples: int, seed: int, groups: int = GROUPS) -> Self:
        """Draw resamples of users, in groups that differ in size by one at most.

        With as many groups as users, or more, this is the bootstrap itself. The same users, seed
        and groups give the same draws in every analysis, so that results can be compared draw by
        draw; fewer resamples are the first ones. Raises RankassayError for fewer than 40, but for
        0.
        """
        if resamples and resamples < FEWEST:
            raise RankassayError(
                f"resamples: expected 0 (no intervals) or at least {FEWEST}, found {resamples}; of "
                "fewer, none lies beyond the ends of an interval of 95 %."
            )
        if not resamples:
            return cls.none(n_users)
        n_groups = max(min(groups, n_users), 1)
        group = generator(seed, "groups-of-users").permutation(n_users) % n_groups
        times = np.ones((1 + resamples, n_groups))
        rng = generator(seed, "resampled-groups")
        for n in range(resamples):
            drawn = rng.integers(0, n_groups, n_groups)
            times[1 + n] = np.bincount(drawn, minlength=n_groups)
        return cls(group.astype(np.int64), times)

    @classmethod
    def none(cls, n_users: int) -> Self:
        """Return the users as they are, without resamples."""
        return cls(np.zeros(n_users, dtype=np.int64), np.ones((1, 1)))

    @property
    def n_groups(self) -> int:
        """The number of groups."""
        return self.times.shape[1]

    def of_users(self, users: Integers) -> "Draws":
        """Return the draws of a part of the users, int (n,)."""
        return Draws(self.group[users], self.times)


def members(group: Integers, n_groups: int) -> sp.csr_matrix:
    """Return 1 where a user belongs to a group, (n_groups, n_users)."""
    n_users = len(group)
    return sp.csr_matrix((np.ones(n_users), (group, np.arange(n_users))), (n_groups, n_users))
