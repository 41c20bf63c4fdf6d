"""Valuations of systems: a value of each under each measure, for all judgements or a part of them.

For metrics of any kind (of rankings, of diversity, beyond accuracy, on sampled items) and for
preferences between lists, an analysis takes judgements away, lets users count more than once, and
looks at the ranking of the systems. A `Valuation` is all that it needs to know:

- `rankassay.statistics.incomplete` tests whether the ranking is robust to missing judgements,
- `rankassay.statistics.correlation.agreement` whether two measures rank the systems alike.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from rankassay.metrics.judgements import Judgements
from rankassay.metrics.names import direction
from rankassay.statistics.draws import Draws
from rankassay.types import Booleans, Floats, Integers


class Valuation(Protocol):
    """Systems judged on a test set, or on any part of it."""

    @property
    def judgements(self) -> Judgements:
        """The judgements by user."""

    @property
    def item(self) -> npt.NDArray[np.integer]:
        """The item of each judgement, int (n_judged,)."""

    @property
    def measures(self) -> list[dict[str, object]]:
        """The name of each measure: columns of tables, as in {"metric": "P", "cutoff": 10}."""

    @property
    def n_systems(self) -> int:
        """The number of systems."""

    def means(self, keep: Booleans | None = None, draws: Draws | None = None) -> Floats:
        """Return the systems' values on the kept judgements, by which they are ranked.

        `keep` is bool (n_judged,); None is all. The result is float64 (1 + n_resamples, n_measures,
        n_systems): for the users, and for each resample. Values that are equal have the same bits
        (`rankassay.statistics.orders.settled`). Less may be better, as
        `rankassay.metrics.names.direction` says of a metric.
        """


class UsersValues(Valuation, Protocol):
    """A valuation by means, or other aggregates, of values that users have."""

    def values(self, keep: Booleans | None = None) -> Floats:
        """Return every user's values on the kept judgements, float64 (n_users, n_systems, n).

        Of all users; NaN for those who do not count on this part.
        """


@dataclass(frozen=True)
class OfWhole:
    """Common part of valuations by the values of another, of all its judgements and systems."""

    whole: UsersValues

    @property
    def judgements(self) -> Judgements:
        """The judgements by user."""
        return self.whole.judgements

    @property
    def item(self) -> npt.NDArray[np.integer]:
        """The item of each judgement, int (n_judged,)."""
        return self.whole.item

    @property
    def n_systems(self) -> int:
        """The number of systems."""
        return self.whole.n_systems


def directions(measures: Iterable[Mapping[str, object]]) -> Integers:
    """Return 1 for measures of which more is better and -1 for others, int (n_measures, 1)."""
    return np.array([direction(str(measure["metric"])) for measure in measures])[:, None]
