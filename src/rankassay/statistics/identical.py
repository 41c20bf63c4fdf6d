"""Identical systems: pairs between which no metric can find a difference.

Their p-value is 1 under every metric, so that they add 1 to every discriminative power and say
nothing of a metric. Two systems that tie under one metric are another matter: their p-value of 1 is
what the metric says of them, and they stay a pair.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import combinations

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Rankings
from rankassay.types import Booleans, Floats


def same_values(parts: Iterable[Floats]) -> Booleans:
    """Return the pairs i < j with the same value for every user by every measure, bool (n_pairs,).

    `parts` are values (n_users, n_systems, n_measures) by some measures after the other, of which
    two that are undefined (NaN) are the same.
    """
    groups: Sequence[object] | None = None
    for values in parts:
        found = [_digest(values[:, system]) for system in range(values.shape[1])]
        groups = found if groups is None else [*zip(groups, found, strict=True)]
    return _same(groups or [])


def same_lists(rankings: Mapping[str, Rankings]) -> Booleans:
    """Return the pairs i < j that rank the same items for every user, bool (n_pairs,).

    Their lists are equal, and so are the ranks of all test items. Lists are read only of systems
    that agree in these ranks.
    """
    by_ranks = [(_digest(own.ranks), _digest(own.n_ranked)) for own in rankings.values()]
    several = {key for key in by_ranks if by_ranks.count(key) > 1}
    return _same(
        [
            (key, _digest(own.items) if key in several else name)
            for key, (name, own) in zip(by_ranks, rankings.items(), strict=True)
        ]
    )


def named(systems: Iterable[object], same: Booleans) -> pd.DataFrame:
    """Return the names of identical pairs: columns system_a and system_b."""
    pairs = [pair for pair, own in zip(combinations(systems, 2), same, strict=True) if own]
    return pd.DataFrame(pairs, columns=["system_a", "system_b"], dtype=str)


def placed(systems: Iterable[object], pairs: pd.DataFrame) -> Booleans:
    """Return which pairs i < j of systems are named, bool (n_pairs,): the inverse of `named`."""
    known = {*zip(pairs["system_a"].astype(str), pairs["system_b"].astype(str), strict=True)}
    both = combinations(map(str, systems), 2)
    return np.array([(a, b) in known or (b, a) in known for a, b in both], dtype=bool)


def _same(groups: Sequence[object]) -> Booleans:
    return np.array([a == b for a, b in combinations(groups, 2)], dtype=bool)


def _digest(array: np.ndarray) -> bytes:
    """Return a digest, the same for the same shape and values; a zero has no sign, NaN is one."""
    values = np.ascontiguousarray(array)
    if values.dtype.kind == "f":
        values = np.where(np.isnan(values), np.nan, values + 0.0)
    return blake2b(values.tobytes() + repr(values.shape).encode()).digest()
