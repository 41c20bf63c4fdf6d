"""Users' values of the systems under measures, of which tests, intervals and checks are made."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rankassay.advice.given import Given
from rankassay.advice.settings import Settings
from rankassay.metrics.evaluate import drops_without_relevant, measure_values
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import TestSet
from rankassay.statistics.valuation import OfWhole, UsersValues
from rankassay.types import Booleans, Floats


def values(
    given: Given, measures: Sequence[str], settings: Settings, systems: Iterable[str] | None = None
) -> Floats:
    """Return every measure for every user and system, float64 (n_users, n_systems, n_measures).

    Of the user's runs, or of the systems that are named.
    """
    names = [*(given.systems if systems is None else systems)]
    found = np.empty((given.judgements.n_users, len(names), len(measures)))
    how = [*measures], settings.profile, settings.without_relevant
    for s, name in enumerate(names):
        found[:, s] = measure_values(given.judged[name], *how)
    return found


@dataclass(frozen=True)
class Counted(OfWhole):
    """Systems judged by the users who have a relevant item; see `UsersValues`.

    A user who keeps no relevant item in a part of the judgements does not count there. The means
    are those of a `TestSet` that drops such users value by value, and take a tenth of the time:
    they are sums over the users who are left, whose others are taken out first.
    """

    @classmethod
    def of(cls, whole: TestSet) -> UsersValues:
        """Return a test set in which users without a relevant item count as its evaluation says."""
        spec = whole.evaluation
        if not drops_without_relevant(spec["profile"], spec["without_relevant"]):
            return whole
        return cls(replace(whole, evaluation=spec | {"without_relevant": "value"}))

    @property
    def measures(self) -> list[dict[str, object]]:
        """The name of each measure."""
        return self.whole.measures

    def values(self, keep: Booleans | None = None) -> Floats:
        """Return every user's values, NaN for those who do not count."""
        return self.whole.values(self._counted(keep))

    def means(self, keep: Booleans | None = None, draws: Draws | None = None) -> Floats:
        """Return the systems' means over the users who count."""
        return self.whole.means(self._counted(keep), draws)

    def _counted(self, keep: Booleans | None) -> Booleans:
        """Return the judgements that are kept, without those of users who keep no relevant one."""
        judgements = self.judgements
        relevant = judgements.relevant if keep is None else judgements.relevant & keep
        counts = np.bincount(judgements.row[relevant], minlength=judgements.n_users) > 0
        counted = counts[judgements.row]
        return counted if keep is None else counted & keep
