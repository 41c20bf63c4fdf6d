"""The input of preferences: the places of the relevant items in each system's lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from rankassay.errors import RankassayError
from rankassay.kernels import kernel
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists
from rankassay.types import Booleans, Integers, Integers32

UNLISTED = WHOLE_LIST  # the place of an item that is not listed: below all that are


@dataclass(frozen=True)
class Places:
    """Where the lists of several systems have each user's relevant items.

    Attributes
    ----------
    start : int64 (n_users + 1,)
        The relevant items of user row `u` are the entries `start[u]:start[u + 1]`.
    places : int32 (n_systems, n_relevant)
        Increasing for each user: the first is the place of the relevant item that stands highest,
        whichever it is; `UNLISTED` for those that are not listed.
    """

    start: Integers
    places: Integers32

    @classmethod
    def of(
        cls,
        judgements: Judgements,
        systems: Sequence[Lists],
        depth: int = WHOLE_LIST,
        keep: Booleans | None = None,
    ) -> Self:
        """Return the places of the relevant items down to a depth, of the kept judgements.

        `keep` is bool (n_judged,). Raises RankassayError for fewer than two systems.
        """
        if len(systems) < 2:
            raise RankassayError(f"expected two systems or more to compare, found {len(systems)}.")
        relevant = judgements.rating >= judgements.threshold
        relevant = relevant if keep is None else relevant & keep
        start = np.concatenate(([0], np.cumsum(relevant)))[judgements.start].astype(np.int64)
        entries = np.flatnonzero(relevant)  # to find them once is faster than in every list
        ranks = np.stack([lists.ranks[entries] for lists in systems])
        listed = (ranks > 0) & (ranks <= depth)
        places = np.where(listed, ranks, UNLISTED).astype(np.int32)
        _sort(places, start)
        return cls(start, places)

    @property
    def n_users(self) -> int:
        """The number of users, those without relevant items among them."""
        return len(self.start) - 1

    @property
    def n_systems(self) -> int:
        """The number of systems."""
        return len(self.places)

    @cached_property
    def n_listed(self) -> Integers32:
        """How many relevant items each list holds, int32 (n_users, n_systems).

        From there on the places of two lists that hold no more are equal.
        """
        return _n_listed(self.places, self.start)

    def pairs(self) -> tuple[Integers, Integers]:
        """Return the pairs i < j of systems, int64 (n_pairs,) each."""
        first, second = np.triu_indices(self.n_systems, k=1)
        return first.astype(np.int64), second.astype(np.int64)


@kernel
def _n_listed(places, start):
    """Count the places of each user and system before the first `UNLISTED` one."""
    listed = np.zeros((len(start) - 1, len(places)), dtype=np.int32)
    for s in range(len(places)):
        own = places[s]
        for u in range(len(start) - 1):
            for j in range(start[u], start[u + 1]):
                listed[u, s] += own[j] < UNLISTED
    return listed


@kernel
def _sort(places, start):
    """Put each user's places in order, in place; most are nearly so."""
    for s in range(len(places)):
        own = places[s]
        for u in range(len(start) - 1):
            for j in range(start[u] + 1, start[u + 1]):
                k, place = j, own[j]
                while k > start[u] and own[k - 1] > place:
                    own[k] = own[k - 1]
                    k -= 1
                own[k] = place
