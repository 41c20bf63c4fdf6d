"""Systems judged on a test set, or any part of it, by metrics of rankings."""

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from rankassay.artifacts.anew import Anew, fits
from rankassay.artifacts.arrays import Rankings
from rankassay.artifacts.shards import successive
from rankassay.errors import one_of
from rankassay.metrics.aggregate import MEANS, resampled_median
from rankassay.metrics.evaluate import Measure, drops_without_relevant, evaluate, measure_values
from rankassay.metrics.judged import Judged, judge
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists
from rankassay.metrics.part_sums import PartSums
from rankassay.metrics.totals import grouped_sums
from rankassay.statistics.draws import Draws
from rankassay.statistics.orders import settled
from rankassay.statistics.valuation import OfWhole
from rankassay.types import Booleans, Floats

UNJUDGED_USERS = ("drop", "zero")
OF_ITEM = 29  # bytes held for each listed judged item


def judged_fit(test: sp.csr_matrix, rankings: Mapping[str, Rankings]) -> bool:
    """Return whether the ranks of all systems' judged items may be held in memory."""
    return fits(OF_ITEM * test.nnz * len(rankings))


def means_of_values(
    values: Floats, draws: Draws, how: str = "mean", decimals: int | None = None
) -> Floats:
    """Return the systems' aggregates over the users and resamples of them, as `means` does.

    `values` are float64 (n_users, n_systems, n_measures), NaN for a user who does not count;
    `how` is an aggregate of `rankassay.metrics.aggregate`, and `settled` rounds to `decimals`.
    """
    found = np.nan_to_num(_aggregated(values, draws, how))
    return settled(found.swapaxes(1, 2), len(values), decimals)


def _aggregated(values: Floats, draws: Draws, how: str) -> Floats:
    """Return aggregates of values (n_users, ...) for all draws, (1 + n_resamples, ...)."""
    if how == "median":
        return resampled_median(values, draws.times, draws.group)
    transform, invert = MEANS[how]
    means = _divided(*grouped_sums(transform(values), draws.group, draws.n_groups), draws)
    return np.where(np.isnan(means), np.nan, invert(np.nan_to_num(means, nan=1.0)))


def _divided(sums: Floats, count: Floats, draws: Draws) -> Floats:
    """Return the means of draws from sums and counts by group, (n_groups, ...); NaN for none."""
    total, users = (
        (draws.times @ part.reshape(len(part), -1)).reshape(len(draws.times), *part.shape[1:])
        for part in (sums, count)
    )
    none = users == 0
    if none.any():
        total[np.broadcast_to(none, total.shape)] = np.nan
        users[none] = 1.0
    total /= users
    return total


@dataclass(frozen=True)
class TestSet:
    """The judgements of a test set and where each system ranks the judged items.

    Evaluating a part of the test set needs nothing else: no ranking is made again.
    """

    __test__ = False  # the name is the field's term; pytest should not collect it

    judgements: Judgements
    item: npt.NDArray[np.integer]  # of each judgement, (n_judged,)
    systems: Collection[Judged]
    # measures, profile, without_relevant and aggregate, as `rankassay.metrics.evaluate` takes them.
    evaluation: dict
    unjudged_users: str = "drop"
    round_means: int | None = None

    def __post_init__(self) -> None:
        one_of("choice for unjudged users", self.unjudged_users, UNJUDGED_USERS)

    @classmethod
    def of(
        cls,
        test: sp.csr_matrix,
        rankings: Mapping[str, Rankings],
        evaluation: dict,
        unjudged_users: str = "drop",
        round_means: int | None = None,
        anew: bool = False,
    ) -> Self:
        """Return the test set of a dataset.

        Its `evaluation` has a threshold, too, and, where a metric needs them, propensities, the
        matrix that `rankassay.metrics.judgements.Judgements.of` takes. With `anew`, systems are
        judged each time that they are read, which takes less memory and more time.
        """
        propensities = evaluation.get("propensities")
        judgements = Judgements.of(test, evaluation["threshold"], propensities)
        depth = min(ranking.depth for ranking in rankings.values())

        def judged(ranking: Rankings) -> Judged:
            return judge(judgements, Lists.of(ranking, judgements), depth)

        systems: Collection[Judged] = Anew(rankings, judged).values()
        if not anew:
            systems = [*systems]
        return cls(judgements, test.indices, systems, evaluation, unjudged_users, round_means)

    @classmethod
    def of_lists(
        cls,
        judgements: Judgements,
        item: npt.NDArray[np.integer],
        systems: Iterable[Lists],
        evaluation: dict,
        depth: int = WHOLE_LIST,
    ) -> Self:
        """Return the test set that judgements make, and systems whose lists are cut at `depth`."""
        judged = [judge(judgements, lists, depth) for lists in systems]
        return cls(judgements, item, judged, evaluation)

    @property
    def n_systems(self) -> int:
        """The number of systems."""
        return len(self.systems)

    @property
    def measures(self) -> list[dict[str, object]]:
        """The metric and the cut-off of each measure."""
        return as_columns(self.evaluation["measures"])

    def values(self, keep: Booleans | None = None) -> Floats:
        """Return every user's values on the kept test ratings; see `UsersValues`.

        NaN is a user without a judgement in the part, if such users are dropped.
        """
        shape = (self.judgements.n_users, len(self.systems), len(self.evaluation["measures"]))
        values = np.empty(shape)
        for s, own in enumerate(self.by_system(keep)):
            values[:, s] = own
        return values

    def by_system(self, keep: Booleans | None = None) -> Iterator[Floats]:
        """Yield `values` of one system after the other, (n_users, n_measures)."""
        part = self._part(keep)
        users = np.searchsorted(self.judgements.users, part.users)
        for judged in self._on(part, keep):
            values = np.full((self.judgements.n_users, len(self.evaluation["measures"])), np.nan)
            values[users] = self._values_of(judged)
            yield values

    def means(self, keep: Booleans | None = None, draws: Draws | None = None) -> Floats:
        """Return the systems' values on the kept test ratings; see `UsersValues`."""
        spec = self.evaluation
        draws = draws or Draws.none(self.judgements.n_users)
        dropped = drops_without_relevant(spec["profile"], spec["without_relevant"])
        if spec["aggregate"] == "mean" and not dropped:
            means = self._means_of_sums(keep, draws)
        else:
            part = self._part(keep)
            draws = draws.of_users(np.searchsorted(self.judgements.users, part.users))
            means = np.empty((len(draws.times), len(spec["measures"]), len(self.systems)))
            for s, judged in enumerate(self._on(part, keep)):
                means[:, :, s] = _aggregated(self._values_of(judged), draws, spec["aggregate"])
        if not np.isfinite(means).all():  # the check takes a tenth of the time of replacing
            means = np.nan_to_num(means)
        return settled(means, self.judgements.n_users, self.round_means)

    def _means_of_sums(self, keep: Booleans | None, draws: Draws) -> Floats:
        """Return means as `means` does, from sums over the users of each group."""
        measures, profile = self.evaluation["measures"], self.evaluation["profile"]
        kept = np.ones(len(self.judgements.rating), dtype=bool) if keep is None else keep
        # The whole test set has users without judgements only if it was made so.
        unjudged = "zero" if keep is None else self.unjudged_users
        part = (self.judgements, kept, unjudged)
        part_sums = PartSums(measures, profile, *part, draws.group, draws.n_groups)
        # Together, as one product of large matrices takes less than many of small ones.
        sums = np.empty((draws.n_groups, len(self.systems), len(measures)))
        counts, divisors = [], []
        for s, judged in enumerate(self.systems):
            count, divisor = part_sums.of(judged, sums[:, s])
            counts.append(count)
            divisors.append(divisor)
        if all(count is counts[0] for count in counts):  # all users of the part count
            counts = counts[:1]
        # Of some systems all users may count, which is one column, and of others not.
        means = _divided(sums, np.stack(np.broadcast_arrays(*counts), axis=1), draws)
        means /= np.array(divisors)
        return np.swapaxes(means, 1, 2)

    def _values_of(self, judged: Judged) -> Floats:
        """Return the values of one system, float64 (n_users, n_measures)."""
        spec = self.evaluation
        choices = (spec["profile"], spec["without_relevant"])
        return measure_values(judged, spec["measures"], *choices)

    def _part(self, keep: Booleans | None) -> Judgements:
        """Return the kept judgements."""
        if keep is None:
            return self.judgements
        return self.judgements.sample(keep, self.unjudged_users)

    def _on(self, part: Judgements, keep: Booleans | None) -> Iterator[Judged]:
        """Yield the systems as the kept judgements, a part, judge them."""
        for judged in self.systems:
            yield judged if keep is None else judged.sample(keep, part)


@dataclass(frozen=True)
class OnTestSet(OfWhole):
    """Common part of valuations by other than accuracy metrics: systems judged on one test set."""

    whole: TestSet  # the systems by metrics of accuracy
    names: Sequence[tuple[str, int | None]]  # metric, or preference, and cut-off of each measure

    @property
    def measures(self) -> list[dict[str, object]]:
        """The metric and the cut-off of each measure."""
        return [{"metric": metric, "cutoff": cutoff} for metric, cutoff in self.names]


def names_of(measures: Iterable[str]) -> list[tuple[str, int | None]]:
    """Return the metric and the cut-off of each measure."""
    parsed = [Measure.parse(str(measure)) for measure in measures]
    return [(measure.name, measure.cutoff) for measure in parsed]


def compared(names: Sequence[tuple[str, int | None]]) -> list[tuple[int, int, int | None]]:
    """Return the pairs of measures that are compared, each with its cut-off.

    At a cut-off these are all pairs (i, j) of its measures, and of the measures of whole lists
    whose metrics are not measured at it. Last come the pairs of whole lists alone (None).

    >>> compared([("P", 10), ("AP", None)])
    [(0, 0, 10), (0, 1, 10), (1, 0, 10), (1, 1, 10), (1, 1, None)]
    """
    known = {*names}
    cutoffs = {cutoff for _, cutoff in names}
    found = []
    for level in sorted(cutoffs, key=lambda cutoff: cutoff or math.inf):
        there = [
            i
            for i, (metric, cutoff) in enumerate(names)
            if cutoff == level or (cutoff is None and (metric, level) not in known)
        ]
        found += [(i, j, level) for i, j in itertools.product(there, repeat=2)]
    return found


def as_columns(measures: Iterable[str]) -> list[dict[str, object]]:
    """Return measures as columns of a result table."""
    return [{"metric": metric, "cutoff": cutoff} for metric, cutoff in names_of(measures)]


def evaluated(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    measures: Sequence[str],
) -> tuple[Judgements, Floats]:
    """Return the judgements of a test set, and every measure for every user and system.

    The values are float64 (n_users, n_systems, n_measures); `evaluation` has the threshold, profile
    and without_relevant of `rankassay.metrics.evaluate.evaluate`, and propensities where a measure
    needs them. Lists are cut at the length to which all were kept.
    """
    judgements, lists, choices = _judged(test, rankings, evaluation)
    return judgements, evaluate(judgements, lists, measures, *choices)


def evaluated_parts(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    measures: Sequence[str],
    depth: int | None = None,
) -> Iterator[Floats]:
    """Yield the values of `evaluated` by successive measures, which take less memory than all.

    Lists are cut at `depth`, if it is given.
    """
    judgements, lists, choices = _judged(test, rankings, evaluation, depth)
    for own in successive(measures, judgements.n_users * len(lists)):
        yield evaluate(judgements, lists, measures[own], *choices)


def _judged(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    depth: int | None = None,
) -> tuple[Judgements, list[Lists], tuple]:
    """Return the judgements, the systems' lists, and the choices that `evaluate` takes."""
    propensities = evaluation.get("propensities")
    judgements = Judgements.of(test, evaluation["threshold"], propensities)
    lists = [Lists.of(ranking, judgements) for ranking in rankings.values()]
    depth = depth or min(ranking.depth for ranking in rankings.values())
    return judgements, lists, (evaluation["profile"], depth, evaluation["without_relevant"])
