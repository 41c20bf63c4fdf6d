"""The recommenders by metrics beyond accuracy, and by accuracy metrics for comparison."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NotRequired, Self, TypedDict, Unpack

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.anew import Anew, fits, of_each
from rankassay.artifacts.arrays import Attributes, Rankings, Ratings
from rankassay.artifacts.shards import successive
from rankassay.metrics.beyond.lists import (
    Catalogue,
    Groups,
    Shown,
    Sums,
    checked,
    popularity_classes,
)
from rankassay.metrics.catalogue import BEYOND, entry
from rankassay.metrics.diversity.lists import Aspects, looked_up
from rankassay.metrics.evaluate import computed, grid
from rankassay.metrics.names import direction
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import OF_ITEM, OnTestSet, TestSet
from rankassay.statistics.orders import settled
from rankassay.statistics.set_measures import of_values, resampled
from rankassay.types import Booleans, Floats, Integers32, Texts

Names = Sequence[tuple[str, int | None]]  # metric and cut-off of each measure

# Numbers that a measure holds for each user: two sums and their places, or a place for each item.
OF_USER = 8


class Asked(TypedDict):
    """The inputs and settings that all analyses of the study share.

    Attributes
    ----------
    train, test : csr (n_users, n_items)
    rankings : mapping from the systems' names to Rankings
    aspects : Ratings
        Of the items; not there where they have none.
    attributes : Attributes
        Of users and items; not there where they have none.
    metrics, accuracy, cutoffs, head, active, item_groups, user_groups
        See `rankassay.studies.beyond.settings.Section`.
    """

    train: sp.csr_matrix
    test: sp.csr_matrix
    rankings: Mapping[str, Rankings]
    aspects: NotRequired[Ratings]
    attributes: NotRequired[Attributes]
    metrics: Sequence[str]
    accuracy: Sequence[str]
    cutoffs: Sequence[int]
    head: float
    active: float
    item_groups: str
    user_groups: str


@dataclass(frozen=True)
class Systems(OnTestSet):
    """Systems whose lists can be measured for any part of the users and of the test ratings.

    The users of the test set are those of the lists, and of its names those of accuracy come first.

    Attributes
    ----------
    catalogue : Catalogue
    lists : mapping from system to int32 (n_users, depth)
    scored : mapping from system to float64 (n_users,) or None
        The share of the candidates that it scored.
    """

    catalogue: Catalogue
    lists: Mapping[str, Integers32]
    scored: Mapping[str, Floats | None]

    @classmethod
    def of(cls, evaluation: dict, **asked: Unpack[Asked]) -> Self:
        """Judge the systems of a dataset.

        `evaluation` has a threshold, a profile and without_relevant: one number for all users is
        the mean, of metrics that are means over users. Metrics whose aspects or groups the dataset
        does not have are excluded.
        """
        train, test, rankings = asked["train"], asked["test"], asked["rankings"]
        cutoffs, aspects = [*map(int, asked["cutoffs"])], asked.get("aspects")
        measures = grid(asked["accuracy"], cutoffs)
        spec = evaluation | {"measures": measures, "aggregate": "mean"}
        # The lists, and the judged items in them.
        n_bytes = (4 * test.shape[0] * max(cutoffs) + OF_ITEM * test.nnz) * len(rankings)
        accuracy = TestSet.of(test, rankings, spec, anew=not fits(n_bytes))
        catalogue = Catalogue(
            train,
            None if aspects is None or aspects.aspects is None else Aspects.of(aspects.aspects),
            _item_groups(**asked),
            _user_groups(**asked),
        )
        users, depth = accuracy.judgements.users, max(cutoffs)
        metrics = [name for name in asked["metrics"] if _possible(name, catalogue)]
        names = [
            (measure.rpartition("@")[0], int(measure.rpartition("@")[2])) for measure in measures
        ]
        for name in metrics:
            names += [(name, cutoff) for cutoff in (cutoffs if entry(name).cut else [None])]
        lists = of_each(
            rankings, lambda ranking: checked(ranking.items[users, :depth], catalogue), n_bytes
        )
        scored = Anew(rankings, lambda ranking: _scored(ranking, users))
        return cls(accuracy, names, catalogue, lists, scored)

    @property
    def n_users(self) -> int:
        """The number of users with test ratings, whose lists are measured."""
        return self.whole.judgements.n_users

    def by_system(
        self, keep: Booleans | None = None, chosen: Names | None = None
    ) -> Iterator[Iterator[Sums]]:
        """Yield the measures of one system after the other, which are made one by one.

        Parameters
        ----------
        keep : bool (n_judged,) or None
            Which test ratings count; None is all.
        chosen : sequence of (metric, cut-off) or None
            Of `names`; None is all.
        """
        chosen = self.names if chosen is None else chosen
        measures, values = self._exact(keep, chosen)
        liked = self._liked(keep)
        users, start = self.whole.judgements.users, self.whole.judgements.start
        item = self.whole.item.astype(np.int32, copy=False)
        for (system, items), accurate in zip(self.lists.items(), values, strict=True):
            judged = looked_up(items, start, item, self.catalogue.n_items)
            relevant = (judged >= 0) & liked[0][judged]
            lists = Shown(items, users, relevant, liked[1], self.catalogue, self.scored[system])
            known = dict(zip(measures, accurate.T, strict=True))
            yield _measured(lists, chosen, known)

    def sums(self, keep: Booleans | None = None, chosen: Names | None = None) -> list[list[Sums]]:
        """Return the results of `by_system` by measure, and then by system."""
        by_system = [[*own] for own in self.by_system(keep, chosen)]
        return [[*own] for own in zip(*by_system, strict=True)]

    def in_turn(self) -> Iterator[Names]:
        """Yield all measures, or as many at a time as memory is meant for, of all systems."""
        for some in successive(self.names, OF_USER * self.n_users * len(self.lists)):
            yield self.names[some]

    def _exact(self, keep: Booleans | None, chosen: Names) -> tuple[Names, Iterable[Floats]]:
        """Return the chosen measures of accuracy, and each system's values, (n_users, n)."""
        measures = self.whole.evaluation["measures"]
        own = {n: m for n, m in zip(self.names, measures, strict=False) if n in chosen}
        if not own:
            return [], [np.empty((self.n_users, 0))] * len(self.lists)
        evaluation = self.whole.evaluation | {"measures": [*own.values()]}
        return [*own], replace(self.whole, evaluation=evaluation).by_system(keep)

    def _liked(self, keep: Booleans | None) -> tuple[Booleans, sp.csr_matrix]:
        """Return which test ratings are relevant and kept, (n_judged,), and by user and item."""
        judgements = self.whole.judgements
        liked = judgements.rating >= judgements.threshold
        if keep is not None:
            liked = liked & keep
        start = np.concatenate(([0], np.cumsum(liked)))[judgements.start]
        shape = (judgements.n_users, self.catalogue.n_items)
        item = self.whole.item[liked]
        return liked, sp.csr_matrix((np.ones(len(item)), item, start), shape=shape)

    def judging(self) -> "Systems":
        """Return the same by the measures that read test ratings."""
        names = [name for name in self.names if "judgements" in entry(name[0]).needs]
        return replace(self, names=names)

    def means(self, keep: Booleans | None = None, draws: Draws | None = None) -> Floats:
        """Return the systems' values on the kept judgements; see `Valuation`.

        A measure is one of all users, and need not be a mean of values that they have. One
        that a system does not have is the worst (`ordered`).
        """
        draws = draws or Draws.none(self.n_users)
        found = [[resampled(own, draws) for own in measures] for measures in self.by_system(keep)]
        return ordered(np.array(found).T, self.names, self.n_users)


def _measured(
    lists: Shown, chosen: Names, known: Mapping[tuple[str, int | None], Floats]
) -> Iterator[Sums]:
    """Yield the measures of a system; `known` are the values of those of accuracy, (n_users,)."""
    for metric, cutoff in chosen:
        if (metric, cutoff) in known:
            yield of_values(known[metric, cutoff][:, None])[0]
            continue
        result = computed(metric, BEYOND, lists, np.array([cutoff or 1]))
        yield result[0] if isinstance(result, list) else of_values(result)[0]


def ordered(values: Floats, names: Names, n_users: int) -> Floats:
    """Return values of which equal ones have the same bits, and of which none is missing.

    They are float64 (..., n_measures, n_systems). An undefined value is the worst one: it counts as
    0, or as the highest value where lower is better and 0 would be the best.
    """
    lower = np.array([direction(metric) < 0 for metric, _ in names])[:, None]
    highest = np.nanmax(values, axis=-1, keepdims=True, initial=0.0)
    worst = np.where(lower, highest, 0.0)
    return settled(np.where(np.isnan(values), worst, values), n_users)


def _possible(metric: str, catalogue: Catalogue) -> bool:
    """Return whether a dataset has the data on items and users that a metric reads."""
    known = {
        "aspects": catalogue.aspects,
        "item groups": catalogue.item_groups,
        "user groups": catalogue.user_groups,
    }
    return not any(known[need] is None for need in entry(metric).needs if need in known)


def _item_groups(**asked: Unpack[Asked]) -> Groups | None:
    """Return the groups of items that are asked for; None where the dataset does not have them."""
    popularity = np.bincount(asked["train"].indices, minlength=asked["train"].shape[1])
    if asked["item_groups"] == "popularity":
        return _most(popularity, asked["head"])
    if asked["item_groups"] == "popularity-classes":
        return popularity_classes(popularity)
    own = asked.get("attributes")
    return None if own is None else _by(asked["item_groups"], own.item_names, own.items)


def _user_groups(**asked: Unpack[Asked]) -> Groups | None:
    """Return the same of users."""
    if asked["user_groups"] == "activity":
        return _most(np.diff(asked["train"].indptr), asked["active"])
    own = asked.get("attributes")
    return None if own is None else _by(asked["user_groups"], own.user_names, own.users)


def _by(name: str, names: Texts, values: Texts) -> Groups | None:
    return Groups.of(values[:, names.tolist().index(name)]) if name in names else None


def _most(count: Floats, share: float) -> Groups:
    """Return two groups: those with the most, a share of all but at least one, and all others."""
    n = min(max(round(len(count) * share), 1), len(count) - 1)
    group = np.ones(len(count), dtype=np.int32)
    group[np.argsort(-count, kind="stable")[:n]] = 0
    return Groups(("most", "others"), group)


def _scored(ranking: Rankings, users: Integers32) -> Floats | None:
    """Return the share of the candidates with a score, where it is known how many there were."""
    if ranking.n_candidates is None:
        return None
    n, scored = ranking.n_candidates[users], ranking.n_ranked[users]
    return np.divide(scored, n, out=np.full(len(n), np.nan), where=n > 0)
