"""Random subsets of the systems: the choice of systems as another source of luck.

Resampled users say what a result would be for other users (`rankassay.statistics.draws`). That it
holds for these systems, and not for some of them alone, is another question, which subsets ask.
They are drawn without replacement, as a system that counts twice would be tied with itself, and so
are weaker evidence on systems that were not tried than resampled users are on users.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Self

import numpy as np

from rankassay.errors import RankassayError
from rankassay.seeds import generator
from rankassay.types import Floats, Integers

FEWEST = 8  # systems: subsets of fewer have too few pairs to say anything
SHARE = 15 / 21  # of the systems of Valcarce et al., RecSys 2018, some two thirds
SMALLEST = 5  # systems in a subset, where no size is given

Correlate = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True)
class Subsets:
    """Random subsets of systems.

    Attributes
    ----------
    systems : int64 (n_subsets, size)
        The systems of each subset, in increasing order.
    n_systems : int
        The number of all systems.
    """

    systems: Integers
    n_systems: int

    @classmethod
    def of(cls, n_systems: int, number: int, size: int | None, seed: int) -> Self:
        """Draw different subsets, each equally likely; all there are if they are no more.

        The size is 15 of 21 systems, rounded and at least 5, if it is None. Fewer subsets are the
        first ones of more. There are none of fewer than 8 systems. Raises RankassayError for a size
        that is not below the number of systems.
        """
        if n_systems < FEWEST:
            return cls(np.empty((0, 0), dtype=np.int64), n_systems)
        size = max(round(n_systems * SHARE), SMALLEST) if size is None else size
        if size >= n_systems:
            raise RankassayError(
                f"subsets: size: expected fewer systems than the {n_systems} that are compared, "
                f"found {size}; give a smaller one, or null."
            )
        if math.comb(n_systems, size) <= number:
            every = [*combinations(range(n_systems), size)]
            return cls(np.array(every, dtype=np.int64), n_systems)
        rng = generator(seed, "subsets-of-systems")
        found: dict[tuple[int, ...], None] = {}
        while len(found) < number:
            drawn = rng.choice(n_systems, size, replace=False)
            found[tuple(sorted(drawn.tolist()))] = None
        return cls(np.array([*found], dtype=np.int64).reshape(number, size), n_systems)

    def __len__(self) -> int:
        return len(self.systems)

    def correlate(self, correlate: Correlate, x: Floats, reference: Floats) -> Floats:
        """Return the correlations over all systems, and over each subset.

        Parameters
        ----------
        correlate : function
            Of valuations (..., n_systems) and the reference, as in
            `rankassay.statistics.rank_correlation`.
        x, reference : float64 (n, n_systems)

        Returns
        -------
        float64 (1 + n_subsets, n)
        """
        every = correlate(x, reference)[None]
        if not len(self):
            return every
        own, other = (np.moveaxis(side[:, self.systems], 1, 0) for side in (x, reference))
        return np.concatenate([every, correlate(own, other)])

    def pairs(self) -> Integers:
        """Return the places of each subset's pairs among all pairs i < j, (n_subsets, n_pairs)."""
        place = np.zeros((self.n_systems, self.n_systems), dtype=np.int64)
        first, second = np.triu_indices(self.n_systems, k=1)
        place[first, second] = np.arange(len(first))
        first, second = np.triu_indices(self.systems.shape[1], k=1)
        return place[self.systems[:, first], self.systems[:, second]]
