"""Systems without one family of them at a time: what a result would be for other systems.

It is estimated by a jackknife that leaves out one family at a time, as systems of a family (four
ways to factorise a matrix) resemble one another: they are no independent draws, and a jackknife
over single systems takes them for such.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from rankassay.types import Floats, Integers

FEWEST_FAMILIES = 5  # the scatter of fewer says next to nothing
Correlate = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True)
class Families:
    """Systems without each of their families."""

    names: tuple[str, ...]  # of the families
    kept: tuple[Integers, ...]  # the systems left without each of them, in increasing order
    n_systems: int

    @classmethod
    def of(cls, systems: Sequence[str], families: Mapping[str, str]) -> Self:
        """Return the systems without each family, in the order of the families' first systems.

        A system that `families` does not name is a family of its own. There are none of fewer than
        5 families.
        """
        own = np.array([families.get(name, f"system {name}") for name in systems])
        names = tuple(dict.fromkeys(own.tolist()))
        kept = tuple(np.flatnonzero(own != name) for name in names)
        if len(kept) < FEWEST_FAMILIES:
            return cls((), (), len(systems))
        return cls(names, kept, len(systems))

    def __len__(self) -> int:
        return len(self.kept)

    def correlate(self, correlate: Correlate, x: Floats, reference: Floats) -> Floats:
        """Return the correlations over all systems and without each family, (1 + n_families, n).

        `x` and `reference` are float64 (n, n_systems), and `correlate` is a function of them as in
        `rankassay.statistics.rank_correlation`.
        """
        without = [correlate(x[:, own], reference[:, own]) for own in self.kept]
        return np.array([correlate(x, reference), *without])

    def pairs(self) -> list[Integers]:
        """Return the places of the pairs that are left among all i < j, without each family."""
        first, second = np.triu_indices(self.n_systems, k=1)
        return [np.flatnonzero(np.isin(first, own) & np.isin(second, own)) for own in self.kept]


def jackknife_error(without: Floats) -> Floats:
    """Return the standard error over families of numbers without each, (..., n_families).

    ::

        sqrt((G - 1) / G sum_g (T_g - mean of all T_g)^2)

    with T_g the number without family g of G (Efron and Tibshirani, 1993, equation 11.5, with a
    family in place of an observation). NaN where one of them is, or there are none.
    """
    n = without.shape[-1]
    if not n:
        return np.full(without.shape[:-1], np.nan)
    spread = without - without.mean(axis=-1, keepdims=True)
    return np.sqrt((n - 1) / n * (spread**2).sum(axis=-1))
