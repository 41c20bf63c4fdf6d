"""The input of advice: judgements, lists and further data, as arrays; and what can be chosen."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from rankassay.metrics.evaluate import drops_without_relevant, measure_values
from rankassay.metrics.judged import Judged, judge
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import TestSet
from rankassay.statistics.sensitivity import DEFAULT_GAMMA
from rankassay.statistics.valuation import OfWhole, UsersValues
from rankassay.types import Booleans, Floats, Integers

WEIGHTS = ("none", "popularity", "given")
AS_GIVEN = "as given"  # how the reason for a threshold begins that the user named
ALPHA = 0.05
CONFIDENCE = 0.95
PERMUTATIONS = 5_000  # the least p-value is then .0002, and one of .05 is off by .003
# Of users. The ends of an interval of 95 % are then off by a tenth of its width.
RESAMPLES = 200
PROFILE = "paper"
# As in the simulated worlds: users without a relevant item are excluded from means and tests.
WITHOUT_RELEVANT = "nan"


@dataclass(frozen=True)
class Given:
    """Judgements, the lists of systems, and further data."""

    # the test ratings, with the propensities that weighted measures divide by
    judgements: Judgements
    item: Integers  # of each judgement
    systems: Mapping[str, Lists]  # the user's own, in their order
    # reference systems, fitted to the training ratings
    references: Mapping[str, Lists] = field(default_factory=dict)
    # the number of training ratings of each item, by the numbers of `item`
    popularity: Integers | None = None
    weights: str = "none"  # where the propensities come from: one of `WEIGHTS`
    # of the training ratings: ratings, users, items; empty without any
    train: Mapping[str, int] = field(default_factory=dict)
    # for texts: dataset (its name in the catalogue), synthetic, threshold_reason, warnings
    about: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # what was assumed about the input, one sentence each

    @property
    def compared(self) -> dict[str, Lists]:
        """All systems: the user's own, and the reference systems that are not called like these."""
        return {**self.systems} | {
            name: own for name, own in self.references.items() if name not in self.systems
        }

    @property
    def ends(self) -> dict[str, int]:
        """The length of the longest list of each of the user's systems."""
        return {name: int(own.length.max(initial=0)) for name, own in self.systems.items()}

    @property
    def depth(self) -> int:
        """The length of the lists that all systems have: of the shortest of `ends`.

        A system that lists nothing for any judged user says nothing of how long its lists are.
        """
        return min((end for end in self.ends.values() if end), default=0)

    @cached_property
    def judged(self) -> dict[str, Judged]:
        """All systems as metrics see them, with their lists cut at `depth`."""
        depth = max(self.depth, 1)
        return {name: judge(self.judgements, own, depth) for name, own in self.compared.items()}

    @cached_property
    def identical(self) -> Booleans:
        """Which of the compared systems list the judged items alike, bool (n, n).

        For the users with a relevant item; only the places that are read count. No metric of judged
        items can find a difference between such systems.
        """
        counted = self.judgements.n_relevant[self.judgements.row] > 0
        listed = [
            np.where(own.ranks > self.depth, 0, own.ranks)[counted].tobytes()
            for own in self.compared.values()
        ]
        return np.array([[one == other for other in listed] for one in listed])

    @property
    def relevant_median(self) -> float:
        """The median number of relevant items, over the users who have one."""
        counts = self.judgements.n_relevant
        return float(np.median(counts[counts > 0])) if (counts > 0).any() else 0.0

    @property
    def judged_median(self) -> float:
        """The median number of judged items, over the users who have a relevant one."""
        counts = np.diff(self.judgements.start)[self.judgements.n_relevant > 0]
        return float(np.median(counts)) if len(counts) else 0.0

    @property
    def negative(self) -> bool:
        """Whether anything was judged that is not relevant."""
        return not bool(self.judgements.relevant.all())


def by_popularity(popularity: Integers, item: Integers) -> Floats:
    """Return the propensities of judgements where none are known, float64 (n_judged,).

    They are (n_i + 1) / (max n + 1) with the item's number n_i of training ratings, as in the
    simulated worlds: an item that nobody rated has a weight, too.

    >>> by_popularity(np.array([9, 4, 0]), np.array([0, 1, 2, 1]))
    array([1. , 0.5, 0.1, 0.5])
    """
    return (popularity[item] + 1) / (popularity.max(initial=0) + 1)


@dataclass(frozen=True)
class Settings:
    """How advice is found: what can be chosen.

    A dataclass, and no model of pydantic as the settings of studies are: advice is given in the
    light core, where that is not installed.
    """

    seed: int = 0
    alpha: float = ALPHA
    confidence: float = CONFIDENCE
    gamma: float = DEFAULT_GAMMA  # up to which weights of hits a conclusion has to hold
    permutations: int = PERMUTATIONS
    resamples: int = RESAMPLES
    metrics: tuple[str, ...] | None = None  # those asked for; the first is the conventional one
    cutoffs: tuple[int, ...] | None = None
    yardstick: str | None = None  # of a truth, by which alone measures are excluded; None is both
    profile: str = PROFILE  # as in `rankassay.evaluate`, as the next
    without_relevant: str | None = WITHOUT_RELEVANT


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
