"""What systems achieved online, as the truth of their order."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rankassay.seeds import generator
from rankassay.types import Floats


@dataclass(frozen=True)
class Outcomes:
    """The outcome of each system, the higher the better, and its standard error.

    Attributes
    ----------
    values : mapping from names of systems to float
    errors : mapping from names of systems to float
        NaN where none is known: that outcome is then taken for exact.
    notes : tuple of str
        What was assumed, one sentence each.
    """

    values: Mapping[str, float]
    errors: Mapping[str, float]
    notes: tuple[str, ...] = ()

    def drawn(self, systems: list[str], resamples: int, seed: int) -> Floats:
        """Return the outcomes of systems, float64 (1 + resamples, n_systems).

        First as given, then drawn from normal distributions with the standard errors, independently
        for each system.
        """
        value = np.array([self.values[name] for name in systems], np.float64)
        error = np.array([self.errors[name] for name in systems], np.float64)
        drawn = np.empty((1 + resamples, len(systems)))
        drawn[0] = value
        for place, name in enumerate(systems):
            normal = generator(seed, "outcome", name).standard_normal(resamples)
            drawn[1:, place] = value[place] + np.nan_to_num(error[place]) * normal
        return drawn
