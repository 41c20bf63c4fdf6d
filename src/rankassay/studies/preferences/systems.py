"""The recommenders by preferences between their lists, and by accuracy metrics."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self, TypedDict, Unpack

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.artifacts.shards import successive
from rankassay.metrics.catalogue import PREFERENCE
from rankassay.metrics.evaluate import computed, grid
from rankassay.metrics.judgements import Lists
from rankassay.metrics.names import direction
from rankassay.metrics.preferences import Places, differences, signs
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import (
    OnTestSet,
    TestSet,
    judged_fit,
    means_of_values,
    names_of,
)
from rankassay.statistics.orders import settled
from rankassay.statistics.pairwise_orders import scores_of_means
from rankassay.types import Booleans, Floats


def sign_name(metric: str) -> str:
    """Return the name of the sign of a metric's differences."""
    return f"sign of {metric}"


class Asked(TypedDict):
    """The inputs and settings that all analyses of the study share.

    Attributes
    ----------
    test : csr (n_users, n_items)
    rankings : mapping from the systems' names to Rankings
    preferences, metrics, signs, cutoffs
        See `rankassay.studies.preferences.settings.Section`.
    """

    test: sp.csr_matrix
    rankings: Mapping[str, Rankings]
    preferences: Sequence[str]
    metrics: Sequence[str]
    signs: Sequence[str]
    cutoffs: Sequence[int]


@dataclass(frozen=True)
class Compared(OnTestSet):
    """Systems ranked by preferences between their lists, a valuation.

    A preference puts systems in order by their mean preference over users and other systems. The
    test set has the metrics, and then those whose signs are asked for; `names` are those of the
    metrics, the preferences and the signs, in this order.

    Attributes
    ----------
    lists : list of Lists
    n_metrics : int
        How many of `names` are metrics.
    """

    lists: list[Lists]
    n_metrics: int

    @classmethod
    def of(cls, evaluation: dict, **asked: Unpack[Asked]) -> Self:
        """Judge the systems of a dataset.

        `evaluation` has a threshold, a profile and without_relevant. One number for all users is
        the mean.
        """
        cutoffs, rankings = [*map(int, asked["cutoffs"])], asked["rankings"]
        metrics, signed = (grid(asked[kind], cutoffs) for kind in ("metrics", "signs"))
        spec = evaluation | {"measures": metrics + signed, "aggregate": "mean"}
        anew = not judged_fit(asked["test"], rankings)
        accuracy = TestSet.of(asked["test"], rankings, spec, anew=anew)
        lists = [Lists.of(ranking, accuracy.judgements) for ranking in rankings.values()]
        names = names_of(metrics)
        names += [(kind, cutoff) for kind in asked["preferences"] for cutoff in cutoffs]
        names += [(sign_name(metric), cutoff) for metric, cutoff in names_of(signed)]
        return cls(accuracy, names, lists, len(metrics))

    def pairs(self, keep: Booleans | None = None) -> Iterator[tuple[Floats, Booleans]]:
        """Yield by measure each user's preferences, and which of these are ties.

        Where users are many, one of these takes much of the memory: none is kept when the next is
        made, which is why callers map a function over them.

        Both are (n_users, n_pairs). What a metric prefers is by how much it differs, and the better
        system comes first also where less is better. Users without relevant items have no
        preference (NaN), but by a metric that counts them.
        """
        yield from map(differences, self._better(keep, range(self.n_metrics)))
        yield from map(_with_ties, self._preferences(keep))

    def by_metric(self) -> Iterator[Floats]:
        """Yield every user's values under one metric after the other, (n_users, n_systems)."""
        for values in self._values(None, range(self.n_metrics)):
            yield from np.moveaxis(values, 2, 0)

    def _preferences(self, keep: Booleans | None) -> Iterator[Floats]:
        """Yield each user's preferences, and then the signs of metrics; see `pairs`."""
        n_signs = len(self.whole.evaluation["measures"]) - self.n_metrics
        yield from self._of_places(self.names[self.n_metrics : len(self.names) - n_signs], keep)
        relevant = self.judgements.rating >= self.judgements.threshold
        relevant = relevant if keep is None else relevant & keep
        without = np.bincount(self.judgements.row[relevant], None, self.judgements.n_users) == 0
        signed = self._better(keep, range(self.n_metrics, self.n_metrics + n_signs))
        yield from map(partial(_signs, without=without), signed)

    def _of_places(
        self, asked: Sequence[tuple[str, int]], keep: Booleans | None
    ) -> Iterator[Floats]:
        """Yield the preferences of these names, which share the places of relevant items."""
        of = partial(Places.of, self.judgements, self.lists, keep=keep)
        places = {cutoff: of(cutoff) for _, cutoff in asked}
        for kind, cutoff in asked:
            yield computed(kind, PREFERENCE, places[cutoff])

    def values(self, keep: Booleans | None = None) -> Floats:
        """Return every user's values: a metric's, or the mean preference over other systems."""
        metrics = self._measured(range(self.n_metrics)).values(keep)
        scores = partial(scores_of_means, n_systems=len(self.lists))
        found = [*map(scores, self._preferences(keep))]
        return np.concatenate([metrics, *(own[:, :, None] for own in found)], axis=2)

    def means(self, keep: Booleans | None = None, draws: Draws | None = None) -> Floats:
        """Return the systems' values on the kept judgements, by which they are ranked.

        float64 (1 + n_resamples, n_measures, n_systems): for the users, and for each resample.
        Means that are equal have the same bits.
        """
        n_users = self.judgements.n_users
        draws = draws or Draws.none(n_users)
        exact = self._measured(range(self.n_metrics)).means(keep, draws)

        def scored(own: Floats) -> Floats:
            means = means_of_values(own[:, :, None], draws)[:, 0]
            scores = scores_of_means(means, len(self.lists))
            # They are sums of terms up to 1, which their sizes do not show.
            return settled(1 + scores, n_users)[:, None]

        return np.concatenate([exact, *map(scored, self._preferences(keep))], axis=1)

    def _measured(self, chosen: range) -> TestSet:
        """Return the systems by some metrics alone, or by those whose signs are asked for."""
        evaluation = self.whole.evaluation
        measures = evaluation["measures"][chosen.start : chosen.stop]
        return replace(self.whole, evaluation=evaluation | {"measures": measures})

    def _better(self, keep: Booleans | None, chosen: range) -> Iterator[Floats]:
        """Yield every user's values by one after the other, (n_users, n_systems), more is better.

        As many are made at a time as memory allows, with users' preferences under them.
        """
        names = iter(names_of(self.whole.evaluation["measures"][chosen.start : chosen.stop]))
        for values in self._values(keep, chosen):
            for m in range(values.shape[2]):
                yield values[:, :, m] * direction(next(names)[0])

    def _values(self, keep: Booleans | None, chosen: range) -> Iterator[Floats]:
        """Yield every user's values by some measures at a time, (n_users, n_systems, n)."""
        n = len(self.lists)
        for some in successive(chosen, self.judgements.n_users * (n + n * (n - 1) // 2)):
            yield self._measured(chosen[some]).values(keep)


def _with_ties(own: Floats) -> tuple[Floats, Booleans]:
    """Return preferences, and which of them are ties."""
    return own, own == 0


def _signs(values: Floats, without: Booleans) -> Floats:
    """Return the signs of a metric's differences, and NaN for users `without` relevant items."""
    own = signs(values)
    own[without] = np.nan
    return own
